#include "gpu/tracks/simulation.h"

#include <algorithm>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/probe.h"
#include "gpu/core/scoped_member.h"
#include "gpu/core/watched_work.h"
#include "gpu/tracks/facets/batched.h"
#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/editable.h"
#include "gpu/tracks/facets/fill.h"
#include "gpu/tracks/facets/follower.h"
#include "gpu/tracks/facets/map_alone.h"
#include "gpu/tracks/facets/sealed_step.h"
#include "gpu/tracks/facets/written.h"

namespace warploom {

namespace {

std::uint64_t next_id() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

}  // namespace

Simulation::Simulation(std::vector<std::unique_ptr<Track>> tracks, std::shared_ptr<Timings> timings,
                       std::uint64_t settings, std::unique_ptr<Track> hidden)
    : id_(next_id()),
      tracks_(std::move(tracks)),
      hidden_(std::move(hidden)),
      timings_(std::move(timings)),
      settings_(settings),
      status_(tracks_.size()) {}

void Simulation::bill(Stopwatch* stopwatch, std::size_t track) const {
  if (!stopwatch) return;
  stopwatch->track = static_cast<int>(track);
  stopwatch->settings = settings_;
  stopwatch->step = attempts_;
}

namespace {

/// Times a queue's launches while it lives; a launch that throws leaves nothing behind.
class ScopedTrackAttribution {
 public:
  ScopedTrackAttribution(Queue& queue, Stopwatch* stopwatch) : queue_(queue) {
    queue.stopwatch = nullptr;  // settling is not timed
    if (stopwatch) settle(queue);
    queue.stopwatch = stopwatch;
  }
  ~ScopedTrackAttribution() { queue_.stopwatch = nullptr; }
  ScopedTrackAttribution& operator=(ScopedTrackAttribution&&) = delete;  // neither copied nor moved

