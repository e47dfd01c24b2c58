#pragma once
#include <gtest/gtest.h>

#include <memory>

#include "gpu/core/backend.h"
#include "gpu/scenes/fractal/fractal.h"
#include "gpu/tracks/facets/fill.h"
#include "gpu/tracks/simulation.h"
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

/// Every test over tracks runs on both backends; where there is no CUDA it is skipped with the reason.
class TrackTest : public ::testing::TestWithParam<Backend> {
 protected:
  void SetUp() override {
    if (GetParam() == Backend::cuda && !cuda_status().usable) GTEST_SKIP() << "no CUDA: " << cuda_status().problem;
    queue = std::make_unique<Queue>(GetParam(), false, 2);
  }

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

  std::unique_ptr<Queue> queue;
};

/// A start state, shown.
inline void start(Track& track, Queue& queue, std::uint64_t seed, double density) {
  track.need<FillFacet>().fill(queue, seed, density);
  queue.wait();
  track.publish(queue);
}

inline std::string backend_of(const ::testing::TestParamInfo<Backend>& info) { return std::string(name(info.param)); }

inline FractalSettings settings_of(const Mask& mask, int level, int block_digits, const std::string& work = "life",
                                   const std::string& rule = "B3/S23") {
  return {mask, level, block_digits, work, parse_rule(rule)};
}

/// Tracks whose threads have a cell each: the papers' forms, in any storage.
inline bool thread_a_cell(const TrackInfo& info) {
  return info.map != info.storage && info.map != "compact_tensor" && info.map != "bounding_box_walk" &&
         info.intra != "rows";
}

inline Mask gasket() { return typed_mask("gasket", {"#.", "##"}); }

/// A level with a few hundred to a few thousand places.
inline int small_level(const Mask& mask) { return levels_up_to(mask, sanitized ? 800 : 5000).back(); }

}  // namespace warploom

#define WARPLOOM_ON_BOTH_BACKENDS(suite) \
  INSTANTIATE_TEST_SUITE_P(On, suite, ::testing::Values(Backend::cpu, Backend::cuda), backend_of)
