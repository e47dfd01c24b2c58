#include "viewer/model/model.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/stopwatch.h"
#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/editable.h"
#include "viewer/model/map_choice.h"
#include "viewer/model/own_texts.h"
#include "viewer/model/own_watch.h"

namespace warploom {

Model::Model(Backend backend, bool synchronous, std::vector<std::unique_ptr<Scene>> scenes)
    : folder(std::filesystem::current_path()),
      scenes_(std::move(scenes)),
      runner_(backend, synchronous),
      synchronous_(synchronous) {
  runner_.on_made = note_own_runs;
  for (const auto& scene : scenes_) {
    add_parts(scene->parts());
    stood_.push_back(scene->copy());
  }
}

void Model::tell(const std::string& text, bool error) {
  offer = {};
  notice = text;
  notice_is_error = error;
  told_ = std::chrono::steady_clock::now();
}

bool Model::notice_is_old(std::chrono::steady_clock::time_point now) const {
  return !notice.empty() && !notice_is_error && now - told_ > std::chrono::seconds(10);
}

void Model::rebuild(std::uint64_t fast_forward, bool anew) {
  runner_.clear_error();  // of something else
  BuildRequest request = scene().build_request(runner_.backend());
  request.letters = scene().letters();
  const std::uint64_t start = request.start;
  const double bytes = request.dump_bytes * static_cast<double>(scene().tracks().size()), memory = request.memory;
  const std::uint64_t build = runner_.build(std::move(request), fast_forward, anew);
  ++changes_;
  if (synchronous_) return tell_of_files();
  const auto now = std::chrono::steady_clock::now(), since = asked_ ? asked_->since : now;
  // The earlier build may be done and not be noticed yet.
  if (asked_) asked_before_.push_back(std::move(*asked_));
  asked_ = Asked{build, active_scene_, scene().copy(), undo_,        redo_, anew,  start,
                 bytes, memory,        what_changes(), fast_forward, now,   since, seen()};
  if (const std::string words = announcement(); !words.empty()) tell(words);
}

std::vector<Value> Model::values() {
  std::vector<Value> all;
  for (const auto& parameter : scene().parameters()) all.push_back(parameter.get());
  return all;
}

void Model::restore(const std::vector<Value>& values) {
  auto next = scene().copy();
  const auto parameters = next->parameters();
  std::set<std::string> given;
  for (std::size_t i = 0; i < std::min(values.size(), parameters.size()); ++i) {
    parameters[i].set(values[i]);
    given.insert(parameters[i].key);
  }
  next->resolve(given, folder);
  replace_scene(std::move(next));
}

void Model::replace_scene(std::unique_ptr<Scene> next) {
  const auto pictures_of = [](Scene& of) {
    const auto* own = of.facet<OwnPictures>();
    return std::string(of.key()) + " " + (own ? own->pictures_of() : "");
  };
  if (const std::string before = pictures_of(scene()), now = pictures_of(*next); before != now) {
    views_of_[before] = {view.pictures, view.data, view.grid};
    // Places of the one picture are none of the other: it is seen whole at first.
    const auto had = views_of_.find(now);
    const PicturesView look = had != views_of_.end() ? had->second : PicturesView{view.pictures, {}, {}};
    view.pictures = look.pictures;
    view.data = look.data;
    view.grid = look.grid;
  }
  replaced_.push_back(std::exchange(scenes_[active_scene_], std::move(next)));
  active_track = std::min(active_track, scene().tracks().size() - 1);
}

Model::Kept Model::keep() const {
  Kept kept;
  for (const auto& scene : scenes_) kept.scenes.push_back(scene->copy());
  kept.active = active_scene_;
  kept.seen = seen();
  return kept;
}

void Model::bring_back(Kept& kept) {
  // The caller may still hold one of the scenes or iterate over them: they last until the frame ends.
  for (std::size_t i = 0; i < scenes_.size(); ++i)
    replaced_.push_back(std::exchange(scenes_[i], std::move(kept.scenes[i])));
  active_scene_ = kept.active;
  see(kept.seen);
}

void Model::see(const Seen& seen) {
  view = seen.view;
  picked = seen.picked;
  active_track = std::min(seen.active_track, scene().tracks().size() - 1);
  folder = seen.folder;
}

namespace {

/// Takes out the tracks that cannot run here; where none is left, the first that can comes in. Says which are out, and
/// why.
std::string drop_unavailable(Scene& scene, Backend backend) {
  std::vector<std::string> left, words;
  for (const std::string& track : scene.tracks())
    if (const std::string why = unavailable(scene, backend, track); why.empty())
      left.push_back(track);
    else
      words.push_back(std::string(track).append(" is left out: ").append(why));
  if (words.empty()) return {};
  for (const TrackInfo& kind : scene.track_kinds())
    if (left.empty() && unavailable(scene, backend, kind.name).empty()) left.push_back(kind.name);
  if (left.empty()) return {};  // the first of them is refused, and says why
  for (const Parameter& parameter : scene.parameters())
    if (parameter.key == "tracks") parameter.set(left);
  return join(words, "; ");
}

}  // namespace

Model::Next Model::next_with(const Wanted& wanted, bool without_state) {
  // A copy: what is refused, or cannot be read, leaves the scene as it was.
  Next next{scene().copy(), {}};
  const auto add = [&](const std::string& told) {
    if (!told.empty()) next.mended += (next.mended.empty() ? "" : "; ") + told;
  };
  if (without_state) next.scene->need<StoredState>().forget_state();
  const auto parameters = next.scene->parameters();
  std::set<std::string> given;
  for (const auto& [key, value] : wanted) {
    const auto found = std::ranges::find(parameters, key, &Parameter::key);
    if (found == parameters.end()) throw UsageError("unknown parameter '" + key + "'");
    found->check(value);
    if (found->get() == value) continue;
    found->set(value);
    add(next.scene->mend(key));
    given.insert(key);
  }
  if (given.empty()) return {};
  // What one algorithm or system can be compared with, another may lack here.
  if (!given.contains("tracks") && &next.scene->track_kinds() != &scene().track_kinds())
    add(drop_unavailable(*next.scene, runner_.backend()));
  const auto lines_of = [](Scene& one) {
    const auto* substituting = one.facet<Substituting>();
    return substituting ? substituting->lines() : std::vector<std::string>{};
  };
  const auto known = lines_of(scene());
  next.scene->resolve(given, folder);
  for (const auto& line : lines_of(*next.scene))
    if (!std::ranges::count(known, line)) add(line);
  const auto running = runner_.simulation();
  next.scene->build_request(runner_.backend()).check_memory(running ? running->bytes() : 0);
  if (without_state) add("the state is dropped; undo brings it back");
  return next;
}

bool Model::change(const Wanted& wanted, std::uint64_t fast_forward, bool without_state) {
  const auto before = values();
  bool taken = false;
  try {
    Next next = next_with(wanted, without_state);
    if (!next.scene) return true;
    const std::shared_ptr<Scene> whole = without_state ? scene().copy() : nullptr;
    replace_scene(std::move(next.scene));
    undo_.push_back({active_scene_, before, nullptr, active_scene_, std::nullopt, whole});
    forget_redo();
    taken = true;
    rebuild(fast_forward);
    const std::string slow = announcement();
    tell(next.mended + (slow.empty() || next.mended.empty() ? "" : "; ") + slow);
    return true;
  } catch (const Error& error) {
    // A synchronous build failed; in the window `settle` brings the values back.
    if (taken) {
      restore(before);
      undo_.pop_back();
      if (!runner_.simulation()) rebuild();  // the old tracks went first, to make room
    }
    tell(error.what(), true);
    if (const auto* stored = scene().facet<StoredState>(); taken || !stored || !stored->start_state()) return false;
  }
  // A given start state must not lock the scene.
  try {
    (void)next_with(wanted, true);
    offer = {"Drop the state and go on", [this, wanted, fast_forward] { change(wanted, fast_forward, true); }};
  } catch (const Error&) {
    // It is refused without the state, too.
  }
  return false;
}

void Model::set_tracks(std::vector<std::string> tracks) {
  set("tracks", tracks);
  active_track = std::min(active_track, scene().tracks().size() - 1);
}

void Model::beside(const std::string& what, std::function<std::string(const std::atomic<bool>&)> work) {
  if (synchronous_) {
    beside_cancel_ = false;
    return tell(work(beside_cancel_));
  }
  if (beside_.valid()) throw Error(beside_words_ + " is still running");
  beside_words_ = what;
  beside_cancel_ = false;
  beside_ = std::async(std::launch::async, [this, work = std::move(work)] { return work(beside_cancel_); });
}

void Model::cancel() {
  if (picture_wanted) {
    picture_wanted.reset();
    return tell("the picture was given up");
  }
  const bool judging = runner_.judging() && !runner_.busy();
  const bool under_way = building() || runner_.busy() || beside_.valid() || judging;
  playing = false;
  teaching.cancelled = beside_cancel_ = true;
  source.cancel();
  runner_.cancel();
  // Of builds and of work beside the window it is told when they ended.
  if (!under_way)
    tell("nothing is under way that could be cancelled");
  else if (!building() && !beside_.valid())
    tell(judging ? "judging was given up; a reset goes on with it" : "cancelled");
}

std::string Model::finish_beside() {
  source.cancel();  // values are not shown any more
  std::string failed;
  const auto hear = [&](const auto& job, void (Model::*ended)()) {
    job.wait();
    tell("");
    (this->*ended)();
    if (notice_is_error) failed += (failed.empty() ? "" : "; ") + notice;
  };
  while (beside_.valid() || !reads_.empty())
    if (beside_.valid())
      hear(beside_, &Model::hear_beside);
    else
      hear(reads_.front().done, &Model::finish_read);
  return failed;
}

void Model::hear_beside() {
  if (!beside_.valid() || beside_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  beside_words_.clear();
  try {
    tell(beside_.get());
  } catch (const Cancelled&) {
    tell("given up");
  } catch (const std::exception& error) {
    tell(error.what(), true);
  }
}

void Model::read_later(std::function<void()> read, std::function<void()> then, const std::string& what) {
  if (synchronous_) {
    read();
    return then();
  }
  reads_.push_back({std::async(std::launch::async, std::move(read)), std::move(then), what});
}

void Model::finish_read() {
  Read read = std::move(reads_.front());
  reads_.pop_front();
  guarded([&] {
    read.done.get();
    read.then();
  });
}

void Model::compute_results() {
  if (computing_.valid()) {
    if (computing_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    try {
      computed_ = computing_.get();
    } catch (const std::exception&) {
      // The runner ends, or the tracks are gone: there are no results.
    }
  }
  const auto simulation = runner_.simulation();
  if (!simulation || playing || building() || runner_.busy()) return;
  const std::pair now{simulation->id(), simulation->version()};
  if (asked_results_ == now) return;
  asked_results_ = now;
  // A copy of its own: the window may change the scene meanwhile.
  const auto look = [this, id = simulation->id(), scene = std::shared_ptr<Scene>(scene().copy())] {
    return runner_.ask([&](Queue& queue, Simulation& tracks) {
      // The tracks may be those of another scene by now.
      if (tracks.id() != id) return Computed{};
      return Computed{tracks.id(), tracks.version(), tracks.steps(), scene->results(tracks, queue)};
    });
  };
  if (synchronous_)
    computed_ = look();
  else
    computing_ = std::async(std::launch::async, look);
}

void Model::remove_track(std::size_t track) {
  auto tracks = scene().tracks();
  if (tracks.size() <= 1) return tell("the last track cannot be removed", true);
  tracks.erase(tracks.begin() + static_cast<std::ptrdiff_t>(track));
  set_tracks(tracks);
  if (scene().tracks().size() != tracks.size()) return;
  if (view.baseline == track)
    view.baseline = 0;
  else if (view.baseline > track)
    --view.baseline;
  if (active_track > track) --active_track;
  // Selections of the track's threads go with it.
  const auto gone = [&](Selection& at) {
    if (!at.of_a_track()) return false;
    if (at.track == track) return true;
    if (at.track > track) --at.track;
    return false;
  };
  if (gone(picked)) picked = {};
  std::erase_if(view.pins, [&](Pin& pin) { return gone(pin.at); });
}

std::uint64_t Model::most_warps(const Simulation& simulation) {
  std::uint64_t most = 0;
  for (std::size_t i = 0; i < simulation.size(); ++i) {
    const auto counts = counts_of(simulation.track(i));
    if (!counts) return 0;
    const std::uint64_t threads = volume(simulation.track(i).launches()[0].threads);
    most = std::max(most, counts->threads() / threads * SoFar::warps_of(threads));
  }
  return most;
}

std::uint64_t Model::launched_warps(const Simulation& simulation) const {
  const std::uint64_t most = most_warps(simulation);
  if (view.launched >= 1 || most == 0) return SoFar::everything;
  return static_cast<std::uint64_t>(std::llround(view.launched * static_cast<double>(most)));
}

void Model::advance(double seconds) {
  if (launching) {
    constexpr double whole = 8;  // seconds
    view.launched = std::min(1., view.launched + std::max(1e-3, seconds) / whole);
    if (view.launched >= 1) launching = false;
  }
  advance_pulse(seconds);
  if (morph_towards < 0) return;
  // Slow enough to follow a block by eye.
  constexpr double per_second = 1 / 1.2;
  const double way = morph_towards - view.solid.morph, step = std::max(1e-3, seconds) * per_second;
  view.solid.morph = std::abs(way) <= step || synchronous_ || !view.motion
                         ? morph_towards
                         : view.solid.morph + std::copysign(step, way);
  if (view.solid.morph == morph_towards) morph_towards = -1;
}

void Model::update() {
  hear_beside();
  while (!reads_.empty() && reads_.front().done.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
    finish_read();
  replaced_.clear();
  settle();
  if (std::optional<Asked>& stands = asked_ ? asked_ : shown_) stands->seen = seen();
  compute_results();
  source.follow(*this);
  show_first_fault(*this);
  if (playing && !picture_wanted) runner_.play(static_cast<unsigned>(steps_per_frame));
  if (const std::string error = runner_.error(); !error.empty() && !synchronous_) {
    tell(error, true);
    playing = false;
  }
}

std::string next_track(Scene& scene) {
  for (const auto& kind : scene.track_kinds())
    if (!std::ranges::count(scene.tracks(), kind.name)) return kind.name;
  return scene.track_kinds()[0].name;
}

}  // namespace warploom
