#include "gpu/core/team.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <numeric>
#include <thread>

#include "gpu/core/buffer.h"
#include "gpu/core/devices.h"
#include "gpu/core/error.h"
#include "gpu/core/launch.h"

namespace warploom {
namespace {

struct CountUp {
  std::uint32_t* to;
  std::uint64_t count;
  template <class Group>
  void operator()(Group& group) const {
    each_item(group, count, [&](std::uint64_t i) { ++to[i]; });
  }
};

TEST(Teams, EveryDeviceWorksOnItself) {
  const auto team = Team::of(Backend::cpu, 4);
  EXPECT_EQ(team->size(), 4);
  EXPECT_EQ(Team::of(Backend::cpu, 4), team) << "made once";
  EXPECT_TRUE(team->direct());
  Queue outer(Backend::cpu);
  std::vector<std::vector<std::uint32_t>> values(4, std::vector<std::uint32_t>(1000));
  std::vector<int> there(4, -1);
  Team::Step step(*team, outer);
  for (int turn = 0; turn < 3; ++turn)
    step.each("count", [&](int device, Queue& queue) {
      const auto at = static_cast<std::size_t>(device);
      there[at] = OnDevice::current(Backend::cpu).number;
      EXPECT_EQ(queue.device().number, device);
      launch("test.count", queue, row_shape(1000), CountUp{values[at].data(), 1000});
    });
  const auto spans = step.finish();
  EXPECT_EQ(there, (std::vector<int>{0, 1, 2, 3}));
  for (const auto& one : values)
    for (const std::uint32_t value : one) ASSERT_EQ(value, 3u);
  ASSERT_EQ(spans.size(), 12u);
  double longest = 0;
  for (const TeamSpan& span : spans) {
    EXPECT_GE(span.end_us, span.begin_us);
    EXPECT_FALSE(span.link);
    longest = std::max(longest, span.end_us);
  }
  EXPECT_DOUBLE_EQ(longest_ms(spans), longest / 1e3);
}

TEST(Teams, ExchangesBringWhatIsListed) {
  const auto team = Team::of(Backend::cpu, 2);
  Queue outer(Backend::cpu);
  std::vector<std::vector<std::uint8_t>> sent{{1, 2, 3, 4}, {5, 6, 7, 8}},
      received(2, std::vector<std::uint8_t>(4, 99));
  Team::Step step(*team, outer);
  step.exchange("swap", {{{0, 1, 1, 0, 2}, {1, 0, 3, 2, 1}}}, {sent[0].data(), sent[1].data()},
                {received[0].data(), received[1].data()});
  const auto spans = step.finish();
  EXPECT_EQ(received[0], (std::vector<std::uint8_t>{99, 99, 8, 99}));
  EXPECT_EQ(received[1], (std::vector<std::uint8_t>{2, 3, 99, 99}));
  ASSERT_EQ(spans.size(), 2u);
  EXPECT_TRUE(spans[0].link);
  EXPECT_EQ(spans[0].bytes + spans[1].bytes, 3u);
}

TEST(Teams, AMemberThatThrowsEndsTheStep) {
  const auto team = Team::of(Backend::cpu, 4);
  Queue outer(Backend::cpu);
  std::atomic<int> ran{0};
  {
    Team::Step step(*team, outer);
    EXPECT_THROW(step.each("fails",
                           [&](int device, Queue&) {
                             ++ran;
                             if (device == 2) throw Error("device 2");
                           }),
                 Error);
  }
  Team::Step next(*team, outer);
  next.each("works", [&](int, Queue&) { ++ran; });
  EXPECT_EQ(next.finish().size(), 4u);
  EXPECT_GE(ran.load(), 5);
}

TEST(Teams, CancelledBetweenPhasesAndInThem) {
  const auto team = Team::of(Backend::cpu, 4);
  Queue outer(Backend::cpu);
  std::atomic<bool> cancel{false};
  outer.cancel = &cancel;
  std::vector<std::uint32_t> values(1u << 20);
  for (int turn = 0; turn < 20; ++turn) {
    cancel = false;
    std::thread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(turn % 5));
      cancel = true;
    });
    bool cancelled = false;
    const auto begin = std::chrono::steady_clock::now();
    try {
      Team::Step step(*team, outer);
      for (;;)
        step.each("count", [&](int device, Queue& queue) {
          const std::uint64_t part = values.size() / 4;
          launch("test.count", queue, row_shape(part),
                 CountUp{values.data() + static_cast<std::size_t>(device) * part, part});
        });
    } catch (const Cancelled&) {
      cancelled = true;
    }
    other.join();
    EXPECT_TRUE(cancelled);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
  }
  outer.cancel = nullptr;
  Team::Step step(*team, outer);
  step.each("works", [](int, Queue&) {});
  EXPECT_EQ(step.finish().size(), 4u);
}

TEST(Teams, StepsOfSeveralUsersFollowOneAnother) {
  const auto team = Team::of(Backend::cpu, 2);
  std::vector<std::uint32_t> values(2);  // no atomic: steps never overlap
  std::vector<std::thread> users;
  for (int user = 0; user < 4; ++user)
    users.emplace_back([&] {
      Queue outer(Backend::cpu, false, 1);
      for (int i = 0; i < 50; ++i) {
        Team::Step step(*team, outer);
        step.each("count", [&](int device, Queue&) { ++values[static_cast<std::size_t>(device)]; });
        (void)step.finish();
      }
    });
  for (auto& user : users) user.join();
  EXPECT_EQ(values, (std::vector<std::uint32_t>{200, 200}));
}

/// What a direct link between cards, or the one memory of pools, would hide.
TEST(TeamsDeathTest, ACheckedOneNamesWhoReachesOverTheLink) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto reach = [](int who) {
    setenv("WARPLOOM_CHECK_TEAMS", "1", 1);
    const auto team = Team::of(Backend::cpu, 2);
    Buffer<std::uint32_t> of_one;
    {
      const OnDevice there(team->queue(1).device());
      of_one = Buffer<std::uint32_t>(Backend::cpu, 1000);
    }
    Queue outer(Backend::cpu);
    Team::Step step(*team, outer);
    step.each("butterfly.scan", [&](int device, Queue& queue) {
      if (device == who) launch("test.count", queue, row_shape(1000), CountUp{of_one.data(), 1000});
    });
    (void)step.finish();
    std::exit(of_one.data()[999] == 1 ? 0 : 1);
  };
  EXPECT_EXIT(reach(1), ::testing::ExitedWithCode(0), "");
  EXPECT_EXIT(reach(0), ::testing::ExitedWithCode(70),
              "kernel butterfly.scan of device 0 reached into memory of device 1");
}

TEST(Teams, PoolsStandForAnyNumberOfDevices) {
  EXPECT_NO_THROW(check_devices(Backend::cpu, 16));
  if (cuda_devices().size() < 16) try {
      check_devices(Backend::cuda, 16);
      FAIL();
    } catch (const UsageError& error) {
      const std::string what = error.what();
      EXPECT_EQ(what.rfind("devices=16: this machine has " + std::to_string(cuda_devices().size()) + " CUDA device", 0),
                0u)
          << what;
      EXPECT_NE(what.find("or --backend cpu, where pools stand for them"), std::string::npos) << what;
    }
}

}  // namespace
}  // namespace warploom
