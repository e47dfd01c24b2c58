#pragma once
#include <deque>
#include <numeric>
#include <vector>

#include "gpu/scenes/irregular/tasks/containers.h"
#include "gpu/scenes/irregular/tasks/worker.h"

namespace warploom {

/// A deque a block; who has none steals.
struct Stealing {
  static constexpr TaskStrategyInfo info{"stealing", "Work stealing",
                                         "a deque for each block; a block without tasks steals the oldest of another",
                                         "chase2005deque"};
  static std::uint64_t room(std::uint64_t blocks, std::uint64_t capacity) {
    return capacity / blocks > 16 ? capacity / blocks : 16;
  }
  static std::uint64_t of_first(std::uint64_t first, std::uint64_t blocks) { return (first + blocks - 1) / blocks; }
  static std::uint64_t most(std::uint64_t room) { return room; }
  static constexpr std::uint64_t apart = TaskWords::apart;
  static std::uint64_t words(std::uint64_t blocks, std::uint64_t room) { return blocks * (2 * apart + room); }

  std::uint64_t* memory;  ///< of each block top, bottom and items
  std::uint64_t room_;
  std::uint32_t stride = 1;  ///< from a look at another's deque to the next
  WARPLOOM_HD TaskDeque<> deque(std::uint64_t block) const {
    std::uint64_t* const of = memory + block * (2 * apart + room_);
    return {of, of + apart, of + 2 * apart, room_};
  }

  static std::uint64_t resets(std::uint64_t blocks, std::uint64_t /*room*/) { return blocks; }
  template <class Host>
  void drive(Host& host) {
    stride = stride_over(host.blocks());
    host.run(*this);
  }
  /// A thief looks at all others, each once before it comes again, and neighbours one after another never: who has work
  /// sits side by side. So about the golden section of their number, and prime to it.
  static std::uint32_t stride_over(std::uint64_t blocks) {
    const std::uint64_t others = blocks > 1 ? blocks - 1 : 1;
    auto stride = static_cast<std::uint64_t>(.618 * static_cast<double>(others)) + 1;
    while (std::gcd(stride, others) != 1) ++stride;
    return static_cast<std::uint32_t>(stride);
  }

  WARPLOOM_HD void reset(std::uint64_t i, std::uint64_t first, std::uint64_t blocks) const {
    if (i >= blocks) return;
    const TaskDeque<> own = deque(i);
    *own.top = 1;
    *own.bottom = 1 + first / blocks + (i < first % blocks ? 1 : 0);
  }
  WARPLOOM_HD std::uint64_t place(std::uint64_t i, std::uint64_t blocks) const {
    return i % blocks * (2 * apart + room_) + 2 * apart + (1 + i / blocks) % room_;
  }

  template <class Pause>
  WARPLOOM_HD Taken turn(TaskWorker& worker, const MadeTasks& made, std::uint64_t& task, Pause&&) const {
    const TaskDeque<> own = deque(worker.block);
    if (made.finished) worker.hand_on(made.count);
    if (made.count && !own.push(made.words, made.count)) {
      worker.no_room(own.size());
      return Taken::over;
    }
    if (!worker.started || made.count) worker.saw_waiting(own.size());
    worker.started = true;
    if (own.pop(task, worker.lost)) return Taken::task;
    const Taken nothing = worker.nothing();
    if (nothing == Taken::over || worker.blocks == 1) return nothing;
    worker.victim = (worker.block + 1 + worker.looks) % worker.blocks;
    worker.looks = (worker.looks + stride) % (worker.blocks - 1);
    const TaskDeque<> others = deque(worker.victim);
    if (others.size() > 0 && others.steal(task, worker.lost)) {
      ++worker.steals;
      return Taken::task;
    }
    ++worker.failed;
    return Taken::vain;
  }

  static TaskSchedule model(ScheduleMaker& maker) { return maker.persistent(Model(maker)); }

 private:
  struct Model {
    explicit Model(ScheduleMaker& of)
        : maker(of), blocks(of.blocks()), waits(of.tree.first), words(blocks), deques(blocks), looked(blocks) {
      for (std::uint32_t r = 0; r < of.tree.first; ++r) deques[r % blocks].push_back(r);
    }
    ScheduleMaker& maker;
    std::uint32_t blocks;
    std::uint64_t waits;
    ScheduleMaker::Word open{};
    std::vector<ScheduleMaker::Word> words;
    std::vector<std::deque<std::uint32_t>> deques;
    std::vector<std::uint64_t> looked;  ///< how often a block looked at others

    bool waiting() const { return waits > 0; }
    std::uint32_t victim(std::uint32_t block, std::int64_t looks) const {
      if (blocks == 1) return block;
      const std::uint64_t q = (looked[block] + static_cast<std::uint64_t>(looks)) % (blocks - 1);
      return static_cast<std::uint32_t>((block + 1 + q) % blocks);
    }
    std::int64_t hand_on(std::uint32_t block, std::int64_t at, std::size_t row) {
      const std::uint32_t count = maker.tree.children[row];
      if (count) at = maker.own(block, at);
      for (std::uint32_t c = 0; c < count; ++c) deques[block].push_back(maker.tree.child[row] + c);
      waits += count;
      return count != 1 ? maker.word(block, open, at) : at;
    }
    bool finds(std::uint32_t block, bool, std::int64_t looks) const {
      return !deques[block].empty() || !deques[victim(block, looks)].empty();
    }
    std::int64_t take(std::uint32_t block, std::int64_t at, std::int64_t, std::int64_t looks, std::int64_t& task) {
      --waits;
      at = maker.own(block, at);
      if (!deques[block].empty()) {
        task = deques[block].back();
        deques[block].pop_back();
        return at;
      }
      const std::uint32_t from = victim(block, looks);
      looked[block] += static_cast<std::uint64_t>(looks) + 1;
      task = deques[from].front();
      deques[from].pop_front();
      at = maker.own(block, maker.word(block, words[from], at));
      maker.made().steals.push_back({at, from, block, static_cast<std::uint32_t>(task)});
      return at;
    }
    std::int64_t in_vain(std::uint32_t block, std::int64_t at) {
      if (maker.open == 0) return at;
      ++looked[block];
      return maker.look(block, at);
    }
  };
};

}  // namespace warploom
