#pragma once
#include "gpu/core/buffer.h"
#include "gpu/scenes/fractal/works/sliced_shape.h"

namespace warploom {

/// What one step does to digits, on a backend: to one, and to several at once. Made once a mask.
class DigitTables {
 public:
  DigitTables() = default;
  DigitTables(Queue& queue, const FractalDomain& domain);
  SlicedSteps view() const;
  std::uint64_t bytes() const { return one_.bytes() + several_.bytes(); }

 private:
  std::uint32_t copies_ = 1;
  int at_once_ = 1;
  Buffer<DigitStep> one_, several_;
};

/// What SlicedSteps looks up, on a backend: made once a mask and level.
class SlicedTables {
 public:
  SlicedTables(Queue& queue, const FractalDomain& domain, const SlicedShape& shape);
  SlicedSteps view() const {
    SlicedSteps steps = digits_.view();
    steps.lanes = lanes_.data();
    return steps;
  }
  std::uint64_t bytes() const { return digits_.bytes() + lanes_.bytes(); }

 private:
  DigitTables digits_;
  Buffer<std::uint16_t> lanes_;
};

/// (directions, k): what one step does to a digit.
std::vector<DigitStep> digit_steps(const FractalDomain& domain);
/// A bit of each direction: whether a step that way ever arrives at a copy, from some digits. One that a mask of a
/// single row takes upwards never does.
std::uint32_t arriving(const std::vector<DigitStep>& digits, std::uint32_t copies);
/// (directions, k^digits): ... to so many.
std::vector<DigitStep> digit_steps(const FractalDomain& domain, int digits);
/// The most digits that are looked up at once: their tables stay near.
int digits_at_once(std::uint32_t copies);
/// (directions, 32 C): the lane one step away, once all base digits are left; SlicedSteps::no_lane: none.
std::vector<std::uint16_t> lane_steps(const FractalDomain& domain, const SlicedShape& shape);

}  // namespace warploom
