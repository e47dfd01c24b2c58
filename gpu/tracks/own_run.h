#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/core/buffer.h"
#include "gpu/core/launch.h"
#include "gpu/core/shared_pages.h"
#include "gpu/core/stopwatch.h"
#include "gpu/maps/formula.h"
#include "gpu/own/judgement.h"
#include "gpu/own/registry.h"
#include "gpu/own/runner.h"
#include "gpu/own/sources.h"
#include "gpu/tracks/facets/written.h"
#include "gpu/tracks/own_judging.h"
#include "gpu/tracks/own_judging_time.h"
#include "gpu/tracks/own_noting.h"
#include "gpu/tracks/own_search.h"
#include "gpu/tracks/track.h"

namespace warploom {

/// An own map's process, and what judging found of it: what tracks of own maps have in common, of whatever scene.
/// `With`: the scene's arguments (gpu/own/arguments.h). It is made, judged and stepped by the thread that steps; any
/// thread may ask what it was found to be, for the place of a thread, and for what it computes. Turns are shown as
/// launches, one after the other: the `number` of a launch counts both.
template <class With>
class OwnRun final : public Written {
 public:
  /// Arguments of every run; filled before judge().
  With with;
  /// Where marks of a cell lie; nullopt: it is none. Set before judge(); of a rule there is none.
  std::function<std::optional<std::uint64_t>(Cell)> place_of;
  std::vector<std::uint32_t> table;  ///< what Memory::table has, in memory of the host. Set before judge()

  /// Starts the track's process, and compiles its text for the scene meanwhile. Throws as compile_own() and OwnRunner
  /// do. `name`: of the track, or of the rule.
  OwnRun(Queue& queue, const std::string& name, const OwnScene& scene)
      : backend_(queue.backend()),
        text_(find_own(name)),
        scene_(scene),
        notes_(text_, scene),
        rule_notes_(scene.rule ? scene.rule : text_, scene) {
    has_rule_ = scene.rule != nullptr;
    runner_ = std::make_unique<OwnRunner>(*text_, has_rule_ && scene.rule != text_ ? scene.rule : nullptr,
                                          queue.backend(), queue.pool().threads());
    const CompiledOwn compiled = compile_own(*text_, scene, queue.backend(), queue.cancel);
    state_ = {name.substr(0, name.find('/')),
              text_->file,
              text_->kind(),
              text_->form,
              fmt::format("{:016x}", text_->hash),
              compiled.compiler,
              compiled.milliseconds,
              compiled.cached,
              false,
              {},
              {}};
    runner_->load(compiled);
  }

  /// Asks what it launches, and judges it: as long as OwnJudgingTime has it, the rest by judge(). `places`: marks, by
  /// the number of a place; `cells` and `blocks` of the domain. each_cell(body(Cell, place)) goes through the cells.
  /// `threads_of_block`: those that a block of `place` has. `empty`: the state that a kernel is judged on.
  /// `on_judged`: what follows, in the thread that steps.
  template <class EachCell>
  void begin_judging(Queue& queue, std::uint64_t places, std::uint64_t cells, std::uint64_t blocks,
                     Index3 threads_of_block, EachCell each_cell, Buffer<std::uint8_t> empty = {},
                     std::function<void(const JudgedTables&)> on_judged = {}) {
    queue.wait();
    if (!ask_launches(places_blocks() ? &threads_of_block : nullptr)) return;
    state_.judgement.cells = cells;
    state_.judgement.visits = block_visits(shape_) * volume(shape_.threads);
    empty_ = std::move(empty);
    places_ = places;
    on_judged_ = [this, blocks, each_cell = std::move(each_cell), then = std::move(on_judged)](Queue& on) {
      judging_->give_back(*runner_);
      Judgement judged = own().judgement;
      tables_.emplace(judging_->take(on, blocks, each_cell, judged));
      judging_.reset();
      empty_ = {};
      judged.refused = text_->form == "kernel" && judged.outside > 0;
      if (then) then(*tables_);
      const std::lock_guard lock(mutex_);
      state_.judgement = judged;
      state_.trusted = judged.keeps();
      with.tests = judged.outside > 0;
      judged_.store(true, std::memory_order_release);
    };
    OwnJudgingTime::spend([&](double seconds) { judge(queue, seconds); });
  }
  void judge(Queue& queue, double seconds) override {
    if (!on_judged_) return;
    if (!judging_) {
      With on = with;
      on.memory[static_cast<std::size_t>(own::Memory::in)] = empty_.data();
      judging_.emplace(queue, on, shape_, places_, places_blocks());
    }
    try {
      if (!judging_->go_on(*runner_, queue, seconds)) on_judged_ = {};
    } catch (...) {
      stop_judging();
      throw;
    }
    if (!on_judged_) {
      stop_judging();
      return take_fault(queue);
    }
    {
      const std::lock_guard lock(mutex_);
      state_.judgement.share = judging_->share();
      state_.judgement.milliseconds = judging_->milliseconds();
    }
    if (!judging_->whole()) return;
    try {
      const auto ended = on_judged_;
      ended(queue);
    } catch (...) {
      stop_judging();
      throw;
    }
    on_judged_ = {};
  }

