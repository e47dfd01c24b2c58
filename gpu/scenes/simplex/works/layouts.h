#pragma once
#include <cstdint>

#include "gpu/core/atomic.h"
#include "gpu/maps/map.h"
#include "gpu/scenes/simplex/maps/domain.h"

// Where the cells of a simplex lie in memory, in elements [navarro2016tetrahedra, section III.A]. A layout has
//
//   static constexpr MapInfo info
//   static double elements(domain)           of a state; a double: refused sizes may pass 2^64
//   std::uint64_t address(Cell)              of any cell of the domain
//   std::uint64_t enter(Index3 block)        what the cells of a block have in common, computed once per block
//   std::uint64_t around(Index3 block, Cell origin, Index3 at)      of the cell at `at` - 1 from the block's first
//   std::uint64_t within(std::uint64_t entry, Cell cell, unsigned thread)   the address of the block's thread
//   std::int32_t delta(Index3 at, int x, int y, int z)     elements from a place to its neighbour, steps from -1 to 1:
//                                            from block to block where `by_blocks`, else from cell to cell, both in the
//                                            domain. check_simplex refuses sides with neighbours 2^31 elements apart
//   static constexpr bool by_blocks          the cells of a block lie together
//   static constexpr bool mostly_empty       optional: compiled under few maps (compiled.h)
//   bool ascends(bool across) const          whether addresses ascend along the cells of a block, x first, then y, then
//                                            z; `across`: with cells that reach into the next block along x

namespace warploom {

/// From a place of a simplex to a neighbour, in linear order, modulo 2^32.
template <int Dimensions>
WARPLOOM_HD std::uint32_t simplex_delta(const SimplexDomain<Dimensions>& domain, Index3 at, int x, int y, int z) {
  const auto of_row = [](std::uint32_t row, int by) {  // t(row + by) - t(row)
    return by == 0 ? 0u : by > 0 ? row + 1 : 0u - row;
  };
  if (Dimensions == 2 || !domain.corner)  // T(z + 1) - T(z) = t(z + 1)
    return static_cast<std::uint32_t>(x) + of_row(at.y, y) +
           (z == 0  ? 0u
            : z > 0 ? narrow_triangle_number(at.z + 1)
                    : 0u - narrow_triangle_number(at.z));
  const Index3 from = domain.stacked(at),
               to = domain.stacked({at.x + static_cast<std::uint32_t>(x), at.y + static_cast<std::uint32_t>(y),
                                    at.z + static_cast<std::uint32_t>(z)});
  return narrow_tetrahedron_number(to.z) - narrow_tetrahedron_number(from.z) + narrow_triangle_number(to.y) -
         narrow_triangle_number(from.y) + to.x - from.x;
}

/// Cell (x, y, z) at T(z) + t(y) + x: no padding, rows start anywhere. Corner cells lie where the shear takes them.
template <int Dimensions>
struct LinearLayout {
  static constexpr int dimensions = Dimensions;
  static constexpr bool by_blocks = false;
  static constexpr MapInfo info{"linear", "linear", "T(z) + t(y) + x: rows start anywhere, no padding",
                                "navarro2016tetrahedra"};
  SimplexDomain<Dimensions> domain;
  bool narrow = false;  ///< every address, and what it is made from, fits 32 bits

  LinearLayout() = default;
  explicit LinearLayout(const SimplexDomain<Dimensions>& simplex)
      : domain(simplex), narrow(simplex_number_real(Dimensions, simplex.n) < static_cast<double>(narrow_blocks)) {}

  static double elements(const SimplexDomain<Dimensions>& simplex) {
    return simplex_number_real(Dimensions, simplex.n);
  }
  WARPLOOM_HD std::uint64_t address(Cell cell) const {
    const Index3 at = domain.stacked(cell);
    if (!narrow) return simplex_index<Dimensions>(at);
    // Modulo 2^32, with the inverse of three there.
    const std::uint32_t row = narrow_triangle_number(at.y) + at.x;
    return Dimensions == 2 ? row : narrow_tetrahedron_number(at.z) + row;
  }
  WARPLOOM_HD std::uint64_t enter(Index3) const { return 0; }
  WARPLOOM_HD std::uint64_t within(std::uint64_t, Cell cell, unsigned) const { return address(cell); }
  WARPLOOM_HD std::uint64_t around(Index3, Cell origin, Index3 at) const {
    return address({origin.x + at.x - 1, origin.y + at.y - 1, origin.z + at.z - (Dimensions == 3)});
  }
  WARPLOOM_HD std::int32_t delta(Index3 cell, int x, int y, int z) const {
    return static_cast<std::int32_t>(simplex_delta(domain, cell, x, y, z));
  }
  bool ascends(bool) const { return !domain.corner; }
};

/// Succinct blocks: block (x, y, z) at (T(z) + t(y) + x) rho^d, cells row-major inside, blocks at the faces padded. A
/// corner block lies where the shear of blocks takes it.
template <int Dimensions>
struct BlockedLayout {
  static constexpr int dimensions = Dimensions;
  static constexpr bool by_blocks = true;
  static constexpr MapInfo info{"blocked", "blocked", "blocks in linear order, cells row-major inside, faces padded",
                                "navarro2016tetrahedra"};
  SimplexDomain<Dimensions> domain;
  bool narrow = false;  ///< numbers of blocks fit 32 bits

  BlockedLayout() = default;
  explicit BlockedLayout(const SimplexDomain<Dimensions>& simplex)
      : domain(simplex), narrow(simplex_number_real(Dimensions, simplex.blocks) < static_cast<double>(narrow_blocks)) {}

