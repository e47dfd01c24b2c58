#pragma once
#include <cmath>

#include "gpu/core/group.h"
#include "gpu/maps/fractal/domain.h"
#include "gpu/ops/picture.h"

namespace warploom {

/// Cells from `first` up to, not including, `last` whose middles lie in a pixel; never empty: a pixel smaller than a
/// cell takes the cell it lies in.
struct CellRange {
  std::int64_t first, last;
  WARPLOOM_HD CellRange(double middle, double cells_per_pixel, double at) {
    const double low = middle + at * cells_per_pixel, high = low + cells_per_pixel;
    first = static_cast<std::int64_t>(ceil(low - .5));
    last = static_cast<std::int64_t>(ceil(high - .5));
    if (last <= first) {
      first = static_cast<std::int64_t>(floor(low + .5 * cells_per_pixel));
      last = first + 1;
    }
  }
};

/// The data space for the screen: for each pixel the mean over the *member* cells under it, and the fourth root of
/// their share of the pixel as opacity. Walks the fractal's tree and skips empty boxes, so that a pixel over a million
/// places costs its members; `leaf` > 0 takes one cell for a whole box of that level (sampling).
template <class Storage, class Value>
struct FractalPicture {
  static constexpr std::uint32_t tile_x = 16, tile_y = 8;
  FractalDomain domain;
  Storage state;
  Value value;  ///< float operator()(Cell, std::uint8_t state): what to colour by, 0..1; float contrast(float mean)
  Camera camera;
  PixelTarget target;
  Palette palette;
  int leaf = 0;

  static LaunchShape shape(const PixelTarget& target) {
    return {{(static_cast<std::uint32_t>(target.width) + tile_x - 1) / tile_x,
             (static_cast<std::uint32_t>(target.height) + tile_y - 1) / tile_y, 1},
            {tile_x, tile_y, 1}};
  }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const Index3 tile = group.block();
    // ---- the deepest box that holds the whole tile: the same in every lane --------------------------------------
    const std::int64_t left = tile.x * tile_x, top = tile.y * tile_y;
    const CellRange x0 = columns(left), x1 = columns(left + tile_x - 1), y0 = rows(top), y1 = rows(top + tile_y - 1);
    Node node;
    node.level = domain.level;
    const bool empty = x1.last <= 0 || y1.last <= 0 || x0.first >= domain.extent.x || y0.first >= domain.extent.y ||
                       !descend(x0.first, x1.last, y0.first, y1.last, node);
    // ---- each lane: its pixel -------------------------------------------------------------------------------------
    group.each([&](const Thread& lane) {
      const auto x = static_cast<int>(left + lane.at.x), y = static_cast<int>(top + lane.at.y);
      if (x >= target.width || y >= target.height) return;
      target.set(x, y, empty ? palette.ground : pixel(columns(x), rows(y), node));
    });
  }

 private:
  struct Node {
    std::uint32_t x = 0, y = 0;
    int level = 0;
  };

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
      if (domain.copy_at[by * domain.side_x + bx] == FractalDomain::outside) return false;
      node.x += bx * size_x.divisor;
      node.y += by * size_y.divisor;
      --node.level;
    }
    return true;
  }

  WARPLOOM_HD Rgba pixel(const CellRange& x, const CellRange& y, Node node) const {
    if (x.last - x.first == 1 && y.last - y.first == 1) {
      if (x.first < 0 || y.first < 0 || x.first >= domain.extent.x || y.first >= domain.extent.y) return palette.ground;
      const Cell cell{static_cast<std::uint32_t>(x.first), static_cast<std::uint32_t>(y.first), 0};
      return domain.member(cell.x, cell.y, domain.level) ? palette.at(value(cell, state.load(cell))) : palette.ground;
    }
    // Depth-first through the copies of each box; `next` is the copy to try at each level.
    std::uint8_t next[FractalDomain::most_levels + 1];
    const int top = node.level;
    next[top] = 0;
    double sum = 0;  // a float stops counting at 2^24 cells
    std::uint32_t taken = 0;
    if (top <= leaf) take(node, x, y, sum, taken);
    while (top > leaf) {
      if (next[node.level] == domain.copies) {  // done here: back to the box above
        if (node.level == top) break;
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
      const Node child{static_cast<std::uint32_t>(at_x), static_cast<std::uint32_t>(at_y), node.level - 1};
      if (child.level <= leaf) {
        take(child, x, y, sum, taken);
        ++next[node.level];
      } else {
        node = child;
        next[node.level] = 0;
      }
    }
    if (taken == 0) return palette.ground;
    const auto box_x = static_cast<float>(domain.power_x[leaf].divisor),
               box_y = static_cast<float>(domain.power_y[leaf].divisor);
    const float places = static_cast<float>(x.last - x.first) / box_x * (static_cast<float>(y.last - y.first) / box_y);
    float share = static_cast<float>(taken) / places;
    for (int i = 0; i < leaf; ++i)
      share *= static_cast<float>(domain.copies) / static_cast<float>(domain.side_x * domain.side_y);
    // Roots of both: a gasket of 65536 covers a hundredth of its box, and must still be seen.
    share = sqrtf(sqrtf(share < 1 ? share : 1));
    return mix(palette.ground, palette.at(value.contrast(static_cast<float>(sum / taken))), share);
  }

  /// A box counts where its middle is; the cell that stands for it is its first member.
  WARPLOOM_HD void take(const Node& node, const CellRange& x, const CellRange& y, double& sum,
                        std::uint32_t& taken) const {
    const std::int64_t middle_x = node.x + domain.power_x[leaf].divisor / 2,
                       middle_y = node.y + domain.power_y[leaf].divisor / 2;
    if (middle_x < x.first || middle_x >= x.last || middle_y < y.first || middle_y >= y.last) return;
    Cell cell{node.x, node.y, 0};
    for (int i = 0; i < node.level; ++i) {  // stratified: another member of each box, by the box's own hash
      const Index2 tau = domain.box((node.x / domain.power_x[node.level].divisor * 7 +
                                     node.y / domain.power_y[node.level].divisor * 3 + static_cast<std::uint32_t>(i)) %
                                    domain.copies);
      cell.x += tau.x * domain.power_x[i].divisor;
      cell.y += tau.y * domain.power_y[i].divisor;
    }
    sum += value(cell, state.load(cell));
    ++taken;
  }
};

