#pragma once
#include <algorithm>
#include <string>

#include "gpu/core/bits.h"
#include "gpu/core/error.h"
#include "gpu/core/group.h"
#include "gpu/core/hash.h"
#include "gpu/scenes/irregular/tasks/application.h"

namespace warploom {

/// Points of a cube, moved into octants until few are left. A point is three bits of each level, x lowest, the root's
/// highest.
struct Octree {
  const std::uint32_t* moving;  ///< (n, 3), see GridPoints
  std::uint32_t step;
  std::uint32_t* codes[2];  ///< (n): of even levels, and of odd ones
  std::uint32_t* leaves;    ///< (n): the state, leaf after leaf
  std::uint64_t count;

  static constexpr std::uint32_t few = 20, last_level = 10;
  struct Range {
    std::uint64_t first, count;
    std::uint32_t level;
    WARPLOOM_HD static constexpr Range of(std::uint64_t task) {
      constexpr std::uint64_t mask = (1u << 28) - 1;
      return {task & mask, task >> 28 & mask, static_cast<std::uint32_t>(task >> 56)};
    }
    WARPLOOM_HD constexpr std::uint64_t word() const { return first | count << 28 | std::uint64_t{level} << 56; }
  };
  WARPLOOM_HD static constexpr std::uint32_t octant(std::uint32_t code, std::uint32_t level) {
    return code >> 3 * (last_level - 1 - level) & 7;
  }

  template <class Group>
  struct Shared {
    typename Group::template Tile<std::uint32_t, 8 * task_threads> places;  ///< octant after octant, of each thread
    typename Group::template Tile<std::uint32_t, 8> starts;
  };

  template <class Group, class Children>
  WARPLOOM_HD std::uint32_t run(Group& group, Shared<Group>& shared, std::uint64_t task, Children& children) const {
    const Range range = Range::of(task);
    const std::uint32_t* const from = codes[range.level % 2] + range.first;
    constexpr std::uint64_t long_range = 1 << 20;
    if (range.count <= few || range.level == last_level) {
      group.each([&](const Thread& thread) {
        for (std::uint64_t i = thread.index; i < range.count; i += task_threads) leaves[range.first + i] = from[i];
      });
      return 0;
    }
    group.each([&](const Thread& thread) {
      if (range.count > long_range) group.pause();  // the CPU may be told to stop
      std::uint32_t counts[8] = {};
      for (std::uint64_t i = thread.index; i < range.count; i += task_threads) ++counts[octant(from[i], range.level)];
      for (std::uint32_t o = 0; o < 8; ++o) shared.places[o * task_threads + thread.index] = counts[o];
    });
    group.barrier();
    // Each thread sums up eight places that follow each other.
    typename Group::template PerThread<std::uint32_t> before;
    group.each([&](const Thread& thread) {
      std::uint32_t sum = 0;
      for (std::uint32_t i = 0; i < 8; ++i) sum += shared.places[8 * thread.index + i];
      before[thread] = sum;
    });
    group.exclusive_sum(before);
    group.each([&](const Thread& thread) {
      std::uint32_t at = before[thread];
      for (std::uint32_t i = 0; i < 8; ++i) {
        const std::uint32_t own = shared.places[8 * thread.index + i];
        shared.places[8 * thread.index + i] = at;
        at += own;
      }
      if (thread.index % 8 == 0) shared.starts[thread.index / 8] = before[thread];
    });
    group.barrier();
    std::uint32_t made = 0;
    for (std::uint32_t o = 0; o < 8; ++o) {
      const std::uint64_t start = shared.starts[o];
      const std::uint64_t points = (o < 7 ? std::uint64_t{shared.starts[(o + 1) % 8]} : range.count) - start;
      if (points == 0) continue;
      group.once([&] { children[made] = Range{range.first + start, points, range.level + 1}.word(); });
      ++made;
    }
    std::uint32_t* const to = codes[(range.level + 1) % 2] + range.first;
    group.each([&](const Thread& thread) {
      if (range.count > long_range) group.pause();
      std::uint32_t at[8];
      for (std::uint32_t o = 0; o < 8; ++o) at[o] = shared.places[o * task_threads + thread.index];
      for (std::uint64_t i = thread.index; i < range.count; i += task_threads)
        to[at[octant(from[i], range.level)]++] = from[i];
    });
    return made;
  }

