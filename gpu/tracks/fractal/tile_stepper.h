#pragma once
#include <algorithm>

#include "gpu/core/launch.h"
#include "gpu/core/shared_memory.h"
#include "gpu/core/type_list.h"
#include "gpu/tracks/fractal/sliced_stepper.h"
#include "gpu/tracks/fractal/thin_stepper.h"
#include "gpu/works/fractal/bit_logic.h"
#include "gpu/works/fractal/block_geometry.h"
#include "gpu/works/fractal/tile_step.h"

namespace warploom {

/// Tile by tile. `Logics`: the ways to work out a rule that it is compiled for, the first of which serves.
template <class Geometry, class Logics>
class TileStepper final : public SlicedStepper {
  static constexpr bool known = requires { Geometry::all; };

 public:
  static bool serves(const SlicedShape& shape) { return Plain::serves(shape); }
  static constexpr int together = TileStep<Geometry, RuleLogic, NoSeal>::together;
  /// `shared_there`: bytes of shared memory that a block may have.
  TileStepper(Queue& queue, const FractalDomain& domain, const SlicedShape& shape, const Rule& rule,
              const TileGeometry& geometry, std::uint64_t shared_there)
      : rule_(rule), tables_(queue, domain, shape, geometry) {
    for (int i = 0; i < Geometry::words; ++i)
      places_[i] = static_cast<std::int8_t>(geometry.word[static_cast<std::size_t>(i)]);
    const TileView view = tables_.view();
    const std::uint32_t threads = Plain::threads(shape, view), items = view.blocks * shape.chunks / Plain::together;
    SlicedServing& to = serving_;
    to.kind = SlicedServing::Kind::tiles;
    to.shape = shape;
    to.in_block = shape.in_tile() / view.blocks;
    to.together = Plain::together;
    to.items = 32 * to.in_block * to.together * ((items + threads - 1) / threads);
    // As many as a large device holds at once: 132 multiprocessors of 227 KiB, and of registers for what a kernel says
    // of itself, or for 1024 threads. One more would begin when the others end, and leave the device half empty.
    constexpr std::uint64_t multiprocessors = 132, threads_each = 1024, bytes_each = 227 << 10;
    const auto shared_bytes = [&] { return program<Plain>({nullptr, nullptr, shape, {}}).dynamic_shared_bytes(); };
    while (stages_ > 1 && shared_bytes() > shared_there) --stages_;
    const std::uint64_t shared = shared_bytes() + 1024,
                        by_registers = known ? Plain::least_blocks : threads_each / threads;
    const std::uint64_t resident = std::max<std::uint64_t>(1, std::min(by_registers, bytes_each / shared));
    to.launch = {{static_cast<std::uint32_t>(std::min(shape.tiles(), resident * multiprocessors)), 1, 1},
                 {threads, 1, 1}};
  }

  std::uint64_t bytes() const override { return tables_.bytes(); }
  bool seals() const override { return known; }
  void step(Queue& queue, const char* kernel, const SlicedStates& states, std::uint64_t, const SealSlots* seal,
            std::uint64_t bytes) const override {
    bool done = false;
    for_each_type(Logics{}, [&]<class Logic>() {
      if (done || (std::is_same_v<Logic, ConwayLogic> && !(rule_ == Rule{}))) return;
      done = true;
      if constexpr (known) {
        if (seal) {
          auto with = program<TileStep<Geometry, Logic, WithSeal>>(states);
          with.sealing.to = *seal;
          return launch(kernel, queue, serving_.launch, with, bytes);
        }
      }
      launch(kernel, queue, serving_.launch, program<TileStep<Geometry, Logic, NoSeal>>(states), bytes);
    });
  }

 private:
  using Plain = TileStep<Geometry, RuleLogic, NoSeal>;
  template <class Program>
  Program program(const SlicedStates& states) const {
    Program made;
    made.states = states;
    made.tables = tables_.view();
    if constexpr (std::is_same_v<decltype(made.logic), RuleLogic>) made.logic = RuleLogic(rule_);
    made.blocks = serving_.launch.blocks.x;
    made.stages = stages_;
    made.in_block = serving_.in_block;
    std::copy(std::begin(places_), std::end(places_), made.places.word);
    return made;
  }

  Rule rule_;
  std::uint32_t stages_ = Plain::most_stages;
  std::int8_t places_[Geometry::words];
  TileTables tables_;
};

/// Of a mask that is known now.
template <class Mask>
std::unique_ptr<SlicedStepper> make_known_stepper(Queue& queue, const FractalDomain& domain, const SlicedShape& shape,
                                                  const Rule& rule) {
  using Geometry = BlockGeometry<Mask>;
  constexpr bool thin = ThinStep<Geometry, RuleLogic, NoSeal>::serves_geometry;
  using Stepper =
      std::conditional_t<thin, ThinStepper<Geometry>, TileStepper<Geometry, TypeList<ConwayLogic, RuleLogic>>>;
  if (domain.side_x != Mask::side_x || domain.side_y != Mask::side_y || !Stepper::serves(shape)) return nullptr;
  for (int y = 0; y < Mask::side_y; ++y)
    for (int x = 0; x < Mask::side_x; ++x)
      if ((domain.copy_at[y * Mask::side_x + x] != FractalDomain::outside) != Mask::has(x, y)) return nullptr;
  TileGeometry geometry{Geometry::digits, Geometry::slots, {}, {}, Stepper::together};
  for (int i = 0; i < Geometry::words; ++i) {
    geometry.word.push_back(i);
    for (int d = 0; d < directions; ++d) geometry.around.push_back(Geometry::all.around[i][d]);
  }
  if constexpr (thin)
    return std::make_unique<Stepper>(queue, domain, shape, rule, geometry);
  else
    return std::make_unique<Stepper>(queue, domain, shape, rule, geometry, shared_memory_of(queue));
}

/// Of any mask of these sides, a block of one digit a thread; 1 x 1: of any mask at all, a word a thread.
template <int side_x, int side_y>
std::unique_ptr<SlicedStepper> make_open_stepper_of(Queue& queue, const FractalDomain& domain, const SlicedShape& shape,
                                                    const Rule& rule) {
  using Geometry = OpenGeometry<side_x, side_y>;
  constexpr bool alone = side_x == 1 && side_y == 1;
  TileGeometry geometry{alone ? 0 : 1, Geometry::slots, {}, {}, 1};
  for (int i = 0; i < Geometry::words; ++i) {
    const std::uint32_t copy = alone ? 0 : domain.copy_at[i];
    geometry.word.push_back(copy == FractalDomain::outside ? -1 : static_cast<int>(copy));
    for (int d = 0; d < directions; ++d) geometry.around.push_back(Geometry::neighbour(i, d));
  }
  return std::make_unique<TileStepper<Geometry, TypeList<RuleLogic>>>(queue, domain, shape, rule, geometry,
                                                                      shared_memory_of(queue));
}

}  // namespace warploom
