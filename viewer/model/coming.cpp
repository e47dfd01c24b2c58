// What a model is about to show: the view of another scene, and tracks that are being made.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/stopwatch.h"
#include "viewer/model/model.h"

namespace warploom {

void Model::enter(std::size_t scene) {
  if (scene == active_scene_) return;
  const WindowSettings window = view;
  views_[active_scene_] = std::exchange(view, views_[scene]);
  static_cast<WindowSettings&>(view) = window;
  active_scene_ = scene;
  // Places and movements belong to the scene that is left.
  picked = {};
  morph_towards = -1;
  launching = false;
}

void select_scene(Model& model, const std::string& key, const std::vector<std::string>& commands) {
  std::vector<std::string> known;
  for (std::size_t i = 0; i < model.scenes_.size(); ++i) {
    if (model.scenes_[i]->key() == key) {
      // Each scene comes back with the track that was active in it; a new one with its first.
      model.active_tracks_[model.scene().key()] = model.active_track;
      model.enter(i);
      const auto had = model.active_tracks_.find(key);
      model.active_track = had == model.active_tracks_.end() ? 0 : had->second;
      model.active_track = std::min(model.active_track, model.scene().tracks().size() - 1);
      return;
    }
    known.emplace_back(model.scenes_[i]->key());
  }
  known.insert(known.end(), commands.begin(), commands.end());
  throw UsageError(unknown_message(commands.empty() ? "scene" : "scene or command", key, known));
}

void Model::tell_of_files() {
  const auto* files = scene().facet<FileRemarks>();
  const std::string remarks = files ? files->remarks() : std::string();
  if (std::exchange(told_of_files_[scene().key()], remarks) != remarks && !remarks.empty()) tell(remarks);
}

void Model::settle() {
  if (!asked_) return;
  const Runner::Builds builds = runner_.builds();
  for (Asked& before : asked_before_)
    if (builds.shown == before.build) shown_ = std::move(before);
  std::erase_if(asked_before_, [&](const Asked& before) { return before.build <= builds.shown; });
  if (builds.shown == asked_->build) {
    const double seconds = milliseconds_since(asked_->began) / 1000;
    if (seconds > .1) build_seconds_[asked_->start] = seconds;
    build_times_[asked_->scene->key()].add(asked_->bytes, seconds);
    shown_ = std::exchange(asked_, std::nullopt);
    stood_[shown_->active] = shown_->scene->copy();
    tell_of_files();
  }
  if (!asked_ || builds.given_up != asked_->build) return;
  asked_.reset();
  const auto gave_way = std::exchange(asked_before_, {});
  const auto go_back = [&](const Asked& to) {
    // A scene that was opened with what is given up keeps nothing of it: what stood there comes back.
    if (to.active != active_scene_) replace_scene(stood_[active_scene_]->copy());
    enter(to.active);
    replace_scene(to.scene->copy());
    const WindowSettings window = view;
    see(to.seen);
    static_cast<WindowSettings&>(view) = window;
    undo_ = to.undo;
    redo_ = to.redo;
  };
  if (!gave_way.empty() && !runner_.error().empty()) {
    // It failed: the request that it replaced is made again.
    go_back(gave_way.back());
    tell(runner_.error(), true);
    return rebuild();
  }
  if (!shown_) return tell("cancelled: nothing is shown until a parameter is changed");
  go_back(*shown_);
  tell("cancelled: the parameters are back to those of the tracks shown");
  // The old tracks may have gone first to make room.
  if (!runner_.simulation()) rebuild();
}

bool Model::stale() const { return asked_ && milliseconds_since(asked_->since) > 300; }

std::string Model::coming() const {
  if (!asked_) return {};
  const double share = runner_.progress().fraction;
  return asked_->what + (asked_->what == "the tracks" ? " are being made" : " is being made") +
         (share >= 0 ? fmt::format(", {:.0f} %", 100 * share) : "");
}

std::string Model::what_changes() {
  if (!shown_ || shown_->active != active_scene_) return "the tracks";
  const auto before = shown_->scene->parameters(), now = scene().parameters();
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (now[i].kind == Parameter::Kind::list || !now[i].applies().empty() || now[i].get() == before[i].get()) continue;
    const std::string value = to_text(now[i].get());
    const auto choice = std::ranges::find(now[i].choices, value, &Choice::key);
    return now[i].title + " = " + (choice == now[i].choices.end() ? value : choice->title);  // what follows goes unsaid
  }
  return "the tracks";
}

std::string Model::announcement() const {
  if (!asked_) return {};
  const auto same = build_seconds_.find(asked_->start);
  const auto before = build_times_.find(asked_->scene->key());
  const std::optional<double> found = same != build_seconds_.end()   ? same->second
                                      : before != build_times_.end() ? before->second.seconds_for(asked_->bytes)
                                                                     : std::nullopt;
  const bool known = found.has_value();
  // Until one was seen: what slow tracks make, in bytes a second.
  const double usual = runner_.backend() == Backend::cuda ? 5e9 : 1e8;
  const double seconds = known ? *found : asked_->bytes / usual;
  if (!(seconds > 2)) return {};
  const std::string how_long = !known         ? "more than 2 seconds"
                               : seconds < 90 ? fmt::format("about {:.0f} s", seconds)
                                              : fmt::format("about {:.0f} minutes", seconds / 60);
  const std::string memory = asked_->memory > 0 ? " and " + bytes_text(asked_->memory) + " of memory" : "";
  return fmt::format("making {} takes {}{}; Ctrl+Backspace stops it", asked_->what, how_long, memory);
}

}  // namespace warploom
