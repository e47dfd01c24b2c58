#include "gpu/core/device.h"

#include <gtest/gtest.h>

#include <thread>

#include "gpu/core/error.h"
#include "gpu/core/launch.h"

namespace warploom {
namespace {

int current() { return OnDevice::current(Backend::cpu).number; }

TEST(Devices, AreOfAThreadAndNest) {
  EXPECT_EQ(current(), 0);
  {
    const OnDevice one({Backend::cpu, 1});
    EXPECT_EQ(current(), 1);
    EXPECT_EQ(OnDevice::current(Backend::cuda).number, 0);
    {
      const OnDevice three({Backend::cpu, 3});
      EXPECT_EQ(current(), 3);
    }
    EXPECT_EQ(current(), 1);
    int there = -1;
    std::thread([&] { there = current(); }).join();
    EXPECT_EQ(there, 0);
  }
  EXPECT_EQ(current(), 0);
}

TEST(Devices, AQueueIsOfTheOneThatItWasMadeOn) {
  const OnDevice two({Backend::cpu, 2});
  const Queue here(Backend::cpu), there(Device{Backend::cpu, 5});
  EXPECT_EQ(here.device(), (Device{Backend::cpu, 2}));
  EXPECT_EQ(there.device(), (Device{Backend::cpu, 5}));
  EXPECT_EQ(there.backend(), Backend::cpu);
}

TEST(Devices, AQueueOfOneThatIsNotThereIsRefused) {
  EXPECT_THROW(Queue(Device{Backend::cpu, most_devices}), UsageError);
  EXPECT_THROW(Queue(Device{Backend::cpu, -1}), UsageError);
}

TEST(Devices, EachIsAskedOnce) {
  AskedOfDevice asked;
  int times = 0;
  for (int turn = 0; turn < 3; ++turn)
    for (int number = 0; number < 4; ++number)
      EXPECT_EQ(asked.get({Backend::cuda, number},
                          [&] {
                            ++times;
                            return static_cast<std::uint64_t>(number);
                          }),
                static_cast<std::uint64_t>(number));
  EXPECT_EQ(times, 4);
}

}  // namespace
}  // namespace warploom
