// What a model undoes: changes of parameters, and strokes.
#include <algorithm>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/tracks/facets/editable.h"
#include "viewer/model/figures.h"
#include "viewer/model/model.h"
#include "viewer/model/scene_text.h"

namespace warploom {

void Model::remember(Before before) {
  undo_.push_back({before.scene, std::move(before.values), nullptr, active_scene_});
  forget_redo();
}

struct Model::History {
  std::vector<Change> undo, redo;
};

std::shared_ptr<Model::History> Model::exchange_history(const std::shared_ptr<History>& next) {
  auto before = std::make_shared<History>(History{std::move(undo_), std::move(redo_)});
  undo_ = next ? next->undo : std::vector<Change>();
  redo_ = next ? next->redo : std::vector<Change>();
  undo_stands();
  return before;
}

void Model::undo_stands() {
  if (std::optional<Asked>& stands = asked_ ? asked_ : shown_) stands->undo = undo_, stands->redo = redo_;
}

void Model::come_back(const Change& change) {
  const std::string from = change.scene != active_scene_ ? scene().key() : "";
  enter(change.scene);
  if (change.whole)
    replace_scene(change.whole->copy());
  else
    restore(change.values);
  if (change.looked) {
    picked = change.looked->picked;
    view.data = change.looked->data;
  }
  // To the step of then, from the start: the steps of now are not those.
  const std::uint64_t steps = change.looked ? change.looked->steps : 0;
  rebuild(steps, steps > 0);
  left.erase(from);  // a text of before it was opened
}

Model::Looked Model::looked() {
  const auto simulation = runner_.simulation();
  const std::uint64_t steps = simulation && runner_.history().empty() ? simulation->steps() : 0;
  return {picked, view.data, steps <= most_replayed_steps ? steps : 0};
}

std::string Model::changes_since(const std::vector<Value>& before) {
  const auto parameters = scene().parameters();
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(before.size(), parameters.size()); ++i)
    if (const Value now = parameters[i].get(); now != before[i])
      words.push_back(parameters[i].title + (parameters[i].kind == Parameter::Kind::list ? " are " : " is ") +
                      in_words(parameters[i], now));
  return join(words);
}

std::string Model::in_words(const Parameter& parameter, const Value& value) {
  if (parameter.kind == Parameter::Kind::list) {
    std::string all;
    const auto& kinds = scene().track_kinds();
    const auto names = scene().tracks();
    for (std::size_t i = 0; i < names.size(); ++i) {
      const auto kind = std::ranges::find(kinds, names[i], &TrackInfo::name);
      all += (i == 0                  ? ""
              : i + 1 == names.size() ? " and "
                                      : ", ") +
             scene().letter(i) + " " + (kind == kinds.end() ? names[i] : full_title(*kind));
    }
    return all;
  }
  const std::string text = parameter.words(value);
  const auto choice = std::ranges::find(parameter.choices, text, &Choice::key);
  return choice != parameter.choices.end() ? choice->title : text.empty() ? "none" : text;
}

namespace {

/// Larger states are not kept for undo; above `most_strokes` the oldest stroke is forgotten.
constexpr std::uint64_t most_snapshot_cells = 1ull << 24;
constexpr std::ptrdiff_t most_strokes = 16;

}  // namespace

void Model::paint(std::vector<Cell> cells, std::uint8_t value, bool begins) {
  const auto simulation = runner_.simulation();
  if (!simulation || cells.empty() || building()) return;  // cells of a domain that goes
  std::shared_ptr<Snapshot> before;
  if (begins && volume(simulation->track(0).extent()) <= most_snapshot_cells) {
    before = std::make_shared<Snapshot>();
    before->history = runner_.history();
    const auto stroke = [](const Change& change) { return change.cells != nullptr; };
    if (std::count_if(undo_.begin(), undo_.end(), stroke) >= most_strokes)
      undo_.erase(std::find_if(undo_.begin(), undo_.end(), stroke));
    undo_.push_back({active_scene_, values(), before, active_scene_});
    forget_redo();
    undo_stands();
  } else if (begins) {
    tell("this state is too large for undo");
  }
  runner_.change(
      [cells = std::move(cells), value, before](Queue& queue, Simulation& tracks) {
        if (before) {
          before->cells = tracks.reference_track().need<Editable>().state(queue);
          before->step = tracks.steps();
        }
        tracks.write_cells(queue, cells, value);
      },
      "painted");
}

void Model::paint_back(const Change& change, std::vector<Change>& other) {
  const auto now = std::make_shared<Snapshot>();
  now->history = runner_.history();
  other.push_back({change.scene, change.values, now, change.stands_in});
  runner_.change_back(
      [to = change.cells, now](Queue& queue, Simulation& tracks) {
        now->cells = tracks.reference_track().need<Editable>().state(queue);
        now->step = tracks.steps();
        if (to->cells.size() == now->cells.size()) load(tracks, queue, to->cells, to->step);
      },
      change.cells->history);
}

std::optional<Model::Change> Model::take_last(std::vector<Change>& from) {
  const auto own =
      std::find_if(from.rbegin(), from.rend(), [&](const Change& one) { return one.stands_in == active_scene_; });
  if (own == from.rend()) return std::nullopt;
  Change change = std::move(*own);
  from.erase(std::next(own).base());
  return change;
}

void Model::forget_redo() {
  std::erase_if(redo_, [&](const Change& one) { return one.stands_in == active_scene_; });
}

bool Model::can_undo() const { return std::ranges::count(undo_, active_scene_, &Change::stands_in) > 0; }
bool Model::can_redo() const { return std::ranges::count(redo_, active_scene_, &Change::stands_in) > 0; }

void Model::undo() { walk_back(undo_, redo_, "undone: "); }

void Model::redo() { walk_back(redo_, undo_, "redone: "); }

void Model::walk_back(std::vector<Change>& from, std::vector<Change>& to, const std::string& said) {
  const auto last = take_last(from);
  if (!last) return tell(&from == &undo_ ? "nothing to undo in this scene" : "nothing to redo in this scene");
  if (last->cells) {
    paint_back(*last, to);
    undo_stands();
    return tell(said + "the stroke");
  }
  const bool same = last->scene == active_scene_;
  const std::size_t stands = active_scene_;
  to.push_back({active_scene_, values(), nullptr, last->scene});
  if (last->looked) to.back().looked = looked();
  if (last->whole) to.back().whole = scene().copy();
  try {
    come_back(*last);
  } catch (const Error&) {  // a file of it is gone: nothing was undone
    enter(stands);
    to.pop_back();
    from.push_back(*last);
    throw;
  }
  tell(said + (same ? changes_since(to.back().values) : "another scene was opened"));
}

}  // namespace warploom
