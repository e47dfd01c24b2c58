#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>

#include "gpu/core/macros.h"
#include "gpu/core/product.h"
#include "gpu/core/thread.h"

namespace warploom {

/// A block on the CPU: one physical thread runs every thread of it, phase by phase, and trusts the program (group.h).
/// Its members are host-device only because nvcc checks the templates that call them for both sides.
class CpuGroup {
 public:
  static constexpr bool on_device = false;

  /// A register on the GPU, an array here. Never crosses the host/device border.
  template <class Value>
  struct PerThread {
    Value values[max_block_threads];
    WARPLOOM_HD Value& operator[](const Thread& thread) { return values[thread.index]; }
    WARPLOOM_HD Value& operator[](const WarpLane& lane) { return values[lane.index]; }
  };

  template <class Value, unsigned count>
  struct Tile {
    Value values[count];
    WARPLOOM_HD Value& operator[](unsigned i) { return values[i]; }
  };

  template <class Value>
  struct DynamicTile {
    Value* values;
    WARPLOOM_HD Value& operator[](unsigned i) const { return values[i]; }
  };

  /// The dynamic shared memory of a block, lent to one block after another.
  class Dynamic {
   public:
    explicit Dynamic(std::uint64_t bytes) {
      if (bytes) lines_.reset(new Line[(bytes + sizeof(Line) - 1) / sizeof(Line)]);
    }
    std::byte* data() const { return reinterpret_cast<std::byte*>(lines_.get()); }

   private:
    struct alignas(16) Line {
      std::byte bytes[16];
    };
    std::unique_ptr<Line[]> lines_;
  };

  WARPLOOM_HD CpuGroup(Index3 block, std::uint64_t block_number, Index3 threads)
      : block_(block), block_number_(block_number), threads_(threads), size_(static_cast<unsigned>(volume(threads))) {}
  CpuGroup(const char* /*kernel*/, Index3 block, std::uint64_t block_number, Index3 threads, Dynamic& dynamic)
      : CpuGroup(block, block_number, threads) {
    dynamic_ = dynamic.data();
  }

  WARPLOOM_HD Index3 block() const { return block_; }
  WARPLOOM_HD std::uint64_t block_number() const { return block_number_; }
  WARPLOOM_HD Index3 threads() const { return threads_; }
  WARPLOOM_HD unsigned size() const { return size_; }

  WARPLOOM_HD void barrier() {}
  WARPLOOM_HD void warp_barrier() {}

  template <class Value>
  WARPLOOM_HD DynamicTile<Value> dynamic_tile(unsigned /*count*/, unsigned first_byte = 0) {
    return {reinterpret_cast<Value*>(dynamic_ + first_byte)};
  }

  template <class Body>
  WARPLOOM_HD void each(Body&& body) {
    Thread thread;
    for (thread.at.z = 0; thread.at.z < threads_.z; ++thread.at.z)
      for (thread.at.y = 0; thread.at.y < threads_.y; ++thread.at.y)
        for (thread.at.x = 0; thread.at.x < threads_.x; ++thread.at.x, ++thread.index) body(thread);
  }

  /// Every warp would compute the same, so the first stands for all.
  template <class Body>
  WARPLOOM_HD void each_in_warp(Body&& body) {
    const unsigned live = size_ < warp_size ? size_ : warp_size;
    for (unsigned i = 0; i < live; ++i) body(WarpLane{i, live});
  }

  template <class Value>
  WARPLOOM_HD Value warp_sum(PerThread<Value>& part, unsigned items) {
    Value total{};
    const unsigned live = size_ < warp_size ? size_ : warp_size;
    for (unsigned i = 0; i < live && i < items; ++i) total = total + part.values[i];
    return total;
  }

  template <class Value>
  WARPLOOM_HD Value sum(PerThread<Value>& part) {
    Value total{};
    for (unsigned i = 0; i < size_; ++i) total = total + part.values[i];
    return total;
  }

  template <class Value>
  WARPLOOM_HD Value exclusive_sum(PerThread<Value>& part) {
    Value total{};
    for (unsigned i = 0; i < size_; ++i) {
      const Value own = part.values[i];
      part.values[i] = total;
      total = total + own;
    }
    return total;
  }

  template <class Body>
  WARPLOOM_HD void once(Body&& body) {
    body();
  }

  WARPLOOM_HOST_CALLS
  WARPLOOM_HD void pause(unsigned /*looks*/ = 0) const { detail::pause_in_pool(); }

  template <class Body>
  WARPLOOM_HD auto same(Body&& body, bool /*again*/ = true) {
    return body();
  }

