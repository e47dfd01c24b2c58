#pragma once
#include <cstdint>

#include "gpu/core/atomic.h"
#include "gpu/core/macros.h"
#include "gpu/core/ordered_atomic.h"
#include "gpu/scenes/irregular/tasks/schedule.h"

namespace warploom {

/// Threads of a block: a block does a task at a time.
inline constexpr unsigned task_threads = 64;
/// A task makes so many further ones at most.
inline constexpr unsigned most_children = 8;

/// What a strategy is, for menus and documents.
struct TaskStrategyInfo {
  const char *name, *title, *description, *citation;
};

/// Words that all blocks share, each on a cache line of its own.
struct TaskWords {
  static constexpr unsigned apart = 16;
  enum Word : unsigned {
    open,   ///< tasks that were made and are not finished
    full,   ///< 1 + how many waited when there was no room for more, or the run is given up; 0: neither
    idle,   ///< blocks that have left a launch for want of work or room
    next,   ///< tasks of the next generation
    tasks,  ///< sums of what the blocks did, from here on
    leaves,
    seal,
    steals,
    failed,
    lost,
    longest,  ///< of them the largest
    count
  };
  std::uint64_t* words;
  WARPLOOM_HD std::uint64_t* at(unsigned word) const { return words + std::size_t{word} * apart; }
};

/// What a block finds when it looks for a task.
enum class Taken : std::uint32_t { task, vain, over };

/// A block at work: of its first thread.
struct TaskWorker {
  TaskWords shared;
  std::uint32_t block = 0, blocks = 1;
  std::uint64_t depth = 0;   ///< of its own stack
  std::uint32_t looks = 0;   ///< at others' deques
  std::uint32_t turns = 0;   ///< with a task or in vain
  std::uint32_t vain = 0;    ///< looks in vain since its last task
  std::uint32_t victim = 0;  ///< whose deque it looked at last
  bool started = false, did = false;
  std::uint64_t tasks = 0, leaves = 0, seal = 0, steals = 0, failed = 0, lost = 0, longest = 0;

  WARPLOOM_HD void saw_waiting(std::uint64_t waiting) { longest = waiting > longest ? waiting : longest; }
  /// The end of the run: so many wait already.
  WARPLOOM_HD void no_room(std::uint64_t waiting) const { relaxed_store(shared.at(TaskWords::full), waiting + 1); }
  /// A block that found nothing: everything is done, or more may come.
  WARPLOOM_HD Taken nothing() const {
    return relaxed_load(shared.at(TaskWords::open)) == 0 ? Taken::over : Taken::vain;
  }
  /// Counts the children of a finished task, before anybody can see them, and the task as finished. Who finishes a
  /// child has acquired it, so its sum comes after this one: no order is needed to see that all is done.
  WARPLOOM_HD void hand_on(std::uint32_t children) const {
    if (children != 1) atomic_add(shared.at(TaskWords::open), std::uint64_t{children} - 1);
  }
  WARPLOOM_HD void tell() const {
    const auto add = [&](unsigned word, std::uint64_t value) {
      if (value) atomic_add(shared.at(word), value);
    };
    add(TaskWords::tasks, tasks);
    add(TaskWords::leaves, leaves);
    add(TaskWords::seal, seal);
    add(TaskWords::steals, steals);
    add(TaskWords::failed, failed);
    add(TaskWords::lost, lost);
    std::uint64_t seen = relaxed_load(shared.at(TaskWords::longest));
    while (longest > seen) {
      const std::uint64_t before = compare_and_swap(shared.at(TaskWords::longest), seen, longest);
      if (before == seen) break;
      seen = before;
    }
  }
};

/// The children of a finished task.
struct MadeTasks {
  std::uint64_t words[most_children];
  std::uint32_t count = 0;
  bool finished = false;  ///< a task was done; else the block has just begun, or looked in vain
};

// A strategy (strategies/*.h)
// ---------------------------
//   static constexpr TaskStrategyInfo info
//   static std::uint64_t room(blocks, capacity)      tasks that fit its queue, or each of its parts
//   static std::uint64_t words(blocks, room)         64-bit words of its memory
//   memory, room_                                    that memory; the first two members
//   static std::uint64_t resets(blocks, room); void reset(i, first, blocks) const
//                                                    what is done for each i before the first launch
//   std::uint64_t place(i, blocks) const             the word of the memory where first task i lies
//   static std::uint64_t of_first(first, blocks)
//                                                    tasks that wait in its fullest part before the first launch; more
//                                                    than `most(room)` are refused
//   Taken turn(worker, made, task, pause) const      hands on `made`, and takes a task: in the first thread of a block;
//                                                    pause(n) where it waits for another one, for the n-th time
//   void drive(host)                                 launches until all is done (TaskHost)
//   static TaskSchedule model(ScheduleMaker&)        its schedule by the modelled clock

}  // namespace warploom
