#pragma once
#include "gpu/scenes/simplex/works/work.h"

// Threads that serve several cells
// --------------------------------
// A work lists its shapes beside a thread per cell in shapes/NAME.h, as WorkShapes<Work>:
//
//   template <int Dimensions> using Shapes = TypeList<CoarseShape<...>, ...>;
//                                            `coarsen=auto` takes the first of a rho and a layout: the best one there
//   template <class Shape> struct Boxes {
//     explicit Boxes(const CoarseArguments<Shape, Value>&);
//     void block(Group&, const BlockView&) const     called by all threads of a block: writes every cell as a thread
//     per
//                                            cell does, and padding as zero; or
//     template <class Group> struct Shared;  the shared memory of a block (core/program.h), and
//     void block(Group&, Shared<Group>&, const BlockView&) const
//     static constexpr unsigned most_threads, least_blocks      optional, as programs have them (core/program.h)
//   };
//
// All shapes add floats in one order, so that states are equal bit by bit. Only sums over a block have the shape's
// order.

namespace warploom {

/// Blocks of `side` cells per side in a layout, whose threads serve boxes of x y z cells; `by_sectors`: shares of rows
/// by whole sectors of 32 bytes (CellShares).
template <class LayoutOf, std::uint32_t side, std::uint32_t x, std::uint32_t y, std::uint32_t z = 1,
          bool by_sectors = false>
struct CoarseShape {
  using Layout = LayoutOf;
  static constexpr int dimensions = Layout::dimensions;
  static constexpr std::uint32_t rho = side;
  static constexpr ThreadBox box{x, y, z};
  static constexpr bool shares = by_sectors;
  static constexpr std::uint32_t depth = dimensions == 3 ? rho : 1;  ///< cells of a block along z
  static constexpr Index3 threads{rho / x, rho / y, depth / z};
  static constexpr unsigned lanes = threads.x * threads.y * threads.z;
  static constexpr std::uint32_t cells = rho * rho * depth;  ///< of a block
  static_assert(rho % x == 0 && rho % y == 0 && depth % z == 0, "a box divides its block");
  static_assert(lanes % warp_size == 0 && lanes <= max_block_threads, "whole warps");
  static_assert(!shares || !Layout::by_blocks, "rows of blocks begin at sectors");

  /// In other layouts rows lie together only in stacked domains.
  static constexpr bool may_be_corner = dimensions == 3 && Layout::by_blocks;

  /// body(corner), whether the domain is the corner tetrahedron: asked once, constant from there on.
  template <class Body>
  WARPLOOM_HD static auto by_kind([[maybe_unused]] bool corner, Body&& body) {
    if constexpr (may_be_corner) {
      if (corner) return body(true);
    }
    return body(false);
  }
  /// The layout with what is known at compile time. Few blocks: see CoarseProgram.
  WARPLOOM_HD static Layout known(const Layout& layout, bool corner) {
    Layout of = layout;
    of.domain.corner = corner;
    of.domain.rho.divisor = rho;
    if constexpr (Layout::by_blocks) of.narrow = true;
    return of;
  }

