#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <queue>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace warploom {

/// The tasks of an input, generation by generation, in the order of their parents: the children of a task are rows that
/// follow each other. In nanoseconds of a nominal GPU.
struct TaskTree {
  std::vector<std::uint64_t> words;    ///< what the task is, as its application packs it
  std::vector<std::int32_t> parent;    ///< a row; -1: a first task
  std::vector<std::uint32_t> child;    ///< the row of the first child
  std::vector<std::uint8_t> children;  ///< how many
  std::vector<std::int32_t> depth;     ///< generation, from 0
  std::vector<std::int64_t> work;
  std::uint64_t first = 0;               ///< so many have no parent
  std::int64_t total = 0, critical = 0;  ///< sum of the work, and along the longest path
  std::vector<std::uint32_t> path;       ///< rows of that path, the first task first

  std::uint64_t size() const { return words.size(); }
  std::uint64_t generations() const { return depth.empty() ? 0 : static_cast<std::uint64_t>(depth.back()) + 1; }
  std::uint64_t leaves() const;

  /// run(word, children) tells the work of a task, and its children by push_back.
  using Run = std::function<std::int64_t(std::uint64_t word, std::vector<std::uint64_t>& children)>;
  /// Long work. Throws Cancelled once `cancel` is set; null: it never is.
  static TaskTree grown(const std::vector<std::uint64_t>& first, const Run& run, const std::atomic<bool>* cancel);
};

/// What a block does from a time to another.
struct TaskTurn {
  enum Kind : std::uint32_t { work, queue, wait, vain, launch };
  std::uint32_t block = 0, kind = work;
  std::int64_t start = 0, end = 0;
  std::uint32_t task = 0;  ///< the row, of work
};

/// Who does which task when.
struct TaskSchedule {
  bool measured = false;
  std::string missing;  ///< why there is none; empty: there is
  std::uint32_t blocks = 1;
  std::vector<std::uint32_t> block;      ///< of each task of the tree
  std::vector<std::int64_t> start, end;  ///< of its work
  std::vector<TaskTurn> turns;           ///< of a block in order of time
  struct Steal {
    std::int64_t at = 0;  ///< when the task begins at its new block
    std::uint32_t from = 0, to = 0, task = 0;
  };
  std::vector<Steal> steals;
  std::int64_t makespan = 0;
  std::uint64_t launches = 0;

  /// Share of the blocks' time that is work.
  double busy(const TaskTree& tree) const {
    return makespan > 0
               ? static_cast<double>(tree.total) / (static_cast<double>(blocks) * static_cast<double>(makespan))
               : 0;
  }
  /// No schedule is shorter: max(T1/P, Tinf). `greedy`: none that never lets a block rest beside waiting tasks is
  /// longer, without overhead: T1/P + Tinf [brent1974expressions].
  double bound(const TaskTree& tree) const {
    const double shared = static_cast<double>(tree.total) / blocks, longest = static_cast<double>(tree.critical);
    return shared > longest ? shared : longest;
  }
  double greedy(const TaskTree& tree) const {
    return static_cast<double>(tree.total) / blocks + static_cast<double>(tree.critical);
  }
};

/// Makes the schedule of a tree by the modelled clock: the block with the smallest time, then number, acts, all at
/// once. Each call below takes the time it begins at, and returns the time it ends at.
class ScheduleMaker {
 public:
  static constexpr std::int64_t memory = 150, section = 900, launching = 4000;
  /// A word that all blocks use: busy for a nanosecond at a time.
  struct Word {
    std::int64_t free = 0;
  };

  /// Throws Cancelled once `cancel` is set; null: it never is.
  ScheduleMaker(const TaskTree& all, std::uint32_t blocks, std::uint64_t capacity,
                const std::atomic<bool>* cancel = nullptr);
  const TaskTree& tree;
  const std::uint64_t capacity;
  std::uint32_t blocks() const { return made_.blocks; }
  TaskSchedule& made() { return made_; }
  /// What the schedule is when all is over.
  TaskSchedule finish(std::int64_t makespan);

  std::int64_t own(std::uint32_t block, std::int64_t at) { return turn(block, TaskTurn::queue, at, at + memory); }
  std::int64_t look(std::uint32_t block, std::int64_t at) { return turn(block, TaskTurn::vain, at, at + memory); }
  std::int64_t word(std::uint32_t block, Word& word, std::int64_t at) {
    at = turn(block, TaskTurn::wait, at, at < word.free ? word.free : at);
    word.free = at + 1;
    return turn(block, TaskTurn::queue, at, at + memory);
  }
  std::int64_t locked(std::uint32_t block, Word& lock, std::int64_t at) {
    at = turn(block, TaskTurn::wait, at, at < lock.free ? lock.free : at);
    return lock.free = turn(block, TaskTurn::queue, at, at + section);
  }
  std::int64_t work(std::uint32_t block, std::uint32_t task, std::int64_t at);
  std::int64_t turn(std::uint32_t block, TaskTurn::Kind kind, std::int64_t start, std::int64_t end);
  /// A launch of all blocks, told as such; it ends `longer` than a launch takes.
  std::int64_t launch(std::int64_t at, std::int64_t longer = 0);
  /// Blocks that were through earlier wait for the last one.
  std::int64_t wait_for_last(const std::vector<std::int64_t>& ends);

