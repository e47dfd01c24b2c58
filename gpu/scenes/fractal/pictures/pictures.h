#pragma once
#include <algorithm>

#include "gpu/core/group.h"
#include "gpu/pictures/grid_layout.h"
#include "gpu/pictures/grid_picture.h"
#include "gpu/pictures/picture_request.h"
#include "gpu/pictures/wrong_cells.h"
#include "gpu/scenes/fractal/maps/domain.h"

namespace warploom {

/// What the data space shows of a cell, 0..1.
struct StateValue {
  WARPLOOM_HD float operator()(Cell, std::uint8_t state) const { return state; }
  WARPLOOM_HD bool reached(Cell) const { return true; }
  /// Few live cells among many must not look like none.
  WARPLOOM_HD float contrast(float mean) const { return sqrtf(mean); }
};

/// Who serves a cell: the number of its block's visit in launch order, and of its thread in the block.
struct Served {
  std::uint64_t visit = 0, thread = 0;
};

/// What a launch grid has to say of a cell: its state, when in launch order it is served, or by which warp of a block;
/// and whether that one was launched so far. One kernel for all of them. `Board` is what GridPicture shows, and has
///   visits()                  of all its blocks
///   bool serves(cell, who)    false: no thread does
template <class Board>
struct OwnerValue {
  Board board;
  ColourBy by = ColourBy::launch_order;
  SoFar so_far;

  WARPLOOM_HD float contrast(float mean) const { return by == ColourBy::state ? sqrtf(mean) : mean; }
  WARPLOOM_HD float operator()(Cell cell, std::uint8_t state) const {
    if (by == ColourBy::state) return state;
    Served who;
    if (!board.serves(cell, who)) return 0;
    if (by == ColourBy::launch_order)
      return static_cast<float>(static_cast<double>(who.visit) / static_cast<double>(board.visits()));
    const std::uint64_t warp = who.thread / warp_size;
    return (static_cast<float>(warp) + .5f) / static_cast<float>(SoFar::warps_of(volume(board.threads())));
  }
  WARPLOOM_HD bool reached(Cell cell) const {
    Served who;
    return so_far.all() || !board.serves(cell, who) || so_far.reached(who.visit, who.thread, volume(board.threads()));
  }
};

/// Whether a value knows of cells that its map fails: Wrong wrong(Cell).
template <class Value>
concept MarksCells = requires(const Value& value) {
  value.wrong(Cell{});
};

/// No box is known but by its cells.
struct NoBoxCounts {
  static constexpr int lowest = FractalDomain::most_levels + 1, highest = 0;
  WARPLOOM_HD static std::uint32_t at(int, std::uint32_t) { return 0; }
};

/// The data space for the screen: for each pixel the mean over the *member* cells under it, and the fourth root of
/// their share of the pixel as opacity. Walks the fractal's tree and skips empty boxes, so that a pixel over a million
/// places costs its members; `leaf` > 0 takes one cell for a whole box of that level (sampling), or all its cells where
/// boxes of that level are counted. `Boxes`: how many cells live in boxes of some levels (box_counter.h), where the
/// value is the state. Launched with PlaneTiles.
template <class Storage, class Value, class Boxes = NoBoxCounts>
struct FractalPicture {
  FractalDomain domain;
  Storage state;
  /// float operator()(Cell, std::uint8_t state): what to colour by, 0..1; float contrast(float mean); bool
  /// reached(Cell): its thread was launched so far
  Value value;
  Camera camera;
  PixelTarget target;
  Palette palette;
  int leaf = 0;
  Boxes boxes = {};

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const Index3 corner = PlaneTiles::corner(group);
    // ---- the deepest box that holds the whole tile: the same in every thread --------------------------------------
    const CellRange x0 = columns(corner.x), x1 = columns(corner.x + PlaneTiles::width - 1), y0 = rows(corner.y),
                    y1 = rows(corner.y + PlaneTiles::height - 1);
    Node node;
    node.level = domain.level;
    const bool empty = x1.last <= 0 || y1.last <= 0 || x0.first >= domain.extent.x || y0.first >= domain.extent.y ||
                       !descend(x0.first, x1.last, y0.first, y1.last, node);
    // ---- each thread: its pixel -------------------------------------------------------------------------------------
    PlaneTiles::each_pixel(group, target, [&](int x, int y) { return empty ? palette.ground : pixel(x, y, node); });
  }