  template <class Operands, class A, class B, class C>
  WARPLOOM_HD Product16<typename Operands::Sum> product(A&& a, B&& b, C&& c) {
    Product16<typename Operands::Sum> to{};
#ifndef __CUDA_ARCH__
    detail::product_on_cpu<Operands>(to, a, b, c);
#endif
    return to;
  }

  template <class Value, class Body>
  WARPLOOM_HD void sum_once(PerThread<Value>& part, Body&& body, bool /*again*/ = true) {
    body(sum(part));
  }

  template <class Value, class Body>
  WARPLOOM_HD void each_warp_sum(PerThread<Value>& part, Body&& body) {
    // One physical thread has no use for sums apart.
    const Value total = sum(part);
    if (total != Value{}) body(0u, total);
  }

  template <class Body>
  WARPLOOM_HD void each_warp_count(PerThread<bool>& flags, Body&& body) {
    for (unsigned first = 0; first < size_; first += warp_size) {
      const unsigned live = size_ - first < warp_size ? size_ - first : warp_size;
      unsigned set = 0;
      for (unsigned i = 0; i < live; ++i) set += flags.values[first + i];
      body(live, set);
    }
  }

  WARPLOOM_HD void warp_ranks(PerThread<bool>& flags, PerThread<unsigned>& ranks) {
    unsigned before = 0;
    for (unsigned i = 0; i < size_; ++i) {
      if (i % warp_size == 0) before = 0;
      ranks.values[i] = before;
      before += flags.values[i];
    }
  }

  template <class Value>
  WARPLOOM_HD void warp_segmented_sum(PerThread<Value>& values, PerThread<bool>& heads) {
    for (unsigned i = 1; i < size_; ++i)
      if (i % warp_size && !heads.values[i]) values.values[i] = values.values[i - 1] + values.values[i];
  }

  WARPLOOM_HD void warp_ballot(PerThread<bool>& flags, PerThread<std::uint32_t>& votes) {
    for (unsigned first = 0; first < size_; first += warp_size) {
      const unsigned live = size_ - first < warp_size ? size_ - first : warp_size;
      std::uint32_t vote = 0;
      for (unsigned i = 0; i < live; ++i) vote |= std::uint32_t{flags.values[first + i]} << i;
      for (unsigned i = 0; i < live; ++i) votes.values[first + i] = vote;
    }
  }

  WARPLOOM_HD std::uint32_t ballot(PerThread<bool>& flags) {
    std::uint32_t vote = 0;
    for (unsigned i = 0; i < size_ && i < warp_size; ++i) vote |= std::uint32_t{flags.values[i]} << i;
    return vote;
  }

  template <class Tile, class Value>
  WARPLOOM_HD void tile_maximum(Tile&& tile, unsigned i, Value value) {
    if (tile[i] < value) tile[i] = value;
  }

  template <class Tile, class Value>
  WARPLOOM_HD void copy_async(Tile&& tile, unsigned i, const Value* from) {
    tile[i] = *from;
  }
  template <class Tile, class Value>
  WARPLOOM_HD void copy_async_or_zero(Tile&& tile, unsigned i, const Value* from, bool there) {
    tile[i] = there ? *from : Value{};
  }
  WARPLOOM_HD void end_copies() {}
  template <unsigned newest = 0>
  WARPLOOM_HD void copied() {}
  WARPLOOM_HD void after_previous() {}
  WARPLOOM_HD void next_may_begin() {}

  template <class Value>
  WARPLOOM_HD void shuffle(const PerThread<Value>& values, const PerThread<unsigned>& lanes, PerThread<Value>& to) {
    for (unsigned i = 0; i < size_; ++i) to.values[i] = values.values[i / warp_size * warp_size + lanes.values[i]];
  }

  template <class Body>
  WARPLOOM_HD void each_warp_distinct(PerThread<bool>& flags, PerThread<std::uint64_t>& keys, Body&& body) {
    for (unsigned first = 0; first < size_; first += warp_size) {
      const unsigned live = size_ - first < warp_size ? size_ - first : warp_size;
      unsigned distinct = 0;
      for (unsigned i = 0; i < live; ++i) {
        bool fresh = flags.values[first + i];
        for (unsigned j = i; fresh && j-- > 0;)  // the nearest are the likeliest to share
          fresh = !(flags.values[first + j] && keys.values[first + j] == keys.values[first + i]);
        distinct += fresh;
      }
      body(distinct);
    }
  }

 private:
  Index3 block_;
  std::uint64_t block_number_;
  Index3 threads_;
  unsigned size_;
  std::byte* dynamic_ = nullptr;
};

}  // namespace warploom
