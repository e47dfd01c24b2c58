#pragma once
#include "gpu/works/simplex/work.h"

// Threads that serve several cells
// --------------------------------
// A work lists the shapes that it has beside a thread a cell:
//
//   template <int Dimensions> using Shapes = TypeList<CoarseShape<...>, ...>;    the first of a rho and a layout is the
//                                            best one there: `coarsen=auto` takes it
//   template <class Shape> struct Boxes {
//     explicit Boxes(const CoarseArguments<Shape, Value>&);
//     void block(Group&, const BlockView&) const     called by all threads of a block, which serve it: every cell is
//                                            written as a thread a cell writes it, and padding as zero; or
//     template <class Group> struct Shared;  the shared memory of a block (core/program.h), and
//     void block(Group&, Shared<Group>&, const BlockView&) const
//   };
//
// and where they apply, as programs have them (core/program.h),
//
//     static constexpr unsigned most_threads, least_blocks
//
// Whatever the shape, floats are added in one order, so that states are equal bit by bit: but for sums over a block,
// whose order is the shape's.

namespace warploom {

/// Blocks of `side` cells a side, threads that serve boxes of x y z of their cells, in a layout; or, `shares`, their
/// shares of rows by whole sectors of 32 bytes (CellShares).
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

  /// Of the box of a thread, its first cell's place in the block.
  WARPLOOM_HD static constexpr Index3 first(unsigned thread) {
    return {thread % threads.x * x, thread / threads.x % threads.y * y, thread / (threads.x * threads.y) * z};
  }
};

/// What `Boxes` are made from.
template <class Shape, class Value>
struct CoarseArguments {
  SimplexDomain<Shape::dimensions> domain;
  typename Shape::Layout layout;
  const Value* in = nullptr;
  Value* out = nullptr;
  Rule rule;
  const Point<Shape::dimensions>* points = nullptr;
  SumSlots sum;  ///< of what the work counts
};

/// The data block that a block serves.
struct BlockView {
  Index3 block;
  Cell origin;
  std::uint64_t address = 0;  ///< where its cells begin, of layouts by blocks; of works that sum a block its number
  bool whole = false;         ///< all its cells lie inside
};

/// A work by such a shape under a map, as one kernel. Launched with rows of Shape::lanes threads, in gangs.
template <class Map, class Work, class ShapeOf>
struct CoarseProgram {
  using Shape = ShapeOf;
  using Boxes = typename Work::template Boxes<Shape>;
  static constexpr bool gangs = true, rows_of_warps = true;
  static constexpr unsigned exact_threads = Shape::lanes;
  static constexpr unsigned most_threads = [] {
    if constexpr (requires { Boxes::most_threads; })
      return Boxes::most_threads;
    else
      return max_block_threads;
  }();
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
      const auto found = [&] {
        Found own;
        own.carried = carried;
        own.serves = map.block_of_turn(launch, group.block(), turn, own.carried, own.view.block);
        if (!own.serves) return own;
        BlockView& view = own.view;
        view.origin = {view.block.x * Shape::rho, view.block.y * Shape::rho, view.block.z * Shape::rho};
        view.whole = map.domain.whole_box(view.origin, Shape::rho, map.domain.n, map.domain.corner);
        if constexpr (Work::info.per_block)
          view.address = map.domain.index(view.block);
        else if constexpr (Shape::Layout::by_blocks)
          view.address = layout.number(view.block) * Shape::cells;
        return own;
      };
      Found own;
      // A root is worth sharing between many warps; of few each finds it without waiting for another.
      if constexpr (shares_root)
        own = group.same(found, turn > 0);
      else
        own = found();
      carried = own.carried;
      if (!own.serves) continue;
      if constexpr (SharesMemory<Boxes, Group>)
        boxes.block(group, shared, own.view);
      else
        boxes.block(group, own.view);
    }
  }

 private:
  struct Found {
    BlockView view;
    Index3 carried;
    bool serves = false;
  };
};

/// Whether a work lists shapes.
template <class Work, int Dimensions>
concept ListsShapes = requires {
  typename Work::template Shapes<Dimensions>;
};

}  // namespace warploom
