#include <type_traits>

#include "gpu/core/launch.h"
#include "gpu/scenes/fractal/tracks/sliced_stepper.h"
#include "gpu/scenes/fractal/works/gasket_seven.h"
#include "gpu/scenes/fractal/works/gasket_step.h"

namespace warploom::detail {

namespace {

class GasketStepper final : public SlicedStepper {
 public:
  explicit GasketStepper(const StepperSettings& of)
      : rule_(of.rule),
        cuda_(of.queue.backend() == Backend::cuda),
        seven_(GasketSeven<ConwayLogic>::served(of.domain, of.shape)) {
    serving_.kind = SlicedServing::Kind::corners;
    serving_.shape = of.shape;
    serving_.launch = GasketStep<ConwayLogic, NoSeal>::shape(of.shape.tiles());
    serving_.in_block = gasket_tiles::words;
    serving_.items = 32 * gasket_tiles::words;
  }

  std::uint64_t at_once() const override { return seven_ ? GasketSeven<ConwayLogic>::steps : 1; }
  /// A CPU steps by vectors that no seal is part of.
  bool seals() const override { return cuda_; }
  void step(const StepLaunch& with) const override {
    with_logic(rule_, [&]<class Logic>(const Logic& logic) {
      const auto go = [&](const LaunchShape& shape, const auto& program) {
        launch(with.kernel, with.queue, shape, program, with.bytes);
      };
      if (with.count == 1)
        return with_sealing(with.seal, [&]<class Sealing>(const Sealing& sealing) {
          go(serving_.launch, GasketStep<Logic, Sealing>{with.states, logic, sealing});
        });
      // Of states that outgrow the cache more warps hide the way to memory; of others registers count for more.
      constexpr std::uint64_t large = 1u << 16;                                  // tiles
      constexpr unsigned resident = std::is_same_v<Logic, ConwayLogic> ? 4 : 3;  // with no words out of registers
      const std::uint64_t tiles = with.states.shape.tiles();
      if (tiles > large)
        go(GasketSeven<Logic>::shape(tiles), GasketSeven<Logic, resident>{with.states, logic});
      else
        go(GasketSeven<Logic>::shape(tiles), GasketSeven<Logic>{with.states, logic});
    });
  }

 private:
  Rule rule_;
  bool cuda_, seven_;
};

}  // namespace

std::unique_ptr<SlicedStepper> make_gasket_stepper(const StepperSettings& of) {
  if (!gasket_tiles::served(of.domain, of.shape)) return nullptr;
  return std::make_unique<GasketStepper>(of);
}

}  // namespace warploom::detail