  /// Place in the block of the first cell of a thread's box.
  WARPLOOM_HD static constexpr Index3 first(unsigned thread) {
    return {thread % threads.x * x, thread / threads.x % threads.y * y, thread / (threads.x * threads.y) * z};
  }
};

/// Shapes in blocked layout, in linear layout, and there by sectors.
template <int dimensions, std::uint32_t side, std::uint32_t x, std::uint32_t y, std::uint32_t z = 1>
using Blocked = CoarseShape<BlockedLayout<dimensions>, side, x, y, z>;
template <int dimensions, std::uint32_t side, std::uint32_t x, std::uint32_t y, std::uint32_t z = 1>
using Linear = CoarseShape<LinearLayout<dimensions>, side, x, y, z>;
template <int dimensions, std::uint32_t side, std::uint32_t x, std::uint32_t y, std::uint32_t z = 1>
using Sectors = CoarseShape<LinearLayout<dimensions>, side, x, y, z, true>;

template <class Shape, class Value>
struct CoarseArguments {
  SimplexDomain<Shape::dimensions> domain;
  typename Shape::Layout layout;
  const Value* in = nullptr;
  Value* out = nullptr;
  Rule rule;
  const Point<Shape::dimensions>* points = nullptr;
  SumSlots sum;  ///< counts the work's odd cells
};

/// The data block that a block serves.
struct BlockView {
  Index3 block;
  Cell origin;
  std::uint64_t address = 0;  ///< where its cells begin in layouts by blocks; its number in works that sum a block
  bool whole = false;         ///< all its cells lie inside
};

namespace detail {
template <class Boxes, class Group>
WARPLOOM_HD void serve_block(const Boxes& boxes, Group& group, SharedBy<Boxes, Group>& shared, const BlockView& view) {
  if constexpr (SharesMemory<Boxes, Group>)
    boxes.block(group, shared, view);
  else
    boxes.block(group, view);
}
/// For processors where a call costs a block nothing: compiled once for all maps.
template <class Boxes, class Group>
WARPLOOM_HD_APART void serve_block_apart(const Boxes& boxes, Group& group, SharedBy<Boxes, Group>& shared,
                                         const BlockView& view) {
  serve_block(boxes, group, shared, view);
}
}  // namespace detail

/// The shapes of a work; shapes/NAME.h specialises it.
template <class Work>
struct WorkShapes;

/// A work in a shape under a map, as one kernel. Launched with rows of Shape::lanes threads, in gangs. Works that write
/// cells have fewer than bare_root_blocks data blocks (simplex_shares refuses more).
template <class Map, class Work, class ShapeOf>
struct CoarseProgram {
  using Shape = ShapeOf;
  using Boxes = typename WorkShapes<Work>::template Boxes<Shape>;
  static constexpr bool few_blocks = !Work::info.per_block;
  static constexpr bool gangs = true, rows_of_warps = true, fits_grids = few_blocks;
  static constexpr unsigned exact_threads = Shape::lanes;
  static constexpr unsigned most_threads = most_threads_of<Boxes>();
  static constexpr unsigned least_blocks = least_blocks_of<Boxes>();
  static constexpr bool shares_root = Shape::lanes > 256 && requires { Map::Placing::costly; };
  static constexpr bool waits = shares_root || SharesMemory<Boxes, CpuGroup>;

  Map map;
  Boxes boxes;
  typename Shape::Layout layout;
  int launch = 0;

  template <class Group>
  using Shared = SharedBy<Boxes, Group>;

  static constexpr std::uint64_t work_of_a_thread() { return Shape::box.cells(); }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group, Shared<Group>& shared) const {
    Index3 carried;
    for (int turn = 0; map.more(launch, group.block(), turn); ++turn) {
      BlockView view;
      // A root is worth sharing between many warps; few warps each find it without waiting.
      if constexpr (shares_root) {
        const Found found = group.same(
            [&] {
              Found own{{}, carried, false};
              own.serves = find(group.block(), turn, own.carried, own.view);
              return own;
            },
            turn > 0);
        carried = found.carried;
        if (!found.serves) continue;
        view = found.view;
      } else if (!find(group.block(), turn, carried, view)) {
        continue;
      }
      if constexpr (Group::on_device)
        detail::serve_block(boxes, group, shared, view);
      else
        detail::serve_block_apart(boxes, group, shared, view);
    }
  }

 private:
  struct Found {
    BlockView view;
    Index3 carried;
    bool serves = false;
  };

  /// The data block of a turn. False: it serves none.
  WARPLOOM_HD bool find(Index3 at, int turn, Index3& carried, BlockView& view) const {
    return Shape::by_kind(map.domain.corner, [&](bool corner) {
      const Map known = map.known(corner, few_blocks);
      if (!known.block_of_turn(launch, at, turn, carried, view.block)) return false;
      view.origin = {view.block.x * Shape::rho, view.block.y * Shape::rho, view.block.z * Shape::rho};
      view.whole = known.domain.whole_box(view.origin, Shape::rho, known.domain.n, corner);
      if constexpr (Work::info.per_block)
        view.address = known.domain.index(view.block);
      else if constexpr (Shape::Layout::by_blocks)
        view.address = Shape::known(layout, corner).number(view.block) * Shape::cells;
      return true;
    });
  }
};

template <class Work>
concept ListsShapes = requires {
  sizeof(WorkShapes<Work>);
};

}  // namespace warploom
