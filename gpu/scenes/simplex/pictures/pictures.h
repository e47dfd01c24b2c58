#pragma once
#include "gpu/pictures/grid_picture.h"
#include "gpu/pictures/volume_picture.h"
#include "gpu/scenes/simplex/maps/simplex_map.h"
#include "gpu/scenes/simplex/tracks/count.h"
#include "gpu/scenes/simplex/works/layouts.h"

namespace warploom {

enum class ValueKind : std::uint8_t { none, byte, word, real };

/// A value of a state as 0..1.
struct ValueShade {
  ValueKind kind = ValueKind::none;
  bool per_block = false;
  float low = 0, high = 1;  ///< of the state

  WARPLOOM_HD float operator()(float value) const {
    if (kind == ValueKind::byte || kind == ValueKind::word) return value != 0;
    if (per_block) {
      // Energies have long tails on both sides: logarithmic far from zero, linear near it.
      const float most = fmaxf(fabsf(low), fabsf(high)), knee = most * 1e-7f;
      return most > 0 ? .5f + .5f * asinhf(value / knee) / asinhf(most / knee) : .5f;
    }
    return high > low ? (value - low) / (high - low) : .5f;
  }
};

/// Colours of cells and blocks; knows tables but no map, so that it is compiled once.
template <int Dimensions>
struct SimplexColours {
  SimplexDomain<Dimensions> domain;
  CellShares shares;
  SimplexTables tables;
  std::uint64_t visits = 1;
  AnyLayout<Dimensions> layout;  ///< the track's own
  AnyLayout<Dimensions> values;  ///< where the values lie; over blocks where `per_block`
  double elements = 1;           ///< of the own layout
  const void* state = nullptr;
  ValueShade shade;
  ColourBy by = ColourBy::state;
  SoFar so_far;

  /// Its thread was launched so far, or none serves it.
  WARPLOOM_HD bool reached(Cell cell) const {
    if (so_far.all()) return true;
    if (!tables.cells.any()) return reached(serving(cell), thread(cell));
    std::uint64_t visit = 0;
    return !owned(cell, visit) || so_far.reached(visit / threads(), visit % threads(), threads());
  }
  WARPLOOM_HD bool begun(Index3 block) const { return so_far.all() || reached(block, 0); }
  /// The block that serves a cell: with shares by sectors not always the one it lies in.
  WARPLOOM_HD Index3 serving(Cell cell) const {
    bool before = false;
    return domain.block_of(shares.in_block(domain, cell, before));
  }

  /// 0..1
  WARPLOOM_HD float of_cell(Cell cell) const {
    if (by == ColourBy::state) return shade(value(shade.per_block ? domain.block_of(cell) : cell));
    if (by == ColourBy::address) return static_cast<float>(static_cast<double>(layout.address(cell)) / elements);
    std::uint64_t visit = 0;
    const bool one_by_one = tables.cells.any() && owned(cell, visit);
    if (by != ColourBy::warp)
      return one_by_one && by != ColourBy::layer ? of_visit(visit / threads()) : of_launch(serving(cell));
    if (tables.cells.any() && !one_by_one) return 0;
    const auto warps = (threads() + warp_size - 1) / warp_size,
               warp = (one_by_one ? visit % threads() : thread(cell)) / warp_size;
    return (static_cast<float>(warp) + .5f) / static_cast<float>(warps);
  }

  /// A block as a whole; where cells differ, its first.
  WARPLOOM_HD float of_block(Index3 block) const {
    if (by == ColourBy::state && shade.per_block) return shade(value(block));
    if (by == ColourBy::state || by == ColourBy::address || by == ColourBy::warp)
      return of_cell(domain.first_cell(block));
    return of_launch(block);
  }

  /// How the map fails a cell: of a block that it mis-maps, no thread is launched for any.
  WARPLOOM_HD Wrong wrong(Cell cell) const {
    const SimplexCellsServed& cells = tables.cells;
    std::uint64_t visit = 0;
    if (cells.any() ? cells.owner && !owned(cell, visit)
                    : tables.visit_of_block && tables.visit_of_block[domain.index(domain.block_of(cell))] == 0)
      return Wrong::missed;
    if (!cells.twice) return Wrong::none;
    const std::uint64_t place = domain.index(cell);
    return cells.twice[place / 32] >> place % 32 & 1 ? Wrong::doubled : Wrong::none;
  }

