#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "gpu/core/buffer.h"
#include "gpu/core/queue.h"
#include "gpu/scenes/irregular/tasks/application.h"

namespace warploom {

/// What the blocks of a run told, in sum.
struct TaskTally {
  std::uint64_t tasks = 0, leaves = 0, seal = 0, steals = 0, failed = 0, lost = 0, longest = 0, launches = 0;
};

/// There was no room for a task.
struct QueueFull : UsageError {
  QueueFull(const std::string& track, std::uint64_t waiting, std::uint64_t capacity);
};

/// A strategy on an application: what launches. The thread that steps.
class TaskRunner {
 public:
  virtual ~TaskRunner() = default;
  /// Does all tasks of an input; `state` becomes what they make. Throws QueueFull, Cancelled.
  virtual TaskTally run(Queue& queue, std::uint64_t step, std::uint8_t* state) = 0;
  /// The same once more by an instrumented program, into a state of its own: its schedule by the device's clock. CUDA
  /// alone.
  virtual TaskSchedule measured(Queue& queue, std::uint64_t step, const TaskTree& tree) = 0;
  std::uint32_t blocks() const { return blocks_; }
  std::uint64_t bytes() const { return bytes_; }

 protected:
  std::uint32_t blocks_ = 1;
  std::uint64_t bytes_ = 0;
};

/// Throws QueueFull where even the first tasks have no room.
using MakeTaskRunner = std::unique_ptr<TaskRunner> (*)(Queue& queue, std::shared_ptr<const TasksProblem> problem,
                                                       const IrregularSettings& settings, const std::string& strategy);
/// The maker for an application; CMake writes it from the lines of applications/list.h.
MakeTaskRunner task_runner_maker(const std::string& application);

/// The measured schedule of events of each block: starts at the first of them.
TaskSchedule schedule_of_events(const TaskTree& tree, std::uint32_t blocks,
                                const std::vector<std::vector<struct TaskEvent>>& events);

}  // namespace warploom
