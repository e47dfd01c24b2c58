#include <gtest/gtest.h>

#include <algorithm>
#include <compare>
#include <functional>
#include <numeric>
#include <optional>
#include <set>
#include <vector>

#include "gpu/scenes/irregular/tasks/containers.h"

// Every interleaving of small deques and rings: of the code itself, an access to a word at a time. Nothing is lost,
// doubled or stuck; and a pop that does not announce itself is found wrong.

namespace warploom {
namespace {

/// A call of a container, run from its begin: accesses that it did before are answered from a record, the next one is
/// done, and before one more it is stopped.
struct Replay {
  struct Stopped {};
  const std::vector<std::uint64_t>* record;
  std::size_t at = 0;
  std::optional<std::uint64_t> fresh;

  template <class Access>
  std::uint64_t access(Access&& access) {
    if (at < record->size()) return (*record)[at++];
    if (fresh) throw Stopped();
    return *(fresh = access());
  }
};
thread_local Replay* replay = nullptr;

/// Words of which every access is a step of its own.
struct ExploredWords {
  static std::uint64_t load(const std::uint64_t* at) {
    return replay->access([&] { return *at; });
  }
  static void store(std::uint64_t* at, std::uint64_t value) {
    replay->access([&] { return *at = value; });
  }
  static std::uint64_t ordered(const std::uint64_t* at) { return load(at); }
  static void ordered(std::uint64_t* at, std::uint64_t value) { store(at, value); }
  static void in_order() {}
  static void settle() {}
  static std::uint64_t relaxed(const std::uint64_t* at) { return load(at); }
  static void relaxed(std::uint64_t* at, std::uint64_t value) { store(at, value); }
  static bool swapped(std::uint64_t* at, std::uint64_t from, std::uint64_t to) {
    return replay->access([&] {
      if (*at != from) return std::uint64_t{0};
      *at = to;
      return std::uint64_t{1};
    }) != 0;
  }
};

using Got = std::vector<std::uint64_t>;
/// A call; adds what it gets.
using Call = std::function<void(Got&)>;
/// What a thread calls, one after another.
using Calls = std::vector<Call>;

struct Explored {
  std::size_t states = 0, ends = 0, wrong = 0;
};

/// Where a thread is: which call, what it did in it, and what it got before.
struct Progress {
  std::size_t call = 0;
  std::vector<std::uint64_t> record;
  Got got;
  friend auto operator<=>(const Progress&, const Progress&) = default;
};
struct State {
  std::vector<std::uint64_t> memory;
  std::vector<Progress> threads;
  friend auto operator<=>(const State&, const State&) = default;
};

/// `memory`: the words that the calls use. `left` tells what lies there in the end.
Explored explore(std::vector<std::uint64_t>& memory, const std::vector<Calls>& threads, std::uint64_t tasks,
                 const std::function<Got()>& left) {
  std::set<State> seen;
  std::vector<State> open{{memory, std::vector<Progress>(threads.size())}};
  seen.insert(open.back());
  Explored all;
  while (!open.empty()) {
    const State state = std::move(open.back());
    open.pop_back();
    ++all.states;
    bool moved = false;
    for (std::size_t i = 0; i < threads.size(); ++i) {
      const Progress& before = state.threads[i];
      if (before.call == threads[i].size()) continue;
      moved = true;
      memory = state.memory;
      Replay one{&before.record, 0, {}};
      replay = &one;
      State next = state;
      Progress& after = next.threads[i];
      try {
        threads[i][before.call](after.got);
        ++after.call;
        after.record.clear();
      } catch (const Replay::Stopped&) {
        after.record.push_back(*one.fresh);
      }
      next.memory = memory;
      if (seen.insert(next).second) open.push_back(std::move(next));
    }
    if (moved) continue;
    ++all.ends;
    memory = state.memory;
    Got got = left();
    for (const Progress& thread : state.threads) got.insert(got.end(), thread.got.begin(), thread.got.end());
    std::ranges::sort(got);
    Got wanted(tasks);
    std::iota(wanted.begin(), wanted.end(), std::uint64_t{1});
    all.wrong += got != wanted;
  }
  return all;
}

using Deque = TaskDeque<ExploredWords>;

/// It takes what it may, as the last one, before a thief sees that.
struct SilentDeque : Deque {
  bool pop(std::uint64_t& task, std::uint64_t& lost) const {
    const std::uint64_t at = ExploredWords::ordered(bottom) - 1, first = ExploredWords::ordered(top);
    if (first > at) return false;
    task = ExploredWords::relaxed(items + at % room);
    if (first == at) {
      const bool ours = ExploredWords::swapped(top, first, first + 1);
      lost += !ours;
      return ours;
    }
    ExploredWords::ordered(bottom, at);
    return true;
  }
};

/// A script of the owner: a task is pushed, 0 pops; thieves steal so many times.
template <class Kind>
Explored explore_deque(const std::vector<std::uint64_t>& script, const std::vector<int>& thieves) {
  std::vector<std::uint64_t> memory{1, 1, 0, 0, 0, 0};
  const Kind deque{{memory.data(), memory.data() + 1, memory.data() + 2, 4}};
  std::vector<Calls> threads(1);
  for (const std::uint64_t what : script)
    threads[0].emplace_back([&deque, what](Got& got) {
      std::uint64_t task = 0, lost = 0;
      if (what)
        deque.push(&what, 1);
      else if (deque.pop(task, lost))
        got.push_back(task);
    });
  const Call steal = [&deque](Got& got) {
    std::uint64_t task = 0, lost = 0;
    if (deque.steal(task, lost)) got.push_back(task);
  };
  for (const int times : thieves) threads.emplace_back(static_cast<std::size_t>(times), steal);
  const auto left = [&] {
    Got all;
    for (std::uint64_t i = memory[0]; i < memory[1]; ++i) all.push_back(memory[2 + i % 4]);
    return all;
  };
  return explore(memory, threads, *std::ranges::max_element(script), left);
}

struct OwnDeque : Deque {};

TEST(TaskOrders, DequesLoseAndDoubleNothing) {
  const struct {
    std::vector<std::uint64_t> script;
    std::vector<int> thieves;
  } cases[] = {{{1, 0}, {1}},
               {{1, 2, 0, 0}, {1, 1}},
               {{1, 0, 2, 0}, {2}},
               {{1, 2, 3, 0, 0, 0}, {2, 2}},
               {{1, 2, 0, 3, 0, 4, 0, 0}, {2, 1}}};
  for (const auto& one : cases) {
    const Explored all = explore_deque<OwnDeque>(one.script, one.thieves);
    EXPECT_EQ(all.wrong, 0u) << one.script.size();
    EXPECT_GT(all.ends, 1u);
    EXPECT_GT(all.states, 10u);
  }
}

TEST(TaskOrders, APopThatDoesNotAnnounceItselfIsFoundWrong) {
  EXPECT_EQ(explore_deque<OwnDeque>({1, 2, 0, 0}, {1, 1}).wrong, 0u);
  EXPECT_GT(explore_deque<SilentDeque>({1, 2, 0, 0}, {1, 1}).wrong, 0u);
}

/// Producers put batches one after another, a batch that finds no room is theirs; consumers take so many times.
Explored explore_ring(std::uint64_t room, const std::vector<std::vector<Got>>& producers,
                      const std::vector<int>& consumers, std::uint64_t tasks) {
  std::vector<std::uint64_t> memory(2 + 2 * room);
  for (std::uint64_t i = 0; i < room; ++i) memory[2 + room + i] = i;
  const TaskRing<ExploredWords> ring{memory.data(), memory.data() + 1, memory.data() + 2, memory.data() + 2 + room,
                                     room};
  std::vector<Calls> threads;
  for (const auto& batches : producers) {
    threads.emplace_back();
    for (const Got& batch : batches)
      threads.back().emplace_back([&ring, &batch](Got& got) {
        std::uint64_t lost = 0;
        if (!ring.put(batch.data(), static_cast<std::uint32_t>(batch.size()), lost))
          got.insert(got.end(), batch.begin(), batch.end());
      });
  }
  const Call take = [&ring](Got& got) {
    std::uint64_t task = 0, lost = 0;
    if (ring.take(task, lost)) got.push_back(task);
  };
  for (const int times : consumers) threads.emplace_back(static_cast<std::size_t>(times), take);
  const auto left = [&] {
    Got all;
    for (std::uint64_t i = memory[0]; i < memory[1]; ++i) all.push_back(memory[2 + i % room]);
    return all;
  };
  return explore(memory, threads, tasks, left);
}

TEST(TaskOrders, RingsLoseAndDoubleNothing) {
  const Explored all[] = {
      explore_ring(2, {{{1}, {2}, {3}}}, {2, 2}, 3), explore_ring(2, {{{1}, {2}}, {{3}}}, {2, 1}, 3),
      explore_ring(4, {{{1, 2}, {3, 4}}, {{5}}}, {2}, 5), explore_ring(2, {{{1, 2}, {3}}, {{4}}}, {1}, 4)};
  for (const Explored& one : all) {
    EXPECT_EQ(one.wrong, 0u);
    EXPECT_GT(one.ends, 1u);
    EXPECT_GT(one.states, 10u);
  }
}

}  // namespace
}  // namespace warploom