 private:
  Queue& queue_;
};

}  // namespace

void Simulation::changed() {
  each_track([](Track& track) { track.changed(); });
  ++version_;
}

template <class Body>
void Simulation::all_or_none(Queue& queue, Body&& body) {
  try {
    body();
    queue.wait();
  } catch (...) {
    each_track([&](Track& track) { track.give_up(queue); });
    throw;
  }
}

void Simulation::publish(Queue& queue, Stopwatch* stopwatch, std::uint64_t steps, bool sealed) {
  const bool may_stop = queue.cancel != nullptr;  // else the caller's whole is not cancelled half way
  const ScopedNoCancel whole(queue);
  each_track([&](Track& track) { track.publish(queue); });
  {
    const ScopedUntimed following(queue);
    each_track([&](Track& track) {
      if (auto* one = track.facet<FollowerFacet>()) one->follow(queue, reference_track());
    });
  }
  steps_ = steps;
  changed();
  if (!sealed) return;
  // Who pauses waits for the last step's seal; who wants something else does not.
  const ScopedMember<&Queue::cancel> while_wanted(queue, may_stop ? WatchedWork::unwanted() : nullptr);
  try {
    seal(queue, stopwatch);
  } catch (const Cancelled&) {  // what is known is of the state before
    const std::lock_guard lock(status_mutex_);
    for (TrackStatus& status : status_) status.sealed = false, status.check.reset();
    right_.sealed = false;
    right_.folded.reset();
    throw;
  }
}

void Simulation::start(Queue& queue, std::uint64_t steps, const std::function<void(Track&)>& write) {
  stepping_.check("Simulation::start");
  {
    const PartOfWork writing(0, .5);
    double done = 0;
    all_or_none(queue, [&] {
      const double tracks = static_cast<double>(tracks_.size()) + (hidden_ ? 1 : 0);
      each_track([&](Track& track) {
        const PartOfWork part(done / tracks, (done + 1) / tracks);
        write(track);
        ++done;
      });
    });
  }
  const PartOfWork sealing(.5, 1);
  publish(queue, nullptr, steps, true);
}

void fill(Simulation& simulation, Queue& queue, std::uint64_t seed, double density) {
  simulation.start(queue, 0, [&](Track& track) { track.need<FillFacet>().fill(queue, seed, density); });
}

void load(Simulation& simulation, Queue& queue, std::span<const std::uint8_t> state, std::uint64_t steps) {
  simulation.start(queue, steps, [&](Track& track) { track.need<FillFacet>().load(queue, state); });
}

void Simulation::adopt(Queue& queue, const Simulation& other) {
  // A track that was there goes on as it was, be it right or wrong; a map whose text was edited is another.
  std::vector<std::size_t> was(size(), other.size());
  const auto text_of = [](const Track& track) {
    const auto* written = track.facet<Written>();
    return written ? written->own().hash : std::string();
  };
  for (std::size_t i = 0; i < size(); ++i)
    for (std::size_t j = 0; j < other.size(); ++j)
      if (other.track(j).info().name == track(i).info().name && text_of(other.track(j)) == text_of(track(i)))
        was[i] = j;
  const std::vector<TrackStatus> before = other.status();
  {
    const std::lock_guard lock(status_mutex_);
    for (std::size_t i = 0; i < size(); ++i)
      if (was[i] < other.size()) status_[i].diverged = before[was[i]].diverged;
  }
  start(queue, other.steps(), [&](Track& track) {
    std::size_t i = 0;
    while (i < size() && tracks_[i].get() != &track) ++i;
    const bool same = i < size() && was[i] < other.size() && other.track(was[i]).extent() == track.extent();
    track.adopt(queue, same ? other.track(was[i]) : other.reference_track());
  });
  attempts_ = other.attempts_;  // samples that are kept are paired with newer ones
}

void Simulation::step(Queue& queue, Stopwatch* stopwatch, bool check) {
  stepping_.check("Simulation::step");
  take(
      queue, stopwatch,
      [&](Track& track) {
        if (auto* sealed = track.facet<SealedStep>()) sealed->seal_with_step(check);
        track.step(queue);
        return std::uint64_t{1};
      },
      check ? 1 : 0);
}

std::uint64_t Simulation::steps(Queue& queue, Stopwatch* stopwatch, std::uint64_t count,
                                const std::function<bool()>& enough) {
  stepping_.check("Simulation::steps");
  std::uint64_t most = count;
  each_track([&](Track& track) {
    auto* batched = track.facet<Batched>();
    most = batched ? std::min(most, batched->reach(queue, most)) : 1;
  });
  // The first track may stop early if the others can stop where it did.
  bool first = true, whole = false;
  each_track([&](Track& track) {
    const auto* batched = track.facet<Batched>();
    whole = whole || (batched && batched->only_whole(most));
  });
  return take(
      queue, stopwatch,
      [&](Track& track) {
        if (auto* sealed = track.facet<SealedStep>()) sealed->seal_with_step(most == count);
        auto* batched = track.facet<Batched>();
        if (most == 1 || !batched) {
          track.step(queue);
          return std::uint64_t{1};
        }
        most = batched->steps(queue, most, [&] { return first && !whole && enough(); });
        first = false;
        return most;
      },
      count);
}

std::uint64_t Simulation::take(Queue& queue, Stopwatch* stopwatch,
                               const std::function<std::uint64_t(Track&)>& some_steps, std::uint64_t sealed_after) {
  ++attempts_;
  const ScopedTrackAttribution billing(queue, stopwatch);
  std::uint64_t taken = 0;
  try {
    all_or_none(queue, [&] {
      for (std::size_t i = 0; i < tracks_.size(); ++i) {
        bill(stopwatch, i);
        taken = some_steps(*tracks_[i]);
      }
      const ScopedUntimed hidden(queue);
      if (hidden_) some_steps(*hidden_);
    });
  } catch (const Cancelled&) {
    throw;
  } catch (const Error& error) {
    throw Error("step " + std::to_string(steps_ + 1) + ": " + error.what(), error.code());
  }
  publish(queue, stopwatch, steps_ + taken, taken == sealed_after);
  if (stopwatch) stopwatch->collect();
  return taken;
}

void Simulation::seal(Queue& queue, Stopwatch* stopwatch) {
  stepping_.check("Simulation::seal");
  const ScopedTrackAttribution billing(queue, stopwatch);
  std::vector<TrackStatus> next(tracks_.size());
  const auto sealed = [&](Track& track, TrackStatus& status) {
    const auto seal = track.seal(queue);
    status.sealed = seal.has_value();
    status.seal = seal.value_or(Seal{});
    status.folded = status.seal.folded;
  };
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    bill(stopwatch, i);
    sealed(*tracks_[i], next[i]);
  }
  TrackStatus right = next[reference()];
  if (hidden_) {
    const ScopedUntimed hidden(queue);
    sealed(*hidden_, right);
  }
  const auto before = status();
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    TrackStatus& status = next[i];
    status.agrees =
        !status.sealed || !right.sealed || (status.seal.hash == right.seal.hash && status.folded == right.folded);
    if (auto* approximate = tracks_[i]->facet<Approximate>()) {
      const ScopedUntimed judging(queue);
      const double tracks = static_cast<double>(tracks_.size());
      const PartOfWork part(static_cast<double>(i) / tracks, static_cast<double>(i + 1) / tracks);
      status.check = approximate->verdict(queue, reference_track());
      status.agrees = status.agrees && status.check->holds();
    }
    if (const auto* written = tracks_[i]->facet<Written>()) {
      const OwnState own = written->own();
      status.broken = own.badge();
      if (own.fault) {  // there is no state of it
        status.sealed = status.agrees = false;
        continue;
      }
    }
    if (status.agrees) continue;
    status.diverged = before[i].diverged;
    if (!status.diverged) status.diverged = Divergence{steps_, tracks_[i]->first_difference(queue, reference_track())};
  }
  {
    const std::lock_guard lock(status_mutex_);
    status_ = std::move(next);
    right_ = right;
  }
  changed();
}

