#pragma once

namespace warploom {

/// A number as a type, to be handed to a generic function: `constexpr int i = decltype(number)::value`.
template <int number>
struct Number {
  static constexpr int value = number;
};

}  // namespace warploom
