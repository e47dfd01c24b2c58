// Rings, notes and captions.
#include <fmt/format.h>

#include "viewer/model/scene_parts.h"
#include "viewer/model/scene_text.h"
#include "viewer/teach/lines/kinds.h"

namespace warploom {

namespace {

/// "cell:2,10" is a place of the pictures, "scene/block" a widget.
bool is_place(const std::string& target) {
  const std::string space = target.substr(0, target.find(':'));
  return target.find(':') != target.npos &&
         (space == Selection::cell || space == "block" || space == "thread" || find_space(space));
}

bool marked_place_is_there(ScriptStage& stage, const Selection& place) {
  const auto simulation = stage.model.scene_simulation();
  for (std::size_t i = 0; simulation && i < simulation->size(); ++i)
    for (const Picture* picture : simulation->track(i).pictures())
      if (!picture->marks(stage.model.selected_in(i, place)).empty()) return true;
  return false;
}

/// Folded sections that hold the widget open.
void unfold(ScriptStage& stage, const std::string& path) {
  std::erase_if(stage.model.view.folded, [&](const std::string& folded) {
    return ("/" + path + "/").find("/" + folded + "/") != std::string::npos;
  });
}

Act read_mark(const std::vector<ScriptWord>& words, ScriptReading&) {
  check_count(words, 1, 2, mark_line);
  if (words[0].text.find(':') != std::string::npos) check_place(words[0].text);
  const std::string said = words.size() > 1 ? words[1].text : "";
  return [target = words[0].text, said, frames = 0](ScriptStage& stage) mutable {
    Model& model = stage.model;
    stage.ui.recording = true;
    if (model.building()) return false;
    const bool place = is_place(target);
    if (frames == 0) {
      Marked mark{place ? "" : target, {}, said};
      if (place) mark.place = parse_selection(target, model.scene().letters());
      unfold(stage, target);
      model.teaching.marks.push_back(mark);
    }
    // Two frames: one that draws what the lines before brought about, and one that scrolls to it.
    constexpr int patience = 12;
    if (frames++ < 2) return false;
    const ui::WidgetRecord widget = place ? ui::WidgetRecord() : stage.ui.find_whole(target);
    const bool there = place ? marked_place_is_there(stage, model.teaching.marks.back().place)
                             : !widget.path.empty() && widget.visible;
    if (!there && frames < patience) return false;
    frames = 0;
    if (!there && stage.forgiving) return true;
    if (!there && place) throw Failed(fmt::format("mark {}: no picture shows that place now", target));
    if (!there && !widget.path.empty()) throw Failed(fmt::format("mark {}: it is out of sight", target));
    if (!there) {
      std::vector<std::string> known;
      for (const auto& one : stage.ui.widgets) known.push_back(one.path);
      throw Failed(fmt::format("mark {}: there is no such widget in the window now; did you mean '{}'?", target,
                               nearest(target, known)));
    }
    return true;
  };
}

Act read_unmark(const std::vector<ScriptWord>& words, ScriptReading&) {
  check_count(words, 0, 0, unmark_line);
  return [](ScriptStage& stage) {
    stage.model.teaching.marks.clear();
    return true;
  };
}

Act read_say(const std::vector<ScriptWord>& words, ScriptReading&) {
  check_count(words, 1, 1, say_line);
  return [said = words[0].text](ScriptStage& stage) {
    stage.model.teaching.said = said;
    return true;
  };
}

}  // namespace

const LineKind mark_line{"mark", "PATH|PLACE [\"words\"]", "a ring and words at a widget or a place", read_mark};
const LineKind unmark_line{"unmark", "", "takes all marks away", read_unmark};
const LineKind say_line{"say", "\"words\"", "a caption, until the next; \"\" takes it away", read_say};

}  // namespace warploom