  /// The worst that becomes of a block's cells. A map that places blocks fails all of them alike.
  WARPLOOM_HD Wrong wrong_of_block(Index3 block) const {
    const Cell first = domain.first_cell(block);
    if (!tables.cells.any()) return wrong(first);
    Wrong worst = Wrong::none;
    const Index3 extent = domain.block_extent();
    for (std::uint64_t i = 0; i < volume(extent); ++i) {
      const Index3 in = unfold(i, extent);
      const Cell cell{first.x + in.x, first.y + in.y, first.z + in.z};
      const Wrong now = domain.contains(cell) ? wrong(cell) : Wrong::none;
      if (now == Wrong::missed) return now;
      if (now != Wrong::none) worst = now;
    }
    return worst;
  }

  /// Of a cell, or of a block where blocks are summed.
  WARPLOOM_HD float value(Index3 at) const {
    const std::uint64_t address = values.address(at);
    switch (shade.kind) {
      case ValueKind::byte:
        return static_cast<const std::uint8_t*>(state)[address];
      case ValueKind::word:
        return static_cast<float>(static_cast<const std::uint32_t*>(state)[address]);
      case ValueKind::real:
        return static_cast<const float*>(state)[address];
      default:
        return 0;
    }
  }

 private:
  WARPLOOM_HD bool reached(Index3 block, std::uint64_t thread) const {
    if (!tables.visit_of_block) return true;
    const std::uint32_t served = tables.visit_of_block[domain.index(block)];
    return served == 0 || so_far.reached(served - 1, thread, threads());
  }
  /// Threads per block, and the number of the one that serves a cell.
  WARPLOOM_HD std::uint64_t threads() const {
    return volume(tables.cells.any() ? tables.cells.threads : shares.threads(domain));
  }
  /// Of maps that place cells one by one: the visit of the thread that serves a cell.
  WARPLOOM_HD bool owned(Cell cell, std::uint64_t& visit) const {
    if (!tables.cells.owner) return false;
    visit = tables.cells.owner[domain.index(cell)];
    return visit != ~std::uint64_t{0};
  }
  WARPLOOM_HD std::uint64_t thread(Cell cell) const {
    bool before = false;
    const Cell as = shares.in_block(domain, cell, before), origin = domain.first_cell(domain.block_of(as));
    return linear_index(shares.thread_of({as.x - origin.x, as.y - origin.y, as.z - origin.z}), shares.threads(domain));
  }
  WARPLOOM_HD float of_launch(Index3 block) const {
    if (by == ColourBy::layer)
      return (static_cast<float>(Dimensions == 3 ? block.z : block.y) + .5f) / static_cast<float>(domain.blocks);
    return of_visit(visit(block));
  }
  /// 0 also for a visit that there is not: that of a block which nothing serves.
  WARPLOOM_HD float of_visit(std::uint64_t at) const {
    if (at >= visits) return 0;
    if (by == ColourBy::launch_order) return static_cast<float>(static_cast<double>(at) / static_cast<double>(visits));
    return tables.useful ? 1 - static_cast<float>(tables.useful[at]) / static_cast<float>(threads()) : 0;
  }
  WARPLOOM_HD std::uint64_t visit(Index3 block) const {
    return tables.visit_of_block ? std::uint64_t{tables.visit_of_block[domain.index(block)]} - 1 : 0;
  }
};

/// A triangle: for each pixel the mean over the cells under it, or the worst of wrong ones. Launched with PlaneTiles.
struct TrianglePicture {
  SimplexColours<2> colours;
  Camera camera;
  PixelTarget target;
  Palette palette;
  int samples = 0;  ///< most cells looked at along a pixel's side; 0: all

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    PlaneTiles::each_pixel(group, target, [&](int x, int y) { return pixel(x, y); });
  }

