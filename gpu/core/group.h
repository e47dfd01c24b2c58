#pragma once
#include <bit>
#include <cstdint>

#include "gpu/core/types.h"

namespace warploom {

/// A thread of a block: its linear number, and its place in the block.
struct Thread {
  unsigned index = 0;
  Index3 at;
};

/// A thread of a warp: its number there, and how many of the warp's threads the block has.
struct WarpLane {
  unsigned index = 0, live = warp_size;
};

/// A block on the CPU: one physical thread runs every lane, phase by phase. What lives across a phase is a PerLane.
///
/// A group program is written once for both groups:
///   each(f)        f(Thread) in every lane, then a barrier
///   each_in_warp(f) f(WarpLane) in every lane of a warp, no barrier
///   sum, warp_sum  the same value in every lane
///   barrier()      all lanes have come here, and see what the others put into a Tile
///   same(f)        f() of one lane, for all of them
///   sum_once(p, f) f(sum over the block) in one lane
/// Its members are host-device only because nvcc checks the templates that call them for both sides.
class CpuGroup {
 public:
  /// A register on the GPU, an array here. Never crosses the host/device border.
  template <class Value>
  struct PerLane {
    Value values[max_block_threads];
    WARPLOOM_HD Value& operator[](const Thread& lane) { return values[lane.index]; }
    WARPLOOM_HD Value& operator[](const WarpLane& lane) { return values[lane.index]; }
  };

  /// Values that all lanes of a block share; a local variable of the program, one of each type and count: on the GPU
  /// there is one memory for each. Every read of what another lane wrote needs a barrier between.
  template <class Value, unsigned count>
  struct Tile {
    Value values[count];
    WARPLOOM_HD Value& operator[](unsigned i) { return values[i]; }
  };

  WARPLOOM_HD CpuGroup(Index3 block, std::uint64_t block_number, Index3 threads)
      : block_(block), block_number_(block_number), threads_(threads), size_(static_cast<unsigned>(volume(threads))) {}

  WARPLOOM_HD Index3 block() const { return block_; }
  WARPLOOM_HD std::uint64_t block_number() const { return block_number_; }
  WARPLOOM_HD Index3 threads() const { return threads_; }
  WARPLOOM_HD unsigned size() const { return size_; }

  WARPLOOM_HD void barrier() {}

  template <class Body>
  WARPLOOM_HD void each(Body&& body) {
    Thread lane;
    for (lane.at.z = 0; lane.at.z < threads_.z; ++lane.at.z)
      for (lane.at.y = 0; lane.at.y < threads_.y; ++lane.at.y)
        for (lane.at.x = 0; lane.at.x < threads_.x; ++lane.at.x, ++lane.index) body(lane);
  }

  /// Every warp would compute the same, so the first stands for all.
  template <class Body>
  WARPLOOM_HD void each_in_warp(Body&& body) {
    const unsigned live = size_ < warp_size ? size_ : warp_size;
    for (unsigned i = 0; i < live; ++i) body(WarpLane{i, live});
  }

  /// Sum over the warp of values set in each_in_warp, of which only the first `items` can differ from zero.
  template <class Value>
  WARPLOOM_HD Value warp_sum(PerLane<Value>& part, unsigned items) {
    Value total{};
    const unsigned live = size_ < warp_size ? size_ : warp_size;
    for (unsigned i = 0; i < live && i < items; ++i) total = total + part.values[i];
    return total;
  }

  /// Sum over the block; the same value in every lane.
  template <class Value>
  WARPLOOM_HD Value sum(PerLane<Value>& part) {
    Value total{};
    for (unsigned i = 0; i < size_; ++i) total = total + part.values[i];
    return total;
  }

  /// One lane of the block.
  template <class Body>
  WARPLOOM_HD void once(Body&& body) {
    body();
  }

  /// What would be the same in every lane, computed once. `again`: not for the first time in this block.
  template <class Body>
  WARPLOOM_HD auto same(Body&& body, bool /*again*/ = true) {
    return body();
  }

  /// body(sum over the block) in one lane.
  template <class Value, class Body>
  WARPLOOM_HD void sum_once(PerLane<Value>& part, Body&& body, bool /*again*/ = true) {
    body(sum(part));
  }

