#pragma once
#include "gpu/core/group.h"
#include "gpu/scenes/butterfly/kernels/in_place_parts.h"
#include "gpu/scenes/butterfly/rules/systems.h"

// Systems that are longer than a block: tiles by Wang and Mou, each of which leaves its equations on what lies outside
// it; the first and the last of every tile are a smaller system, whose unknowns solve the tiles. Source:
// perez2018large.
namespace warploom {

/// The ends of tiles, two of each, that are on what lies outside the pair already: the first digit is done.
struct PairedWangMou : WangMou {
  WARPLOOM_HD constexpr int stages() const { return n - 1; }
  WARPLOOM_HD constexpr NetworkStage stage(int j) const { return WangMou::stage(j + 1); }
  WARPLOOM_HD constexpr std::uint64_t nodes() const { return static_cast<std::uint64_t>(n - 1) << n; }
  WARPLOOM_HD constexpr std::uint32_t partner(int j, std::uint32_t e, int k) const {
    return WangMou::partner(j + 1, e, k);
  }
  WARPLOOM_HD constexpr std::uint32_t consumer(int j, std::uint32_t e, int k) const {
    return WangMou::consumer(j + 1, e, k);
  }
  WARPLOOM_HD constexpr std::uint32_t before_seam(int j, std::uint32_t e) const {
    return WangMou::before_seam(j + 1, e);
  }
};

/// A tile as a problem of its own, `singular` of each.
template <class Network_>
struct TileSystemRule : SystemRule<Network_> {
  SystemRow* made;  ///< (tiles, 2^n): each equation on what lies outside its tile
  SystemRow* ends;  ///< (tiles, 2): the first and the last of them
  int whole;        ///< log2 of the rows of a problem, where these are its input; 0: they are ends of tiles
  bool begins = true, ends_system = true;  ///< whether a problem has the first row of its system, and the last

  WARPLOOM_HD SystemRow load(std::uint64_t tile, std::uint32_t e) const {
    const std::uint64_t i = (tile << this->network.n) + e, last = (std::uint64_t{1} << whole) - 1;
    SystemRow row = this->in[i];
    if (whole == 0) return row;
    if (begins && (i & last) == 0) row.a = 0;
    if (ends_system && (i & last) == last) row.c = 0;
    if (!is_finite(row)) atomic_minimum(this->singular + tile, input_is_no_number);
    return row;
  }
  WARPLOOM_HD void store(std::uint64_t tile, std::uint32_t e, const SystemRow& own, ZeroPivot&) const {
    made[(tile << this->network.n) + e] = own;
    if (e == 0) ends[2 * tile] = own;
    if (e + 1 == 1u << this->network.n) ends[2 * tile + 1] = own;
  }
};

/// The smallest of these systems, that fits a block.
struct EndsRule : SystemRule<PairedWangMou> {
  WARPLOOM_HD SystemRow load(std::uint64_t problem, std::uint32_t e) const { return in[(problem << network.n) + e]; }
};

/// Every unknown by those at the ends of the tiles beside its own. Launched with row_shape of all rows.
struct SolveTiles {
  const SystemRow* made;    ///< (tiles, 2^digits)
  const float* ends;        ///< (tiles, 2): unknowns
  const float* outside;     ///< (problems, 2): those before and behind a problem; null: there are none
  float* out;               ///< (tiles, 2^digits)
  std::uint64_t* singular;  ///< (tiles)
  int digits, of_problem;   ///< log2 of the rows of a tile, and of the tiles of a problem
  int stage;                ///< that a zero pivot is noted with
  std::uint64_t rows;       ///< in all

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, rows, [&](std::uint64_t i) {
      const std::uint64_t tile = i >> digits, last = (std::uint64_t{1} << of_problem) - 1;
      const float* const beside = outside ? outside + 2 * (tile >> of_problem) : nullptr;
      const float before = (tile & last) != 0 ? ends[2 * tile - 1]
                           : beside           ? beside[0]
                                              : 0,
                  behind = (tile & last) != last ? ends[2 * tile + 2]
                           : beside              ? beside[1]
                                                 : 0;
      const SystemRow row = made[i];
      const float x = (row.d - row.a * before - row.c * behind) / row.b;
      ZeroPivot zero;
      if (row.b == 0 || !is_finite(x)) zero.note(static_cast<std::uint32_t>(i & ((std::uint64_t{1} << digits) - 1)));
      note_zero(singular + tile, stage, zero);
      out[i] = x;
    });
  }
};

/// Zero pivots of tiles as those of their problems. Launched with row_shape of the tiles.
struct FoldSingular {
  const std::uint64_t* tiles;  ///< (count)
  std::uint64_t* problems;
  std::uint64_t count;
  int digits, of_problem;  ///< as of SolveTiles
  int level;               ///< how many times ends were taken of ends
  int below;               ///< log2 of the rows of a tile there
  int stages_before;       ///< of the levels before
  std::uint64_t first;     ///< the row of its system that a problem begins with

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, count, [&](std::uint64_t tile) {
      const std::uint64_t noted = tiles[tile];
      if (noted == no_zero_pivot) return;
      std::uint64_t* const to = problems + (tile >> of_problem);
      if (noted == input_is_no_number) {
        atomic_minimum(to, input_is_no_number);
        return;
      }
      std::uint64_t row = ((tile & ((std::uint64_t{1} << of_problem) - 1)) << digits) + (noted & 0xffffffffu);
      for (int i = 0; i < level; ++i) row = (row >> 1 << below) + (row & 1 ? (std::uint64_t{1} << below) - 1 : 0);
      atomic_minimum(to, ((noted >> 32) + static_cast<std::uint64_t>(stages_before)) << 32 | (row + first));
    });
  }
};

}  // namespace warploom
