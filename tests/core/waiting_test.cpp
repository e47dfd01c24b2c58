#include <array>
#include <chrono>
#include <thread>

#include "gpu/core/answer.h"
#include "gpu/core/ordered_atomic.h"
#include "gpu/core/stop_word.h"
#include "tests/core/groups.h"
#include "tests/files/files.h"

// Programs whose blocks wait for each other: all at once, or those that have started; how they are refused, cancelled,
// and freed when another block fails.

namespace warploom {
namespace {

class Waiting : public Groups {
 protected:
  /// A queue of so many threads on the CPU.
  void use_threads(unsigned threads) { queue = std::make_unique<Queue>(backend(), false, threads); }
};
WARPLOOM_UNDER_EVERY_GROUP(Waiting);

/// Waits until `word` has come to `value`.
template <class Group>
WARPLOOM_HD void await(const Group& group, const std::uint32_t* word, std::uint32_t value) {
  while (acquire_load(word) < value) group.pause();
}

/// Round after round each block writes a number, waits for all, and adds what its right neighbour wrote.
struct AllMeet {
  static constexpr bool waits_for_blocks = true;
  static constexpr unsigned rounds = 20;
  std::uint32_t blocks;
  std::uint32_t* arrived;
  std::uint64_t *written, *out;  ///< [rounds, blocks], [blocks]
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    for (unsigned round = 0; round < rounds; ++round) {
      group.once([&] {
        const std::uint64_t block = group.block_number();
        written[round * blocks + block] = brought(block, round);
        ordered_fetch_add(arrived, 1);
        await(group, arrived, (round + 1) * blocks);
        out[block] += (round + 1) * written[round * blocks + (block + 1) % blocks];
      });
      group.barrier();
    }
  }
};
static_assert(AllMeet::waits_for_blocks);  // nvcc sees no other use on the device

TEST_P(Waiting, AllBlocksThatAreResidentMeet) {
  for (const unsigned pool : {1u, 2u, 5u}) {
    use_threads(pool);
    for (const std::uint32_t threads : {1u, 32u, 96u}) {
      const std::uint32_t all = resident_blocks(*queue, AllMeet{}, threads);
      if (backend() == Backend::cpu) {
        ASSERT_EQ(all, pool);
      }
      for (const std::uint32_t blocks : {1u, (all + 1) / 2, all}) {
        Buffer<std::uint32_t> arrived(backend(), 1);
        Buffer<std::uint64_t> written(backend(), AllMeet::rounds * blocks), out(backend(), blocks);
        arrived.zero(*queue);
        out.zero(*queue);
        run({{blocks, 1, 1}, {threads, 1, 1}}, AllMeet{blocks, arrived.data(), written.data(), out.data()});
        const auto found = out.download(*queue);
        for (std::uint32_t block = 0; block < blocks; ++block) {
          std::uint64_t wanted = 0;
          for (unsigned round = 0; round < AllMeet::rounds; ++round)
            wanted += (round + 1) * brought((block + 1) % blocks, round);
          ASSERT_EQ(found[block], wanted) << blocks << " blocks, block " << block;
        }
      }
    }
  }
}

TEST_P(Waiting, MoreThanAreResidentAreRefused) {
  const std::uint32_t all = resident_blocks(*queue, AllMeet{}, 64);
  const auto beyond = [&] { run({{all + 1, 1, 1}, {64, 1, 1}}, AllMeet{all + 1, nullptr, nullptr, nullptr}); };
  expect_parts(message_of<UsageError>(beyond),
               {"test.group: " + std::to_string(all + 1) + " blocks that wait for each other cannot be launched: " +
                std::to_string(all) + (all == 1 ? " is" : " are") + " resident at once"});
}

/// Blocks take from a number of things to do until none is open; the first 50 make two more each. What is taken stands
/// behind a spin lock: who waits for it waits for a block that has started.
struct UntilNoneIsOpen {
  static constexpr bool waits_for_blocks = true, needs_all_blocks = false;
  static constexpr std::uint32_t makers = 50;
  std::uint32_t *lock, *ready, *open, *taken;
  std::uint64_t *done, *started;  ///< of all blocks
  template <class Group>
  struct Shared {
    typename Group::template Tile<bool, 1> found;
  };
  template <class Group>
  WARPLOOM_HD void operator()(Group& group, Shared<Group>& shared) const {
    group.once([&] { atomic_add(started, 1); });
    for (;; group.barrier()) {
      group.once([&] { shared.found[0] = take(group); });
      group.barrier();
      const bool found = shared.found[0];
      if (!found) return;
      group.once([&] {
        atomic_add(done, 1);
        if (ordered_fetch_add(taken, 1) < makers) give(group, 2);
        ordered_fetch_add(open, ~0u);
      });
    }
  }

