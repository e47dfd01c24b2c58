#pragma once
#include "gpu/core/shared_memory.h"
#include "gpu/core/type_list.h"
#include "gpu/scenes/fractal/tracks/sliced_stepper.h"
#include "gpu/scenes/fractal/tracks/thin_stepper.h"
#include "gpu/scenes/fractal/tracks/tile_launch.h"
#include "gpu/scenes/fractal/works/bit_logic.h"
#include "gpu/scenes/fractal/works/block_geometry.h"
#include "gpu/scenes/fractal/works/tile_step.h"

namespace warploom {

/// Tile by tile, of a mask that is known when this is compiled.
template <class Geometry>
class TileStepper final : public SlicedStepper {
  using Plain = TileStep<Geometry, RuleLogic, NoSeal>;

 public:
  static constexpr int together = Plain::together;
  static bool serves(const SlicedShape& shape) { return Plain::serves(shape); }
  TileStepper(const StepperSettings& of, const TileGeometry& geometry)
      : rule_(of.rule), tables_(of.queue, of.domain, of.shape, geometry) {
    SlicedServing& to = serving_;
    to.kind = SlicedServing::Kind::tiles;
    to.shape = of.shape;
    to.in_block = of.shape.in_block;
    to.windows = Windows(of.shape.in_block, of.shape.in_tile());
    to.together = together;
    with_logic(rule_, [&]<class Logic>(const Logic& logic) {
      using Step = TileStep<Geometry, Logic, NoSeal>;
      const SlicedStates none{nullptr, nullptr, of.shape, {}};
      const auto shared_bytes = [&] { return Step{pipe(none), logic, {}}.dynamic_shared_bytes(); };
      stages_ = stages_for(Step::least_blocks);
      while (stages_ > 1 && shared_bytes() > shared_limit(shared_memory_of(of.queue))) --stages_;
      to.items = 32 * to.in_block * together * Step::turns;
      to.launch = tile_launch(of.shape.tiles(), Step::most_threads, Step::least_blocks, shared_bytes());
    });
  }

  std::uint64_t bytes() const override { return tables_.bytes(); }
  bool seals() const override { return true; }
  void step(const StepLaunch& with) const override {
    with_logic(rule_, [&]<class Logic>(const Logic& logic) {
      with_sealing(with.seal, [&]<class Sealing>(const Sealing& sealing) {
        const TileStep<Geometry, Logic, Sealing> program{pipe(with.states), logic, sealing};
        launch(with.kernel, with.queue, serving_.launch, program, with.bytes);
      });
    });
  }

 private:
  typename Plain::Pipe pipe(const SlicedStates& states) const {
    return {states, tables_.view(), serving_.launch.blocks.x, stages_};
  }

  Rule rule_;
  std::uint32_t stages_ = Plain::Pipe::most_stages;
  TileTables tables_;
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
  TileGeometry geometry{Geometry::slots, {}, Stepper::together};
  for (int i = 0; i < Geometry::words; ++i)
    for (int d = 0; d < directions; ++d) geometry.around.push_back(Geometry::all.around[i][d]);
  return std::make_unique<Stepper>(of, geometry);
}

}  // namespace warploom
