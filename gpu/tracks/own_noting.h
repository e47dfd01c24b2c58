#pragma once
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <utility>

#include "gpu/core/buffer.h"
#include "gpu/core/shared_pages.h"
#include "gpu/own/compile_cpp.h"
#include "gpu/own/runner.h"
#include "gpu/own/see.h"
#include "gpu/own/sources.h"
#include "gpu/tracks/track.h"

namespace warploom {

/// The process of an own map's marked copy, which notes what it computes for one thread. `With`: as of OwnRun.
template <class With>
class OwnNoting {
 public:
  /// `state_bytes`: of a rule, which reads a state.
  OwnNoting(const OwnSource& text, OwnScene scene, const With& of, std::span<const std::uint32_t> table,
            std::uint64_t state_bytes, const std::atomic<bool>& cancel)
      : with_(of), lines_(1 + static_cast<int>(std::ranges::count(text.source, '\n'))) {
    OwnSource copy = text;
    copy.source = marked(text.source, 0);
    scene.notes_values = true;
    if (text.form == "rule") {
      scene.rule = nullptr;  // it is the text itself, and without a map
      scene.uses = "using Scene = RuleAlone<" + scene.state + ">;";
    }
    CompiledOwn compiled = compile_own(copy, scene, Backend::cpu, &cancel);
    compiled.trusted = compiled.checked;  // a process loads two; it is asked, and steps nothing
    const ScopedSharedPages shared;
    table_ = Buffer<std::uint32_t>(Backend::cpu, table.size());
    std::ranges::copy(table, table_.data());
    notes_ = Buffer<own::SeenNotes>(Backend::cpu, 1);
    std::ranges::fill(with_.memory, nullptr);
    if (!table.empty()) with_.memory[static_cast<std::size_t>(own::Memory::table)] = table_.data();
    with_.memory[static_cast<std::size_t>(own::Memory::notes)] = notes_.data();
    state_ = Buffer<std::uint8_t>(Backend::cpu, state_bytes);
    if (state_bytes) with_.memory[static_cast<std::size_t>(own::Memory::in)] = state_.data();
    runner_ = std::make_unique<OwnRunner>(copy, nullptr, Backend::cpu, 1);
    runner_->load(compiled);
    asked_ = runner_->launches(with_).has_value();
  }
  std::uint8_t* state() { return state_.data(); }
  bool fell() const { return !asked_ || runner_->fault().has_value(); }
  std::optional<SourceValues> of(const own::Visit& visit) {
    notes_.data()->count = 0;
    if (!asked_) return std::nullopt;
    (void)runner_->ask(with_, visit);
    return values_from_outside(*notes_.data(), lines_);
  }

 private:
  With with_;
  int lines_;  ///< of the text
  Buffer<std::uint32_t> table_;
  Buffer<own::SeenNotes> notes_;
  Buffer<std::uint8_t> state_;
  std::unique_ptr<OwnRunner> runner_;  ///< ends before what it maps
  bool asked_ = false;
};

/// What an own map computes for single threads: its marked copy is compiled when that is asked first. Any thread.
template <class With>
class OwnNotes {
 public:
  OwnNotes(std::shared_ptr<const OwnSource> text, OwnScene scene) : text_(std::move(text)), scene_(std::move(scene)) {}

  /// nullopt: it fell, or no compiler takes its marked copy. Throws Cancelled.
  std::optional<SourceValues> of(const own::Visit& visit, const With& with, std::span<const std::uint32_t> table,
                                 const StateCopy& state, const std::atomic<bool>& cancel) {
    const std::lock_guard lock(mutex_);
    if (failed_) return std::nullopt;
    try {
      if (!noting_) noting_ = std::make_unique<OwnNoting<With>>(*text_, scene_, with, table, state.bytes, cancel);
      if (state.bytes) state.copy(noting_->state());
      auto found = noting_->of(visit);
      // It fell at this thread, and noted what it did before; others may not fall.
      if (noting_->fell()) noting_.reset();
      return found;
    } catch (const FileError&) {
      failed_ = true;  // nothing is wrong with the text itself
    } catch (const Cancelled&) {
      throw;
    } catch (const Error&) {
      // No process: perhaps the next time.
    }
    return std::nullopt;
  }

 private:
  std::shared_ptr<const OwnSource> text_;
  OwnScene scene_;
  std::mutex mutex_;
  std::unique_ptr<OwnNoting<With>> noting_;
  bool failed_ = false;
};

}  // namespace warploom