 private:
  struct Node {
    std::uint32_t x = 0, y = 0;
    int level = 0;
    std::uint32_t number = 0;  ///< its digits, down to the lowest level that boxes are counted of
  };
  struct Taken {
    std::uint64_t cells = 0, reached = 0;
    Wrong worst = Wrong::none;
  };
  /// Whether a node of this level has a number.
  WARPLOOM_HD bool numbered(int level) const { return level >= boxes.lowest; }

  WARPLOOM_HD CellRange columns(std::int64_t x) const {
    return CellRange(camera.x, camera.cells_per_pixel_x, static_cast<double>(x) - .5 * target.width);
  }
  WARPLOOM_HD CellRange rows(std::int64_t y) const {
    return CellRange(camera.y, camera.cells_per_pixel_y, static_cast<double>(y) - .5 * target.height);
  }

  /// Goes down while one box holds the range; false when that box is empty.
  WARPLOOM_HD bool descend(std::int64_t x0, std::int64_t x1, std::int64_t y0, std::int64_t y1, Node& node) const {
    if (x0 < 0 || y0 < 0 || x1 > domain.extent.x || y1 > domain.extent.y) return true;
    while (node.level > leaf) {
      const Divider &size_x = domain.power_x[node.level - 1], &size_y = domain.power_y[node.level - 1];
      const std::uint32_t bx = size_x.quotient(static_cast<std::uint32_t>(x0) - node.x),
                          by = size_y.quotient(static_cast<std::uint32_t>(y0) - node.y);
      if (static_cast<std::uint32_t>(x1 - 1) - node.x >= (bx + 1) * size_x.divisor ||
          static_cast<std::uint32_t>(y1 - 1) - node.y >= (by + 1) * size_y.divisor)
        return true;
      const std::uint32_t copy = domain.copy_at[by * domain.side_x + bx];
      if (copy == FractalDomain::outside) return false;
      if (numbered(node.level - 1)) node.number = node.number * domain.copies + copy;
      node.x += bx * size_x.divisor;
      node.y += by * size_y.divisor;
      --node.level;
    }
    return true;
  }

  /// A wrong cell at a pixel of the screen.
  WARPLOOM_HD Rgba marked(Wrong wrong, int px, int py) const {
    const double most =
        camera.cells_per_pixel_x > camera.cells_per_pixel_y ? camera.cells_per_pixel_x : camera.cells_per_pixel_y;
    return WrongCells::colour(wrong, palette.ground, px, py, 1 / most);
  }

