#pragma once
#include <cmath>

#include "gpu/pictures/picture_request.h"
#include "gpu/pictures/pixel_tiles.h"

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

/// A block of a launch, for its picture.
struct GridBlock {
  bool launched = false;     ///< false: the place lies between launches
  bool mismapped = false;    ///< an inexact map sent it elsewhere
  std::uint32_t useful = 0;  ///< threads that serve a cell
  std::uint64_t visit = 0;   ///< its number in launch order
  std::uint32_t x = 0;       ///< its place along x in its launch, where blocks are launched in gangs
};

/// The launch grid for the screen, in units of threads: a block filled in the track's colour, or by its place in launch
/// order, as far as its threads are useful, waste hatched; from 25 square pixels a thread on, every thread. Blocks that
/// are launched as one hang together. Launched with PlaneTiles.
template <class Board>
struct GridPicture {
  Board board;  ///< blocks(), threads(), GridBlock block(at), and of a thread useful(at, thread): whether it serves a
                ///< cell, or of its cells the share that there is
  Camera camera;
  PixelTarget target;
  Palette palette;
  SoFar so_far;
  ColourBy by = ColourBy::state;
  std::uint64_t visits = 1;  ///< in all

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    PlaneTiles::each_pixel(group, target, [&](int x, int y) { return pixel(x, y); });
  }

 private:
  /// Blocks that are launched as one, along x; boards may not know any.
  WARPLOOM_HD std::uint32_t gang() const {
    if constexpr (requires { board.gang(); })
      return board.gang();
    else
      return 1;
  }
  WARPLOOM_HD Rgba colour(double visit) const {
    return by == ColourBy::launch_order ? palette.at(static_cast<float>(visit / static_cast<double>(visits)))
                                        : palette.track;
  }
  static constexpr Rgba red = rgba(229, 72, 77);
  WARPLOOM_HD Rgba hatched(int x, int y) const { return (x + y) % 6 < 2 ? palette.hatch : palette.waste; }

  WARPLOOM_HD Rgba pixel(int px, int py) const {
    const double scale_x = camera.cells_per_pixel_x, scale_y = camera.cells_per_pixel_y;
    const double x = camera.x + (px + .5 - .5 * target.width) * scale_x,
                 y = camera.y + (py + .5 - .5 * target.height) * scale_y;
    const Index3 b = board.threads(), all = board.blocks();
    if (x < 0 || y < 0 || x >= double(b.x) * all.x || y >= double(b.y) * all.y) return palette.ground;
    const auto tx = static_cast<std::uint64_t>(x), ty = static_cast<std::uint64_t>(y);
    const Index3 block{static_cast<std::uint32_t>(tx / b.x), static_cast<std::uint32_t>(ty / b.y), 0};
    const Index3 at{static_cast<std::uint32_t>(tx % b.x), static_cast<std::uint32_t>(ty % b.y), 0};
    const double pixels_x = 1 / scale_x, pixels_y = 1 / scale_y;  // a thread, in pixels

    // ---- several blocks per pixel: their mean
    // ------------------------------------------------------------------------
    const double blocks_x = scale_x / b.x, blocks_y = scale_y / b.y;
    if (blocks_x > 1 || blocks_y > 1) return mean(x, y, blocks_x, blocks_y, hatched(px, py));

    const GridBlock own = board.block(block);
    if (!own.launched) return palette.ground;

    // ---- a one-pixel gap between blocks from 4 pixels on, between threads from 5 ------------------------------------
    const double in_block_x = (x - double(block.x) * b.x) * pixels_x,
                 in_block_y = (y - double(block.y) * b.y) * pixels_y;
    const bool beside = b.x * pixels_x >= 4 && in_block_x < 1, above = b.y * pixels_y >= 4 && in_block_y < 1;
    if (above || (beside && (gang() == 1 || own.x % gang() == 0))) return palette.ground;
    // By area: grids of all tracks at one scale show their threads together, however flat one of them is drawn.
    const bool begun = so_far.begun(own.visit, volume(b));
    if (pixels_x * pixels_y >= 25) {
      const double in_x = (x - static_cast<double>(tx)) * pixels_x, in_y = (y - static_cast<double>(ty)) * pixels_y;
      // Filled from below as far as its cells are useful, and a pixel at least; most threads have one.
      const auto useful = static_cast<double>(board.useful(block, at));
      const bool filled = useful > 0 && (useful >= 1 || in_y >= (pixels_y - 1) * (1 - useful));
      const Rgba whole = own.mismapped ? red : filled ? this->colour(static_cast<double>(own.visit)) : hatched(px, py);
      const bool reached = begun && so_far.reached(own.visit, linear_index(at, b), volume(b));
      const Rgba colour = beside    ? mix(whole, palette.ground, .75f)
                          : reached ? whole
                                    : SoFar::dimmed(whole, palette.ground);
      return (in_x < 1 && pixels_x >= 4) || (in_y < 1 && pixels_y >= 4) ? mix(colour, palette.ground, .6f) : colour;
    }
    const Rgba colour = of_block(own, 1 - in_block_y / (b.y * pixels_y), b.y * pixels_y, hatched(px, py));
    if (beside) return mix(colour, palette.ground, .75f);
    if (begins_warp(b, at, x - scale_x, y - scale_y, pixels_x, pixels_y)) return mix(colour, palette.ground, .5f);
    return begun ? colour : SoFar::dimmed(colour, palette.ground);
  }

  /// Whether a pixel of thread `at` is the first of its warp, from the left or from above; `left`, `above`: one pixel
  /// further. Of boards that show warps, where those are large enough.
  WARPLOOM_HD bool begins_warp(Index3 b, Index3 at, double left, double above, double pixels_x, double pixels_y) const {
    if constexpr (!requires { Board::shows_warps; })
      return false;
    else {
      const double across = b.x < warp_size ? b.x : warp_size, down = b.x < warp_size ? warp_size / b.x : 1;
      if (across * pixels_x < 3 || down * pixels_y < 3) return false;
      const auto warp = [&](std::uint32_t x, std::uint32_t y) { return (y * b.x + x) / warp_size; };
      const std::uint32_t own = warp(at.x, at.y);
      const auto before_x = static_cast<std::uint32_t>(static_cast<std::uint64_t>(left > 0 ? left : 0) % b.x),
                 before_y = static_cast<std::uint32_t>(static_cast<std::uint64_t>(above > 0 ? above : 0) % b.y);
      return (before_x < at.x && warp(before_x, at.y) != own) || (before_y < at.y && warp(at.x, before_y) != own);
    }
  }

  /// Filled from below as far as its threads are useful; smaller than four pixels it has no inside. `height`: of the
  /// pixel in the block, 0..1.
  WARPLOOM_HD Rgba of_block(const GridBlock& own, double height, double pixels, Rgba waste) const {
    if (own.mismapped) return red;
    const double share = static_cast<double>(own.useful) / static_cast<double>(volume(board.threads()));
    const Rgba useful = colour(static_cast<double>(own.visit));
    if (pixels < 4) return own.useful ? mix(palette.waste, useful, sqrtf(static_cast<float>(share))) : waste;
    return height < share ? useful : waste;
  }

  WARPLOOM_HD Rgba mean(double x, double y, double blocks_x, double blocks_y, Rgba waste) const {
    const Index3 b = board.threads(), all = board.blocks();
    const int most = 8, nx = blocks_x < most ? static_cast<int>(ceil(blocks_x)) : most,
              ny = blocks_y < most ? static_cast<int>(ceil(blocks_y)) : most;
    const double left = x / b.x - blocks_x / 2, top = y / b.y - blocks_y / 2;
    std::uint64_t useful = 0, seen = 0, begun = 0;
    double order = 0;  // of the useful threads' blocks, summed
    bool mismapped = false;
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        const double at_x = left + (i + .5) * blocks_x / nx, at_y = top + (j + .5) * blocks_y / ny;
        if (at_x < 0 || at_y < 0 || at_x >= all.x || at_y >= all.y) continue;
        const GridBlock own = board.block({static_cast<std::uint32_t>(at_x), static_cast<std::uint32_t>(at_y), 0});
        useful += own.useful;
        order += static_cast<double>(own.visit) * own.useful;
        mismapped = mismapped || own.mismapped;
        if (!own.launched) continue;
        seen += volume(b);
        if (so_far.begun(own.visit, volume(b))) begun += volume(b);
      }
    if (seen == 0) return mismapped ? red : palette.ground;
    const float share = sqrtf(static_cast<float>(useful) / static_cast<float>(seen));
    const Rgba colour = mismapped ? red
                        : useful  ? mix(palette.waste, this->colour(order / static_cast<double>(useful)), share)
                                  : waste;
    if (begun == seen) return colour;
    return mix(SoFar::dimmed(colour, palette.ground), colour, static_cast<float>(begun) / static_cast<float>(seen));
  }
};

}  // namespace warploom
