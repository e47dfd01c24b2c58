#pragma once
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gpu/scenes/irregular/tasks/worker.h"

namespace warploom {

/// All tasks, stack after stack, bottom first: the j-th to block j mod P.
struct DealTasks {
  const std::uint64_t* from;    ///< (P, room): the stacks
  std::uint64_t *to, *counts;   ///< (P, room), (P): what they become
  const std::uint64_t* starts;  ///< (P + 1): how many lie in the stacks before it
  std::uint64_t blocks, room;
  WARPLOOM_HD void operator()(std::uint64_t j) const {
    const std::uint64_t all = starts[blocks];
    if (j < blocks) counts[j] = all / blocks + (j < all % blocks ? 1 : 0);
    if (j >= all) return;
    std::uint64_t low = 0, high = blocks;
    while (high - low > 1) {
      const std::uint64_t middle = (low + high) / 2;
      (starts[middle] <= j ? low : high) = middle;
    }
    to[j % blocks * room + j / blocks] = from[low * room + j - starts[low]];
  }
};

/// Private stacks; when half of the blocks are idle the launch ends, and all tasks are dealt out evenly
/// [lauterbach2009work]. A block with work does one task before it looks at the others, or it would never end.
struct Rebalance {
  static constexpr TaskStrategyInfo info{"rebalance", "Rebalancing",
                                         "a stack for each block; when half of them are idle all tasks are dealt out "
                                         "anew",
                                         "lauterbach2009work"};
  static std::uint64_t room(std::uint64_t blocks, std::uint64_t capacity) {
    return capacity / blocks > 16 ? capacity / blocks : 16;
  }
  static std::uint64_t of_first(std::uint64_t first, std::uint64_t blocks) { return (first + blocks - 1) / blocks; }
  /// No block is dealt more, so that each has room for the children of a task.
  static constexpr std::uint64_t most(std::uint64_t room) { return room - most_children; }
  static std::uint64_t words(std::uint64_t blocks, std::uint64_t room) { return blocks + 2 * blocks * room; }

  std::uint64_t* memory;  ///< (P): how many wait; (2, P, room): the stacks, and where they are dealt to
  std::uint64_t room_;
  std::uint64_t waiting = 0;
  std::uint32_t list = 0;  ///< which of the two
  WARPLOOM_HD std::uint64_t* stack(std::uint32_t of, std::uint64_t block, std::uint64_t blocks) const {
    return memory + blocks + (of * blocks + block) * room_;
  }

  static std::uint64_t resets(std::uint64_t blocks, std::uint64_t /*room*/) { return blocks; }
  template <class Host>
  void drive(Host& host) {
    for (;;) {
      host.run(*this);
      std::vector<std::uint64_t> starts = host.memory_words(host.blocks());
      std::uint64_t all = 0;
      for (std::uint64_t& start : starts) start = std::exchange(all, all + start);
      if (all == 0) return;
      const std::uint64_t blocks = host.blocks(), each = of_first(all, blocks);
      if (each > most(room_)) host.refuse(each, most(room_));
      starts.push_back(all);
      host.items(std::max(all, blocks), DealTasks{stack(list, 0, blocks), stack(1 - list, 0, blocks), memory,
                                                  host.uploaded(starts), blocks, room_});
      list = 1 - list;
    }
  }

  WARPLOOM_HD void reset(std::uint64_t i, std::uint64_t first, std::uint64_t blocks) const {
    if (i < blocks) memory[i] = first / blocks + (i < first % blocks ? 1 : 0);
  }
  WARPLOOM_HD std::uint64_t place(std::uint64_t i, std::uint64_t blocks) const {
    return blocks + (list * blocks + i % blocks) * room_ + i / blocks;
  }

  template <class Pause>
  WARPLOOM_HD Taken turn(TaskWorker& worker, const MadeTasks& made, std::uint64_t& task, Pause&&) const {
    std::uint64_t* const own = stack(list, worker.block, worker.blocks);
    if (!worker.started) worker.depth = memory[worker.block];
    worker.started = true;
    for (std::uint32_t i = 0; i < made.count; ++i) own[worker.depth++] = made.words[i];
    worker.saw_waiting(worker.depth);
    const bool idle = worker.depth == 0 || room_ - worker.depth < most_children;
    std::uint64_t* const count = worker.shared.at(TaskWords::idle);
    if (idle) atomic_add(count, 1);
    if (idle || (worker.did && 2 * relaxed_load(count) >= worker.blocks)) {
      memory[worker.block] = worker.depth;
      return Taken::over;
    }
    task = own[--worker.depth];
    worker.did = true;
    return Taken::task;
  }

  static TaskSchedule model(ScheduleMaker& maker) {
    const std::uint32_t blocks = maker.blocks();
    const std::uint64_t each = room(blocks, maker.capacity);
    std::vector<std::uint32_t> all(maker.tree.first);
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    std::int64_t now = 0;
    while (!all.empty()) {
      if (of_first(all.size(), blocks) > most(each)) {
        maker.made().missing = "the stacks of so many blocks have no room for " + std::to_string(all.size()) + " tasks";
        return maker.finish(now);
      }
      std::vector<std::vector<std::uint32_t>> stacks(blocks);
      for (std::size_t j = 0; j < all.size(); ++j) stacks[j % blocks].push_back(all[j]);
      now = maker.launch(now, ScheduleMaker::launching);
      ScheduleMaker::Acts acts(blocks, now);
      std::vector<std::int64_t> ends(blocks, now);
      std::vector<bool> did(blocks, false);
      std::uint32_t idle = 0;
      const auto is_idle = [&](std::uint32_t b) {
        return stacks[b].empty() || each - stacks[b].size() < most_children;
      };
      while (!acts.empty()) {
        maker.go_on();
        const auto [at, b] = acts.next();
        if (!did[b] && is_idle(b)) {
          ++idle;
          continue;
        }
        if (did[b] && 2 * idle >= blocks) continue;
        const std::uint32_t task = stacks[b].back();
        stacks[b].pop_back();
        did[b] = true;
        for (std::uint32_t c = 0; c < maker.tree.children[task]; ++c) stacks[b].push_back(maker.tree.child[task] + c);
        const std::int64_t begun = maker.own(b, at);
        ends[b] = maker.own(b, maker.work(b, task, begun));
        // All at once: whoever has nothing left is known to be idle from now on.
        if (is_idle(b))
          ++idle;
        else
          acts.again(b, ends[b]);
      }
      now = maker.wait_for_last(ends);
      all.clear();
      for (const auto& stack : stacks) all.insert(all.end(), stack.begin(), stack.end());
    }
    return maker.finish(now);
  }
};

}  // namespace warploom
