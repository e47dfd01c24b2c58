#pragma once
#include "gpu/core/launch.h"
#include "gpu/scenes/fractal/tracks/sliced_stepper.h"
#include "gpu/scenes/fractal/tracks/tiles_beside.h"
#include "gpu/scenes/fractal/works/bit_logic.h"
#include "gpu/scenes/fractal/works/thin_step.h"

namespace warploom {

/// Register block by register block, for masks that touch little.
template <class Geometry>
class ThinStepper final : public SlicedStepper {
  using Plain = ThinStep<Geometry, RuleLogic, NoSeal>;

 public:
  static constexpr int together = 1;
  static bool serves(const SlicedShape& shape) { return Plain::serves(shape); }
  ThinStepper(Queue& queue, const FractalDomain& domain, const SlicedShape& shape, const Rule& rule,
              const TileGeometry& geometry)
      : rule_(rule), tables_(queue, domain, shape, geometry), around_(tiles_beside(queue, domain, shape)) {
    serving_.kind = SlicedServing::Kind::blocks;
    serving_.shape = shape;
    serving_.in_block = static_cast<std::uint32_t>(Geometry::words);
    serving_.items = 32 * serving_.in_block;
    serving_.launch = rule == Rule{} ? ThinStep<Geometry, ConwayLogic, NoSeal>::shape(shape) : Plain::shape(shape);
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
  void step_by(Queue& queue, const char* kernel, const SlicedStates& states, const SealSlots* seal, std::uint64_t bytes,
               const Logic& logic) const {
    const TileView tables = tables_.view(around_);
    if (seal)
      launch(kernel, queue, serving_.launch, ThinStep<Geometry, Logic, WithSeal>{states, tables, logic, {*seal}},
             bytes);
    else
      launch(kernel, queue, serving_.launch, ThinStep<Geometry, Logic, NoSeal>{states, tables, logic, {}}, bytes);
  }

  Rule rule_;
  TileTables tables_;
  Buffer<TileBeside> around_;
};

}  // namespace warploom