  /// For each warp of the block whose sum is not zero, once: body(number of the warp, sum).
  template <class Value, class Body>
  WARPLOOM_HD void each_warp_sum(PerLane<Value>& part, Body&& body) {
    // One physical thread has no use for sums apart.
    const Value total = sum(part);
    if (total != Value{}) body(0u, total);
  }

  /// For each warp of the block once: body(how many lanes are live, in how many `flags` is set).
  template <class Body>
  WARPLOOM_HD void each_warp_count(PerLane<bool>& flags, Body&& body) {
    for (unsigned first = 0; first < size_; first += warp_size) {
      const unsigned live = size_ - first < warp_size ? size_ - first : warp_size;
      unsigned set = 0;
      for (unsigned i = 0; i < live; ++i) set += flags.values[first + i];
      body(live, set);
    }
  }

  /// For each warp of the block once: body(how many different keys the flagged lanes hold).
  template <class Body>
  WARPLOOM_HD void each_warp_distinct(PerLane<bool>& flags, PerLane<std::uint64_t>& keys, Body&& body) {
    for (unsigned first = 0; first < size_; first += warp_size) {
      const unsigned live = size_ - first < warp_size ? size_ - first : warp_size;
      unsigned distinct = 0;
      for (unsigned i = 0; i < live; ++i) {
        bool fresh = flags.values[first + i];
        for (unsigned j = i; fresh && j-- > 0;)  // the nearest lanes are the likeliest to share
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
};

/// A group of one lane, on either side: what a picture or a hover uses to ask a map about somebody else's block.
struct SoloGroup {
  template <class Value>
  struct PerLane {
    Value value;
    WARPLOOM_HD Value& operator[](const WarpLane&) { return value; }
  };
  template <class Body>
  WARPLOOM_HD void each_in_warp(Body&& body) {
    body(WarpLane{0, 1});
  }
  template <class Value>
  WARPLOOM_HD Value warp_sum(PerLane<Value>& part, unsigned) {
    return part.value;
  }
  template <class Body>
  WARPLOOM_HD auto same(Body&& body, bool = true) {
    return body();
  }
};

#ifdef __CUDACC__

/// A block on the GPU: every lane is a thread, a PerLane is a register.
class CudaGroup {
 public:
  template <class Value>
  struct PerLane {
    Value value;
    __device__ __forceinline__ Value& operator[](const Thread&) { return value; }
    __device__ __forceinline__ Value& operator[](const WarpLane&) { return value; }
  };

  template <class Value, unsigned count>
  struct Tile {
    __device__ __forceinline__ Value& operator[](unsigned i) { return memory()[i]; }
    __device__ __forceinline__ static Value* memory() {
      __shared__ Value values[count];
      return values;
    }
  };

  __device__ __forceinline__ CudaGroup(Index3 block, std::uint64_t block_number)
      : block_(block), block_number_(block_number) {}

  __device__ __forceinline__ Index3 block() const { return block_; }
  __device__ __forceinline__ std::uint64_t block_number() const { return block_number_; }
  __device__ __forceinline__ Index3 threads() const { return {blockDim.x, blockDim.y, blockDim.z}; }
  __device__ __forceinline__ unsigned size() const { return blockDim.x * blockDim.y * blockDim.z; }

  __device__ __forceinline__ void barrier() { __syncthreads(); }

  template <class Body>
  __device__ __forceinline__ void each(Body&& body) {
    body(Thread{index(), {threadIdx.x, threadIdx.y, threadIdx.z}});
  }

  template <class Body>
  __device__ __forceinline__ void each_in_warp(Body&& body) {
    body(WarpLane{index() % warp_size, live()});
  }

  /// Tree of shuffles over no more lanes than hold anything: ceil(log2 items) steps, then one broadcast.
  template <class Value>
  __device__ __forceinline__ Value warp_sum(PerLane<Value>& part, unsigned items) {
    const unsigned alive = live(), mask = alive == warp_size ? ~0u : (1u << alive) - 1, self = index() % warp_size;
    const unsigned used = items < alive ? items : alive;
    Value value = part.value;
    for (unsigned offset = used > 1 ? 1u << (31 - __clz(static_cast<int>(used - 1))) : 0; offset; offset >>= 1) {
      const Value other = __shfl_down_sync(mask, value, offset);
      if (self + offset < used) value = value + other;
    }
    return __shfl_sync(mask, value, 0);
  }

  template <class Value>
  __device__ __forceinline__ Value sum(PerLane<Value>& part) {
    __shared__ Value of_warp[warp_size];
    const Value in_warp = warp_sum(part, warp_size);
    if (size() <= warp_size) return in_warp;
    if (index() % warp_size == 0) of_warp[index() / warp_size] = in_warp;
    __syncthreads();
    Value total{};
    for (unsigned i = 0; i < (size() + warp_size - 1) / warp_size; ++i) total = total + of_warp[i];
    __syncthreads();
    return total;
  }

  template <class Body>
  __device__ __forceinline__ void once(Body&& body) {
    if (index() == 0) body();
  }

  /// The first warp computes, the others wait: cheaper from four warps on.
  template <class Body>
  __device__ __forceinline__ auto same(Body&& body, bool again = true) {
    using Value = decltype(body());
    if (size() < 4 * warp_size) return body();
    __shared__ Value shared;
    if (again) __syncthreads();  // nobody still reads what an earlier turn shared
    if (index() < warp_size) {
      const Value own = body();
      if (index() == 0) shared = own;
    }
    __syncthreads();
    return shared;
  }

  template <class Value, class Body>
  __device__ __forceinline__ void sum_once(PerLane<Value>& part, Body&& body, bool again = true) {
    __shared__ Value of_warp[warp_size];
    Value value = tree(part.value, live());
    const unsigned warps = (size() + warp_size - 1) / warp_size;
    if (warps == 1) {
      if (index() == 0) body(value);
      return;
    }
    if (again) __syncthreads();
    if (index() % warp_size == 0) of_warp[index() / warp_size] = value;
    __syncthreads();
    if (index() >= warp_size) return;
    value = tree(index() < warps ? of_warp[index()] : Value{}, warp_size);
    if (index() == 0) body(value);
  }

  template <class Value, class Body>
  __device__ __forceinline__ void each_warp_sum(PerLane<Value>& part, Body&& body) {
    if (!__any_sync(mask(), part.value != Value{})) return;
    const Value total = warp_sum(part, warp_size);
    if (index() % warp_size == 0 && total != Value{}) body(index() / warp_size, total);
  }

  template <class Body>
  __device__ __forceinline__ void each_warp_count(PerLane<bool>& flags, Body&& body) {
    const unsigned set = __popc(__ballot_sync(mask(), flags.value));
    if (index() % warp_size == 0) body(live(), set);
  }

  template <class Body>
  __device__ __forceinline__ void each_warp_distinct(PerLane<bool>& flags, PerLane<std::uint64_t>& keys, Body&& body) {
    // A lane without a key takes one that no address has, so that all live lanes take part in the match.
    const unsigned long long key = flags.value ? keys.value : ~0ull;
    const unsigned peers = __match_any_sync(mask(), key);
    const bool first = flags.value && (peers & ((1u << (index() % warp_size)) - 1)) == 0;
    const unsigned distinct = __popc(__ballot_sync(mask(), first));
    if (index() % warp_size == 0) body(distinct);
  }

 private:
  /// The sum over the first `alive` lanes of the warp, in its first lane.
  template <class Value>
  __device__ __forceinline__ static Value tree(Value value, unsigned alive) {
    const unsigned self = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const unsigned mask = alive == warp_size ? ~0u : (1u << alive) - 1;
    for (unsigned offset = warp_size / 2; offset; offset >>= 1) {
      const Value other = __shfl_down_sync(mask, value, offset);
      if (self % warp_size + offset < alive) value = value + other;
    }
    return value;
  }
  __device__ __forceinline__ unsigned index() const {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  __device__ __forceinline__ unsigned live() const {
    const unsigned rest = size() - index() / warp_size * warp_size;
    return rest < warp_size ? rest : warp_size;
  }
  __device__ __forceinline__ unsigned mask() const { return live() == warp_size ? ~0u : (1u << live()) - 1; }

  Index3 block_;
  std::uint64_t block_number_;
};

#endif

}  // namespace warploom
