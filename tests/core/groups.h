#pragma once
#include <gtest/gtest.h>

#include <memory>

#include "gpu/core/atomic.h"
#include "gpu/core/backend.h"
#include "gpu/core/buffer.h"
#include "gpu/core/checked_group.h"
#include "gpu/core/hash.h"
#include "gpu/core/launch.h"

// What tests of group programs share: the same programs under the group that trusts, the one that checks, and on CUDA
// where this is compiled as CUDA (set_source_files_properties LANGUAGE CUDA).

namespace warploom {

#ifdef __CUDACC__
inline constexpr bool has_kernels = true;
#else
inline constexpr bool has_kernels = false;
#endif

enum class GroupKind { trusting, checked, cuda };
inline std::string kind_name(const ::testing::TestParamInfo<GroupKind>& at) {
  return at.param == GroupKind::trusting ? "trusting" : at.param == GroupKind::checked ? "checked" : "cuda";
}

/// What thread t of block b brings along in a round.
WARPLOOM_HD std::uint64_t brought(std::uint64_t b, std::uint64_t t, std::uint64_t round = 0) {
  return key_hash(b, t * 16 + round) % 1000;
}

class Groups : public ::testing::TestWithParam<GroupKind> {
 protected:
  void SetUp() override {
    if (GetParam() == GroupKind::cuda && !cuda_status().usable) GTEST_SKIP() << "no CUDA: " << cuda_status().problem;
    if (GetParam() == GroupKind::cuda && !has_kernels) GTEST_SKIP() << "this file was compiled as C++";
    queue = std::make_unique<Queue>(backend(), false, 2);
  }
  Backend backend() const { return GetParam() == GroupKind::cuda ? Backend::cuda : Backend::cpu; }

  template <class Program>
  void run(const LaunchShape& shape, const Program& program) {
    if (GetParam() == GroupKind::cuda)
      launch("test.group", *queue, shape, program);
    else if (GetParam() == GroupKind::checked)
      detail::launch_on_cpu<CheckedGroup>("test.group", *queue, shape, program);
    else
      detail::launch_on_cpu<CpuGroup>("test.group", *queue, shape, program);
  }

  /// Every size of block at which something changes: a warp, a part of one, the largest; and boxes.
  static std::vector<LaunchShape> shapes() {
    std::vector<LaunchShape> all{{{3, 2, 1}, {8, 5, 1}}, {{2, 3, 2}, {4, 3, 7}}, {{2, 1, 2}, {32, 32, 1}}};
    for (const std::uint32_t threads : {1u, 31u, 32u, 33u, 64u, 127u, 128u, 1000u, 1024u})
      all.push_back({{5, 1, 1}, {threads, 1, 1}});
    return all;
  }

  /// Launches Program{out, arguments} in every shape, out of `slots(shape)` zeroes a block, and compares with
  /// expected(shape, block, slot).
  template <class Program, class Slots, class Expected, class... Arguments>
  void check(Slots&& slots, Expected&& expected, const Arguments&... arguments) {
    for (const LaunchShape& shape : shapes()) {
      SCOPED_TRACE(std::to_string(shape.threads.x) + " x " + std::to_string(shape.threads.y) + " x " +
                   std::to_string(shape.threads.z) + " threads");
      const std::uint64_t each = slots(shape);
      Buffer<std::uint64_t> out(backend(), shape.block_count() * each);
      out.zero(*queue);
      run(shape, Program{out.data(), arguments...});
      const auto found = out.download(*queue);
      for (std::uint64_t block = 0; block < shape.block_count(); ++block)
        for (std::uint64_t slot = 0; slot < each; ++slot)
          ASSERT_EQ(found[block * each + slot], expected(shape, block, slot)) << "block " << block << " slot " << slot;
    }
  }
  /// ... of one slot a thread.
  template <class Program, class Expected, class... Arguments>
  void check_threads(Expected&& expected, const Arguments&... arguments) {
    check<Program>([](const LaunchShape& shape) { return volume(shape.threads); }, expected, arguments...);
  }

  std::unique_ptr<Queue> queue;
};

#define WARPLOOM_UNDER_EVERY_GROUP(suite)                                                                          \
  INSTANTIATE_TEST_SUITE_P(On, suite, ::testing::Values(GroupKind::trusting, GroupKind::checked, GroupKind::cuda), \
                           kind_name)

}  // namespace warploom
