#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/core/pool.h"
#include "gpu/core/queue.h"
#include "gpu/scenes/irregular/tasks/worker.h"
#include "gpu/scenes/irregular/tree/points.h"

namespace warploom {

/// What is right of an input, by the host alone: from the definition of the application, not from its kernels.
struct TaskOracle {
  std::uint64_t step = 0;
  TaskTree tree;
  std::uint64_t seal = 0;            ///< of applications that make no image
  std::vector<std::int32_t> image;   ///< as the tasks make it; empty: they make none
  std::vector<std::int32_t> brute;   ///< every pixel by itself; -1: not computed, as there are too many
  std::vector<std::uint32_t> codes;  ///< of points: sorted
};

/// Settings, and points where there are any.
struct TasksProblem final : IrregularProblem {
  TasksProblem();
  IrregularSettings settings;
  GridPoints points;

  /// What is right of the input of a step, made once for all tracks. The thread that steps; long work that tells how
  /// far it is, and that the queue's `cancel` stops. Throws Cancelled.
  std::shared_ptr<const TaskOracle> oracle(Queue& queue, std::uint64_t step) const;

 private:
  struct Kept;
  std::shared_ptr<Kept> kept_;
};

/// What an application is on the host. `words`: of a task, as a sentence without a full stop.
struct TaskApplicationInfo {
  const char *key, *title, *description;
  bool makes_image;
  std::vector<std::uint64_t> (*first)(const TasksProblem& problem);
  TaskOracle (*oracle)(const TasksProblem& problem, std::uint64_t step, Pool& pool, const std::atomic<bool>* cancel);
  std::uint64_t (*state_bytes)(const TasksProblem& problem);
  std::uint64_t (*scratch_words)(const TasksProblem& problem);  ///< of 32 bits
  std::string (*words)(const TasksProblem& problem, std::uint64_t task);
};

/// The tasks of an input on so many blocks by the modelled clock: host work of one thread, the same in every run.
/// Throws Cancelled.
TaskSchedule modelled_schedule(const std::string& strategy, const TaskTree& tree, std::uint32_t blocks,
                               std::uint64_t capacity, const std::atomic<bool>* cancel = nullptr);

/// The applications of applications/list.h, in the order of the menu.
const std::vector<TaskApplicationInfo>& task_applications();
/// Throws UsageError with the nearest.
const TaskApplicationInfo& find_task_application(const std::string& key);

// An application (applications/*.h) is a program's part, a value:
//   template <class Group> struct Shared                       shared memory of its own
//   template <class Group, class Children>
//   std::uint32_t run(group, shared, task, children) const     does a task by all threads of the block, and puts the
//                                                              tasks that it makes into `children`: how many, the same
//                                                              in every thread. A barrier follows
//   static std::uint64_t told(task)                            its part of the seal; 0 of those that make an image
//   static Application on(problem, step, state, scratch, constants)
//   std::uint64_t inputs() const; void input(i) const          what is done for each i before the first task
//   static std::vector<std::uint32_t> constants(problem)       uploaded once
//   static TaskApplicationInfo info()

}  // namespace warploom
