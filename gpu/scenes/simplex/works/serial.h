#pragma once
#include <concepts>
#include <cstdint>
#include <functional>
#include <type_traits>

#include "gpu/maps/rule.h"

namespace warploom {

/// A cell's value in double, and the scale of its rounding errors.
struct SerialValue {
  double value = 0, scale = 1;
};

/// A cell as plain serial code sees it. Checks compare kernels with it, so it shares nothing with maps, layouts and
/// works.
struct SerialSpot {
  int dimensions = 2;
  std::int64_t x = 0, y = 0, z = 0;  ///< z: 0 in a triangle
  std::uint64_t key = 0;             ///< as cell_key
  Rule rule;
  std::function<bool(std::int64_t x, std::int64_t y, std::int64_t z)> member;
  std::function<double(std::int64_t x, std::int64_t y, std::int64_t z)> start;  ///< the value before, of members
  std::function<double(std::int64_t p, std::int64_t q)> squared;                ///< distance of points p and q
};

/// A work's step for the checks:
///   static SerialValue serial(const SerialSpot&)     what it writes to the cell, or adds to its block's sum; or
///   static std::uint64_t serial(const SerialSpot&)   what it folds
/// and optionally, for sizes that no serial code reaches:
///   static std::uint64_t total(int dimensions, std::uint64_t n)   the sum over all cells modulo 2^64, in closed form
template <class Work>
concept HasSimplexSerialStep = requires(const SerialSpot& spot) {
  { Work::serial(spot) } -> std::same_as<SerialValue>;
}
|| requires(const SerialSpot& spot) {
  { Work::serial(spot) } -> std::same_as<std::uint64_t>;
};

/// The work folds, and writes nothing.
template <class Work>
inline constexpr bool folds_simplex =
    std::is_same_v<decltype(Work::serial(std::declval<const SerialSpot&>())), std::uint64_t>;

}  // namespace warploom