void Simulation::count(Queue& queue) {
  stepping_.check("Simulation::count");
  for (auto& track : tracks_)
    if (auto* counted = track->facet<Counted>(); counted && !counted->counts()) counted->count(queue);
  changed();
}

void Simulation::judge(Queue& queue, double seconds) {
  stepping_.check("Simulation::judge");
  for (auto& track : tracks_) {
    auto* written = track->facet<Written>();
    if (!written || !written->own().judging()) continue;
    const ScopedUntimed untimed(queue);
    written->judge(queue, seconds);
    if (!written->own().judging()) owed_ = true;
  }
  if (!owed_) return;
  seal(queue, nullptr);
  count(queue);
  owed_ = false;
}

std::optional<double> Simulation::judged() const {
  std::optional<double> least;
  if (owed_) least = 1;
  for (const auto& track : tracks_)
    if (const auto* written = track->facet<Written>())
      if (const OwnState own = written->own(); own.judging()) least = std::min(least.value_or(1), own.judgement.share);
  return least;
}

void Simulation::write_cells(Queue& queue, std::span<const Cell> cells, std::uint8_t value) {
  stepping_.check("Simulation::write_cells");
  const ScopedNoCancel whole(queue);
  each_track([&](Track& track) {
    if (auto* editable = track.facet<Editable>()) editable->edit(queue, cells, value);
  });
  changed();
}

std::size_t Simulation::reference() const {
  // A map that a user wrote may be wrong: it is the reference only where there is no other.
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    const auto* written = tracks_[i]->facet<Written>();
    if (tracks_[i]->info().exact && (!written || written->own().kind == "rule")) return i;
  }
  for (std::size_t i = 0; i < tracks_.size(); ++i)
    if (tracks_[i]->info().exact) return i;
  return 0;
}

std::uint64_t Simulation::bytes() const {
  std::uint64_t all = hidden_ ? hidden_->bytes() : 0;
  for (const auto& track : tracks_) all += track->bytes();
  return all;
}

void Simulation::time_maps(Queue& queue, int times) {
  stepping_.check("Simulation::time_maps");
  std::vector<double> milliseconds;
  for (auto& track : tracks_) {
    auto* alone = track->facet<MapAlone>();
    milliseconds.push_back(alone ? alone->time_map(queue, times) : 0);
  }
  const std::lock_guard lock(status_mutex_);
  map_times_ = std::move(milliseconds);
}

std::optional<Ratio> Simulation::ratio_to_baseline(std::size_t track, std::size_t baseline) const {
  // A map that is meant to be wrong somewhere has no speed-up, not even where it happens to be right.
  if (!tracks_[baseline]->info().exact || !tracks_[track]->info().exact) return std::nullopt;
  {
    const std::lock_guard lock(status_mutex_);
    for (const std::size_t i : {baseline, track})
      if (!status_[i].agrees || *status_[i].broken) return std::nullopt;
  }
  const Ratio ratio = timings_->ratio(tracks_[track]->kernel(), static_cast<int>(baseline), tracks_[baseline]->kernel(),
                                      static_cast<int>(track));
  return ratio.pairs ? std::optional(ratio) : std::nullopt;
}

}  // namespace warploom
