#pragma once
#include "gpu/scenes/fractal/tracks/fractal_track.h"

namespace warploom {

/// The launch grid of a map that cannot be asked: by what judging it found.
struct JudgedGrid {
  LaunchShape shape;
  FractalDomain domain;
  bool by_number = false;  ///< places are numbers of cells, not those of the box
  const std::uint16_t* useful_in_block = nullptr;
  const std::uint32_t* useful_threads = nullptr;
  const std::uint64_t* owners = nullptr;
  const std::uint32_t *once = nullptr, *twice = nullptr;  ///< a bit a place

  WARPLOOM_HD Index3 blocks() const { return shape.blocks; }
  WARPLOOM_HD Index3 threads() const { return shape.threads; }
  WARPLOOM_HD std::uint64_t visits() const { return volume(shape.blocks); }
  WARPLOOM_HD std::uint64_t number(Index3 at) const { return std::uint64_t{at.y} * shape.blocks.x + at.x; }
  WARPLOOM_HD GridBlock block(Index3 at) const { return {true, false, useful_in_block[number(at)], number(at)}; }
  WARPLOOM_HD bool useful(Index3 at, Index3 thread) const {
    if (!useful_threads) return true;
    const std::uint64_t visit = number(at) * volume(shape.threads) + linear_index(thread, shape.threads);
    return useful_threads[visit / 32] >> visit % 32 & 1;
  }
  /// Where marks of a cell lie.
  WARPLOOM_HD std::uint64_t place(Cell cell) const {
    return by_number ? domain.number(cell.x, cell.y, domain.level) : std::uint64_t{cell.y} * domain.extent.x + cell.x;
  }
  WARPLOOM_HD bool serves(Cell cell, Served& by) const {
    if (!owners) return false;
    const std::uint64_t visit = owners[place(cell)];
    if (visit == ~std::uint64_t{0}) return false;
    by = {visit / volume(shape.threads), visit % volume(shape.threads)};
    return true;
  }
};

/// The data space under a wrong map.
struct JudgedValue : OwnerValue<JudgedGrid> {
  WARPLOOM_HD Wrong wrong(Cell cell) const {
    const std::uint64_t place = board.place(cell);
    if (!(board.once[place / 32] >> place % 32 & 1)) return Wrong::missed;
    return board.twice[place / 32] >> place % 32 & 1 ? Wrong::doubled : Wrong::none;
  }
};

/// `wrong`: cells are missed, or served twice.
template <class Storage>
void paint_judged_cells(FractalTrack<Storage>& track, Queue& queue, const PictureRequest& request,
                        const JudgedGrid& grid, bool wrong);
template <class Storage>
void paint_judged_launches(FractalTrack<Storage>& track, Queue& queue, const PictureRequest& request,
                           const JudgedGrid& grid);

}  // namespace warploom
