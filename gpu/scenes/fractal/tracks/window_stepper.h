#pragma once
#include "gpu/core/launch.h"
#include "gpu/core/shared_memory.h"
#include "gpu/scenes/fractal/tracks/sliced_stepper.h"
#include "gpu/scenes/fractal/tracks/tile_launch.h"
#include "gpu/scenes/fractal/works/bit_logic.h"
#include "gpu/scenes/fractal/works/window_step.h"

namespace warploom {

/// Tile by tile, of any mask so wide, that is known when the program runs. Fewer places than a thread has registers for
/// are looked at at once: of wide boxes two rows.
template <int wide>
class WindowStepper final : public SlicedStepper {
  static constexpr int high = wide <= 4 ? wide : 2;
  using Plain = WindowStep<wide, high, RuleLogic>;

 public:
  explicit WindowStepper(const StepperSettings& of)
      : rule_(of.rule), tables_(of.queue, of.domain, of.shape, wide, high) {
    // What the registers of a multiprocessor are for; blocks of fewer threads wait less for each other.
    constexpr std::uint32_t at_once = 1024, usual = 512;
    const auto shared_bytes = [&] {
      std::uint64_t all = 0;
      with_program({nullptr, nullptr, of.shape, {}}, RuleLogic{},
                   [&](const auto& program) { all = program.dynamic_shared_bytes(); });
      return all;
    };
    const std::uint64_t there = shared_limit(shared_memory_of(of.queue));
    // Pieces of masks with few copies have tables that may be larger than their tiles.
    stages_ = stages_for(at_once / usual);
    shared_table_ = shared_bytes() <= there;
    while (stages_ > 1 && shared_bytes() > there) --stages_;
    const auto items = static_cast<std::uint32_t>(Plain::items(of.shape, tables_.windows()));
    const std::uint32_t most = 2 * shared_bytes() > there ? at_once : usual, turns = (items + most - 1) / most;
    const std::uint32_t threads = ((items + turns - 1) / turns + warp_size - 1) / warp_size * warp_size;
    SlicedServing& to = serving_;
    to.kind = SlicedServing::Kind::tiles;
    to.shape = of.shape;
    to.windows = tables_.windows();
    to.in_block = to.windows.in_block;
    to.items = 32 * to.windows.most_words * turns;
    to.launch = tile_launch(of.shape.tiles(), threads, at_once / threads, shared_bytes());
  }

  std::uint64_t bytes() const override { return tables_.bytes(); }
  void step(const StepLaunch& with) const override {
    with_logic(rule_, [&](const auto& logic) {
      with_program(with.states, logic,
                   [&](const auto& program) { launch(with.kernel, with.queue, serving_.launch, program, with.bytes); });
    });
  }

 private:
  template <class Logic, class Body>
  void with_program(const SlicedStates& states, const Logic& logic, Body&& body) const {
    const typename Plain::Pipe pipe{states, tables_.view(), serving_.launch.blocks.x, stages_};
    if (shared_table_)
      body(WindowStep<wide, high, Logic, true>{pipe, tables_.window(), logic});
    else
      body(WindowStep<wide, high, Logic, false>{pipe, tables_.window(), logic});
  }

  Rule rule_;
  std::uint32_t stages_ = Plain::Pipe::most_stages;
  WindowTables tables_;
  bool shared_table_ = true;
};

}  // namespace warploom
