#pragma once
#include <chrono>
#include <functional>
#include <thread>

#include "tests/tracks/tracks.h"
#include "viewer/model/runner.h"

// What tests of the window's threads share.

namespace warploom {

using Clock = std::chrono::steady_clock;

inline bool wait_for(const std::function<bool()>& true_at_last) {
  const auto end = Clock::now() + std::chrono::seconds(60);
  while (!true_at_last()) {
    if (Clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

/// As a scene makes it: tracks by `make(queue, i)`, all of one start state.
template <class Make>
BuildRequest request_of(std::uint64_t start, int tracks, std::uint64_t seed, double density, Make make) {
  BuildRequest request;
  request.start = start;
  request.settings = start * 8 + static_cast<std::uint64_t>(tracks);
  request.check_memory = [](std::uint64_t) {};
  request.make_tracks = [tracks, make](Queue& queue) {
    std::vector<std::unique_ptr<Track>> all;
    for (int i = 0; i < tracks; ++i) all.push_back(make(queue, i));
    return all;
  };
  request.start_state = [seed, density](Queue& queue, Simulation& all) { fill(all, queue, seed, density); };
  return request;
}
inline BuildRequest fractal_request(int tracks, std::uint64_t seed, double density = .4) {
  return request_of(seed * 8, tracks, seed, density, [](Queue& queue, int i) {
    return make_fractal_track(queue, settings_of(gasket(), 6, 2), i % 2 ? "lambda_serial" : "bounding_box");
  });
}

/// A runner with a thread of its own.
struct RunnerTest : ::testing::Test {
  explicit RunnerTest(Backend backend = Backend::cpu) : runner(backend, false) {}
  Runner runner;

  bool rests() {
    return wait_for([&] { return !runner.busy(); });
  }
  std::shared_ptr<Simulation> built(const BuildRequest& request) {
    runner.build(request);
    EXPECT_TRUE(rests());
    return runner.simulation();
  }
  /// What runs is given up, and is over in so many milliseconds.
  void ends_soon(const std::function<void()>& give_up, int milliseconds) {
    const auto begin = Clock::now();
    give_up();
    ASSERT_TRUE(rests());
    EXPECT_LT(Clock::now() - begin, std::chrono::milliseconds(sanitized ? 10 * milliseconds : milliseconds));
  }
};

}  // namespace warploom
