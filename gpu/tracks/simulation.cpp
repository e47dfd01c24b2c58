#include "gpu/tracks/simulation.h"

#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/probe.h"
#include "gpu/core/uncancelled.h"
#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/editable.h"
#include "gpu/tracks/facets/map_alone.h"

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
class Billing {
 public:
  Billing(Queue& queue, Stopwatch* stopwatch) : queue_(queue) {
    queue.stopwatch = nullptr;  // settling is nobody's time
    if (stopwatch) settle(queue);
    queue.stopwatch = stopwatch;
  }
  ~Billing() { queue_.stopwatch = nullptr; }
  Billing(const Billing&) = delete;
  Billing& operator=(const Billing&) = delete;

 private:
  Queue& queue_;
};

/// Nobody's time while it lives: the hidden reference is not billed.
class Unbilled {
 public:
  explicit Unbilled(Queue& queue) : queue_(queue), stopwatch_(std::exchange(queue.stopwatch, nullptr)) {}
  ~Unbilled() { queue_.stopwatch = stopwatch_; }
  Unbilled(const Unbilled&) = delete;
  Unbilled& operator=(const Unbilled&) = delete;

 private:
  Queue& queue_;
  Stopwatch* stopwatch_;
};

}  // namespace

template <class Body>
void Simulation::start_anew(Queue& queue, std::uint64_t steps, Body&& body) {
  try {
    each_track(body);
    queue.wait();
  } catch (...) {
    each_track([&](Track& track) { track.give_up(queue); });
    throw;
  }
  const Uncancelled whole(queue);
  each_track([&](Track& track) { track.publish(queue); });
  steps_ = steps;
  ++version_;
  seal(queue, nullptr);
}

void Simulation::fill(Queue& queue, std::uint64_t seed, double density) {
  stepping_.check("Simulation::fill");
  start_anew(queue, 0, [&](Track& track) { track.fill(queue, seed, density); });
}

void Simulation::load(Queue& queue, std::span<const std::uint8_t> state) {
  stepping_.check("Simulation::load");
  start_anew(queue, 0, [&](Track& track) { track.load(queue, state); });
}

void Simulation::adopt(Queue& queue, const Simulation& other) {
  stepping_.check("Simulation::adopt");
  start_anew(queue, other.steps(), [&](Track& track) { track.copy_state(queue, other.reference_track()); });
}

void Simulation::step(Queue& queue, Stopwatch* stopwatch, bool check) {
  stepping_.check("Simulation::step");
  ++attempts_;
  const Billing billing(queue, stopwatch);
  try {
    for (std::size_t i = 0; i < tracks_.size(); ++i) {
      bill(stopwatch, i);
      tracks_[i]->step(queue);
    }
    if (hidden_) {
      const Unbilled hidden(queue);
      hidden_->step(queue);
    }
    queue.wait();
  } catch (...) {
    each_track([&](Track& track) { track.give_up(queue); });
    throw;
  }
  const Uncancelled whole(queue);
  each_track([&](Track& track) { track.publish(queue); });
  ++steps_;
  ++version_;
  if (check) seal(queue, stopwatch);
  if (stopwatch) stopwatch->collect();
}

void Simulation::seal(Queue& queue, Stopwatch* stopwatch) {
  stepping_.check("Simulation::seal");
  const Billing billing(queue, stopwatch);
  std::vector<Seal> seals;
  std::vector<std::optional<std::uint64_t>> sums;
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    bill(stopwatch, i);
    seals.push_back(tracks_[i]->seal(queue));
    sums.push_back(seals.back().folded);
  }
  const std::size_t first = reference();
  Seal right = seals[first];
  std::optional<std::uint64_t> right_sum = sums[first];
  if (hidden_) {
    const Unbilled hidden(queue);
    right = hidden_->seal(queue);
    right_sum = right.folded;
  }
  std::vector<std::optional<Cell>> cells(tracks_.size());
  std::vector<bool> equal;
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    equal.push_back(seals[i].hash == right.hash && sums[i] == right_sum);
    bool known;
    {
      const std::lock_guard lock(status_mutex_);
      known = status_[i].diverged.has_value();
    }
    if (!equal[i] && !known) cells[i] = tracks_[i]->first_difference(queue, reference_track());
  }
  const std::lock_guard lock(status_mutex_);
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    status_[i].seal = seals[i];
    status_[i].folded = sums[i];
    status_[i].agrees = equal[i];
    if (!equal[i] && !status_[i].diverged) status_[i].diverged = Divergence{steps_, cells[i]};
    if (equal[i]) status_[i].diverged.reset();
  }
  ++version_;
}

void Simulation::count(Queue& queue) {
  stepping_.check("Simulation::count");
  for (auto& track : tracks_)
    if (auto* counted = track->facet<Counted>(); counted && !counted->counts()) counted->count(queue);
  ++version_;
}

void Simulation::write_cells(Queue& queue, std::span<const Cell> cells, std::uint8_t value) {
  stepping_.check("Simulation::write_cells");
  const Uncancelled whole(queue);
  each_track([&](Track& track) {
    if (auto* editable = track.facet<Editable>()) editable->edit(queue, cells, value);
  });
  ++version_;
}

std::vector<TrackStatus> Simulation::status() const {
  const std::lock_guard lock(status_mutex_);
  return status_;
}

std::size_t Simulation::reference() const {
  for (std::size_t i = 0; i < tracks_.size(); ++i)
    if (tracks_[i]->info().exact) return i;
  return 0;
}

std::uint64_t Simulation::bytes() const {
  std::uint64_t all = 0;
  for (const auto& track : tracks_) all += track->bytes();
  return all + (hidden_ ? hidden_->bytes() : 0);
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

std::vector<double> Simulation::map_times() const {
  const std::lock_guard lock(status_mutex_);
  return map_times_;
}

std::optional<Ratio> Simulation::ratio_to_baseline(std::size_t track) const {
  // A map that is meant to be wrong somewhere has no speed-up, not even where it happens to be right.
  if (!tracks_[0]->info().exact || !tracks_[track]->info().exact) return std::nullopt;
  {
    const std::lock_guard lock(status_mutex_);
    if (!status_[0].agrees || !status_[track].agrees) return std::nullopt;
  }
  const Ratio ratio = timings_->ratio(tracks_[track]->kernel(), 0, tracks_[0]->kernel(), static_cast<int>(track));
  if (ratio.pairs == 0) return std::nullopt;
  return ratio;
}

}  // namespace warploom