  /// Of a rule, in place of judging: asks what its map launches. Its first step is checked.
  void begin() { ask_launches(nullptr); }

  /// Runs a step; `run` has its memory. empty() zeroes all that it writes: what a wrong map leaves out must not look
  /// like the last step's right answer.
  template <class Empty>
  void step(Queue& queue, const char* kernel, const With& run, std::uint64_t bytes, Empty&& empty) {
    if (gathers_ > 1) {
      if (gathered_ == 0) first_ = run;
      if (gathered_ == 1) second_ = run.memory[static_cast<std::size_t>(own::Memory::out)];
      if (++gathered_ < gathers_) return;
    }
    const std::uint32_t steps = std::exchange(gathers_, 1);
    const OwnState now = own();
    // What a kernel leaves out may depend on the state; a built-in map leaves out nothing.
    if (now.kind == "kernel" || (now.kind == "map" && !now.trusted)) empty();
    if (now.fault) return;
    // A rule was asked for no cell before its first step.
    queue.wait();
    const bool checked = (now.kind != "rule" && !now.trusted) || (has_rule_ && !went_);
    const auto took = runner_->run(checked ? own::Job::checked_step : own::Job::trusted_step, steps > 1 ? first_ : run,
                                   queue.cancel, steps, steps > 1 ? second_ : nullptr);
    if (!took) {
      empty();
      stop_judging();
      on_judged_ = {};
      return take_fault(queue);
    }
    // The first step of a rule is slower than those that follow; those before a map is judged are of another code.
    const bool sample = !now.judging() && (!checked || !has_rule_);
    went_ = true;
    if (now.kind == "rule" && !now.trusted) {
      const std::lock_guard lock(mutex_);
      state_.trusted = true;
    }
    if (queue.stopwatch && sample) queue.stopwatch->record(kernel, bytes, *took);
  }
  std::uint32_t most_steps() const override {
    // On a CPU a step takes far longer than to ask for it.
    constexpr std::uint32_t most_of_graph = 256;
    const OwnState now = own();
    const bool alike = now.trusted && now.kind != "kernel" && !now.fault && (!has_rule_ || went_);
    return alike && backend_ == Backend::cuda ? most_of_graph : 1;
  }
  void gather(std::uint32_t steps) override {
    gathers_ = steps;
    gathered_ = 0;
  }
  /// Steps are gathered, and this is not the first of them.
  bool gathering() const { return gathers_ > 1 && gathered_ > 0; }

  /// What the map says of one thread; nullopt where it fell, or is at work: the window does not wait. A kernel says
  /// nothing: who serves a cell is all that is known of it.
  std::optional<Target> ask(const Owner& who) {
    // Before a map is judged any thread may be one that does not end.
    if (fell() || own().judging() || text_->form == "kernel") return std::nullopt;
    if (const auto answer = runner_->ask(arguments(), visit_of(who))) return Target{answer->cell, answer->serves != 0};
    take_fault();
    return std::nullopt;
  }