/// The launch grid for the screen, in units of threads: a block in the lane's colour as far as its lanes are useful,
/// waste hatched; from 5 pixels a thread on, every thread.
template <class Map>
struct LaunchPicture {
  Map map;
  LaunchShape shape;
  int launch = 0;
  const std::uint16_t* useful_in_block = nullptr;  ///< of this launch
  Camera camera;
  PixelTarget target;
  Palette palette;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    group.each([&](const Thread& lane) {
      const auto x = static_cast<int>(group.block().x * 16 + lane.at.x),
                 y = static_cast<int>(group.block().y * 8 + lane.at.y);
      if (x < target.width && y < target.height) target.set(x, y, pixel(x, y));
    });
  }

 private:
  WARPLOOM_HD Rgba hatched(int x, int y) const { return (x + y) % 6 < 2 ? palette.hatch : palette.waste; }

  WARPLOOM_HD Rgba pixel(int px, int py) const {
    const double scale_x = camera.cells_per_pixel_x, scale_y = camera.cells_per_pixel_y;
    const double x = camera.x + (px + .5 - .5 * target.width) * scale_x,
                 y = camera.y + (py + .5 - .5 * target.height) * scale_y;
    const Index3& b = shape.threads;
    if (x < 0 || y < 0 || x >= double(b.x) * shape.blocks.x || y >= double(b.y) * shape.blocks.y) return palette.ground;
    const auto tx = static_cast<std::uint64_t>(x), ty = static_cast<std::uint64_t>(y);
    const Index3 block{static_cast<std::uint32_t>(tx / b.x), static_cast<std::uint32_t>(ty / b.y), 0};
    const Index3 at{static_cast<std::uint32_t>(tx % b.x), static_cast<std::uint32_t>(ty % b.y), 0};
    const double pixels_x = 1 / scale_x, pixels_y = 1 / scale_y;  // a thread, in pixels

    // ---- several blocks a pixel: their mean ------------------------------------------------------------------------
    const double blocks_x = scale_x / b.x, blocks_y = scale_y / b.y;
    if (blocks_x > 1 || blocks_y > 1) return mean(x, y, blocks_x, blocks_y, hatched(px, py));

    // ---- a one-pixel gap between blocks from 4 pixels on, between threads from 5 ------------------------------------
    const double in_block_x = (x - double(block.x) * b.x) * pixels_x,
                 in_block_y = (y - double(block.y) * b.y) * pixels_y;
    if ((b.x * pixels_x >= 4 && in_block_x < 1) || (b.y * pixels_y >= 4 && in_block_y < 1)) return palette.ground;
    const bool threads = pixels_x >= 5 && pixels_y >= 5;
    if (threads) {
      const double in_x = (x - static_cast<double>(tx)) * pixels_x, in_y = (y - static_cast<double>(ty)) * pixels_y;
      SoloGroup solo;
      Cell origin, cell;
      const bool useful = map.block(solo, launch, block, 0, origin) && map.thread(origin, at, cell);
      const Rgba colour = useful ? palette.lane : hatched(px, py);
      return in_x < 1 || in_y < 1 ? mix(colour, palette.ground, .6f) : colour;
    }
    const std::uint32_t useful = useful_in_block[std::uint64_t{block.y} * shape.blocks.x + block.x];
    if (useful == 0) return hatched(px, py);
    const float share = static_cast<float>(useful) / static_cast<float>(volume(b));
    return mix(palette.waste, palette.lane, .35f + .65f * share);
  }

  WARPLOOM_HD Rgba mean(double x, double y, double blocks_x, double blocks_y, Rgba waste) const {
    const Index3& b = shape.threads;
    const int most = 8, nx = blocks_x < most ? static_cast<int>(ceil(blocks_x)) : most,
              ny = blocks_y < most ? static_cast<int>(ceil(blocks_y)) : most;
    const double left = x / b.x - blocks_x / 2, top = y / b.y - blocks_y / 2;
    std::uint64_t useful = 0, seen = 0;
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        const double at_x = left + (i + .5) * blocks_x / nx, at_y = top + (j + .5) * blocks_y / ny;
        if (at_x < 0 || at_y < 0 || at_x >= shape.blocks.x || at_y >= shape.blocks.y) continue;
        useful += useful_in_block[static_cast<std::uint64_t>(at_y) * shape.blocks.x + static_cast<std::uint64_t>(at_x)];
        seen += volume(b);
      }
    if (seen == 0) return palette.ground;
    return useful ? mix(palette.waste, palette.lane, sqrtf(static_cast<float>(useful) / static_cast<float>(seen)))
                  : waste;
  }
};

}  // namespace warploom
