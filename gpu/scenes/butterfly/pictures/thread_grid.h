#pragma once
#include "gpu/core/bits.h"
#include "gpu/pictures/grid_picture.h"
#include "gpu/scenes/butterfly/pictures/pixels_of.h"

namespace warploom {

/// The blocks of a launch of butterflies, folded into rows: each row of threads of a block has a problem, or each
/// thread has one, or a part of one.
struct ThreadGrid {
  Index3 grid, size;          ///< as shown, in blocks; of a block, in threads
  std::uint64_t count = 0;    ///< blocks
  std::uint64_t working = 0;  ///< the first so many rows of threads, or threads, work
  bool by_rows = false;
  /// Of the last block the threads that work, a bit each, where they are not its first ones.
  bool has_last = false;
  std::uint32_t last[32] = {};
  static constexpr bool shows_warps = true;

  WARPLOOM_HD Index3 blocks() const { return grid; }
  WARPLOOM_HD Index3 threads() const { return size; }
  WARPLOOM_HD std::uint64_t number(Index3 at) const { return std::uint64_t{at.y} * grid.x + at.x; }
  WARPLOOM_HD bool useful(Index3 at, Index3 thread) const {
    const std::uint64_t before = number(at);
    if (has_last) {
      const std::uint32_t index = thread.y * size.x + thread.x;
      return before + 1 < count || (before + 1 == count && last[index / 32] >> index % 32 & 1);
    }
    return by_rows ? before * size.y + thread.y < working
                   : before * size.x * size.y + std::uint64_t{thread.y} * size.x + thread.x < working;
  }
  WARPLOOM_HD GridBlock block(Index3 at) const {
    GridBlock own;
    own.visit = number(at);
    own.launched = own.visit < count;
    if (!own.launched) return own;
    if (has_last) {
      own.useful = size.x * size.y;
      if (own.visit + 1 < count) return own;
      own.useful = 0;
      for (const std::uint32_t word : last) own.useful += bit_count(word);
      return own;
    }
    const std::uint64_t each = by_rows ? size.y : std::uint64_t{size.x} * size.y, before = own.visit * each,
                        there = working > before ? (working - before < each ? working - before : each) : 0;
    own.useful = static_cast<std::uint32_t>(by_rows ? there * size.x : there);
    return own;
  }
};

/// How the 2^p registers of a thread are laid out.
struct RegisterLayout {
  int across, down;
  WARPLOOM_HD explicit RegisterLayout(int p) : across(1 << (p + 1) / 2), down((1 << p) / across) {}
};

/// Threads with their registers, where there is room for them: of the problem that is shown by their values.
struct PaintRegisters {
  ThreadGrid board;
  std::uint64_t problem;  ///< whose values those are
  const float* shades;    ///< (threads of a problem, registers); null: there are none
  int log_registers;
  SoFar so_far;
  PixelsOf pixels;
  Palette palette;

  WARPLOOM_HD Rgba pixel(int px, int py) const {
    const double x = pixels.world_x(px), y = pixels.world_y(py);
    const Index3 b = board.size, all = board.grid;
    if (x < 0 || y < 0 || x >= double(b.x) * all.x || y >= double(b.y) * all.y) return palette.ground;
    const auto tx = static_cast<std::uint64_t>(x), ty = static_cast<std::uint64_t>(y);
    const Index3 block{static_cast<std::uint32_t>(tx / b.x), static_cast<std::uint32_t>(ty / b.y), 0};
    const Index3 at{static_cast<std::uint32_t>(tx % b.x), static_cast<std::uint32_t>(ty % b.y), 0};
    const std::uint64_t visit = board.number(block);
    if (visit >= board.count) return palette.ground;
    const float wide = static_cast<float>(1 / pixels.camera.cells_per_pixel_x),
                high = static_cast<float>(1 / pixels.camera.cells_per_pixel_y);
    const float in_x = static_cast<float>(x - static_cast<double>(tx)) * wide,
                in_y = static_cast<float>(y - static_cast<double>(ty)) * high;
    // Blocks are two pixels apart, threads one.
    if (in_x < (at.x == 0 ? 2 : 1) || in_y < (at.y == 0 ? 2 : 1)) return palette.ground;
    Rgba colour = (px + py) % 6 < 2 ? palette.hatch : palette.waste;
    if (board.useful(block, at)) colour = of_thread(visit * b.y + at.y, at.x, in_x - 1, in_y - 1, wide - 1, high - 1);
    const bool reached = so_far.begun(visit, volume(b)) && so_far.reached(visit, linear_index(at, b), volume(b));
    return reached ? colour : SoFar::dimmed(colour, palette.ground);
  }

 private:
  WARPLOOM_HD Rgba of_thread(std::uint64_t row, std::uint32_t thread, float x, float y, float wide, float high) const {
    const Rgba frame = mix(palette.ground, palette.track, .75f);
    constexpr float rim = 2;
    if (x < rim || y < rim || x >= wide - rim || y >= high - rim) return frame;
    const RegisterLayout all(log_registers);
    const float u = (x - rim) / (wide - 2 * rim) * static_cast<float>(all.across),
                v = (y - rim) / (high - 2 * rim) * static_cast<float>(all.down);
    // Rounded, the last pixel may be one too far.
    const int column = static_cast<int>(u) < all.across ? static_cast<int>(u) : all.across - 1,
              line = static_cast<int>(v) < all.down ? static_cast<int>(v) : all.down - 1,
              item = line * all.across + column;
    // A pixel between registers.
    if ((u - static_cast<float>(column)) * (wide - 2 * rim) < static_cast<float>(all.across) && column > 0)
      return frame;
    if ((v - static_cast<float>(line)) * (high - 2 * rim) < static_cast<float>(all.down) && line > 0) return frame;
    if (!shades || row != problem || !board.by_rows) return mix(palette.ground, palette.track, .3f);
    return palette.at(.06f + .94f * shades[(thread << log_registers) + static_cast<std::uint32_t>(item)]);
  }
};

}  // namespace warploom
