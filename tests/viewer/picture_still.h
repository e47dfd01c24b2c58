#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "gpu/tracks/simulation.h"
#include "viewer/gl/headless_context.h"
#include "viewer/gl/state.h"
#include "viewer/model/model.h"

// What makes pictures the same on every machine.

namespace warploom {

/// Why nothing can be compared here; empty: it can. One context serves all pictures.
inline const std::string& reason_to_skip() {
  static std::unique_ptr<gl::HeadlessContext> context;
  static const std::string reason = [] {
    try {
      context = std::make_unique<gl::HeadlessContext>(false);
      return gl::is_software() ? "" : "goldens are drawn by the software rasteriser alone; here: " + gl::renderer();
    } catch (const Error& error) {
      return "no software OpenGL: " + std::string(error.what());
    }
  }();
  return reason;
}

/// Timings that are the same on every machine, in place of the measured ones.
inline void invent_timings(Model& model) {
  Simulation& simulation = *model.runner().simulation();
  simulation.timings().clear();
  for (std::size_t track = 0; track < simulation.size(); ++track) {
    const double base = track == 0 ? 1.25 : .25 / double(track);
    for (int i = 0; i < 64; ++i) {
      const double wave = 1 + .04 * ((i * 37 + int(track) * 11) % 16) / 16.;
      const int number = static_cast<int>(track);
      const auto step = static_cast<std::uint64_t>(i);
      simulation.timings().add({simulation.track(track).kernel(), number, 1, base * wave, 0, step});
      const std::string kernel = simulation.track(track).kernel(), family = kernel.substr(0, kernel.find('.') + 1);
      simulation.timings().add({family + "seal", number, 1, .018 * wave, 0, step});
      simulation.timings().add({family + "colour", number, 1, 2.4 * wave, 0});
    }
  }
  model.times = {16.6, .5, .3};
}

class Golden : public testing::Test {
 protected:
  void SetUp() override {
    if (!reason_to_skip().empty()) GTEST_SKIP() << reason_to_skip();
  }
};

}  // namespace warploom