  std::vector<std::shared_ptr<const OwnSource>> texts() const override {
    std::vector<std::shared_ptr<const OwnSource>> all{text_};
    if (has_rule_ && scene_.rule != text_) all.push_back(scene_.rule);
    return all;
  }
  /// The texts, behind the sources of the built-in map that runs a rule.
  std::vector<SourceFile> sources(std::vector<SourceFile> all = {}) const {
    for (const auto& text : texts()) all.push_back({text->file, text->source});
    return all;
  }
  /// What the text computes for one thread: a marked copy of it, compiled when that is asked first, runs in a process
  /// of the CPU. nullopt: it is a kernel, it fell, or no compiler takes its marked copy. Throws Cancelled.
  std::optional<SourceValues> values(const Owner& who, const std::atomic<bool>& cancel) {
    if (text_->form == "kernel") return std::nullopt;
    return notes_.of(visit_of(who), arguments(), table, {}, cancel);
  }
  /// The same of its rule at a cell, by a copy of the state; nullopt: it runs none. `files_before`: how many sources of
  /// the map stand before the rule's text, as in sources().
  std::optional<SourceValues> rule_values(Cell cell, const StateCopy& state, std::size_t files_before,
                                          const std::atomic<bool>& cancel) {
    constexpr std::uint64_t most_bytes = std::uint64_t{64} << 20;
    if (!has_rule_ || state.bytes == 0 || state.bytes > most_bytes) return std::nullopt;
    auto found = rule_notes_.of({0, 0, {cell.x, cell.y, cell.z}, {}}, arguments(), {}, state, cancel);
    if (found)
      for (own::SeenNote& note : found->notes) note.file += static_cast<int>(files_before);
    return found;
  }

  OwnState own() const override {
    const std::lock_guard lock(mutex_);
    return state_;
  }
  bool doubled(Cell cell) const override {
    const auto place = tables() ? place_of(cell) : std::nullopt;
    return place && tables_->twice(*place);
  }
  bool owner_is_unknown(Cell cell) const override {
    const auto place = tables() && !tables_->owner() ? place_of(cell) : std::nullopt;
    Owner who;
    return place && text_->form != "kernel" && tables_->once(*place) && !fell() && !owner(*place, who);
  }
  Servers servers(Cell cell, std::size_t most, const std::atomic<bool>& cancel) override {
    const auto place = tables() ? place_of(cell) : std::nullopt;
    if (!place || fell() || text_->form == "kernel") return {};
    auto found = who_serves(*runner_, backend_, arguments(), *place, cancel);
    if (!found) return take_fault(), Servers{};
    const auto visits = std::span(found->visits).first(std::min(found->count, own::Serving::most));
    if (!visits.empty() && !tables_->owner()) {
      const std::lock_guard lock(mutex_);
      constexpr std::size_t most_found = 16;
      if (found_owners_.size() == most_found) found_owners_.erase(found_owners_.begin());
      found_owners_.emplace_back(*place, visits.front());
    }
    Servers servers{{}, found->count};
    for (const std::uint64_t visit : visits.first(std::min(most, visits.size())))
      servers.first.push_back(owner_of(visit));
    return servers;
  }
  bool fell() const {
    const std::lock_guard lock(mutex_);
    return state_.fault.has_value();
  }
  const OwnSource& text() const { return *text_; }
  bool places_blocks() const { return text_->form == "place"; }
  const own::Launches& shape() const { return shape_; }
  /// What judging found; null: it fell before it was judged, or is not judged yet.
  const JudgedTables* tables() const { return judged_.load(std::memory_order_acquire) ? &*tables_ : nullptr; }
  std::uint64_t table_bytes() const { return tables() ? tables_->bytes() : 0; }

  int launches() const { return shape_.count * shape_.turns; }
  Index3 grid_of(int number) const { return shape_.grids[number / shape_.turns]; }
  std::uint64_t visit_of(int number, Index3 at) const {
    std::uint64_t first = 0;
    for (int i = 0; i < number; ++i) first += volume(grid_of(i));
    return first + linear_index(at, grid_of(number));
  }
  /// 1 + the number of the block of cells that a launched block of `place` serves; 0: none, or not kept.
  std::uint32_t served(int number, Index3 at) const {
    return tables() && tables_->served() ? tables_->served()[visit_of(number, at)] : 0;
  }
  /// The thread that serves a place first. False: none does, or that is not known (owner_is_unknown).
  bool owner(std::uint64_t place, Owner& who) const {
    if (!tables()) return false;
    std::uint64_t visit = ~std::uint64_t{0};
    if (tables_->owner()) {
      visit = tables_->owner()[place];
    } else {
      const std::lock_guard lock(mutex_);
      for (const auto& [known, by] : found_owners_)
        if (known == place) visit = by;
    }
    if (visit == ~std::uint64_t{0}) return false;
    who = owner_of(visit);
    return true;
  }

  /// How often each place is served, of a box of `extent`; 255 where there is no cell. Nothing of a map that fell.
  template <class EachCell>
  void add_visits(std::vector<DumpArray>& arrays, Index3 extent, bool flat, EachCell&& each_cell) const {
    if (!tables() || fell()) return;
    arrays.push_back(visits_dump(*tables_, extent, flat, each_cell));
  }

