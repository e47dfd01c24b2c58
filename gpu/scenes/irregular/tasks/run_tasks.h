#pragma once
#include "gpu/core/device_clock.h"
#include "gpu/core/group.h"
#include "gpu/scenes/irregular/tasks/worker.h"

namespace warploom {

/// What a block did from a time to another, by the device's clock, in nanoseconds: of instrumented runs.
struct TaskEvent {
  std::uint64_t start, end, task;
  std::uint32_t kind, from;  ///< TaskTurn::Kind; of a task that was stolen whose it was, else the block itself
};

/// Events of each block, and how many it had: more than `room` are counted and not kept.
struct TaskEvents {
  TaskEvent* events;      ///< (P, room)
  std::uint64_t* counts;  ///< (P)
  std::uint64_t room;

  /// Looks in vain that follow each other are one.
  WARPLOOM_HD void add(std::uint64_t block, const TaskEvent& event) const {
    const std::uint64_t at = counts[block];
    TaskEvent* const of = events + block * room;
    if (event.kind == TaskTurn::vain && at > 0 && at <= room && of[at - 1].kind == TaskTurn::vain) {
      of[at - 1].end = event.end;
      return;
    }
    counts[block] = at + 1;
    if (at < room) of[at] = event;
  }
};

/// Persistent blocks: each takes task after task until none is open. No block waits for one that has not started.
/// `instrumented`: a program apart, that keeps events.
template <class Application, class Strategy, bool instrumented = false>
struct RunTasks {
  static constexpr bool waits_for_blocks = true, needs_all_blocks = false, rows_of_warps = true;
  static constexpr unsigned most_threads = task_threads, exact_threads = task_threads;

  Application application;
  Strategy strategy;
  TaskWords words;
  const std::uint32_t* stop;  ///< not 0: the run is given up; on a device
  const bool* cancel;         ///< true: the same, on the CPU
  std::uint32_t blocks;
  TaskEvents events{};

  template <class Group>
  struct Shared {
    typename Group::template Tile<std::uint64_t, 1> task;
    typename Group::template Tile<std::uint64_t, most_children> children;
    typename Group::template Tile<std::uint32_t, 1> taken;
    typename Application::template Shared<Group> own;
  };

  template <class Group>
  WARPLOOM_HD void operator()(Group& group, Shared<Group>& shared) const {
    TaskWorker worker;
    worker.shared = words;
    worker.block = static_cast<std::uint32_t>(group.block_number());
    worker.blocks = blocks;
    std::uint32_t made = 0;
    bool finished = false;
    for (;;) {
      std::uint64_t begun = 0;
      group.once([&] {
        MadeTasks tasks;
        tasks.count = made;
        tasks.finished = finished;
        for (std::uint32_t i = 0; i < made; ++i) tasks.words[i] = shared.children[i];
        std::uint64_t task = 0;
        const std::uint64_t looked = instrumented ? device_clock() : 0, stolen = worker.steals;
        const Taken taken = halted<Group>(worker)
                                ? Taken::over
                                : strategy.turn(worker, tasks, task, [&](std::uint32_t looks) { group.pause(looks); });
        if constexpr (instrumented) {
          begun = device_clock();
          const auto kind = taken == Taken::vain ? TaskTurn::vain : TaskTurn::queue;
          const std::uint32_t from = worker.steals > stolen ? worker.victim : worker.block;
          events.add(worker.block, {looked, begun, task, static_cast<std::uint32_t>(kind), from});
        }
        worker.vain = taken == Taken::vain ? worker.vain + 1 : 0;
        if (taken == Taken::vain) group.pause(worker.vain);
        shared.task[0] = task;
        shared.taken[0] = static_cast<std::uint32_t>(taken);
      });
      group.barrier();
      const std::uint32_t taken = shared.taken[0];
      const std::uint64_t task = shared.task[0];
      if (taken == static_cast<std::uint32_t>(Taken::over)) break;
      finished = taken == static_cast<std::uint32_t>(Taken::task);
      made = finished ? application.run(group, shared.own, task, shared.children) : 0;
      group.barrier();
      if (!finished) continue;
      group.once([&] {
        ++worker.tasks;
        worker.leaves += made == 0;
        worker.seal += Application::told(task);
        if constexpr (instrumented)
          events.add(worker.block, {begun, device_clock(), task, TaskTurn::work, worker.block});
      });
    }
    group.once([&] { worker.tell(); });
  }

 private:
  /// Another block found no room, or the run is given up. Asked at every turn: a block that looks in vain must learn of
  /// it, too, as those that have stopped leave tasks open.
  template <class Group>
  WARPLOOM_HD bool halted(TaskWorker& worker) const {
    if (relaxed_load(words.at(TaskWords::full)) != 0) return true;
    if constexpr (Group::on_device) {
      // It lies across the bus, and is read now and then: by who works, and of those who look in vain by some, who tell
      // the others. (Blocks of a list end one after another: no one of them may be the only one that reads it.)
      constexpr std::uint32_t told_by_one = 32, turns_between = 16;
      const bool reads = worker.vain == 0 || worker.block % told_by_one == 0;
      if (!reads || worker.turns++ % turns_between != 0 || relaxed_load(stop) == 0) return false;
      worker.no_room(0);
      return true;
    } else {
      return relaxed_load(cancel);
    }
  }
};

}  // namespace warploom