  WARPLOOM_HD Rgba pixel(int px, int py, Node node) const {
    const CellRange x = columns(px), y = rows(py);
    if (x.last - x.first == 1 && y.last - y.first == 1) {
      if (x.first < 0 || y.first < 0 || x.first >= domain.extent.x || y.first >= domain.extent.y) return palette.ground;
      const Cell cell{static_cast<std::uint32_t>(x.first), static_cast<std::uint32_t>(y.first), 0};
      if (!domain.member(cell.x, cell.y, domain.level)) return palette.ground;
      if constexpr (MarksCells<Value>)
        if (const Wrong wrong = value.wrong(cell); wrong != Wrong::none) return marked(wrong, px, py);
      const Rgba colour = palette.at(value(cell, state.load(cell)));
      return value.reached(cell) ? colour : SoFar::dimmed(colour, palette.ground);
    }
    // Depth-first through the copies of each box; `next` is the copy to try at each level.
    std::uint8_t next[FractalDomain::most_levels + 1];
    const int top = node.level;
    next[top] = 0;
    double sum = 0;  // a float stops counting at 2^24 cells
    Taken taken;
    if (top <= leaf) take(node, x, y, sum, taken);
    while (top > leaf) {
      if (next[node.level] == domain.copies) {  // done here: back to the box above
        if (node.level == top) break;
        if (numbered(node.level)) node.number = domain.power_k[1].quotient(node.number);
        ++node.level;
        const Index2 tau = domain.box(next[node.level]++);
        node.x -= tau.x * domain.power_x[node.level - 1].divisor;
        node.y -= tau.y * domain.power_y[node.level - 1].divisor;
        continue;
      }
      const Index2 tau = domain.box(next[node.level]);
      const std::uint32_t size_x = domain.power_x[node.level - 1].divisor,
                          size_y = domain.power_y[node.level - 1].divisor;
      const std::int64_t at_x = node.x + std::int64_t{tau.x} * size_x, at_y = node.y + std::int64_t{tau.y} * size_y;
      if (at_x >= x.last || at_y >= y.last || at_x + size_x <= x.first || at_y + size_y <= y.first) {
        ++next[node.level];
        continue;
      }
      Node child{static_cast<std::uint32_t>(at_x), static_cast<std::uint32_t>(at_y), node.level - 1, node.number};
      if (numbered(child.level)) child.number = node.number * domain.copies + next[node.level];
      if (counted(child.level) && at_x >= x.first && at_y >= y.first && at_x + size_x <= x.last &&
          at_y + size_y <= y.last) {
        count(child, sum, taken);
        ++next[node.level];
      } else if (child.level <= leaf) {
        take(child, x, y, sum, taken);
        ++next[node.level];
      } else {
        node = child;
        next[node.level] = 0;
      }
    }
    if (taken.cells == 0) return palette.ground;
    if (taken.worst != Wrong::none) return marked(taken.worst, px, py);
    // What was taken are cells, or one for each box.
    const int unit = counted(leaf) ? 0 : leaf;
    const auto box_x = static_cast<float>(domain.power_x[unit].divisor),
               box_y = static_cast<float>(domain.power_y[unit].divisor);
    const float places = static_cast<float>(x.last - x.first) / box_x * (static_cast<float>(y.last - y.first) / box_y);
    float share = static_cast<float>(taken.cells) / places;
    for (int i = 0; i < unit; ++i)
      share *= static_cast<float>(domain.copies) / static_cast<float>(domain.side_x * domain.side_y);
    // Roots of both: a gasket of 65536 covers a hundredth of its box, and must still be seen.
    share = sqrtf(sqrtf(share < 1 ? share : 1));
    const Rgba colour = mix(
        palette.ground, palette.at(value.contrast(static_cast<float>(sum / static_cast<double>(taken.cells)))), share);
    if (taken.reached == taken.cells) return colour;
    return mix(SoFar::dimmed(colour, palette.ground), colour,
               static_cast<float>(taken.reached) / static_cast<float>(taken.cells));
  }

  WARPLOOM_HD bool counted(int level) const { return level >= boxes.lowest && level <= boxes.highest; }
  /// A box that lies under the pixel as a whole.
  WARPLOOM_HD void count(const Node& node, double& sum, Taken& taken) const {
    std::uint64_t cells = 1;
    for (int i = 0; i < node.level; ++i) cells *= domain.copies;
    sum += boxes.at(node.level, node.number);
    taken.cells += cells;
    taken.reached += cells;
  }

