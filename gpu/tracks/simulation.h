#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/thread_check.h"
#include "gpu/tracks/facets/approximate.h"
#include "gpu/tracks/timings.h"
#include "gpu/tracks/track.h"

namespace warploom {

/// Where and when a track left the reference.
struct Divergence {
  std::uint64_t step = 0;
  std::optional<Cell> cell;  ///< the first that differs; none: the folded sums do, or it is not told
};

/// What a track's seal says, and of values that need not be equal how near they are.
struct TrackStatus {
  Seal seal;
  bool sealed = true;  ///< false: nothing of the track is exact, and `seal` says nothing
  /// Equal seals, equal folded sums, and a verdict that holds, where there are such. No ratio is shown without.
  bool agrees = true;
  std::optional<Verdict> check;  ///< of tracks that are Approximate
  std::optional<Divergence> diverged;
  std::optional<std::uint64_t> folded;
  /// Of a map that its user wrote: what is wrong with it, in two words; empty: nothing. No ratio is shown then either.
  const char* broken = "";

  /// What spoils its figures, in two words; empty: nothing.
  const char* badge() const {
    if (*broken || agrees) return broken;
    return check && check->singular ? "ZERO PIVOT" : "SEAL BROKEN";
  }
};

/// One to four tracks in lock-step: the same data and step under different maps. One thread steps, the first that does;
/// any may look. Checked builds abort where another thread comes.
class Simulation {
 public:
  /// `settings` tags the timing samples: those of other settings are never mixed in. `hidden`: the reference where no
  /// track is exact; steps with the others, and is never timed nor shown.
  Simulation(std::vector<std::unique_ptr<Track>> tracks, std::shared_ptr<Timings> timings, std::uint64_t settings,
             std::unique_ptr<Track> hidden = nullptr);

  /// Different for each simulation of a process.
  std::uint64_t id() const { return id_; }
  std::size_t size() const { return tracks_.size(); }
  /// What the tracks are called, a letter each: 'A' to 'D'. Set before others look.
  void set_letters(std::string letters) { letters_ = std::move(letters); }
  char letter(std::size_t track) const { return letters_[track]; }
  Track& track(std::size_t i) const { return *tracks_[i]; }
  Timings& timings() const { return *timings_; }
  const std::shared_ptr<Timings>& shared_timings() const { return timings_; }

  // ---- the thread that steps ------------------------------------------------------------------------------------
  /// Start states, of all tracks or, where one throws or is cancelled, of none: then every track is as it was. Only
  /// sealing, which may take long, is stopped after that: by WatchedWork::unwanted. `steps`: the step that it is the
  /// state of.
  void start(Queue& queue, std::uint64_t steps, const std::function<void(Track&)>& write);
  /// The same state and step as another simulation of the same domain.
  void adopt(Queue& queue, const Simulation& other);
  /// One step of every track; seals them when `check`. A cancelled step leaves every track as it was.
  void step(Queue& queue, Stopwatch* stopwatch, bool check = true);
  /// Up to `count` steps of every track, of which none but the last is published where the tracks can do that, sealed
  /// once all are done. Returns how many: fewer where memory has no room for more, or where enough() says so, asked now
  /// and then. Cancelled, every track is as it was.
  std::uint64_t steps(Queue& queue, Stopwatch* stopwatch, std::uint64_t count, const std::function<bool()>& enough);
  void count(Queue& queue);
  /// Runs every track's map alone, for the papers' beta and tau.
  void time_maps(Queue& queue, int times);
  /// Goes on judging the maps that users wrote, about so many seconds each; what is found is counted, and told by the
  /// status of their tracks.
  void judge(Queue& queue, double seconds);
  /// In every track, and not cancelled half way; not sealed.
  void write_cells(Queue& queue, std::span<const Cell> cells, std::uint8_t value);
  /// Seals all tracks, judges those that are Approximate, and compares; the reference is the first exact track.
  void seal(Queue& queue, Stopwatch* stopwatch);

  // ---- any thread -----------------------------------------------------------------------------------------------
  std::uint64_t steps() const { return steps_; }
  /// Changes whenever a finished state does.
  std::uint64_t version() const { return version_; }
  std::vector<TrackStatus> status() const { return locked(status_); }
  /// How much of the maps that are being judged is, 0..1; nullopt: none is.
  std::optional<double> judged() const;
  std::size_t reference() const;
  /// The track whose state is right: the hidden one, or that of reference().
  Track& reference_track() const { return hidden_ ? *hidden_ : *tracks_[reference()]; }
  /// How that one was sealed last.
  TrackStatus reference_status() const { return locked(right_); }
  /// Milliseconds the map alone takes in each track, as last measured; empty: not asked for yet.
  std::vector<double> map_times() const { return locked(map_times_); }
  std::uint64_t bytes() const;
  /// The time of track `baseline` over the track's, of the work's kernel; nullopt when either seal is broken, either
  /// map is inexact, or there are no samples.
  std::optional<Ratio> ratio_to_baseline(std::size_t track, std::size_t baseline = 0) const;

 private:
  template <class Value>
  Value locked(const Value& value) const {
    const std::lock_guard lock(status_mutex_);
    return value;
  }
  void bill(Stopwatch* stopwatch, std::size_t track) const;
  std::uint64_t id_;
  /// The tracks, and the hidden one.
  template <class Body>
  void each_track(Body&& body) {
    for (auto& track : tracks_) body(*track);
    if (hidden_) body(*hidden_);
  }
  /// Runs body() and waits for what it launched. What it throws is thrown, once every track is as it was.
  template <class Body>
  void all_or_none(Queue& queue, Body&& body);
  /// Shows what all tracks wrote, the state of step `steps`. Tracks that move along the reference's path do so.
  void publish(Queue& queue, Stopwatch* stopwatch, std::uint64_t steps, bool sealed);
  /// Finished states, seals or counts may be others from now on.
  void changed();
  ThreadOwner stepping_;
  std::vector<std::unique_ptr<Track>> tracks_;
  std::unique_ptr<Track> hidden_;
  std::shared_ptr<Timings> timings_;
  std::uint64_t settings_;
  std::string letters_ = "ABCD";
  std::atomic<std::uint64_t> steps_{0}, version_{0};
  /// some_steps(track) of each, as many as it says; seals where they are `sealed_after`.
  std::uint64_t take(Queue& queue, Stopwatch* stopwatch, const std::function<std::uint64_t(Track&)>& some_steps,
                     std::uint64_t sealed_after);
  std::atomic<bool> owed_{false};  ///< a map was judged, and what that says is not told yet
  std::uint64_t attempts_ = 0;     ///< at steps, cancelled ones too: what samples are paired by
  mutable std::mutex status_mutex_;
  std::vector<TrackStatus> status_;
  TrackStatus right_;  ///< of the hidden track, where there is one
  std::vector<double> map_times_;
};

/// Start states by the hash of a seed, and given ones, in every track; tracks that are not FillFacet throw Error.
void fill(Simulation& simulation, Queue& queue, std::uint64_t seed, double density);
void load(Simulation& simulation, Queue& queue, std::span<const std::uint8_t> state, std::uint64_t steps = 0);

}  // namespace warploom