  /// When a block acts, and which.
  using Act = std::pair<std::int64_t, std::uint32_t>;
  /// Which block acts next.
  class Acts {
   public:
    explicit Acts(std::uint32_t blocks, std::int64_t at = 0) {
      for (std::uint32_t b = 0; b < blocks; ++b) again(b, at);
    }
    bool empty() const { return all_.empty(); }
    Act first() const { return all_.top(); }
    Act next() {
      const Act first = all_.top();
      all_.pop();
      return first;
    }
    void again(std::uint32_t block, std::int64_t at) { all_.emplace(at, block); }

   private:
    std::priority_queue<Act, std::vector<Act>, std::greater<>> all_;
  };

  /// Blocks that look in vain, one look after another: they act in the order of their time modulo a look's, over and
  /// over, so that any number of looks can be passed over at once.
  class VainBlocks {
   public:
    explicit VainBlocks(std::uint32_t blocks) : since_(blocks) {}
    bool empty() const { return turns_.empty(); }
    void enter(std::uint32_t block, std::int64_t at) {
      since_[block] = at;
      turns_.emplace(at % memory, block);
    }
    std::int64_t since(std::uint32_t block) const { return since_[block]; }
    void leave(std::uint32_t block) { turns_.erase({since_[block] % memory, block}); }
    /// The first to look again after an act.
    Act after(const Act& act) const {
      const std::int64_t phase = act.first % memory;
      const auto next = turns_.upper_bound({phase, act.second});
      if (next != turns_.end()) return {act.first - phase + next->first, next->second};
      return {act.first - phase + memory + turns_.begin()->first, turns_.begin()->second};
    }

   private:
    std::set<Act> turns_;
    std::vector<std::int64_t> since_;
  };

  /// Blocks that live until no task is open. A strategy tells
  ///   waiting()                     whether there is a task to be found anywhere
  ///   hand_on(block, at, row)       that a block has done a task; returns the time, as the next two do
  ///   finds(block, done, looks)     whether it finds a task; `done`: it has just done one; `looks`: so many were in
  ///   vain
  ///                                 since it last found something to do
  ///   take(block, at, row, looks, task)
  ///                                 that it takes one, and which: none where `task` is left at -1. row: as above, or
  ///                                 -1
  ///   in_vain(block, at)            that it finds none after a task
  template <class Strategy>
  TaskSchedule persistent(Strategy&& strategy) {
    Acts acts(blocks());
    VainBlocks vain(blocks());
    std::vector<std::int64_t> doing(blocks(), -1);
    std::int64_t last = 0;
    Act now{0, 0};
    made_.launches = 1;
    while (!acts.empty() || !vain.empty()) {
      go_on();
      // While there is nothing to find, and more may come, each block that looks finds nothing.
      bool again = !vain.empty() && (acts.empty() || open == 0 || strategy.waiting());
      if (again) {
        const Act look = vain.after(now);
        again = acts.empty() || look < acts.first();
        if (again) now = look;
      }
      if (!again) now = acts.next();
      auto [at, block] = now;
      const std::int64_t row = doing[block];
      doing[block] = -1;
      const bool done = row >= 0;
      if (done) {
        open += tree.children[static_cast<std::size_t>(row)];
        --open;
        at = strategy.hand_on(block, at, static_cast<std::size_t>(row));
      } else if (open == 0) {
        if (again) {
          turn(block, TaskTurn::vain, vain.since(block), at);
          vain.leave(block);
        }
        last = std::max(last, at);
        continue;
      }
      const std::int64_t looks = again ? (at - vain.since(block)) / memory : 0;
      if (!strategy.finds(block, done, looks)) {
        if (done)
          acts.again(block, strategy.in_vain(block, at));
        else if (!again)
          vain.enter(block, at);
        continue;
      }
      if (again) {
        turn(block, TaskTurn::vain, vain.since(block), at);
        vain.leave(block);
      }
      std::int64_t task = -1;
      at = strategy.take(block, at, row, looks, task);
      if (task >= 0) at = work(block, static_cast<std::uint32_t>(task), at);
      doing[block] = task;
      acts.again(block, at);
    }
    return finish(last);
  }
  std::int64_t open = 0;
  /// Asks now and then whether to go on.
  void go_on();

 private:
  const std::atomic<bool>* cancel_;
  TaskSchedule made_;
  std::vector<std::size_t> last_;  ///< of each block: its last turn, counted from 1
  std::uint32_t asked_ = 0;
};

/// A queue of all blocks, as the model has it: rows are numbered as they are made, but wait as they were handed on.
class TaskLine {
 public:
  explicit TaskLine(const TaskTree& tree) : tree_(tree) {
    for (std::uint32_t row = 0; row < tree.first; ++row) rows_.push_back(row);
  }
  bool empty() const { return head_ == rows_.size(); }
  std::uint32_t oldest() { return rows_[head_++]; }
  void add_children(std::size_t row) {
    for (std::uint32_t c = 0; c < tree_.children[row]; ++c) rows_.push_back(tree_.child[row] + c);
  }

 private:
  const TaskTree& tree_;
  std::vector<std::uint32_t> rows_;
  std::size_t head_ = 0;
};

}  // namespace warploom