 private:
  WARPLOOM_HD Rgba pixel(int px, int py) const {
    const CellRange x(camera.x, camera.cells_per_pixel_x, px - .5 * target.width),
        y(camera.y, camera.cells_per_pixel_y, py - .5 * target.height);
    const std::int64_t n = colours.domain.n;
    const std::int64_t top = y.first > 0 ? y.first : 0, bottom = y.last < n ? y.last : n;
    const std::int64_t step_x = step(x.last - x.first), step_y = step(y.last - y.first);
    double sum = 0;
    std::uint64_t seen = 0, places = 0;
    std::uint64_t reached = 0;
    Wrong worst = Wrong::none;
    for (std::int64_t v = top + (step_y - 1) / 2; v < bottom; v += step_y) {
      const std::int64_t left = x.first > 0 ? x.first : 0, right = x.last < v + 1 ? x.last : v + 1;
      for (std::int64_t u = left + (step_x - 1) / 2; u < right; u += step_x, ++seen) {
        const Cell cell{static_cast<std::uint32_t>(u), static_cast<std::uint32_t>(v), 0};
        sum += colours.of_cell(cell);
        if (const Wrong wrong = colours.wrong(cell); wrong > worst) worst = wrong;
        reached += colours.reached(cell);
      }
    }
    if (seen == 0) return palette.ground;
    places = static_cast<std::uint64_t>((x.last - x.first + step_x - 1) / step_x *
                                        ((y.last - y.first + step_y - 1) / step_y));
    const Rgba colour = worst == Wrong::none
                            ? palette.at(static_cast<float>(sum / static_cast<double>(seen)))
                            : WrongCells::colour(worst, palette.ground, px, py,
                                                 1 / fmax(camera.cells_per_pixel_x, camera.cells_per_pixel_y));
    const float share = static_cast<float>(seen) / static_cast<float>(places > seen ? places : seen);
    const Rgba whole = share < 1 ? mix(palette.ground, colour, sqrtf(share)) : colour;
    if (reached == seen) return whole;
    return mix(SoFar::dimmed(whole, palette.ground), whole, static_cast<float>(reached) / static_cast<float>(seen));
  }
  WARPLOOM_HD std::int64_t step(std::int64_t cells) const {
    return samples > 0 && cells > samples ? (cells + samples - 1) / samples : 1;
  }
};

/// The blocks of a triangle, as its maps number them.
struct TriangleBlocks {
  SimplexDomain<2> domain;
  WARPLOOM_HD Cell first_cell(std::uint32_t number) const { return domain.first_cell(domain.at(number)); }
  WARPLOOM_HD bool member(Cell cell) const { return domain.contains(cell); }
};

/// The launches of a simplex map, for their picture.
template <int Dimensions>
struct SimplexGrid {
  GridLayout board;
  SimplexDomain<Dimensions> domain;
  CellShares shares;
  SimplexTables tables;

  WARPLOOM_HD Index3 blocks() const { return board.extent; }
  WARPLOOM_HD Index3 threads() const { return tables.cells.any() ? tables.cells.threads : shares.threads(domain); }
  WARPLOOM_HD GridBlock block(Index3 at) const {
    Owner who;
    std::uint64_t visit = 0;
    if (!board.at(at, visit, who)) return {};
    const std::uint16_t useful = tables.useful[visit];
    return {true, useful == SimplexTables::mismapped, useful == SimplexTables::mismapped ? 0u : useful, visit,
            who.block.x};
  }
  WARPLOOM_HD std::uint32_t gang() const { return shares.gang; }
  /// The share of the thread's cells that lie inside.
  WARPLOOM_HD float useful(Index3 at, Index3 thread) const {
    Owner who;
    std::uint64_t visit = 0;
    if (!board.at(at, visit, who)) return 0;
    if (tables.cells.any()) {
      if (!tables.cells.serving) return 1;
      const std::uint64_t number = visit * volume(threads()) + linear_index(thread, threads());
      return static_cast<float>(tables.cells.serving[number / 32] >> number % 32 & 1);
    }
    if (tables.block_of_visit[visit] == 0) return 0;
    const Cell origin = domain.first_cell(domain.at(tables.block_of_visit[visit] - 1));
    const std::uint32_t found = shares.cells_of(domain, origin, thread), cells = shares.box.cells();
    return found < cells ? static_cast<float>(found) / static_cast<float>(cells) : 1;
  }
};

WARPLOOM_HD VoxelLook look_of(Rgba colour, Wrong wrong) {
  return {wrong == Wrong::doubled ? WrongCells::doubled : colour, false, wrong == Wrong::missed, false, wrong};
}

/// Data blocks as cubes.
struct DomainBlocksLook {
  SimplexColours<3> colours;
  Palette palette;
  WARPLOOM_HD VoxelLook operator()(Index3 block) const {
    const Rgba colour = palette.at(colours.of_block(block));
    const Wrong wrong = colours.wrong_of_block(block);
    return look_of(colours.begun(block) ? colour : SoFar::dimmed(colour, palette.ground), wrong);
  }
};

