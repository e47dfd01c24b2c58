#pragma once
#include "gpu/scenes/irregular/tasks/worker.h"

namespace warploom {

/// One array behind one spin lock.
struct LockedQueue {
  static constexpr TaskStrategyInfo info{"locked_queue", "Locked queue", "one queue for all blocks, behind a spin lock",
                                         "cederman2008balancing"};
  static std::uint64_t room(std::uint64_t /*blocks*/, std::uint64_t capacity) { return capacity; }
  static std::uint64_t of_first(std::uint64_t first, std::uint64_t /*blocks*/) { return first; }
  static std::uint64_t most(std::uint64_t room) { return room; }
  static constexpr std::uint64_t apart = TaskWords::apart;
  static std::uint64_t words(std::uint64_t /*blocks*/, std::uint64_t room) { return 3 * apart + room; }

  std::uint64_t* memory;  ///< lock, head and tail, then the array
  std::uint64_t room_;
  WARPLOOM_HD std::uint64_t* lock() const { return memory; }
  WARPLOOM_HD std::uint64_t* head() const { return memory + apart; }
  WARPLOOM_HD std::uint64_t* tail() const { return memory + 2 * apart; }
  WARPLOOM_HD std::uint64_t* items() const { return memory + 3 * apart; }

  static std::uint64_t resets(std::uint64_t /*blocks*/, std::uint64_t /*room*/) { return 3 * apart; }
  template <class Host>
  void drive(Host& host) {
    host.run(*this);
  }

  WARPLOOM_HD void reset(std::uint64_t i, std::uint64_t first, std::uint64_t) const {
    if (i < 3 * apart) memory[i] = i == 2 * apart ? first : 0;
  }
  WARPLOOM_HD std::uint64_t place(std::uint64_t i, std::uint64_t /*blocks*/) const { return 3 * apart + i; }

  template <class Pause>
  WARPLOOM_HD Taken turn(TaskWorker& worker, const MadeTasks& made, std::uint64_t& task, Pause&& pause) const {
    if (!made.finished && relaxed_load(head()) == relaxed_load(tail())) return worker.nothing();
    // A look at a lock that is held costs the others less than an exchange.
    for (std::uint32_t looks = 0; relaxed_load(lock()) != 0 || compare_and_swap(lock(), std::uint64_t{0}, 1) != 0;)
      pause(++looks);
    const Taken taken = in_section(worker, made, task);
    release_store(lock(), std::uint64_t{0});
    return taken == Taken::vain ? worker.nothing() : taken;
  }

  static TaskSchedule model(ScheduleMaker& maker) { return maker.persistent(Model{maker, TaskLine(maker.tree)}); }

 private:
  struct Model {
    ScheduleMaker& maker;
    TaskLine line;
    ScheduleMaker::Word lock{};
    bool waiting() const { return !line.empty(); }
    std::int64_t hand_on(std::uint32_t, std::int64_t at, std::size_t) const { return at; }  // in the section
    bool finds(std::uint32_t, bool done, std::int64_t) const { return done || waiting(); }
    std::int64_t take(std::uint32_t block, std::int64_t at, std::int64_t row, std::int64_t, std::int64_t& task) {
      at = maker.locked(block, lock, at);
      if (row >= 0) line.add_children(static_cast<std::size_t>(row));
      if (waiting()) task = line.oldest();
      return at;
    }
    std::int64_t in_vain(std::uint32_t, std::int64_t at) const { return at; }
  };
  /// Hands on and takes, as the one block that holds the lock.
  WARPLOOM_HD Taken in_section(TaskWorker& worker, const MadeTasks& made, std::uint64_t& task) const {
    std::uint64_t first = relaxed_load(head()), last = relaxed_load(tail());
    if (made.finished) worker.hand_on(made.count);
    if (last - first + made.count > room_) {
      worker.no_room(last - first);
      return Taken::over;
    }
    for (std::uint32_t i = 0; i < made.count; ++i) relaxed_store(items() + last++ % room_, made.words[i]);
    relaxed_store(tail(), last);
    worker.saw_waiting(last - first);
    if (first == last) return Taken::vain;
    task = relaxed_load(items() + first % room_);
    relaxed_store(head(), first + 1);
    return Taken::task;
  }
};

}  // namespace warploom