  /// A launched block in words: its file, and where its first thread goes.
  Formula explain(Index3 at, bool flat, const std::optional<Cell>& cell) const {
    const int dimensions = flat ? 2 : 3;
    Formula formula;
    formula.title = fmt::format("{}, block {}", text_->file, place_text(at, dimensions));
    formula.result = {places_blocks() ? "first cell" : "cell", "", cell ? place_text(*cell, dimensions) : "nowhere"};
    return formula;
  }

 private:
  void stop_judging() {
    if (!judging_) return;
    judging_->give_back(*runner_);
    judging_.reset();
    const std::lock_guard lock(mutex_);
    state_.judgement.share = state_.judgement.milliseconds = 0;
  }
  /// For threads that do not step: judging, as it ends, changes what a run is told.
  With arguments() const {
    const std::lock_guard lock(mutex_);
    return with;
  }

  /// A thread by the number of its visit.
  Owner owner_of(std::uint64_t visit) const {
    const std::uint64_t threads = volume(shape_.threads);
    Owner who;
    who.thread = unfold(visit % threads, shape_.threads);
    visit /= threads;
    while (who.launch + 1 < launches() && visit >= volume(grid_of(who.launch))) visit -= volume(grid_of(who.launch++));
    who.block = unfold(visit, grid_of(who.launch));
    return who;
  }
  own::Visit visit_of(const Owner& who) const {
    return {who.launch / shape_.turns, who.launch % shape_.turns, who.block, who.thread};
  }
  /// Takes the map's launches as its shape; false: it fell, or they are refused. `threads_of_block`: those that a
  /// launched block must have; null: any number.
  bool ask_launches(const Index3* threads_of_block) {
    const auto launches = runner_->launches(with);
    if (launches) {
      if (const auto fault = impossible(*launches))
        runner_->refuse(*fault);
      else if (threads_of_block && !(launches->threads == *threads_of_block))
        runner_->refuse({"launch", "other threads than those of a block of cells", {}, {}, {}});
      else
        shape_ = *launches;
    }
    take_fault();
    return !runner_->fault();
  }

  void take_fault() {
    const auto fault = runner_->fault();
    if (!fault) return;
    const std::lock_guard lock(mutex_);
    state_.fault = fault;
    state_.trusted = false;
  }
  /// The same for the thread that steps; a device does not know where a map fell.
  void take_fault(Queue& queue) {
    take_fault();
    const auto fault = own().fault;
    if (!fault || backend_ == Backend::cpu || own().kind != "map" || has_rule_) return;
    if (fault->kind == "time" || fault->kind == "launch" || fault->kind == "end") return;
    const auto here = fall_on_cpu(*text_, scene_, arguments(), table, places_, queue.cancel);
    if (!here || here->kind == "time") return;
    const std::lock_guard lock(mutex_);
    if (here->line) state_.fault->line = here->line;
    state_.fault->block = here->block;
  }

  Backend backend_;
  std::shared_ptr<const OwnSource> text_;
  OwnScene scene_;
  OwnNotes<With> notes_, rule_notes_;
  /// One block of one thread, until the map has said its own.
  own::Launches shape_{1, 1, {1, 1, 1}, {{1, 1, 1}}};
  std::optional<JudgedTables> tables_;  ///< the stepping thread's, until they are judged_; then they stay as they are
  std::atomic<bool> judged_{false};
  std::uint64_t places_ = 0;
  Buffer<std::uint8_t> empty_;                ///< the state that a kernel is judged on
  std::optional<OwnJudging<With>> judging_;   ///< between two parts
  std::function<void(Queue&)> on_judged_;     ///< what follows; null: nothing is to be judged
  std::unique_ptr<OwnRunner> runner_;         ///< ends before what it maps
  bool has_rule_ = false, went_ = false;      ///< it runs a rule; it has gone a step
  std::uint32_t gathers_ = 1, gathered_ = 0;  ///< steps that are asked for as one, and those that were given so far
  With first_;                                ///< the first of them
  void* second_ = nullptr;                    ///< what the second writes
  mutable std::mutex mutex_;
  OwnState state_;  ///< under the mutex, once it is made
  /// Places whose owners were looked for, and their visits; the last few, under the mutex.
  std::vector<std::pair<std::uint64_t, std::uint64_t>> found_owners_;
};

}  // namespace warploom
