#pragma once
#include <cstdint>

#include "gpu/core/program.h"
#include "gpu/core/types.h"

// Blocks of a launch on the CPU, one after the other: what launch() does in each chunk, without a queue, for processes
// that have none.
namespace warploom::detail {

/// Blocks a pool thread takes at a time: enough threads to pay for the hand-over, few enough to share out and cancel.
inline constexpr std::uint64_t usual_threads_per_chunk = 16384;

/// Runs blocks `first` to `last` - 1 of a grid of `blocks`. `group_of(at, number)` makes the group of one; `Group` is
/// its type. Shared memory is as the block before left it.
template <class Group, class Program, class GroupOf>
void run_blocks(const Program& program, Index3 blocks, std::uint64_t first, std::uint64_t last, GroupOf&& group_of) {
  Index3 at = unfold(first, blocks);
  [[maybe_unused]] SharedBy<Program, Group> shared;
  for (std::uint64_t number = first; number < last; ++number) {
    Group group = group_of(at, number);
    if constexpr (SharesMemory<Program, Group>)
      program(group, shared);
    else
      program(group);
    if (++at.x == blocks.x) {
      at.x = 0;
      if (++at.y == blocks.y) at.y = 0, ++at.z;
    }
  }
}

}  // namespace warploom::detail
