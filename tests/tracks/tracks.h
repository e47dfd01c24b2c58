#pragma once
#include <memory>

#include "gpu/scenes/fractal/fractal.h"
#include "gpu/tracks/facets/fill.h"
#include "gpu/tracks/simulation.h"
#include "tests/backends.h"
#include "tests/scenes/fractal/fractals.h"

namespace warploom {

/// Can this track serve such blocks and this work? Maps on tensor cores have limits.
inline bool serves(const FractalSettings& settings, const std::string& track) {
  return compiled_fractal_track(find_fractal_track(track), settings.work).name == track &&
         fractal_refusal(settings.mask, settings.level, settings.block_digits, track).empty();
}

/// A simulation of the named tracks.
inline std::unique_ptr<Simulation> make_simulation(Queue& queue, const FractalSettings& settings,
                                                   const std::vector<std::string>& names) {
  std::vector<std::unique_ptr<Track>> tracks;
  for (const auto& name : names) tracks.push_back(make_fractal_track(queue, settings, name));
  return std::make_unique<Simulation>(std::move(tracks), std::make_shared<Timings>(), 1);
}

class TrackTest : public BackendTest {
 protected:
  std::unique_ptr<Track> track(const FractalSettings& settings, const std::string& name) {
    return make_fractal_track(*queue, settings, name);
  }

  /// A simulation of the named tracks; all where none is named.
  std::unique_ptr<Simulation> simulation(const FractalSettings& settings, std::vector<std::string> names = {}) {
    if (names.empty())
      for (const auto& info : fractal_tracks())
        if (serves(settings, info.name)) names.push_back(info.name);
    return make_simulation(*queue, settings, names);
  }
};

/// A start state, shown.
inline void start(Track& track, Queue& queue, std::uint64_t seed, double density) {
  track.need<FillFacet>().fill(queue, seed, density);
  queue.wait();
  track.publish(queue);
}

inline FractalSettings settings_of(const Mask& mask, int level, int block_digits, const std::string& work = "life",
                                   const std::string& rule = "B3/S23") {
  return {mask, level, block_digits, work, parse_rule(rule)};
}

/// Tracks whose threads have a cell each: the papers' forms, in any storage.
inline bool thread_a_cell(const TrackInfo& info) {
  return info.map != info.storage && info.map != "compact_tensor" && info.map != "bounding_box_walk" &&
         info.intra != "rows";
}

/// All tracks in step, with the first.
inline ::testing::AssertionResult all_agree(const Simulation& simulation) {
  const auto statuses = simulation.status();
  for (std::size_t i = 0; i < statuses.size(); ++i)
    if (!statuses[i].agrees)
      return ::testing::AssertionFailure() << simulation.track(i).info().name << " after step " << simulation.steps();
  return ::testing::AssertionSuccess();
}

/// A level with a few hundred to a few thousand places.
inline int small_level(const Mask& mask) { return levels_up_to(mask, sanitized ? 800 : 5000).back(); }

}  // namespace warploom
