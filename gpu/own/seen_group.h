#pragma once
#include "gpu/core/cpu_group.h"
#include "gpu/own/seen.h"

namespace warploom::own {

/// A block on the CPU in which one thread alone notes what it does; what all threads do together is noted once. A
/// warp's lanes are those of the first warp, which stands for all (CpuGroup): the thread's lane notes.
class SeenGroup : public CpuGroup {
 public:
  SeenGroup(Index3 block, std::uint64_t block_number, Index3 threads, Index3 thread)
      : CpuGroup(block, block_number, threads), own_(static_cast<unsigned>(linear_index(thread, threads))) {}

  template <class Body>
  void each(Body&& body) {
    CpuGroup::each([&](const warploom::Thread& thread) {
      const Seeing seeing(thread.index == own_ ? seen_notes : nullptr);
      body(thread);
    });
  }
  template <class Body>
  void each_in_warp(Body&& body) {
    CpuGroup::each_in_warp([&](const WarpLane& lane) {
      const Seeing seeing(lane.index == own_ % warp_size ? seen_notes : nullptr);
      body(lane);
    });
  }
  /// A tensor core asks for its operands, no thread does.
  template <class Operands, class A, class B, class C>
  auto product(A&& a, B&& b, C&& c) {
    const Seeing seeing(nullptr);
    return CpuGroup::product<Operands>(a, b, c);
  }

 private:
  unsigned own_;
};

}  // namespace warploom::own
