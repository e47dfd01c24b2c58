#pragma once

namespace warploom {

/// How a network runs as a tuned program: `there`, and then `least` and `most` of its digits, and mapping(n), how
/// blocks hold their rows. Specialised beside the plans.
template <class Network>
struct TunedForm {
  static constexpr bool there = false;
};

}  // namespace warploom
