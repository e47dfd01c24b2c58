#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "gpu/core/backend.h"
#include "gpu/core/buffer.h"
#include "gpu/core/queue.h"
#include "gpu/core/stopwatch.h"
#include "gpu/pictures/picture.h"
#include "gpu/tracks/track.h"
#include "tests/sanitized.h"

// What tests over tracks share: a queue of either backend, pictures as pixels, and how often launches were timed.

namespace warploom {

/// Runs on both backends; where there is no CUDA it is skipped with the reason.
class BackendTest : public ::testing::TestWithParam<Backend> {
 protected:
  void SetUp() override {
    if (GetParam() == Backend::cuda && !cuda_status().usable) GTEST_SKIP() << "no CUDA: " << cuda_status().problem;
    queue = std::make_unique<Queue>(GetParam(), false, 2);
  }

  /// What a picture paints of a request, whose target has a size; pixels it does not touch stay `before`.
  std::vector<Rgba> painted(Picture& picture, PictureRequest request, Rgba before = 0) {
    Buffer<Rgba> pixels(GetParam(), static_cast<std::uint64_t>(request.target.width) *
                                        static_cast<std::uint64_t>(request.target.height));
    pixels.upload(*queue, std::vector<Rgba>(pixels.size(), before));
    request.target.pixels = pixels.data();
    picture.paint(*queue, request);
    return pixels.download(*queue);
  }

  std::unique_ptr<Queue> queue;
};

inline std::string backend_of(const ::testing::TestParamInfo<Backend>& info) { return std::string(name(info.param)); }

/// The picture of a track that has this key.
inline Picture& find_picture(Track& track, const std::string& key) {
  for (Picture* one : track.pictures())
    if (one->info().key == key) return *one;
  throw std::runtime_error("no picture " + key);
}

/// Counts samples by the kernel's name and the track.
struct SampleCounts {
  explicit SampleCounts(Backend backend) : watch(backend) {
    watch.on_sample = [this](const TimingSample& sample) { ++counts[{sample.kernel, sample.track}]; };
  }
  /// Those of a track, or of all, once they are there.
  int of(const std::string& kernel, std::optional<int> track = {}) {
    watch.collect(true);
    int all = 0;
    for (const auto& [of, count] : counts)
      all += of.first == kernel && of.second == track.value_or(of.second) ? count : 0;
    return all;
  }

  Stopwatch watch;
  std::map<std::pair<std::string, int>, int> counts;
};

}  // namespace warploom

#define WARPLOOM_ON_BOTH_BACKENDS(suite) \
  INSTANTIATE_TEST_SUITE_P(On, suite, ::testing::Values(Backend::cpu, Backend::cuda), backend_of)