  /// A box counts where its middle is: as a whole, or by a cell that stands for it.
  WARPLOOM_HD void take(const Node& node, const CellRange& x, const CellRange& y, double& sum, Taken& taken) const {
    const std::int64_t middle_x = node.x + domain.power_x[leaf].divisor / 2,
                       middle_y = node.y + domain.power_y[leaf].divisor / 2;
    if (middle_x < x.first || middle_x >= x.last || middle_y < y.first || middle_y >= y.last) return;
    if (counted(node.level)) return count(node, sum, taken);
    Cell cell{node.x, node.y, 0};
    for (int i = 0; i < node.level; ++i) {  // stratified: another member of each box, by the box's own hash
      const Index2 tau = domain.box((node.x / domain.power_x[node.level].divisor * 7 +
                                     node.y / domain.power_y[node.level].divisor * 3 + static_cast<std::uint32_t>(i)) %
                                    domain.copies);
      cell.x += tau.x * domain.power_x[i].divisor;
      cell.y += tau.y * domain.power_y[i].divisor;
    }
    if constexpr (MarksCells<Value>)
      if (const Wrong wrong = value.wrong(cell); wrong > taken.worst) taken.worst = wrong;
    sum += value(cell, state.load(cell));
    ++taken.cells;
    taken.reached += value.reached(cell);
  }
};

/// Sampling: the level of the largest boxes of which a pixel still holds the wanted number along its side.
inline int sampled_level(const FractalDomain& domain, const PictureRequest& request) {
  int leaf = 0;
  const double wide = std::max(request.camera.cells_per_pixel_x, request.camera.cells_per_pixel_y);
  while (request.samples_per_side > 0 && leaf < domain.level &&
         domain.power_x[leaf + 1].divisor * double(request.samples_per_side) <= wide)
    ++leaf;
  return leaf;
}

/// The domain's blocks of s^digits cells per side, row by row, empty ones among them.
struct FractalBlocks {
  FractalDomain domain;
  int digits = 0;

  WARPLOOM_HD Index3 side() const { return {domain.power_x[digits].divisor, domain.power_y[digits].divisor, 1}; }
  std::uint64_t count() const { return std::uint64_t{across()} * (domain.extent.y / side().y); }
  WARPLOOM_HD std::uint32_t across() const { return domain.extent.x / side().x; }
  WARPLOOM_HD Cell first_cell(std::uint32_t number) const {
    return {number % across() * side().x, number / across() * side().y, 0};
  }
  WARPLOOM_HD std::uint32_t number(Cell first) const { return first.y / side().y * across() + first.x / side().x; }
  WARPLOOM_HD bool member(Cell cell) const { return domain.contains(cell); }
};

/// Which block of the domain each visit of a map serves: 1 + its number, or 0. Launched with row_shape(visits).
template <class Map>
struct FindServed {
  Map map;
  GridLayout board;
  FractalBlocks blocks;
  std::uint32_t* served;  ///< [board.visits]

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, board.visits, [&](std::uint64_t visit) {
      SoloGroup solo;
      Cell first;
      const Owner who = board.visit(visit);
      served[visit] = map.block(solo, who.launch, who.block, who.turn, first) ? blocks.number(first) + 1 : 0;
    });
  }
};

/// A launch grid of one launch, for its picture.
template <class Map>
struct FractalGrid {
  Map map;
  LaunchShape shape;
  const std::uint16_t* useful_in_block = nullptr;

  WARPLOOM_HD Index3 blocks() const { return shape.blocks; }
  WARPLOOM_HD Index3 threads() const { return shape.threads; }
  WARPLOOM_HD std::uint64_t visits() const { return volume(shape.blocks); }
  WARPLOOM_HD GridBlock block(Index3 at) const {
    const std::uint64_t number = std::uint64_t{at.y} * shape.blocks.x + at.x;
    return {true, false, useful_in_block[number], number};
  }
  WARPLOOM_HD bool useful(Index3 at, Index3 thread) const {
    SoloGroup solo;
    Cell origin, cell;
    return map.block(solo, 0, at, 0, origin) && map.thread(origin, thread, cell);
  }
  WARPLOOM_HD bool serves(Cell cell, Served& by) const {
    Owner who;
    if (!map.owner(cell, who)) return false;
    by = {linear_index(who.block, shape.blocks), linear_index(who.thread, shape.threads)};
    return true;
  }
};

}  // namespace warploom
