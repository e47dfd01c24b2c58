#pragma once
#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "gpu/core/buffer.h"
#include "gpu/core/launch.h"
#include "gpu/core/shared_pages.h"
#include "gpu/own/compile_cpp.h"
#include "gpu/own/runner.h"
#include "gpu/tracks/own_judging.h"

// What is looked for by asking every thread of an own map once more. `With`: the scene's arguments, as of OwnRun.

namespace warploom {

/// The visits that serve a place, the least ones first. nullopt: the map fell. Throws Cancelled.
template <class With>
std::optional<own::Serving> who_serves(OwnRunner& runner, Backend backend, With run, std::uint64_t place,
                                       const std::atomic<bool>& cancel) {
  struct Search {
    own::Serving serving;
    own::Tally tallies[own::tally_slots];
  };
  Queue queue(backend, false, 1);
  Buffer<Search> search;
  {
    const ScopedSharedPages shared;
    search = Buffer<Search>(backend, 1);
  }
  Search found{};
  found.serving.place = place;
  upload_bytes(queue, search.data(), &found, sizeof found);
  queue.wait();
  run.memory[static_cast<std::size_t>(own::Memory::serving)] = &search.data()->serving;
  run.memory[static_cast<std::size_t>(own::Memory::tallies)] = &search.data()->tallies;
  std::optional<double> took;
  try {
    took = runner.run(own::Job::judge, run, &cancel);
  } catch (...) {
    runner.give_back(run);
    throw;
  }
  runner.give_back(run);
  if (!took) return std::nullopt;
  download_bytes(queue, &found, search.data(), sizeof found);
  std::ranges::sort(std::span(found.serving.visits).first(std::min(found.serving.count, own::Serving::most)));
  return found.serving;
}

/// Where a map that fell on a device falls on a CPU, which knows its line and its block: it is compiled for one, and
/// judged in a process of its own, for some seconds at most. `table`: what Memory::table has; `places`: marks. nullopt:
/// it does not fall there, there is no compiler, or it was cancelled.
template <class With>
std::optional<OwnFault> fall_on_cpu(const OwnSource& text, const OwnScene& scene, With with,
                                    std::span<const std::uint32_t> table, std::uint64_t places,
                                    const std::atomic<bool>* cancel) {
  try {
    Queue queue(Backend::cpu);
    Buffer<std::uint32_t> shared_table;  // outlives the process that maps it
    OwnRunner runner(text, nullptr, Backend::cpu, queue.pool().threads());
    runner.load(compile_own(text, scene, Backend::cpu, cancel));
    queue.cancel = cancel;
    std::ranges::fill(with.memory, nullptr);
    if (!table.empty()) {
      const ScopedSharedPages shared;
      shared_table = Buffer<std::uint32_t>(Backend::cpu, table.size());
      std::ranges::copy(table, shared_table.data());
      with.memory[static_cast<std::size_t>(own::Memory::table)] = shared_table.data();
    }
    const auto launches = runner.launches(with);
    if (launches && !impossible(*launches)) {
      constexpr double most_seconds = 2;
      OwnJudging<With> judging(queue, with, *launches, places, text.form == "place");
      (void)judging.go_on(runner, queue, most_seconds);
    }
    return runner.fault();
  } catch (const std::exception&) {
    // The device's words are what there is to say.
  }
  return std::nullopt;
}

}  // namespace warploom
