#pragma once
#include <vector>

#include "gpu/scenes/irregular/tasks/worker.h"

namespace warploom {

/// A launch a generation: a list of tasks that is known when it starts, and a list that it makes.
struct StaticList {
  static constexpr TaskStrategyInfo info{"static_list", "Static list",
                                         "a launch for each generation: task i by block i mod P, children to the next "
                                         "list",
                                         "cederman2008balancing"};
  static std::uint64_t room(std::uint64_t /*blocks*/, std::uint64_t capacity) { return capacity; }
  static std::uint64_t of_first(std::uint64_t first, std::uint64_t /*blocks*/) { return first; }
  static std::uint64_t most(std::uint64_t room) { return room; }
  static std::uint64_t words(std::uint64_t /*blocks*/, std::uint64_t room) { return 2 * room; }

  std::uint64_t* memory;  ///< (2, room): the list that is done, and the one that is made
  std::uint64_t room_;
  std::uint64_t waiting = 0;  ///< tasks of the list that is done
  std::uint32_t list = 0;     ///< which of the two that is

  static std::uint64_t resets(std::uint64_t /*blocks*/, std::uint64_t /*room*/) { return 0; }
  template <class Host>
  void drive(Host& host) {
    for (waiting = host.first(); waiting != 0; waiting = host.word(TaskWords::next)) {
      host.saw_waiting(waiting);
      host.run(*this);
      list = 1 - list;
    }
  }

  WARPLOOM_HD void reset(std::uint64_t, std::uint64_t, std::uint64_t) const {}
  /// Where first task i lies.
  WARPLOOM_HD std::uint64_t place(std::uint64_t i, std::uint64_t /*blocks*/) const { return i; }

  template <class Pause>
  WARPLOOM_HD Taken turn(TaskWorker& worker, const MadeTasks& made, std::uint64_t& task, Pause&&) const {
    if (made.count) {
      const std::uint64_t at = atomic_fetch_add(worker.shared.at(TaskWords::next), std::uint64_t{made.count});
      if (at + made.count > room_) {
        worker.no_room(at < room_ ? at : room_);
        return Taken::over;
      }
      std::uint64_t* const to = memory + (1 - list) * room_ + at;
      for (std::uint32_t i = 0; i < made.count; ++i) to[i] = made.words[i];
    }
    if (!worker.started) worker.depth = worker.block;
    worker.started = true;
    if (worker.depth >= waiting) return Taken::over;
    task = memory[list * room_ + worker.depth];
    worker.depth += worker.blocks;
    return Taken::task;
  }

  static TaskSchedule model(ScheduleMaker& maker) {
    std::vector<std::uint32_t> list(maker.tree.first), next;
    for (std::uint32_t i = 0; i < list.size(); ++i) list[i] = i;
    std::int64_t now = 0;
    while (!list.empty()) {
      std::vector<std::int64_t> ends(maker.blocks(), maker.launch(now));
      next.clear();
      for (std::size_t i = 0; i < list.size(); ++i) {
        maker.go_on();
        const auto block = static_cast<std::uint32_t>(i % maker.blocks());
        const std::int64_t begun = maker.own(block, ends[block]);
        ends[block] = maker.own(block, maker.work(block, list[i], begun));
        for (std::uint32_t c = 0; c < maker.tree.children[list[i]]; ++c) next.push_back(maker.tree.child[list[i]] + c);
      }
      now = maker.wait_for_last(ends);
      list.swap(next);
    }
    return maker.finish(now);
  }
};

}  // namespace warploom
