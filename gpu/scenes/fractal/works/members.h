#pragma once
#include "gpu/core/atomic.h"
#include "gpu/core/group.h"
#include "gpu/core/hash.h"
#include "gpu/core/types.h"
#include "gpu/maps/work.h"
#include "gpu/scenes/fractal/maps/domain.h"

// Programs over the members of a fractal by their number: they lean on no map, so they can check every map. Launched
// with members_shape(domain).

namespace warploom {

/// Low digits that the threads of a block stand for; the block's number has the others.
inline constexpr std::uint32_t most_member_threads = 256;
WARPLOOM_HD int member_block_digits(const FractalDomain& domain) {
  int digits = 0;
  while (digits < domain.level && digits + 1 < domain.powers_of_k &&
         domain.power_k[digits + 1].divisor <= most_member_threads)
    ++digits;
  return digits;
}

/// One thread per member: k^j of them in a block.
inline LaunchShape members_shape(const FractalDomain& domain) {
  const int digits = member_block_digits(domain);
  return {row_of_blocks(domain.boxes(digits)), {domain.power_k[digits].divisor, 1, 1}};
}

/// Calls body(cell, thread) for the member that each thread stands for.
template <class Group, class Body>
WARPLOOM_HD void each_member(Group& group, const FractalDomain& domain, std::uint64_t cells, Body&& body) {
  const int digits = member_block_digits(domain);
  const std::uint64_t first = group.block_number() * group.size();
  if (first >= cells) return;
  const Index2 origin = domain.member_digits(group.block_number(), digits, domain.level - digits);
  group.each([&](const Thread& thread) {
    const Index2 at = origin + domain.member_digits(thread.index, 0, digits);
    body(Cell{at.x, at.y, 0}, thread);
  });
}

/// The members as cells with values (gpu/tracks/cell_programs.h).
struct FractalCells {
  FractalDomain domain;
  std::uint64_t count;

  LaunchShape shape() const { return members_shape(domain); }
  template <class Group, class Body>
  WARPLOOM_HD void each(Group& group, Body&& body) const {
    each_member(group, domain, count, body);
  }
  WARPLOOM_HD bool contains(Cell cell) const { return domain.contains(cell); }
  WARPLOOM_HD static std::uint64_t hash(std::uint64_t seed, Cell cell) { return cell_hash(seed, cell.x, cell.y); }
  /// x + y 2^32: sorted row-major.
  WARPLOOM_HD static std::uint64_t key(Cell cell) { return std::uint64_t{cell.y} << 32 | cell.x; }
  WARPLOOM_HD static Cell cell(std::uint64_t key) {
    return {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32), 0};
  }
};

}  // namespace warploom
