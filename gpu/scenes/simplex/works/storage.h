#pragma once
#include "gpu/core/atomic.h"
#include "gpu/scenes/simplex/works/layouts.h"

namespace warploom {

/// A state: one value per cell, in a layout. `relaxed`: stores may collide, as inexact maps make them.
template <class LayoutOf, class ValueOf, bool relaxed = false>
struct SimplexStorage {
  using Layout = LayoutOf;
  using Value = ValueOf;

  Layout layout;
  Value* data = nullptr;

  WARPLOOM_HD Value load(Cell cell) const { return data[layout.address(cell)]; }
  WARPLOOM_HD Value at(std::uint64_t address) const { return data[address]; }
  WARPLOOM_HD void store(std::uint64_t address, Value value) const {
    if constexpr (relaxed)
      relaxed_store(data + address, value);
    else
      data[address] = value;
  }
};

/// A cell as one number, for hashes and row-major order: x + y 2^32, or x + y 2^21 + z 2^42 for sides below 2^21.
template <int Dimensions>
WARPLOOM_HD std::uint64_t cell_key(Cell cell) {
  return Dimensions == 2 ? cell.x | std::uint64_t{cell.y} << 32
                         : cell.x | std::uint64_t{cell.y} << 21 | std::uint64_t{cell.z} << 42;
}
template <int Dimensions>
WARPLOOM_HD Cell cell_of_key(std::uint64_t key) {
  constexpr std::uint64_t mask = (1u << 21) - 1;
  if constexpr (Dimensions == 2) return {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32), 0};
  return {static_cast<std::uint32_t>(key & mask), static_cast<std::uint32_t>(key >> 21 & mask),
          static_cast<std::uint32_t>(key >> 42)};
}

}  // namespace warploom
