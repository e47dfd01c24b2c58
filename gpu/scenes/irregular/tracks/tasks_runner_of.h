#pragma once
#include <algorithm>
#include <array>
#include <utility>

#include "gpu/core/answer.h"
#include "gpu/core/backend.h"
#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/launch.h"
#include "gpu/core/scoped_member.h"
#include "gpu/core/stop_word.h"
#include "gpu/scenes/irregular/tasks/run_tasks.h"
#include "gpu/scenes/irregular/tasks/strategies/list.h"
#include "gpu/scenes/irregular/tracks/tasks_runner.h"

namespace warploom {

/// What is done for each i before the first launch.
template <class Application, class Strategy>
struct TasksInput {
  Application application;
  Strategy strategy;
  TaskWords words;
  const std::uint64_t* tasks;  ///< (first)
  std::uint64_t first, blocks, resets;
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    if (i < std::uint64_t{TaskWords::count} * TaskWords::apart)
      words.words[i] = i == std::uint64_t{TaskWords::open} * TaskWords::apart ? first : 0;
    if (i < resets) strategy.reset(i, first, blocks);
    if (i < first) strategy.memory[strategy.place(i, blocks)] = tasks[i];
    if (i < application.inputs()) application.input(i);
  }
};

/// Whether a queue is cancelled, as a word that blocks on the CPU read.
inline const bool* cancel_of(const Queue& queue) {
  static constexpr bool never = false;
  static_assert(sizeof(std::atomic<bool>) == sizeof(bool) && std::atomic<bool>::is_always_lock_free);
  return queue.cancel ? reinterpret_cast<const bool*>(queue.cancel) : &never;
}

/// What the host reads of a launch, put where it can; sums that each launch begins anew are taken.
struct TellWords {
  TaskWords words;
  std::uint64_t* to;  ///< (count)
  WARPLOOM_HD void operator()(std::uint64_t word) const {
    std::uint64_t* const from = words.at(static_cast<unsigned>(word));
    to[word] = *from;
    if (word == TaskWords::next || word == TaskWords::idle) *from = 0;
  }
};

template <class Application, class Strategy>
class TaskRunnerOf final : public TaskRunner {
 public:
  TaskRunnerOf(Queue& queue, std::shared_ptr<const TasksProblem> problem, const IrregularSettings& settings)
      : problem_(std::move(problem)), stop_(queue.backend()), told_(queue.backend()) {
    const TaskApplicationInfo application = Application::info();
    const std::vector<std::uint64_t> first = application.first(*problem_);
    const std::uint32_t resident = resident_blocks(queue, RunTasks<Application, Strategy>{}, task_threads);
    blocks_ = settings.blocks > 0 ? static_cast<std::uint32_t>(settings.blocks) : std::max(1u, resident);
    room_ = Strategy::room(blocks_, static_cast<std::uint64_t>(settings.capacity));
    if (const std::uint64_t waiting = Strategy::of_first(first.size(), blocks_); waiting > Strategy::most(room_))
      throw QueueFull(Strategy::info.name, waiting, Strategy::most(room_));
    const Backend backend = queue.backend();
    memory_ = Buffer<std::uint64_t>(backend, Strategy::words(blocks_, room_));
    words_ = Buffer<std::uint64_t>(backend, std::uint64_t{TaskWords::count} * TaskWords::apart);
    scratch_ = Buffer<std::uint32_t>(backend, application.scratch_words(*problem_));
    first_.assign(queue, first);
    const std::vector<std::uint32_t> constants = Application::constants(*problem_);
    if (!constants.empty()) constants_.assign(queue, constants);
    bytes_ = memory_.bytes() + words_.bytes() + scratch_.bytes() + first_.bytes() + constants_.bytes();
  }

  TaskTally run(Queue& queue, std::uint64_t step, std::uint8_t* state) override {
    Host<false> host{*this, queue, application(step, state)};
    host.all();
    return {host.word(TaskWords::tasks),
            host.word(TaskWords::leaves),
            host.word(TaskWords::seal),
            host.word(TaskWords::steals),
            host.word(TaskWords::failed),
            host.word(TaskWords::lost),
            std::max(host.longest, host.word(TaskWords::longest)),
            host.launches};
  }

