#pragma once
#include "gpu/bench/programs.h"
#include "gpu/core/unroll.h"

namespace warploom::bench {

/// All loads of a thread before its first store.
template <unsigned quads>
struct CopyAny {
  const Quad* from;
  Quad* to;
  std::uint64_t count;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const std::uint64_t first = group.block_number() * group.size() * quads;
    group.each([&](const Thread& thread) {
      Quad held[quads];
      WARPLOOM_UNROLL
      for (unsigned i = 0; i < quads; ++i)
        if (const std::uint64_t at = first + i * group.size() + thread.index; at < count) held[i] = from[at];
      WARPLOOM_UNROLL
      for (unsigned i = 0; i < quads; ++i)
        if (const std::uint64_t at = first + i * group.size() + thread.index; at < count) to[at] = held[i];
    });
  }
};

/// So many Quads a thread.
template <unsigned quads>
void copy_by(Queue& queue, const void* from, void* to, std::uint64_t bytes) {
  const std::uint64_t count = bytes / sizeof(Quad);
  launch("bench.copy", queue, row_shape((count + quads - 1) / quads),
         CopyAny<quads>{static_cast<const Quad*>(from), static_cast<Quad*>(to), count});
}

}  // namespace warploom::bench
