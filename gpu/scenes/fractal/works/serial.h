#pragma once
#include <concepts>
#include <cstdint>
#include <functional>

#include "gpu/maps/rule.h"

namespace warploom {

/// A cell of a fractal as plain serial code sees it. Checks compare what kernels do with it, so it shares nothing with
/// maps, storages and works.
struct SerialCell {
  std::int64_t x = 0, y = 0;
  Rule rule;
  std::function<bool(std::int64_t x, std::int64_t y)> alive;  ///< of any place; outside of the fractal: false
};

/// A work says its step once more, for the checks:
///
///   static std::uint64_t serial(const SerialCell&)       what it writes to the cell, or folds of it
///
/// and, where they hold, at sizes that no serial code reaches:
///
///   static std::uint64_t total(const Mask&, int level)   the sum of all that modulo 2^64, in closed form
///   static constexpr bool folds_state = true             it folds just the values of the state
template <class Work>
concept HasSerialStep = requires(const SerialCell& cell) {
  { Work::serial(cell) } -> std::same_as<std::uint64_t>;
};

}  // namespace warploom
