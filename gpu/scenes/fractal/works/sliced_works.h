#pragma once
#include "gpu/core/bits.h"
#include "gpu/maps/work.h"
#include "gpu/scenes/fractal/works/sliced.h"

// Works on a sliced state that are no automata. Launched with row_shape(items()).
namespace warploom {

/// A constant to every cell: the bits that lanes have.
struct SlicedWrite {
  Sliced out;
  std::uint64_t items() const { return out.shape.places(); }
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    out.each_chunk(group, [&](std::uint64_t base, std::uint32_t chunk) {
      out.words[out.shape.place(base, chunk)] = out.shape.valid(chunk);
    });
  }
};

/// A number of every chunk, summed: of(state, base, chunk).
template <class Of>
struct SlicedFold {
  static constexpr bool rows_of_warps = true;
  Sliced in;
  SumSlots sum;
  std::uint64_t items() const { return in.shape.places(); }
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const std::uint64_t first = group.block_number() * group.size();
    sum.fold(group, [&](auto& part) {
      group.each([&](const Thread& thread) {
        const std::uint64_t item = first + thread.index;
        if (item >= in.shape.places()) return;
        const auto at = in.shape.chunk_at(item);
        part[thread] = Of::of(in, at.base, at.chunk);
      });
    });
  }
};

struct LiveCells {
  WARPLOOM_HD static std::uint64_t of(const Sliced& in, std::uint64_t base, std::uint32_t chunk) {
    return bit_count(in.words[in.shape.place(base, chunk)]);
  }
};
/// x + 2^32 y of its cells.
struct CellPlaces {
  WARPLOOM_HD static std::uint64_t of(const Sliced& in, std::uint64_t base, std::uint32_t chunk) {
    std::uint64_t all = 0;
    in.each_cell(base, chunk, [&](Cell cell, std::uint32_t) { all += cell.x + (std::uint64_t{cell.y} << 32); });
    return all;
  }
};

}  // namespace warploom