/// Cells as cubes.
struct DomainCellsLook {
  static constexpr float lowest = .35f;  ///< on the palette, of a live cell at z = 0
  SimplexColours<3> colours;
  Palette palette;
  WARPLOOM_HD VoxelLook operator()(Index3 cell) const {
    // Only live cells are drawn: by height, instead of all in one colour.
    const float value = colours.shade.kind == ValueKind::byte && colours.by == ColourBy::state
                            ? lowest + (1 - lowest) * static_cast<float>(cell.z) / static_cast<float>(colours.domain.n)
                            : colours.of_cell(cell);
    const Rgba colour = palette.at(value);
    return look_of(colours.reached(cell) ? colour : SoFar::dimmed(colour, palette.ground), colours.wrong(cell));
  }
};

/// Launched blocks as cubes, each in the colour of the place where it works.
struct GridLook {
  SimplexColours<3> colours;
  SimplexGrid<3> board;
  Palette palette;

  WARPLOOM_HD VoxelLook operator()(Index3 at) const {
    Owner who;
    std::uint64_t visit = 0;
    if (!board.board.at(at, visit, who)) return {};
    return of_visit(visit);
  }
  WARPLOOM_HD VoxelLook of_visit(std::uint64_t visit) const {
    const std::uint16_t useful = board.tables.useful[visit];
    const bool begun = colours.so_far.begun(visit, volume(board.threads()));
    if (useful == 0) return {palette.waste, true, false, !begun};
    if (useful == SimplexTables::mismapped)
      return {begun ? palette.track : SoFar::dimmed(palette.track, palette.ground), false, begun};
    const float share = static_cast<float>(useful) / static_cast<float>(volume(board.threads()));
    // A block whose cells others serve first is of no place of its own.
    const Rgba colour = colours.by == ColourBy::state || board.tables.block_of_visit[visit] == 0
                            ? mix(palette.waste, palette.track, .35f + .65f * share)
                            : palette.at(colours.of_block(board.domain.at(board.tables.block_of_visit[visit] - 1)));
    return {begun ? colour : SoFar::dimmed(colour, palette.ground), false, false};
  }
};

/// Cuts off what lies below a plane on one axis, in blocks of the domain.
struct SolidCut {
  int axis = -1;  ///< -1: none
  std::uint32_t below = 0;
  SolidCut() = default;
  SolidCut(const SolidView& view, std::uint32_t blocks)
      : axis(view.slice_axis), below(axis < 0 ? 0 : static_cast<std::uint32_t>(view.slice * blocks)) {}
  friend bool operator==(const SolidCut&, const SolidCut&) = default;
  WARPLOOM_HD bool off(Index3 block) const {
    return axis >= 0 && (axis == 0 ? block.x : axis == 1 ? block.y : block.z) < below;
  }
};

/// Blocks between where they are launched (morph 0) and where they work (1).
struct MorphPlace {
  GridLook look;
  float morph;
  bool waste;  ///< draws wasted blocks; they, and mis-mapped ones, stay where they are launched
  SolidCut cut;

  WARPLOOM_HD bool operator()(std::uint64_t visit, float (&centre)[3], VoxelLook& as) const {
    if (!look.board.board.exists(visit)) return false;
    as = look.of_visit(visit);
    if (as.waste && !waste) return false;
    const Owner who = look.board.board.visit(visit);
    const Index3 from = look.board.board.place(who), box = look.board.board.extent;
    const std::uint32_t block = look.board.tables.block_of_visit[visit];
    const Index3 to = block && !as.waste ? look.board.domain.at(block - 1) : from;
    const bool flies = block && !as.waste && look.board.tables.useful[visit] != SimplexTables::mismapped;
    if (block && cut.off(to)) return false;
    const float side = .5f * static_cast<float>(look.board.domain.blocks);
    const float start[3] = {middle(from.x, box.x), middle(from.y, box.y), middle(from.z, box.z)};
    const float end[3] = {static_cast<float>(to.x) + .5f - side, static_cast<float>(to.y) + .5f - side,
                          static_cast<float>(to.z) + .5f - side};
    for (int a = 0; a < 3; ++a) centre[a] = flies ? start[a] + (end[a] - start[a]) * morph : start[a];
    return true;
  }

 private:
  WARPLOOM_HD static float middle(std::uint32_t at, std::uint32_t extent) {
    return static_cast<float>(at) + .5f - .5f * static_cast<float>(extent);
  }
};

}  // namespace warploom