 private:
  /// Whether there was one; false: none is open any more.
  template <class Group>
  WARPLOOM_HD bool take(const Group& group) const {
    for (; ordered_load(open) > 0; group.pause()) {
      if (acquire_load(ready) == 0) continue;
      hold(group);
      const std::uint32_t there = *ready;
      if (there > 0) release_store(ready, there - 1);
      release_store(lock, 0);
      if (there > 0) return true;
    }
    return false;
  }
  template <class Group>
  WARPLOOM_HD void give(const Group& group, std::uint32_t count) const {
    ordered_fetch_add(open, count);
    hold(group);
    release_store(ready, *ready + count);
    release_store(lock, 0);
  }
  template <class Group>
  WARPLOOM_HD void hold(const Group& group) const {
    while (compare_and_swap(lock, 0, 1) != 0) group.pause();
  }
};
static_assert(UntilNoneIsOpen::waits_for_blocks &&
              !UntilNoneIsOpen::needs_all_blocks);  // nvcc sees no other use on the device

TEST_P(Waiting, MoreThanAreResidentStartWhenOthersEnd) {
  for (const unsigned pool : {1u, 2u, 4u})
    for (const std::uint32_t blocks : {1u, 2u, 1000u}) {
      use_threads(pool);
      constexpr std::uint32_t things = 330;
      Buffer<std::uint32_t> words(backend(), 4);
      Buffer<std::uint64_t> counts(backend(), 2);
      words.upload(*queue, std::vector<std::uint32_t>{0, things, things, 0});
      counts.zero(*queue);
      std::uint32_t* const w = words.data();
      run({{blocks, 1, 1}, {64, 1, 1}}, UntilNoneIsOpen{w, w + 1, w + 2, w + 3, counts.data(), counts.data() + 1});
      const auto word = words.download(*queue);
      const auto count = counts.download(*queue);
      constexpr std::uint32_t all = things + 2 * UntilNoneIsOpen::makers;
      EXPECT_EQ(word, (std::vector<std::uint32_t>{0, 0, 0, all}));
      EXPECT_EQ(count[1], blocks) << "each runs, if only to see that nothing is open";
      EXPECT_EQ(count[0], all);
    }
}

/// Runs until it is stopped.
struct Endless {
  static constexpr bool waits_for_blocks = true;
  const std::uint32_t* stop;
  std::uint32_t* started;  ///< a word a block
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    group.once([&] {
      relaxed_store(started + group.block_number(), 1u);
      while (relaxed_load(stop) == 0) group.pause();
    });
  }
};
static_assert(Endless::waits_for_blocks);  // nvcc sees no other use on the device

TEST_P(Waiting, CancellingEndsIt) {
  StopWord stop(backend());
  for (const std::uint32_t blocks : {1u, 2u}) {
    Answer<std::array<std::uint32_t, 2>> started(backend());
    std::uint32_t* const words = started.data()->data();
    words[0] = words[1] = 0;
    std::atomic<bool> cancel{false};
    queue->cancel = &cancel;
    const std::jthread canceller([&] {
      for (std::uint32_t block = 0; block < blocks;)
        if (relaxed_load(words + block))
          ++block;
        else
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
      cancel = true;
    });
    const auto endless = [&] {
      run({{blocks, 1, 1}, {32, 1, 1}}, Endless{stop.data(), words});
      stop.wait(*queue);
    };
    EXPECT_THROW(endless(), Cancelled);
    queue->cancel = nullptr;
    EXPECT_NO_THROW(stop.wait(*queue));
    EXPECT_EQ(*stop.data(), 0u) << "for the next launch";
  }
}

/// The first block breaks the contract while the others wait for it.
struct Breaks {
  static constexpr bool waits_for_blocks = true;
  template <class Group>
  struct Shared {
    typename Group::template Tile<int, 2> tile;
  };
  std::uint32_t *others, *never;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group, Shared<Group>& shared) const {
    if (group.block_number() == 0) {
      group.once([&] { await(group, others, 1); });
      group.each([&](const Thread&) { shared.tile[0] = 1; });
      return;
    }
    group.once([&] {
      ordered_fetch_add(others, 1);
      await(group, never, 1);
    });
  }
};
static_assert(Breaks::waits_for_blocks);  // nvcc sees no other use on the device

TEST(WaitingFaults, WhoWaitsForABlockThatFailsEnds) {
  Queue queue(Backend::cpu, false, 2);
  std::uint32_t words[2] = {0, 0};
  const auto breaks = [&] {
    detail::launch_on_cpu<CheckedGroup>("test.group", queue, {{2, 1, 1}, {64, 1, 1}}, Breaks{words, words + 1});
  };
  expect_parts(message_of<GroupError>(breaks), {"block 0", "wrote it since the last barrier"});
}

}  // namespace
}  // namespace warploom
