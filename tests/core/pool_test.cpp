#include "gpu/core/pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <thread>

#include "gpu/core/error.h"
#include "gpu/core/watched_work.h"

namespace warploom {
namespace {

TEST(Pool, EveryChunkOnce) {
  for (unsigned threads = 1; threads <= 8; ++threads) {
    Pool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const std::uint64_t chunks : {0, 1, 2, 3, 7, 64, 1000}) {
      std::vector<std::atomic<int>> visits(chunks);
      EXPECT_TRUE(pool.run(chunks, [&](std::uint64_t chunk) { ++visits[chunk]; }));
      for (const auto& visit : visits) ASSERT_EQ(visit, 1);
    }
  }
  EXPECT_GE(Pool().threads(), 1u);
}

/// A block that waits for another must not wait for ever when that one failed.
TEST(Pool, WaitingForAChunkThatFailedEnds) {
  Pool pool(2);
  for (int round = 0; round < 20; ++round) {
    std::atomic<bool> second_runs{false}, never{false};
    EXPECT_THROW(pool.run(2,
                          [&](std::uint64_t chunk) {
                            if (chunk == 0) {
                              while (!second_runs) std::this_thread::yield();
                              throw FileError("the first");
                            }
                            second_runs = true;
                            while (!never) Pool::pause();
                          }),
                 FileError);
  }
}

TEST(Pool, WaitingEndsWhenCancelled) {
  Pool pool(2);
  std::atomic<bool> cancel{false}, never{false};
  EXPECT_THROW(pool.run(
                   2,
                   [&](std::uint64_t chunk) {
                     if (chunk == 1) cancel = true;
                     while (!never) Pool::pause();
                   },
                   &cancel),
               Cancelled);
}

TEST(Pool, ManyShortRuns) {
  Pool pool(4);
  std::uint64_t plain = 0;  // runs are ordered: no atomic needed between them
  for (int round = 0; round < 3000; ++round) {
    std::atomic<std::uint64_t> sum{0};
    const auto chunks = static_cast<std::uint64_t>(round % 5);
    pool.run(chunks, [&](std::uint64_t chunk) { sum += chunk + 1; });
    ASSERT_EQ(sum, chunks * (chunks + 1) / 2);
    plain += sum;
  }
  EXPECT_EQ(plain, 600u * (0 + 1 + 3 + 6 + 10));
}

TEST(Pool, ResultsAreVisibleToTheCaller) {
  Pool pool(3);
  std::vector<int> values(5000);
  pool.run(values.size(), [&](std::uint64_t chunk) { values[chunk] = static_cast<int>(chunk); });
  EXPECT_EQ(std::accumulate(values.begin(), values.end(), 0), 4999 * 5000 / 2);
}

TEST(Pool, TheFirstExceptionIsThrownAndThePoolLivesOn) {
  for (unsigned threads = 1; threads <= 4; ++threads) {
    Pool pool(threads);
    for (int round = 0; round < 50; ++round) {
      const auto fail = [&](std::uint64_t chunk) {
        if (chunk == 3) throw UsageError("three");
      };
      EXPECT_THROW(pool.run(100, fail), UsageError);
      std::atomic<int> visits{0};
      EXPECT_TRUE(pool.run(20, [&](std::uint64_t) { ++visits; }));
      EXPECT_EQ(visits, 20);
    }
    EXPECT_THROW(pool.run(8, [](std::uint64_t) { throw std::runtime_error("all"); }), std::runtime_error);
    EXPECT_THROW(pool.run(1, [](std::uint64_t) { throw std::runtime_error("one"); }), std::runtime_error);
  }
}

TEST(Pool, CancelStopsBetweenChunks) {
  for (unsigned threads = 1; threads <= 4; ++threads) {
    Pool pool(threads);
    std::atomic<bool> cancel{true};
    std::atomic<std::uint64_t> visits{0};
    EXPECT_FALSE(pool.run(
        1000, [&](std::uint64_t) { ++visits; }, &cancel));
    EXPECT_EQ(visits, 0u);
    cancel = false;
    EXPECT_TRUE(pool.run(
        10, [&](std::uint64_t) { ++visits; }, &cancel));
    EXPECT_EQ(visits, 10u);
    visits = 0;
    const auto stop_at_five = [&](std::uint64_t) {
      const std::uint64_t visit = ++visits;
      if (visit == 5) cancel = true;
      // The fifth may be held up before it cancels: those that come meanwhile wait for it, and are the last.
      while (visit > 5 && !cancel) std::this_thread::yield();
    };
    EXPECT_FALSE(pool.run(1'000'000, stop_at_five, &cancel));
    EXPECT_LE(visits, 5u + threads);
  }
}

TEST(Pool, OneRunAtATimeFromSeveralThreads) {
  Pool pool(2);
  std::atomic<int> visits{0};
  {
    std::vector<std::jthread> callers;
    for (int i = 0; i < 4; ++i)
      callers.emplace_back([&] {
        for (int round = 0; round < 100; ++round) pool.run(7, [&](std::uint64_t) { ++visits; });
      });
  }
  EXPECT_EQ(visits, 4 * 100 * 7);
}

TEST(Pool, ABodyThatTakesLongAsksWhetherItIsWanted) {
  Pool pool(2);
  std::atomic<bool> cancel{false};
  const auto body = [&](std::uint64_t) {
    cancel = true;
    Pool::pause();
  };
  for (const std::uint64_t chunks : {1, 4}) {
    cancel = false;
    EXPECT_THROW(pool.run(chunks, body, &cancel), Cancelled) << chunks;
  }
}

TEST(WatchedWork, WhatIsToldIsAShareOfAllAndNeverFalls) {
  Pool pool(2);
  std::vector<double> told;
  const WatchedWork watched([&](double share) { told.push_back(share); }, nullptr);
  {
    const PartOfWork first(0, .5, 2);
    for (int run = 0; run < 2; ++run) pool.run(1000, [](std::uint64_t) {});
  }
  EXPECT_TRUE(std::ranges::is_sorted(told));
  EXPECT_LE(told.back(), .5);
  {
    const PartOfWork second(.5, 1);
    WatchedWork::reached(.5);
    const PartOfWork inner(.5, 1);
    WatchedWork::reached(.5);
    WatchedWork::reached(0);
  }
  EXPECT_EQ(std::vector(told.end() - 2, told.end()), (std::vector{.75, .875}));
  // Another thread is not watched.
  std::thread([&] { WatchedWork::reached(1); }).join();
  EXPECT_EQ(told.back(), .875);
}

/// Where runs are counted it is one of them; where they are not, the one that follows still tells how far it is.
TEST(WatchedWork, ARunOfOneChunkIsARunToo) {
  for (const std::uint64_t runs : {2, 1}) {
    Pool pool(1);
    double told = -1;
    const WatchedWork watched([&](double share) { told = share; }, nullptr);
    const PartOfWork part(0, 1, runs);
    pool.run(1, [](std::uint64_t) {});
    pool.run(4, [&](std::uint64_t chunk) {
      EXPECT_EQ(told, (static_cast<double>(chunk) / 4 + static_cast<double>(runs) - 1) / static_cast<double>(runs));
    });
  }
}

}  // namespace
}  // namespace warploom
