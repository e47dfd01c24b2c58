#pragma once
#include "gpu/core/atomic.h"
#include "gpu/core/group.h"
#include "gpu/core/hash.h"
#include "gpu/core/types.h"
#include "gpu/maps/work.h"
#include "gpu/scenes/fractal/maps/domain.h"

namespace warploom {

/// The members of a fractal by their number, as cells with values (gpu/tracks/cell_programs.h): they lean on no map, so
/// programs over them can check every map. One thread per member, k^j of them in a block.
struct FractalCells {
  FractalDomain domain;
  std::uint64_t count;

  LaunchShape shape() const {
    const int digits = block_digits();
    return {row_of_blocks(domain.boxes(digits)), {domain.power_k[digits].divisor, 1, 1}};
  }
  /// Calls body(cell, thread) for the member that each thread stands for.
  template <class Group, class Body>
  WARPLOOM_HD void each(Group& group, Body&& body) const {
    const int digits = block_digits();
    const std::uint64_t first = group.block_number() * group.size();
    if (first >= count) return;
    const Index2 origin = domain.member_digits(group.block_number(), digits, domain.level - digits);
    group.each([&](const Thread& thread) {
      const Index2 at = origin + domain.member_digits(thread.index, 0, digits);
      body(Cell{at.x, at.y, 0}, thread);
    });
  }
  WARPLOOM_HD bool contains(Cell cell) const { return domain.contains(cell); }
  WARPLOOM_HD static std::uint64_t hash(std::uint64_t seed, Cell cell) { return cell_hash(seed, cell.x, cell.y); }
  /// x + y 2^32: sorted row-major.
  WARPLOOM_HD static std::uint64_t key(Cell cell) { return std::uint64_t{cell.y} << 32 | cell.x; }
  WARPLOOM_HD static Cell cell(std::uint64_t key) {
    return {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32), 0};
  }

 private:
  /// j: low digits that the threads of a block stand for; the block's number has the others.
  WARPLOOM_HD int block_digits() const {
    constexpr std::uint32_t most_threads = 256;
    int digits = 0;
    while (digits < domain.level && digits + 1 < domain.powers_of_k &&
           domain.power_k[digits + 1].divisor <= most_threads)
      ++digits;
    return digits;
  }
};

}  // namespace warploom
