#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "gpu/core/stopwatch.h"
#include "gpu/own/kept.h"
#include "gpu/own/registry.h"
#include "gpu/scenes/simplex/simplex.h"
#include "gpu/tracks/facets/written.h"
#include "gpu/tracks/own_judging_time.h"
#include "gpu/tracks/simulation.h"

// What becomes of own maps whose process is killed by somebody else, and of work that several programs keep at once.

namespace warploom {
namespace {

/// The processes of this one's own maps.
std::vector<pid_t> hosts() {
  std::vector<pid_t> all;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string number = entry.path().filename().string();
    if (number.find_first_not_of("0123456789") != number.npos) continue;
    std::ifstream file(entry.path() / "stat");
    std::string stat{std::istreambuf_iterator<char>(file), {}};
    // "12 (warploom-host) S 7 ..."
    const auto name = stat.find("(warploom-host) ");
    if (name == stat.npos) continue;
    if (std::atoi(stat.c_str() + name + 18) == getpid()) all.push_back(std::atoi(number.c_str()));
  }
  return all;
}

std::size_t open_files() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

TEST(OwnHosts, KilledAtAnyOrderTheyLeaveNothingAndHarmNothing) {
  const char* asked = std::getenv("WARPLOOM_FALLS");
  const int rounds = asked ? std::atoi(asked) : 40;
  std::mt19937 random(1130);
  Queue queue{Backend::cpu};
  SimplexSettings settings;
  settings.kind = &find_simplex_kind("triangle");
  settings.n = 500;
  settings.rho = 16;
  const std::string name = add_own(read_own_text("killed.h", "Place place(Block b, Domain) { return {b.x, b.y}; }\n"));
  std::size_t before = 0;
  // How long such a run takes, in microseconds: what is made once is made in the first, which nobody kills.
  unsigned usual = 1;
  setenv("WARPLOOM_OWN_PATIENCE", "20", 1);  // on a busy machine, too, a host that is killed is told so
  int fell = 0, as_it_began = 0;
  for (int round = -2; round < rounds; ++round) {
    const auto began = std::chrono::steady_clock::now();
    std::jthread killer([wait = random() % (2 * usual)](const std::stop_token& over) {
      while (!over.stop_requested()) {
        const auto found = hosts();
        if (found.empty()) {
          std::this_thread::sleep_for(std::chrono::microseconds(200));
          continue;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(wait));
        for (const pid_t host : found) kill(host, SIGKILL);
        return;
      }
    });
    if (round < 0) killer.request_stop();
    try {
      const OwnJudgingTime time(0);
      std::vector<std::unique_ptr<Track>> tracks;
      tracks.push_back(make_simplex_track(queue, settings, "bounding_box"));
      tracks.push_back(make_simplex_track(queue, settings, name));
      Simulation all(std::move(tracks), std::make_shared<Timings>(), 0);
      fill(all, queue, 7, .4);
      all.count(queue);
      for (int step = 0; step < 6; ++step) {
        all.step(queue, nullptr);
        all.judge(queue, .002);
        all.seal(queue, nullptr);
      }
      const OwnState own = all.track(1).need<Written>().own();
      const auto status = all.status();
      EXPECT_TRUE(status[0].agrees);
      EXPECT_EQ(own.fault.has_value(), !status[1].agrees);
      if (own.fault) {
        EXPECT_EQ(own.fault->kind, "end") << own.fault->text;
        EXPECT_STREQ(status[1].badge(), "FELL");
      }
      fell += own.fault.has_value();
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("ended as it began"), std::string::npos) << error.what();
      ++as_it_began;
    }
    killer.request_stop();
    killer.join();
    EXPECT_TRUE(hosts().empty());
    if (round < 0) {
      before = open_files();
      usual = 1 + static_cast<unsigned>(1000 * milliseconds_since(began));
    } else {
      EXPECT_EQ(open_files(), before);
    }
  }
  unsetenv("WARPLOOM_OWN_PATIENCE");
  drop_own(name);
  EXPECT_GT(fell, 0) << "none was killed in time; " << as_it_began << " as they began";
}

TEST(OwnKept, WhatSeveralKeepAtOnceIsWholeOrNotThere) {
  constexpr const char* name = "hosts_test.bin";
  const StagingFolder folder(kept_folder() / "several");
  std::atomic<bool> over{false};
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 4; ++writer)
    writers.emplace_back([&, writer] {
      for (int i = 0; i < 100; ++i) {
        const auto made = folder.path() / std::to_string(writer);
        write_atomically(made, std::string(std::size_t(1000 + 30000 * writer), static_cast<char>('a' + writer)));
        (void)keep(made, name);
      }
    });
  int found = 0;
  std::thread reader([&] {
    while (!over) {
      const auto file = find_kept(name);
      if (file.empty()) continue;
      std::string bytes;
      try {
        bytes = read_file(file);
      } catch (const FileError&) {
        continue;
      }
      const auto writer = std::size_t(bytes[0] - 'a');
      ASSERT_LT(writer, 4u);
      EXPECT_EQ(bytes.find_first_not_of(bytes[0]), 1000 + 30000 * writer) << "what follows is its checksum";
      ++found;
    }
  });
  for (auto& writer : writers) writer.join();
  over = true;
  reader.join();
  EXPECT_GT(found, 0);
  const auto last = find_kept(name);
  EXPECT_FALSE(last.empty());
  std::filesystem::remove(last);
}

}  // namespace
}  // namespace warploom
