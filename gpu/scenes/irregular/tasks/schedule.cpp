#include "gpu/scenes/irregular/tasks/schedule.h"

#include <algorithm>

#include "gpu/core/error.h"

namespace warploom {

namespace {

void stop_if(const std::atomic<bool>* cancel) {
  if (cancel && cancel->load(std::memory_order_relaxed)) throw Cancelled();
}

}  // namespace

std::uint64_t TaskTree::leaves() const {
  return static_cast<std::uint64_t>(std::ranges::count(children, std::uint8_t{0}));
}

TaskTree TaskTree::grown(const std::vector<std::uint64_t>& first, const Run& run, const std::atomic<bool>* cancel) {
  TaskTree tree;
  tree.first = first.size();
  std::vector<std::int64_t> until;  // work of the path that ends with the task
  const auto add = [&](std::uint64_t word, std::int32_t parent, std::int32_t depth) {
    tree.words.push_back(word);
    tree.parent.push_back(parent);
    tree.depth.push_back(depth);
  };
  for (const std::uint64_t word : first) add(word, -1, 0);
  std::vector<std::uint64_t> children;
  for (std::size_t row = 0; row < tree.words.size(); ++row) {
    if (row % 64 == 0) stop_if(cancel);
    children.clear();
    const std::int64_t work = run(tree.words[row], children);
    tree.work.push_back(work);
    tree.total += work;
    tree.child.push_back(static_cast<std::uint32_t>(tree.words.size()));
    tree.children.push_back(static_cast<std::uint8_t>(children.size()));
    for (const std::uint64_t word : children) add(word, static_cast<std::int32_t>(row), tree.depth[row] + 1);
    const std::int32_t parent = tree.parent[row];
    until.push_back(work + (parent >= 0 ? until[static_cast<std::size_t>(parent)] : 0));
  }
  const auto longest = std::ranges::max_element(until);
  if (longest == until.end()) return tree;
  tree.critical = *longest;
  for (auto row = static_cast<std::int32_t>(longest - until.begin()); row >= 0;
       row = tree.parent[static_cast<std::size_t>(row)])
    tree.path.push_back(static_cast<std::uint32_t>(row));
  std::ranges::reverse(tree.path);
  return tree;
}

ScheduleMaker::ScheduleMaker(const TaskTree& all, std::uint32_t blocks, std::uint64_t most,
                             const std::atomic<bool>* cancel)
    : tree(all), capacity(most), open(static_cast<std::int64_t>(all.first)), cancel_(cancel), last_(blocks, 0) {
  made_.blocks = blocks;
  made_.block.resize(all.size());
  made_.start.resize(all.size());
  made_.end.resize(all.size());
}

void ScheduleMaker::go_on() {
  if (++asked_ % 4096 == 0) stop_if(cancel_);
}

std::int64_t ScheduleMaker::turn(std::uint32_t block, TaskTurn::Kind kind, std::int64_t start, std::int64_t end) {
  if (start == end) return end;
  std::size_t& last = last_[block];
  if (last && kind != TaskTurn::work && made_.turns[last - 1].kind == kind && made_.turns[last - 1].end == start) {
    made_.turns[last - 1].end = end;
    return end;
  }
  made_.turns.push_back({block, kind, start, end, 0});
  last = made_.turns.size();
  return end;
}

std::int64_t ScheduleMaker::work(std::uint32_t block, std::uint32_t task, std::int64_t at) {
  made_.block[task] = block;
  made_.start[task] = at;
  made_.end[task] = turn(block, TaskTurn::work, at, at + tree.work[task]);
  made_.turns.back().task = task;
  return made_.end[task];
}

std::int64_t ScheduleMaker::launch(std::int64_t at, std::int64_t longer) {
  ++made_.launches;
  for (std::uint32_t b = 0; b < blocks(); ++b) turn(b, TaskTurn::launch, at, at + launching + longer);
  return at + launching + longer;
}

std::int64_t ScheduleMaker::wait_for_last(const std::vector<std::int64_t>& ends) {
  const std::int64_t last = *std::ranges::max_element(ends);
  for (std::uint32_t b = 0; b < blocks(); ++b) turn(b, TaskTurn::wait, ends[b], last);
  return last;
}

TaskSchedule ScheduleMaker::finish(std::int64_t makespan) {
  made_.makespan = makespan;
  // Block by block, so that a block's turns follow each other.
  std::ranges::stable_sort(made_.turns, {}, &TaskTurn::block);
  return std::move(made_);
}

}  // namespace warploom
