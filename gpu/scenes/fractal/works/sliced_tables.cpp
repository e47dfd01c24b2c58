#include "gpu/scenes/fractal/works/sliced_tables.h"

namespace warploom {

std::vector<DigitStep> digit_steps(const FractalDomain& domain) {
  std::vector<DigitStep> steps;
  steps.reserve(std::size_t{directions} * domain.copies);
  const int wide = static_cast<int>(domain.side_x), high = static_cast<int>(domain.side_y);
  for (int d = 0; d < directions; ++d)
    for (std::uint32_t copy = 0; copy < domain.copies; ++copy) {
      const Index2 box = domain.box(copy);
      const int x = static_cast<int>(box.x) + step_x(d), y = static_cast<int>(box.y) + step_y(d);
      const int carry_x = x < 0 ? -1 : x >= wide ? 1 : 0, carry_y = y < 0 ? -1 : y >= high ? 1 : 0;
      const std::uint32_t other = domain.copy_at[(y - carry_y * high) * wide + x - carry_x * wide];
      DigitStep step;
      if (other != FractalDomain::outside) {
        const std::uint32_t onward =
            carry_x || carry_y ? static_cast<std::uint32_t>(direction_of(carry_x, carry_y)) : DigitStep::arrived;
        step = {other, onward};
      }
      steps.push_back(step);
    }
  return steps;
}

std::uint32_t arriving(const std::vector<DigitStep>& digits, std::uint32_t copies) {
  std::uint32_t arrive = 0;
  for (bool more = true; more;) {
    more = false;
    for (std::uint32_t d = 0; d < directions; ++d)
      for (std::uint32_t digit = 0; digit < copies && !(arrive >> d & 1u); ++digit) {
        const std::uint32_t onward = digits[std::size_t{d} * copies + digit].onward();
        if (onward != DigitStep::arrived && (onward >= directions || !(arrive >> onward & 1u))) continue;
        arrive |= 1u << d;
        more = true;
      }
  }
  return arrive;
}

namespace {

/// (directions, 32 C): the lane one step away, once all base digits are left; SlicedSteps::no_lane: none.
std::vector<std::uint16_t> lane_steps(const FractalDomain& domain, const SlicedShape& shape) {
  const auto digits = digit_steps(domain);
  const SlicedSteps steps(digits.data(), domain.copies);
  const int lane_digits = domain.level - shape.base_digits;
  std::vector<std::uint16_t> lanes;
  lanes.reserve(std::size_t{directions} * shape.all_chunks() * 32);
  for (int d = 0; d < directions; ++d)
    for (std::uint32_t lane = 0; lane < shape.all_chunks() * 32; ++lane) {
      SlicedSteps::Found found;
      if (lane < shape.lanes) found = steps.neighbour(lane, lane_digits, d);
      // A step that leaves the lanes leaves the domain.
      lanes.push_back(found.there && found.crossing < 0 ? static_cast<std::uint16_t>(found.number)
                                                        : SlicedSteps::no_lane);
    }
  return lanes;
}

/// (directions, k^digits): what one step does to so many.
std::vector<DigitStep> digit_steps(const FractalDomain& domain, int digits) {
  const auto one = digit_steps(domain);
  const SlicedSteps steps(one.data(), domain.copies);
  std::uint32_t all = 1;
  for (int i = 0; i < digits; ++i) all *= domain.copies;
  std::vector<DigitStep> several;
  several.reserve(std::size_t{directions} * all);
  for (int d = 0; d < directions; ++d)
    for (std::uint32_t number = 0; number < all; ++number) {
      const auto found = steps.neighbour(number, digits, d);
      DigitStep step;
      if (found.there)
        step = {static_cast<std::uint32_t>(found.number),
                found.crossing < 0 ? DigitStep::arrived : static_cast<std::uint32_t>(found.crossing)};
      several.push_back(step);
    }
  return several;
}

/// The most digits that are looked up at once: their tables stay near.
int digits_at_once(std::uint32_t copies) {
  constexpr std::uint64_t most = 1024;  // 16 KiB
  int digits = 1;
  for (std::uint64_t all = std::uint64_t{copies} * copies; all <= most && digits < 8; all *= copies) ++digits;
  return digits;
}

}  // namespace

DigitTables::DigitTables(Queue& queue, const FractalDomain& domain) {
  const int at_once = digits_at_once(domain.copies);
  one_ = {queue, digit_steps(domain)};
  several_ = {queue, digit_steps(domain, at_once)};
  view_ = SlicedSteps(one_.data(), domain.copies);
  view_.of_digits = several_.data();
  view_.by_digits = Divider(static_cast<std::uint32_t>(several_.size() / directions));
  view_.at_once = at_once;
}

SlicedTables::SlicedTables(Queue& queue, const FractalDomain& domain, const SlicedShape& shape)
    : DigitTables(queue, domain), lanes_(queue, lane_steps(domain, shape)) {
  view_.lanes = lanes_.data();
}

}  // namespace warploom
