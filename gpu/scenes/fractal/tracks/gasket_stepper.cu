#include <type_traits>

#include "gpu/core/launch.h"
#include "gpu/scenes/fractal/tracks/sliced_stepper.h"
#include "gpu/scenes/fractal/works/gasket_seven.h"
#include "gpu/scenes/fractal/works/gasket_step.h"

namespace warploom::detail {

namespace {

class GasketStepper final : public SlicedStepper {
 public:
  GasketStepper(Backend backend, const FractalDomain& domain, const SlicedShape& shape, const Rule& rule)
      : rule_(rule), cuda_(backend == Backend::cuda), seven_(GasketSeven<ConwayLogic>::served(domain, shape)) {
    serving_.kind = SlicedServing::Kind::corners;
    serving_.shape = shape;
    serving_.launch = GasketStep<ConwayLogic, NoSeal>::shape(shape.tiles());
    serving_.in_block = gasket_tiles::words;
    serving_.items = 32 * gasket_tiles::words;
  }

  std::uint64_t at_once() const override { return seven_ ? GasketSeven<ConwayLogic>::steps : 1; }
  /// A CPU steps by vectors that no seal is part of.
  bool seals() const override { return cuda_; }
  void step(Queue& queue, const char* kernel, const SlicedStates& states, std::uint64_t count, const SealSlots* seal,
            std::uint64_t bytes) const override {
    if (rule_ == Rule{})
      step_by(queue, kernel, states, count, seal, bytes, ConwayLogic{});
    else
      step_by(queue, kernel, states, count, seal, bytes, RuleLogic(rule_));
  }

 private:
  template <class Logic>
  void step_by(Queue& queue, const char* kernel, const SlicedStates& states, std::uint64_t count, const SealSlots* seal,
               std::uint64_t bytes, const Logic& logic) const {
    // Of states that outgrow the cache more warps hide the way to memory; of others registers count for more.
    constexpr std::uint64_t large = 1u << 16;                                  // tiles
    constexpr unsigned resident = std::is_same_v<Logic, ConwayLogic> ? 4 : 3;  // with no words out of registers
    if (count > 1 && states.shape.tiles() > large)
      launch(kernel, queue, GasketSeven<Logic>::shape(states.shape.tiles()),
             GasketSeven<Logic, resident>{states, logic}, bytes);
    else if (count > 1)
      launch(kernel, queue, GasketSeven<Logic>::shape(states.shape.tiles()), GasketSeven<Logic>{states, logic}, bytes);
    else if (seal)
      launch(kernel, queue, serving_.launch, GasketStep<Logic, WithSeal>{states, logic, {*seal}}, bytes);
    else
      launch(kernel, queue, serving_.launch, GasketStep<Logic, NoSeal>{states, logic, {}}, bytes);
  }
  Rule rule_;
  bool cuda_, seven_;
};

}  // namespace

std::unique_ptr<SlicedStepper> make_gasket_stepper(Queue& queue, const FractalDomain& domain, const SlicedShape& shape,
                                                   const Rule& rule) {
  if (!gasket_tiles::served(domain, shape)) return nullptr;
  return std::make_unique<GasketStepper>(queue.backend(), domain, shape, rule);
}

}  // namespace warploom::detail