  TaskSchedule measured([[maybe_unused]] Queue& queue, [[maybe_unused]] std::uint64_t step,
                        [[maybe_unused]] const TaskTree& tree) override {
#ifdef __CUDACC__
    const ScopedUntimed untimed(queue);
    Buffer<std::uint8_t> state(queue.backend(), Application::info().state_bytes(*problem_));
    // Two events a task and as many looks, in blocks of equal share, and room to spare.
    const std::uint64_t room = 1024 + 16 * tree.size() / blocks_;
    if (const std::uint64_t bytes = room * blocks_ * sizeof(TaskEvent), free = free_bytes(queue.backend());
        bytes > free) {
      TaskSchedule none;
      none.missing = "its events need " + bytes_text(static_cast<double>(bytes)) + ", " +
                     bytes_text(static_cast<double>(free)) + " are free";
      return none;
    }
    Buffer<TaskEvent> events(queue.backend(), room * blocks_);
    Buffer<std::uint64_t> counts(queue.backend(), blocks_);
    counts.zero(queue);
    Host<true> host{*this, queue, application(step, state.data()), { events.data(), counts.data(), room }};
    host.all();
    const auto kept = events.download(queue);
    const auto count = counts.download(queue);
    std::vector<std::vector<TaskEvent>> of_block(blocks_);
    bool cut = false;
    for (std::uint32_t b = 0; b < blocks_; ++b) {
      cut = cut || count[b] > room;
      of_block[b].assign(kept.begin() + static_cast<std::ptrdiff_t>(b * room),
                         kept.begin() + static_cast<std::ptrdiff_t>(b * room + std::min(room, count[b])));
    }
    TaskSchedule schedule = schedule_of_events(tree, blocks_, of_block);
    schedule.launches = host.launches;
    if (cut) schedule.missing = "a block had more events than there was room for";
    return schedule;
#else
    throw UsageError("clock=measured needs CUDA");
#endif
  }

 private:
  Application application(std::uint64_t step, std::uint8_t* state) const {
    return Application::on(*problem_, step, state, scratch_.data(), constants_.data());
  }

  /// What a strategy launches by (worker.h).
  template <bool instrumented>
  struct Host {
    TaskRunnerOf& of;
    Queue& queue;
    Application application;
    TaskEvents events{};
    std::uint64_t launches = 0, longest = 0;

    void all() {
      Strategy strategy{of.memory_.data(), of.room_};
      const TaskWords words{of.words_.data()};
      const std::uint64_t resets = Strategy::resets(of.blocks_, of.room_);
      const std::uint64_t count =
          std::max({resets, first(), application.inputs(), std::uint64_t{TaskWords::count} * TaskWords::apart});
      launch_items("tasks.input", queue, count,
                   TasksInput<Application, Strategy>{application, strategy, words, of.first_.data(), first(),
                                                     of.blocks_, resets});
      TimedSpan span(queue, "tasks.run", 0);
      strategy.drive(*this);
      span.finish();
    }
    std::uint64_t first() const { return of.first_.size(); }
    std::uint64_t blocks() const { return of.blocks_; }
    void saw_waiting(std::uint64_t waiting) { longest = std::max(longest, waiting); }
    /// A launch of all blocks; waits for its end. Throws QueueFull, Cancelled.
    void run(const Strategy& strategy) {
      ++launches;
      const RunTasks<Application, Strategy, instrumented> program{
          application, strategy, {of.words_.data()}, of.stop_.data(), cancel_of(queue), of.blocks_, events};
      launch("tasks.run", queue, {{of.blocks_, 1, 1}, {task_threads, 1, 1}}, program);
      items(TaskWords::count, TellWords{{of.words_.data()}, of.told_.data()->data()});
      of.stop_.wait(queue);
      if (const std::uint64_t full = word(TaskWords::full)) refuse(full - 1, Strategy::most(of.room_));
    }
    [[noreturn]] void refuse(std::uint64_t waiting, std::uint64_t capacity) const {
      throw QueueFull(Strategy::info.name, waiting, capacity);
    }
    /// As the last launch left it.
    std::uint64_t word(unsigned which) const { return (*of.told_.data())[which]; }
    /// The first words of the strategy's memory.
    std::vector<std::uint64_t> memory_words(std::uint64_t count) const {
      std::vector<std::uint64_t> all(count);
      download_bytes(queue, all.data(), of.memory_.data(), count * sizeof all[0]);
      return all;
    }
    const std::uint64_t* uploaded(const std::vector<std::uint64_t>& values) {
      of.uploaded_.assign(queue, values);
      return of.uploaded_.data();
    }
    template <class Item>
    void items(std::uint64_t count, const Item& item) {
      launch_items("tasks.run", queue, count, item);
    }
  };

  std::shared_ptr<const TasksProblem> problem_;
  StopWord stop_;
  Answer<std::array<std::uint64_t, TaskWords::count>> told_;  ///< words of the last launch, once it was waited for
  std::uint64_t room_ = 0;
  Buffer<std::uint64_t> memory_, words_, first_, uploaded_;
  Buffer<std::uint32_t> scratch_, constants_;
};

template <class Application>
std::unique_ptr<TaskRunner> make_task_runner(Queue& queue, std::shared_ptr<const TasksProblem> problem,
                                             const IrregularSettings& settings, const std::string& strategy) {
  std::unique_ptr<TaskRunner> made;
  for_each_type(TaskStrategies{}, [&]<class Strategy>() {
    if (strategy == Strategy::info.name)
      made = std::make_unique<TaskRunnerOf<Application, Strategy>>(queue, problem, settings);
  });
  if (!made) throw Error("no kernels of strategy '" + strategy + "'");
  return made;
}

}  // namespace warploom
