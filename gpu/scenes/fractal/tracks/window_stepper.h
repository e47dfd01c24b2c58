#pragma once
#include "gpu/core/shared_memory.h"
#include "gpu/scenes/fractal/tracks/sliced_stepper.h"
#include "gpu/scenes/fractal/tracks/tile_launch.h"
#include "gpu/scenes/fractal/tracks/tiles_beside.h"
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
  WindowStepper(Queue& queue, const FractalDomain& domain, const SlicedShape& shape, const Rule& rule)
      : rule_(rule), tables_(queue, domain, shape, wide, high), around_(tiles_beside(queue, domain, shape)) {
    // What the registers of a multiprocessor are for; blocks of fewer threads wait less for each other.
    constexpr std::uint32_t at_once = 1024, usual = 512;
    const auto shared_bytes = [&] {
      const SlicedStates none{nullptr, nullptr, shape, {}};
      return shared_table_ ? program<true>(none, RuleLogic{}).dynamic_shared_bytes()
                           : program<false>(none, RuleLogic{}).dynamic_shared_bytes();
    };
    const std::uint64_t there = shared_limit(shared_memory_of(queue));
    // Pieces of masks with few copies have tables that may be larger than their tiles.
    stages_ = stages_for(at_once / usual);
    shared_table_ = shared_bytes() <= there;
    while (stages_ > 1 && shared_bytes() > there) --stages_;
    const auto items = static_cast<std::uint32_t>(Plain::items(shape, tables_.windows()));
    const std::uint32_t most = 2 * shared_bytes() > there ? at_once : usual, turns = (items + most - 1) / most;
    const std::uint32_t threads = ((items + turns - 1) / turns + warp_size - 1) / warp_size * warp_size;
    SlicedServing& to = serving_;
    to.kind = SlicedServing::Kind::tiles;
    to.shape = shape;
    to.windows = tables_.windows();
    to.in_block = to.windows.in_block;
    to.items = 32 * to.windows.most_words * turns;
    to.launch = tile_launch(shape.tiles(), threads, at_once / threads, shared_bytes());
  }

  std::uint64_t bytes() const override { return tables_.bytes() + around_.bytes(); }
  void step(Queue& queue, const char* kernel, const SlicedStates& states, std::uint64_t, const SealSlots*,
            std::uint64_t bytes) const override {
    if (rule_ == Rule{})
      step_by(queue, kernel, states, bytes, ConwayLogic{});
    else
      step_by(queue, kernel, states, bytes, RuleLogic(rule_));
  }

 private:
  template <class Logic>
  void step_by(Queue& queue, const char* kernel, const SlicedStates& states, std::uint64_t bytes,
               const Logic& logic) const {
    if (shared_table_)
      launch(kernel, queue, serving_.launch, program<true>(states, logic), bytes);
    else
      launch(kernel, queue, serving_.launch, program<false>(states, logic), bytes);
  }
  template <bool shared_table, class Logic>
  WindowStep<wide, high, Logic, shared_table> program(const SlicedStates& states, const Logic& logic) const {
    return {{states, tables_.tile(around_), serving_.launch.blocks.x, stages_}, tables_.view(), logic};
  }

  Rule rule_;
  std::uint32_t stages_ = Plain::Pipe::most_stages;
  WindowTables tables_;
  bool shared_table_ = true;
  Buffer<TileBeside> around_;
};

}  // namespace warploom