  static double elements(const SimplexDomain<Dimensions>& simplex) {
    return simplex_number_real(Dimensions, simplex.blocks) * static_cast<double>(volume(simplex.block_extent()));
  }
  WARPLOOM_HD std::uint64_t address(Cell cell) const {
    const Index3 block = domain.block_of(cell);
    const Cell origin = domain.first_cell(block);
    return number(block) * volume(domain.block_extent()) +
           linear_index({cell.x - origin.x, cell.y - origin.y, cell.z - origin.z}, domain.block_extent());
  }
  WARPLOOM_HD std::uint64_t enter(Index3 block) const { return number(block) * volume(domain.block_extent()); }
  WARPLOOM_HD std::uint64_t within(std::uint64_t entry, Cell, unsigned thread) const { return entry + thread; }
  WARPLOOM_HD std::uint64_t around(Index3 block, Cell, Index3 at) const {
    const std::uint32_t rho = domain.rho.divisor;
    std::uint32_t thread = step(block.x, at.x, rho) + step(block.y, at.y, rho) * rho;
    if constexpr (Dimensions == 3) thread += step(block.z, at.z, rho) * rho * rho;
    return enter(block) + thread;
  }
  WARPLOOM_HD std::int32_t delta(Index3 block, int x, int y, int z) const {
    const std::uint32_t rho = domain.rho.divisor;
    return static_cast<std::int32_t>(simplex_delta(domain, block, x, y, z) *
                                     (Dimensions == 3 ? rho * rho * rho : rho * rho));
  }

  bool ascends(bool across) const { return !across; }

  WARPLOOM_HD std::uint64_t number(Index3 block) const {
    if (!narrow) return domain.index(block);
    const Index3 at = domain.stacked(block);
    return (Dimensions == 3 ? narrow_tetrahedron_number(at.z) : 0u) + narrow_triangle_number(at.y) + at.x;
  }

 private:
  /// Place in its block of a coordinate from -1 to rho, counted from 0; moves `block` to the neighbour it lies in.
  WARPLOOM_HD static std::uint32_t step(std::uint32_t& block, std::uint32_t at, std::uint32_t rho) {
    if (at == 0) {
      --block;
      return rho - 1;
    }
    if (at > rho) {
      ++block;
      return 0;
    }
    return at - 1;
  }
};

/// The whole box, row-major: n^d elements, most of them empty.
template <int Dimensions>
struct BoxLayout {
  static constexpr int dimensions = Dimensions;
  static constexpr bool by_blocks = false;
  static constexpr bool mostly_empty = true;
  static constexpr MapInfo info{"box", "box", "the whole box row-major, most of it empty", "navarro2016tetrahedra"};
  SimplexDomain<Dimensions> domain;

  BoxLayout() = default;
  explicit BoxLayout(const SimplexDomain<Dimensions>& simplex) : domain(simplex) {}

  static double elements(const SimplexDomain<Dimensions>& simplex) {
    const double n = simplex.n;
    return Dimensions == 2 ? n * n : n * n * n;
  }
  WARPLOOM_HD std::uint64_t address(Cell cell) const { return linear_index(cell, domain.extent()); }
  WARPLOOM_HD std::uint64_t enter(Index3) const { return 0; }
  WARPLOOM_HD std::uint64_t within(std::uint64_t, Cell cell, unsigned) const { return address(cell); }
  WARPLOOM_HD std::uint64_t around(Index3, Cell origin, Index3 at) const {
    return address({origin.x + at.x - 1, origin.y + at.y - 1, origin.z + at.z - (Dimensions == 3)});
  }
  WARPLOOM_HD std::int32_t delta(Index3, int x, int y, int z) const {
    const auto side = static_cast<std::int32_t>(domain.n);
    return (z * side + y) * side + x;
  }
  bool ascends(bool) const { return true; }
};

/// Every layout; the first is the default.
template <int Dimensions>
using SimplexLayouts = TypeList<  //
    LinearLayout<Dimensions>,     //
    BlockedLayout<Dimensions>,    //
    BoxLayout<Dimensions>>;

namespace detail {
template <class Domain, class List>
struct OneOfLayouts {
  OneOfLayouts() = default;
  explicit OneOfLayouts(const Domain&) {}
  WARPLOOM_HD std::uint64_t address(int, Cell) const { return 0; }
  std::uint32_t ascending(bool) const { return 0; }
};
template <class Domain, class First, class... Rest>
struct OneOfLayouts<Domain, TypeList<First, Rest...>> {
  First first;
  OneOfLayouts<Domain, TypeList<Rest...>> rest;
  OneOfLayouts() = default;
  explicit OneOfLayouts(const Domain& simplex) : first(simplex), rest(simplex) {}
  WARPLOOM_HD std::uint64_t address(int number, Cell cell) const {
    return number == 0 ? first.address(cell) : rest.address(number - 1, cell);
  }
  std::uint32_t ascending(bool across) const { return (first.ascends(across) ? 1u : 0u) | rest.ascending(across) << 1; }
};
}  // namespace detail

/// Any layout, chosen at run time, for kernels that are not timed.
template <int Dimensions>
struct AnyLayout {
  static constexpr int count = SimplexLayouts<Dimensions>::size;
  int number = 0;  ///< position in SimplexLayouts
  detail::OneOfLayouts<SimplexDomain<Dimensions>, SimplexLayouts<Dimensions>> layouts;

  AnyLayout() = default;
  AnyLayout(const SimplexDomain<Dimensions>& simplex, int which) : number(which), layouts(simplex) {}
  WARPLOOM_HD std::uint64_t address(Cell cell) const { return layouts.address(number, cell); }
  WARPLOOM_HD std::uint64_t address_in(int which, Cell cell) const { return layouts.address(which, cell); }
  /// Bit i: the i-th layout ascends.
  std::uint32_t ascending(bool across) const { return layouts.ascending(across); }
};

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
