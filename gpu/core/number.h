#pragma once
#include "gpu/core/macros.h"

namespace warploom {

/// A number as a type, to be handed to a generic function, where it is a constant: `constexpr int i = number`.
template <int number>
struct Number {
  static constexpr int value = number;
  WARPLOOM_HD_FLAT constexpr operator int() const { return number; }
};

}  // namespace warploom
