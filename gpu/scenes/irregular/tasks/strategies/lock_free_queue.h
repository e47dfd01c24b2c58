#pragma once
#include "gpu/scenes/irregular/tasks/containers.h"
#include "gpu/scenes/irregular/tasks/worker.h"

namespace warploom {

/// One ring for all blocks, without a lock.
struct LockFreeQueue {
  static constexpr TaskStrategyInfo info{"lock_free_queue", "Lock-free queue",
                                         "one ring for all blocks; compare-and-swap moves its ends", "vyukov2010queue"};
  static std::uint64_t room(std::uint64_t /*blocks*/, std::uint64_t capacity) { return capacity; }
  static std::uint64_t of_first(std::uint64_t first, std::uint64_t /*blocks*/) { return first; }
  static std::uint64_t most(std::uint64_t room) { return room; }
  static constexpr std::uint64_t apart = TaskWords::apart;
  static std::uint64_t words(std::uint64_t /*blocks*/, std::uint64_t room) { return 2 * apart + 2 * room; }

  std::uint64_t* memory;  ///< head and tail, the slots' tasks, the slots' numbers
  std::uint64_t room_;
  WARPLOOM_HD TaskRing<> ring() const {
    return {memory, memory + apart, memory + 2 * apart, memory + 2 * apart + room_, room_};
  }

  static std::uint64_t resets(std::uint64_t /*blocks*/, std::uint64_t room) {
    return room > 2 * apart ? room : 2 * apart;
  }
  template <class Host>
  void drive(Host& host) {
    host.run(*this);
  }

  WARPLOOM_HD void reset(std::uint64_t i, std::uint64_t first, std::uint64_t) const {
    if (i < 2 * apart) memory[i] = i == apart ? first : 0;
    if (i < room_) ring().numbers[i] = i < first ? i + 1 : i;
  }
  WARPLOOM_HD std::uint64_t place(std::uint64_t i, std::uint64_t /*blocks*/) const { return 2 * apart + i; }

  template <class Pause>
  WARPLOOM_HD Taken turn(TaskWorker& worker, const MadeTasks& made, std::uint64_t& task, Pause&& pause) const {
    const TaskRing<> queue = ring();
    if (made.finished) worker.hand_on(made.count);
    if (made.count && !queue.put(made.words, made.count, worker.lost, pause)) {
      worker.no_room(queue.size());
      return Taken::over;
    }
    if (made.count || !worker.started) worker.saw_waiting(queue.size());
    worker.started = true;
    return queue.take(task, worker.lost, pause) ? Taken::task : worker.nothing();
  }

  static TaskSchedule model(ScheduleMaker& maker) { return maker.persistent(Model{maker, TaskLine(maker.tree)}); }

 private:
  struct Model {
    ScheduleMaker& maker;
    TaskLine line;
    ScheduleMaker::Word head{}, tail{}, open{};
    bool waiting() const { return !line.empty(); }
    std::int64_t hand_on(std::uint32_t block, std::int64_t at, std::size_t row) {
      const std::uint32_t count = maker.tree.children[row];
      if (count) at = maker.own(block, maker.word(block, tail, at));
      line.add_children(row);
      return count != 1 ? maker.word(block, open, at) : at;
    }
    bool finds(std::uint32_t, bool, std::int64_t) const { return waiting(); }
    std::int64_t take(std::uint32_t block, std::int64_t at, std::int64_t, std::int64_t, std::int64_t& task) {
      at = maker.own(block, at);
      task = line.oldest();
      return maker.own(block, maker.word(block, head, at));
    }
    std::int64_t in_vain(std::uint32_t block, std::int64_t at) const { return maker.look(block, at); }
  };
};

}  // namespace warploom
