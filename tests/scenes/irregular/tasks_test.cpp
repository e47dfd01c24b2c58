#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <thread>

#include "tests/scenes/irregular/tasks_runs.h"

// Tasks: every strategy does every application right, whatever blocks and threads there are.

namespace warploom {
namespace {

class Tasks : public BackendTest {
 protected:
  void use_threads(unsigned threads) { queue = std::make_unique<Queue>(GetParam(), false, threads); }
};
WARPLOOM_ON_BOTH_BACKENDS(Tasks);

/// So many rounds of all combinations: WARPLOOM_TASK_ROUNDS, 17 of them in scripts/long.sh.
int rounds() {
  const char* given = std::getenv("WARPLOOM_TASK_ROUNDS");
  return given ? std::max(1, std::atoi(given)) : 1;
}

TEST_P(Tasks, EveryStrategyDoesEveryApplication) {
  for (const auto& application : task_applications()) {
    IrregularSettings settings = small_tasks(application.key);
    const auto problem = tasks_system().problem(settings);
    std::optional<std::uint64_t> seal;
    for (const auto& strategy : task_strategies())
      for (int round = 0; round < rounds(); ++round)
        for (const unsigned threads : {1u, 2u, 8u})
          for (const int blocks : {1, 2, 64, 1000}) {
            if (GetParam() == Backend::cpu) use_threads(threads);
            settings.blocks = blocks;
            TasksRun run(*queue, settings, strategy, problem);
            const auto said = [&] {
              return std::string(application.key) + ", " + strategy + ", " + counted(blocks, "block") + ", " +
                     counted(threads, "thread");
            };
            ASSERT_EQ(run.verdict(*queue).error, 0) << said();
            const Seal found = run.track->seal(*queue).value();
            if (!seal) seal = found.hash;
            ASSERT_EQ(found.hash, *seal) << said();
            ASSERT_EQ(run.number(*queue, "made"), static_cast<double>(run.own().chart()->tree().size())) << said();
          }
  }
}

TEST_P(Tasks, StepsGoOnAndAreAdopted) {
  for (const auto& application : task_applications()) {
    const IrregularSettings settings = small_tasks(application.key);
    const auto problem = tasks_system().problem(settings);
    TasksRun a(*queue, settings, "stealing", problem), b(*queue, settings, "static_list", problem);
    for (int step = 1; step <= 3; ++step) {
      for (TasksRun* run : {&a, &b}) {
        run->track->step(*queue);
        run->track->publish(*queue);
        ASSERT_EQ(run->verdict(*queue).error, 0) << application.key << step;
        ASSERT_EQ(run->own().chart()->step, static_cast<std::uint64_t>(step));
      }
      ASSERT_EQ(a.track->seal(*queue)->hash, b.track->seal(*queue)->hash);
      ASSERT_FALSE(a.track->first_difference(*queue, *b.track));
    }
    TasksRun late(*queue, settings, "rebalance", problem);
    late.track->adopt(*queue, *a.track);
    late.track->publish(*queue);
    ASSERT_EQ(late.verdict(*queue).error, 0);
    ASSERT_EQ(late.track->seal(*queue)->hash, a.track->seal(*queue)->hash);
  }
}

/// What the design gives for them, and what an oracle of its own in tests/command_line finds again.
TEST_P(Tasks, TreesAreThoseOfTheDesign) {
  if (GetParam() == Backend::cuda) GTEST_SKIP() << "the host's alone";
  IrregularSettings settings;
  settings.system = "tasks";
  const auto tree_of = [&] {
    const auto problem = std::dynamic_pointer_cast<const TasksProblem>(tasks_system().problem(settings));
    return problem->oracle(*queue, 0);
  };
  const auto image = tree_of();
  EXPECT_EQ(image->tree.size(), 2984u);
  EXPECT_EQ(image->tree.generations(), 4u);
  EXPECT_EQ(image->tree.total, 13360400);
  EXPECT_EQ(image->tree.critical, 115650);
  EXPECT_EQ(image->image, image->brute);
  EXPECT_EQ(image->tree.path.size(), image->tree.depth[image->tree.path.back()] + 1u);
  settings.application = "random_tree";
  EXPECT_EQ(tree_of()->tree.size(), 41312u);
  EXPECT_EQ(tree_of()->tree.generations(), 60u);
  settings.seed = 11;
  settings.probability = .124;
  EXPECT_EQ(tree_of()->tree.size(), 97512u);
  EXPECT_EQ(tree_of()->tree.generations(), 140u);
  settings.seed = 7;
  settings.application = "octree";
  settings.count = 20000;
  EXPECT_EQ(tree_of()->tree.size(), 4093u);
  EXPECT_EQ(tree_of()->tree.leaves(), 3466u);
}

TEST_P(Tasks, OneTaskIsEnough) {
  IrregularSettings settings = small_tasks("octree");
  settings.count = 1;
  settings.blocks = 64;
  for (const auto& strategy : task_strategies()) {
    TasksRun run(*queue, settings, strategy);
    EXPECT_EQ(run.verdict(*queue).error, 0) << strategy;
    EXPECT_EQ(run.number(*queue, "made"), 1) << strategy;
  }
}

/// The message of what it throws.
template <class Thrown, class Body>
std::string thrown(Body&& body) {
  try {
    body();
  } catch (const Thrown& error) {
    return error.what();
  }
  return "nothing was thrown";
}

TEST_P(Tasks, AQueueThatIsFullAtTheStartIsRefused) {
  IrregularSettings settings = small_tasks("random_tree");
  settings.capacity = 1999;
  settings.blocks = 4;
  for (const char* strategy : {"static_list", "locked_queue", "lock_free_queue"})
    EXPECT_NE(thrown<UsageError>([&] {
                TasksRun(*queue, settings, strategy);
              }).find("queue full: 2000 waiting, capacity 1999"),
              std::string::npos)
        << strategy;
  settings.capacity = 1600;
  EXPECT_NE(thrown<UsageError>([&] { TasksRun(*queue, settings, "stealing"); }).find("500 waiting, capacity 400"),
            std::string::npos);
  EXPECT_NE(thrown<UsageError>([&] { TasksRun(*queue, settings, "rebalance"); }).find("500 waiting, capacity 392"),
            std::string::npos);
}

TEST_P(Tasks, AQueueThatBecomesFullEndsTheRunAndNothingElse) {
  // Points that rest in step 0, and then come apart: more tasks wait.
  IrregularSettings settings = small_tasks("mandelbrot");
  settings.size = 512;
  settings.iterations = 512;
  settings.blocks = 1;
  // One block and a queue: as many wait as in a walk through the generations. Breadth first, most wait at once.
  for (const char* strategy : {"static_list", "locked_queue", "lock_free_queue"}) {
    settings.capacity = 1 << 18;
    TasksRun wide(*queue, settings, strategy);
    std::vector<double> most{wide.number(*queue, "longest_queue")};
    for (int step = 1; step < 40 && most.back() <= most.front(); ++step) {
      wide.track->step(*queue);
      wide.track->publish(*queue);
      most.push_back(wide.number(*queue, "longest_queue"));
    }
    ASSERT_GT(most.back(), most.front()) << strategy;
    settings.capacity = static_cast<std::int64_t>(*std::max_element(most.begin(), most.end() - 1));
    TasksRun run(*queue, settings, strategy);
    for (std::size_t step = 1; step + 1 < most.size(); ++step) {
      run.track->step(*queue);
      run.track->publish(*queue);
    }
    const std::string message = thrown<Error>([&] { run.track->step(*queue); });
    EXPECT_NE(message.find("queue full: "), std::string::npos) << strategy << ": " << message;
    EXPECT_NE(message.find("capacity " + std::to_string(settings.capacity)), std::string::npos) << message;
    run.track->give_up(*queue);
    EXPECT_EQ(run.verdict(*queue).error, 0) << strategy << ": the state before is there";
  }
}

TEST_P(Tasks, CancellingEndsAStep) {
  IrregularSettings settings = small_tasks("random_tree");
  settings.grain = 4000;
  for (const auto& strategy : task_strategies()) {
    settings.probability = 0;
    TasksRun run(*queue, settings, strategy);
    std::atomic<bool> cancel{false};
    queue->cancel = &cancel;
    std::chrono::steady_clock::time_point asked;
    std::jthread later([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(60));
      asked = std::chrono::steady_clock::now();
      cancel = true;
    });
    EXPECT_THROW(
        {
          for (int step = 0; step < 1000; ++step) run.track->step(*queue);
        },
        Cancelled)
        << strategy;
    const auto took = std::chrono::steady_clock::now() - asked;
    later.join();
    EXPECT_LT(took, std::chrono::milliseconds(sanitized ? 2000 : 200)) << strategy;
    queue->cancel = nullptr;
    run.track->give_up(*queue);
    EXPECT_EQ(run.verdict(*queue).error, 0) << strategy;
  }
}

TEST_P(Tasks, MeasuredTimesAreTheDevices) {
  IrregularSettings settings = small_tasks("mandelbrot");
  settings.clock = "measured";
  if (GetParam() == Backend::cpu) {
    const std::string message = thrown<UsageError>([&] { TasksRun(*queue, settings, "stealing"); });
    EXPECT_NE(message.find("clock=measured"), std::string::npos) << message;
    return;
  }
  for (const auto& strategy : task_strategies()) {
    TasksRun run(*queue, settings, strategy);
    EXPECT_EQ(run.verdict(*queue).error, 0) << strategy;
    const auto chart = run.own().chart();
    ASSERT_EQ(chart->schedule.missing, "") << strategy;
    EXPECT_TRUE(chart->schedule.measured);
    const TaskTree& tree = chart->tree();
    for (std::size_t row = 0; row < tree.size(); ++row) {
      EXPECT_LE(chart->schedule.start[row], chart->schedule.end[row]);
      if (tree.parent[row] >= 0) {
        EXPECT_LE(chart->schedule.end[static_cast<std::size_t>(tree.parent[row])], chart->schedule.end[row]);
      }
    }
  }
}

TEST_P(Tasks, SettingsAreChecked) {
  const auto refused = [&](auto change) {
    IrregularSettings settings = small_tasks("mandelbrot");
    change(settings);
    return thrown<UsageError>([&] { tasks_system().check(settings, {"stealing"}); });
  };
  EXPECT_NE(refused([](auto& s) { s.size = 500; }).find("such as 256"), std::string::npos);
  EXPECT_NE(refused([](auto& s) { s.iterations = 15; }).find("iterations 15"), std::string::npos);
  EXPECT_NE(refused([](auto& s) { s.probability = .125; }).find("probability"), std::string::npos);
  EXPECT_NE(refused([](auto& s) { s.probability = std::nan(""); }).find("probability"), std::string::npos);
  EXPECT_NE(refused([](auto& s) { s.capacity = 15; }).find("capacity"), std::string::npos);
  EXPECT_NE(refused([](auto& s) { s.blocks = 4097; }).find("blocks"), std::string::npos);
  EXPECT_NE(refused([](auto& s) { s.application = "octre"; }).find("octree"), std::string::npos);
}

}  // namespace
}  // namespace warploom
