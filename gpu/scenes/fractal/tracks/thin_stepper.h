#pragma once
#include "gpu/core/launch.h"
#include "gpu/scenes/fractal/tracks/sliced_stepper.h"
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
  ThinStepper(const StepperSettings& of, const TileGeometry& geometry)
      : rule_(of.rule), tables_(of.queue, of.domain, of.shape, geometry) {
    serving_.kind = SlicedServing::Kind::blocks;
    serving_.shape = of.shape;
    serving_.in_block = static_cast<std::uint32_t>(Geometry::words);
    serving_.items = 32 * serving_.in_block;
    with_logic(rule_, [&]<class Logic>(const Logic&) {
      serving_.launch = ThinStep<Geometry, Logic, NoSeal>::shape(of.shape);
    });
  }

  std::uint64_t bytes() const override { return tables_.bytes(); }
  bool seals() const override { return true; }
  void step(const StepLaunch& with) const override {
    with_logic(rule_, [&]<class Logic>(const Logic& logic) {
      with_sealing(with.seal, [&]<class Sealing>(const Sealing& sealing) {
        const ThinStep<Geometry, Logic, Sealing> program{with.states, tables_.view(), logic, sealing};
        launch(with.kernel, with.queue, serving_.launch, program, with.bytes);
      });
    });
  }

 private:
  Rule rule_;
  TileTables tables_;
};

}  // namespace warploom
