#pragma once
#include <memory>

#include "gpu/core/queue.h"
#include "gpu/maps/rule.h"
#include "gpu/scenes/fractal/tracks/sliced_serving.h"

namespace warploom {

struct SealSlots;

/// What steppers are made for. Tables lie in the memory of the queue's backend.
struct StepperSettings {
  Queue& queue;
  const FractalDomain& domain;
  const SlicedShape& shape;
  const Rule& rule;
};

/// One launch of a stepper.
struct StepLaunch {
  Queue& queue;
  const char* kernel;
  const SlicedStates& states;
  std::uint64_t bytes = 0;  ///< that it is said to move
  std::uint64_t count = 1;  ///< steps, 1 or at_once()
  const SealSlots* seal =
      nullptr;  ///< where the seal of what is written is added up, of one step where seals(); or null
};

/// The kernels of an automaton on sliced states of one domain.
class SlicedStepper {
 public:
  virtual ~SlicedStepper() = default;

  /// Who does what in a launch of one step.
  const SlicedServing& serving() const { return serving_; }
  /// Steps that one launch can take in place of one; 1: no more.
  virtual std::uint64_t at_once() const { return 1; }
  /// Bytes of its tables.
  virtual std::uint64_t bytes() const { return 0; }
  /// Whether a step can add up the seal of what it writes.
  virtual bool seals() const { return false; }
  virtual void step(const StepLaunch& with) const = 0;

 protected:
  SlicedServing serving_;
};

/// The best for a domain and rule.
std::unique_ptr<SlicedStepper> make_sliced_stepper(const StepperSettings& settings);

namespace detail {
/// Null where they do not serve the mask, or the level has too few digits.
using MakeSlicedStepper = std::unique_ptr<SlicedStepper> (*)(const StepperSettings&);
/// Of the gasket alone.
std::unique_ptr<SlicedStepper> make_gasket_stepper(const StepperSettings&);
}  // namespace detail

}  // namespace warploom
