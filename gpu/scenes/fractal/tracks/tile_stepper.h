#pragma once
#include "gpu/core/launch.h"
#include "gpu/core/shared_memory.h"
#include "gpu/core/type_list.h"
#include "gpu/scenes/fractal/tracks/sliced_stepper.h"
#include "gpu/scenes/fractal/tracks/tile_launch.h"
#include "gpu/scenes/fractal/works/bit_logic.h"
#include "gpu/scenes/fractal/works/block_geometry.h"
#include "gpu/scenes/fractal/works/thin_step.h"
#include "gpu/scenes/fractal/works/tile_step.h"

namespace warploom {

/// Of a mask that is known when this is compiled.
template <class Geometry>
class KnownStepper : public SlicedStepper {
 public:
  std::uint64_t bytes() const final { return tables_.bytes(); }
  bool seals() const final { return true; }

 protected:
  KnownStepper(const StepperSettings& of, int together)
      : rule_(of.rule), tables_(of.queue, of.domain, of.shape, geometry(together)) {
    serving_.shape = of.shape;
  }
  /// body(logic, sealing) of a launch.
  template <class Body>
  void choose(const StepLaunch& with, Body&& body) const {
    with_logic(rule_,
               [&](const auto& logic) { with_sealing(with.seal, [&](const auto& sealing) { body(logic, sealing); }); });
  }

  Rule rule_;
  TileTables tables_;

 private:
  static TileGeometry geometry(int together) {
    TileGeometry geometry{Geometry::slots, {}, together};
    for (int i = 0; i < Geometry::words; ++i)
      for (int d = 0; d < directions; ++d) geometry.around.push_back(Geometry::all.around[i][d]);
    return geometry;
  }
};

/// Register block by register block, for masks that touch little.
template <class Geometry>
class ThinStepper final : public KnownStepper<Geometry> {
  using Plain = ThinStep<Geometry, RuleLogic, NoSeal>;

 public:
  static bool serves(const SlicedShape& shape) { return Plain::serves(shape); }
  explicit ThinStepper(const StepperSettings& of) : KnownStepper<Geometry>(of, 1) {
    SlicedServing& to = this->serving_;
    to.kind = SlicedServing::Kind::blocks;
    to.in_block = static_cast<std::uint32_t>(Geometry::words);
    to.items = 32 * to.in_block;
    with_logic(of.rule,
               [&]<class Logic>(const Logic&) { to.launch = ThinStep<Geometry, Logic, NoSeal>::shape(of.shape); });
  }
  void step(const StepLaunch& with) const override {
    this->choose(with, [&]<class Logic, class Sealing>(const Logic& logic, const Sealing& sealing) {
      const ThinStep<Geometry, Logic, Sealing> program{with.states, this->tables_.view(), logic, sealing};
      launch(with.kernel, with.queue, this->serving_.launch, program, with.bytes);
    });
  }
};

/// Tile by tile, for the others.
template <class Geometry>
class TileStepper final : public KnownStepper<Geometry> {
  using Plain = TileStep<Geometry, RuleLogic, NoSeal>;

 public:
  static bool serves(const SlicedShape& shape) { return Plain::serves(shape); }
  explicit TileStepper(const StepperSettings& of) : KnownStepper<Geometry>(of, Plain::together) {
    SlicedServing& to = this->serving_;
    to.kind = SlicedServing::Kind::tiles;
    to.in_block = of.shape.in_block;
    to.windows = Windows(of.shape.in_block, of.shape.in_tile());
    to.together = Plain::together;
    with_logic(of.rule, [&]<class Logic>(const Logic& logic) {
      using Step = TileStep<Geometry, Logic, NoSeal>;
      const SlicedStates none{nullptr, nullptr, of.shape, {}};
      const auto shared_bytes = [&] { return Step{pipe(none), logic, {}}.dynamic_shared_bytes(); };
      stages_ = stages_for(Step::least_blocks);
      while (stages_ > 1 && shared_bytes() > shared_limit(shared_memory_of(of.queue))) --stages_;
      to.items = 32 * to.in_block * Plain::together * Step::turns;
      to.launch = tile_launch(of.shape.tiles(), Step::most_threads, Step::least_blocks, shared_bytes());
    });
  }
  void step(const StepLaunch& with) const override {
    this->choose(with, [&]<class Logic, class Sealing>(const Logic& logic, const Sealing& sealing) {
      const TileStep<Geometry, Logic, Sealing> program{pipe(with.states), logic, sealing};
      launch(with.kernel, with.queue, this->serving_.launch, program, with.bytes);
    });
  }

 private:
  typename Plain::Pipe pipe(const SlicedStates& states) const {
    return {states, this->tables_.view(), this->serving_.launch.blocks.x, stages_};
  }

  std::uint32_t stages_ = Plain::Pipe::most_stages;
};

/// Null: it is another mask, or the level has no whole tiles.
template <class Mask>
std::unique_ptr<SlicedStepper> make_known_stepper(const StepperSettings& of) {
  using Geometry = BlockGeometry<Mask>;
  using Stepper = std::conditional_t<ThinStep<Geometry, RuleLogic, NoSeal>::serves_geometry, ThinStepper<Geometry>,
                                     TileStepper<Geometry>>;
  const FractalDomain& domain = of.domain;
  if (domain.side_x != Mask::side_x || domain.side_y != Mask::side_y || !Stepper::serves(of.shape)) return nullptr;
  for (int y = 0; y < Mask::side_y; ++y)
    for (int x = 0; x < Mask::side_x; ++x)
      if ((domain.copy_at[y * Mask::side_x + x] != FractalDomain::outside) != Mask::has(x, y)) return nullptr;
  return std::make_unique<Stepper>(of);
}

}  // namespace warploom
