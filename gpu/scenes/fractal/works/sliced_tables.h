#pragma once
#include "gpu/core/buffer.h"
#include "gpu/scenes/fractal/works/sliced_shape.h"

namespace warploom {

/// What one step does to digits, on a backend: to one, and to several at once. Made once a mask.
class DigitTables {
 public:
  DigitTables() = default;
  DigitTables(Queue& queue, const FractalDomain& domain);
  const SlicedSteps& view() const { return view_; }
  std::uint64_t bytes() const { return one_.bytes() + several_.bytes(); }

 protected:
  SlicedSteps view_;

 private:
  Buffer<DigitStep> one_, several_;
};

/// What SlicedSteps looks up, on a backend: made once a mask and level.
class SlicedTables : public DigitTables {
 public:
  SlicedTables(Queue& queue, const FractalDomain& domain, const SlicedShape& shape);
  std::uint64_t bytes() const { return DigitTables::bytes() + lanes_.bytes(); }

 private:
  Buffer<std::uint16_t> lanes_;
};

/// (directions, k): what one step does to a digit.
std::vector<DigitStep> digit_steps(const FractalDomain& domain);
/// A bit of each direction: whether a step that way ever arrives at a copy, from some digits. One that a mask of a
/// single row takes upwards never does.
std::uint32_t arriving(const std::vector<DigitStep>& digits, std::uint32_t copies);

}  // namespace warploom