  /// Its range, and its level: key_hash(first + 2^32 count, level).
  WARPLOOM_HD static std::uint64_t told(std::uint64_t task) {
    const Range range = Range::of(task);
    return key_hash(range.first + (range.count << 32), range.level);
  }
  WARPLOOM_HD std::uint64_t inputs() const { return count; }
  WARPLOOM_HD void input(std::uint64_t i) const {
    std::uint32_t code = 0;
    for (std::uint32_t axis = 0; axis < 3; ++axis) {
      const std::uint32_t place = place_at(moving[3 * i + axis], step, last_level);
      for (std::uint32_t bit = 0; bit < last_level; ++bit) code |= (place >> bit & 1) << (3 * bit + axis);
    }
    codes[0][i] = code;
  }

  static Octree on(const TasksProblem& problem, std::uint64_t step, std::uint8_t* state, std::uint32_t* scratch,
                   const std::uint32_t* constants) {
    const std::uint64_t n = problem.points.count();
    return {constants,
            static_cast<std::uint32_t>(step),
            {scratch, scratch + n},
            reinterpret_cast<std::uint32_t*>(state),
            n};
  }
  static std::vector<std::uint32_t> constants(const TasksProblem& problem) { return problem.points.moving; }
  static TaskApplicationInfo info();
};

/// The tasks by ranges of the sorted points.
inline TaskOracle octree_oracle(const TasksProblem& problem, std::uint64_t step, Pool&,
                                const std::atomic<bool>* cancel) {
  TaskOracle oracle;
  const std::vector<std::uint32_t> places = points_in_step(problem.points, step);
  for (std::size_t i = 0; i < places.size(); i += 3) {
    std::uint32_t code = 0;
    for (int bit = 9; bit >= 0; --bit)
      code = code << 3 | (places[i + 2] >> bit & 1) << 2 | (places[i + 1] >> bit & 1) << 1 | (places[i] >> bit & 1);
    oracle.codes.push_back(code);
  }
  std::ranges::sort(oracle.codes);
  oracle.tree = TaskTree::grown(
      Octree::info().first(problem),
      [&](std::uint64_t word, auto& children) {
        const Octree::Range range = Octree::Range::of(word);
        oracle.seal += key_hash(range.first + (range.count << 32), range.level);
        if (range.count <= 20 || range.level == 10) return std::int64_t{800};
        auto at = oracle.codes.begin() + static_cast<std::ptrdiff_t>(range.first);
        const auto end = at + static_cast<std::ptrdiff_t>(range.count);
        const unsigned shift = 3 * (9 - range.level);
        while (at != end) {
          const auto next =
              std::upper_bound(at, end, *at, [&](std::uint32_t a, std::uint32_t b) { return a >> shift < b >> shift; });
          children.push_back(Octree::Range{static_cast<std::uint64_t>(at - oracle.codes.begin()),
                                           static_cast<std::uint64_t>(next - at), range.level + 1}
                                 .word());
          at = next;
        }
        return 800 * (1 + 2 * static_cast<std::int64_t>((range.count + 63) / 64));
      },
      cancel);
  return oracle;
}

inline TaskApplicationInfo Octree::info() {
  return {"octree",
          "Octree",
          "points are moved into octants until few are left",
          false,
          [](const TasksProblem& problem) {
            return std::vector<std::uint64_t>{Range{0, problem.points.count(), 0}.word()};
          },
          octree_oracle,
          [](const TasksProblem& problem) { return problem.points.count() * sizeof(std::uint32_t); },
          [](const TasksProblem& problem) { return 2 * problem.points.count(); },
          [](const TasksProblem&, std::uint64_t task) {
            const Range range = Range::of(task);
            return "points " + std::to_string(range.first) + " to " + std::to_string(range.first + range.count - 1) +
                   ", level " + std::to_string(range.level);
          }};
}

}  // namespace warploom
