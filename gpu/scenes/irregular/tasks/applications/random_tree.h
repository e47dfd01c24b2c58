#pragma once
#include <string>

#include "gpu/core/group.h"
#include "gpu/core/hash.h"
#include "gpu/scenes/irregular/tasks/application.h"

namespace warploom {

/// A tree whose size is not known beforehand: by chance a task makes eight further ones, or none.
struct RandomTree {
  double probability;
  std::uint32_t grain;
  std::uint32_t* sink;  ///< a word that is hardly ever written: what threads compute must not be left out

  static constexpr std::uint64_t first_tasks = 2000;

  template <class Group>
  struct Shared {};

  template <class Group, class Children>
  WARPLOOM_HD std::uint32_t run(Group& group, Shared<Group>&, std::uint64_t task, Children& children) const {
    group.each([&](const Thread& thread) {
      std::uint64_t sum = 0;
      for (std::uint32_t i = 0; i < grain; ++i) sum += key_hash(task + thread.index, i);
      if (sum == 1) relaxed_store(sink, thread.index);
    });
    if (!chosen(task, probability)) return 0;
    group.once([&] {
      for (std::uint32_t i = 0; i < most_children; ++i) children[i] = key_hash(task, i);
    });
    return most_children;
  }

  WARPLOOM_HD static std::uint64_t told(std::uint64_t task) { return key_hash(0, task); }
  WARPLOOM_HD std::uint64_t inputs() const { return 0; }
  WARPLOOM_HD void input(std::uint64_t) const {}

  static RandomTree on(const TasksProblem& problem, std::uint64_t, std::uint8_t*, std::uint32_t* scratch,
                       const std::uint32_t*) {
    return {problem.settings.probability, static_cast<std::uint32_t>(problem.settings.grain), scratch};
  }
  static std::vector<std::uint32_t> constants(const TasksProblem&) { return {}; }

  static TaskApplicationInfo info() {
    return {"random_tree",
            "Random tree",
            "a task has eight children or none, by chance",
            false,
            [](const TasksProblem& problem) {
              std::vector<std::uint64_t> all;
              for (std::uint64_t r = 0; r < first_tasks; ++r) all.push_back(key_hash(problem.settings.seed, r));
              return all;
            },
            [](const TasksProblem& problem, std::uint64_t, Pool&, const std::atomic<bool>* cancel) {
              TaskOracle oracle;
              const std::int64_t work = 200 + 40 * std::int64_t{problem.settings.grain};
              oracle.tree = TaskTree::grown(
                  info().first(problem),
                  [&](std::uint64_t z, auto& children) {
                    oracle.seal += key_hash(0, z);
                    if (static_cast<double>(z >> 11) < problem.settings.probability * 0x1p53)
                      for (std::uint64_t i = 0; i < 8; ++i) children.push_back(key_hash(z, i));
                    return work;
                  },
                  cancel);
              return oracle;
            },
            [](const TasksProblem&) { return std::uint64_t{8}; },
            [](const TasksProblem&) { return std::uint64_t{1}; },
            [](const TasksProblem&, std::uint64_t task) { return "number " + std::to_string(task); }};
  }
};

}  // namespace warploom
