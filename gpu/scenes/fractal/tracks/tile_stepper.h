#pragma once
#include "gpu/core/shared_memory.h"
#include "gpu/core/type_list.h"
#include "gpu/scenes/fractal/tracks/sliced_stepper.h"
#include "gpu/scenes/fractal/tracks/thin_stepper.h"
#include "gpu/scenes/fractal/tracks/tile_launch.h"
#include "gpu/scenes/fractal/tracks/tiles_beside.h"
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
  TileStepper(Queue& queue, const FractalDomain& domain, const SlicedShape& shape, const Rule& rule,
              const TileGeometry& geometry)
      : rule_(rule), tables_(queue, domain, shape, geometry), around_(tiles_beside(queue, domain, shape)) {
    SlicedServing& to = serving_;
    to.kind = SlicedServing::Kind::tiles;
    to.shape = shape;
    to.in_block = shape.in_block;
    to.windows = Windows(shape.in_block, shape.in_tile());
    to.together = together;
    if (rule_ == Rule{})
      serve_by<ConwayLogic>(queue);
    else
      serve_by<RuleLogic>(queue);
  }

  std::uint64_t bytes() const override { return tables_.bytes() + around_.bytes(); }
  bool seals() const override { return true; }
  void step(Queue& queue, const char* kernel, const SlicedStates& states, std::uint64_t, const SealSlots* seal,
            std::uint64_t bytes) const override {
    if (rule_ == Rule{})
      step_by(queue, kernel, states, seal, bytes, ConwayLogic{});
    else
      step_by(queue, kernel, states, seal, bytes, RuleLogic(rule_));
  }

 private:
  template <class Logic>
  void serve_by(Queue& queue) {
    using Step = TileStep<Geometry, Logic, NoSeal>;
    const auto shared_bytes = [&] {
      return program<Step>({nullptr, nullptr, serving_.shape, {}}, Logic{}).dynamic_shared_bytes();
    };
    stages_ = stages_for(Step::least_blocks);
    while (stages_ > 1 && shared_bytes() > shared_limit(shared_memory_of(queue))) --stages_;
    serving_.items = 32 * serving_.in_block * together * Step::turns;
    serving_.launch = tile_launch(serving_.shape.tiles(), Step::most_threads, Step::least_blocks, shared_bytes());
  }
  template <class Program, class Logic>
  Program program(const SlicedStates& states, const Logic& logic) const {
    return {{states, tables_.view(around_), serving_.launch.blocks.x, stages_}, logic, {}};
  }
  template <class Logic>
  void step_by(Queue& queue, const char* kernel, const SlicedStates& states, const SealSlots* seal, std::uint64_t bytes,
               const Logic& logic) const {
    if (seal) {
      auto with = program<TileStep<Geometry, Logic, WithSeal>>(states, logic);
      with.sealing.to = *seal;
      launch(kernel, queue, serving_.launch, with, bytes);
    } else {
      launch(kernel, queue, serving_.launch, program<TileStep<Geometry, Logic, NoSeal>>(states, logic), bytes);
    }
  }

  Rule rule_;
  std::uint32_t stages_ = Plain::Pipe::most_stages;
  TileTables tables_;
  Buffer<TileBeside> around_;
};

/// Null: it is another mask, or the level has no whole tiles.
template <class Mask>
std::unique_ptr<SlicedStepper> make_known_stepper(Queue& queue, const FractalDomain& domain, const SlicedShape& shape,
                                                  const Rule& rule) {
  using Geometry = BlockGeometry<Mask>;
  using Stepper = std::conditional_t<ThinStep<Geometry, RuleLogic, NoSeal>::serves_geometry, ThinStepper<Geometry>,
                                     TileStepper<Geometry>>;
  if (domain.side_x != Mask::side_x || domain.side_y != Mask::side_y || !Stepper::serves(shape)) return nullptr;
  for (int y = 0; y < Mask::side_y; ++y)
    for (int x = 0; x < Mask::side_x; ++x)
      if ((domain.copy_at[y * Mask::side_x + x] != FractalDomain::outside) != Mask::has(x, y)) return nullptr;
  TileGeometry geometry{Geometry::slots, {}, Stepper::together};
  for (int i = 0; i < Geometry::words; ++i)
    for (int d = 0; d < directions; ++d) geometry.around.push_back(Geometry::all.around[i][d]);
  return std::make_unique<Stepper>(queue, domain, shape, rule, geometry);
}

}  // namespace warploom
