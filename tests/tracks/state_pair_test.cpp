#include "gpu/tracks/state_pair.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <thread>

namespace warploom {
namespace {

TEST(StatePair, ReadersSeeWholeStatesWhileAWriterSteps) {
  constexpr std::size_t words = 1024;
  Queue queue(Backend::cpu, false, 1);
  StatePair pair(queue, words * sizeof(std::uint32_t));
  std::atomic<bool> stop{false};
  std::atomic<std::uint64_t> torn{0}, older{0}, reads{0};
  std::vector<std::jthread> readers;
  for (int i = 0; i < 2; ++i)
    readers.emplace_back([&] {
      Queue own(Backend::cpu, false, 1);
      std::vector<std::uint32_t> seen(words);
      std::uint32_t last = 0;
      while (!stop) {
        {
          const StatePair::Reader reader(pair, own);
          std::memcpy(seen.data(), reader.data(), words * sizeof(std::uint32_t));
        }
        for (const std::uint32_t word : seen) torn += word != seen[0];
        older += seen[0] < last;
        last = seen[0];
        ++reads;
        std::this_thread::yield();
      }
    });
  for (std::uint32_t step = 1; step <= 400 || reads < 20; ++step) {
    {
      const StatePair::Writer writer(pair, queue, false);
      const std::vector<std::uint32_t> state(words, step);
      std::memcpy(writer.data(), state.data(), words * sizeof(std::uint32_t));
    }
    pair.flip();
  }
  stop = true;
  readers.clear();
  EXPECT_EQ(torn, 0u);
  EXPECT_EQ(older, 0u);
}

/// A single state, with two queues and something that keeps one of them busy for some milliseconds.
struct SingleState {
  static constexpr std::uint64_t bytes = 1 << 20;
  Queue steps, pictures;
  StatePair pair;
  Buffer<std::uint8_t> elsewhere, seen;

  explicit SingleState(Backend backend)
      : steps(backend, false, 1),
        pictures(backend, false, 1),
        pair(steps, bytes, true),
        elsewhere(backend, backend == Backend::cuda ? 1u << 28 : 1u << 12),
        seen(backend, bytes) {}
  void keep_busy(Queue& queue) {
    for (int i = 0; i < 100; ++i) elsewhere.zero(queue);
  }
  void write(std::uint8_t value) {
    const StatePair::Writer writer(pair, steps, false);
    upload_bytes(steps, writer.data(), std::vector<std::uint8_t>(bytes, value).data(), bytes);
  }
};

void for_each_backend(const std::function<void(SingleState&)>& body) {
  for (const Backend backend : {Backend::cpu, Backend::cuda}) {
    if (backend == Backend::cuda && !cuda_status().usable) continue;
    SCOPED_TRACE(backend == Backend::cpu ? "cpu" : "cuda");
    SingleState state(backend);
    body(state);
  }
}

/// What the window asks never waits for who writes.
TEST(StatePair, AReaderThatMayNotWaitIsRefusedWhileAWriterHoldsTheState) {
  Queue queue(Backend::cpu);
  StatePair pair(queue, 64);
  {
    const StatePair::Writer writer(pair, queue, true);
    EXPECT_FALSE(StatePair::Reader(pair, queue, std::try_to_lock));
  }
  EXPECT_TRUE(StatePair::Reader(pair, queue, std::try_to_lock));
}

TEST(StatePair, ASingleStateIsReadAfterTheStepThatWritesIt) {
  for_each_backend([](SingleState& state) {
    state.write(1);
    {
      const StatePair::Writer writer(state.pair, state.steps, false);
      state.keep_busy(state.steps);
      zero_bytes(state.steps, writer.data(), SingleState::bytes);
    }
    {
      const StatePair::Reader reader(state.pair, state.pictures);
      copy_bytes(state.pictures, state.seen.data(), reader.data(), SingleState::bytes);
    }
    EXPECT_EQ(state.seen.download(state.pictures), std::vector<std::uint8_t>(SingleState::bytes, 0));
    state.steps.wait();
  });
}

TEST(StatePair, ASingleStateIsWrittenAfterThePicturesThatReadIt) {
  for_each_backend([](SingleState& state) {
    state.write(1);
    state.steps.wait();
    {
      const StatePair::Reader reader(state.pair, state.pictures);
      state.keep_busy(state.pictures);
      copy_bytes(state.pictures, state.seen.data(), reader.data(), SingleState::bytes);
    }
    {
      const StatePair::Writer writer(state.pair, state.steps, false);
      zero_bytes(state.steps, writer.data(), SingleState::bytes);
    }
    EXPECT_EQ(state.seen.download(state.pictures), std::vector<std::uint8_t>(SingleState::bytes, 1));
    state.steps.wait();
  });
}

}  // namespace
}  // namespace warploom
