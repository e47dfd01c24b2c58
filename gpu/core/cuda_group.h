#pragma once  // only where CUDA compiles; elsewhere it is empty
#include <cstdint>
#include <type_traits>

#include "gpu/core/cuda_copies.h"
#include "gpu/core/product.h"
#include "gpu/core/thread.h"

#ifdef __CUDACC__
#include <cuda_fp16.h>
#include <mma.h>

namespace warploom {

/// A block on the GPU: a PerThread is a register. What it promises: group.h.
class CudaGroup : public CudaCopies {
 public:
  static constexpr bool on_device = true;

  template <class Value>
  struct PerThread {
    Value value;
    __device__ __forceinline__ Value& operator[](const Thread&) { return value; }
    __device__ __forceinline__ Value& operator[](const WarpLane&) { return value; }
  };

  template <class Value, unsigned count>
  struct Tile {
    // On 16 bytes: what is read in a row is read by few instructions.
    alignas(alignof(Value) < 16 ? 16 : alignof(Value)) Value values[count];
    __device__ __forceinline__ Value& operator[](unsigned i) { return values[i]; }
  };

  template <class Value>
  struct DynamicTile {
    Value* values;
    __device__ __forceinline__ Value& operator[](unsigned i) const { return values[i]; }
  };

  /// Which block of a gang this is, of how many, and the threads of each. A gang is launched as rows of warps, a row a
  /// block. Of one block the threads are those of the launch.
  struct Gang {
    unsigned member, count;
    Index3 threads;
  };

  /// rows_of_warps, exact_threads: what the program says of itself, constants once this is inlined.
  __device__ __forceinline__ CudaGroup(Index3 block, std::uint64_t block_number, bool rows_of_warps)
      : CudaGroup(block, block_number, rows_of_warps, 0, {0, 1, {}}) {}
  __device__ __forceinline__ CudaGroup(Index3 block, std::uint64_t block_number, bool rows_of_warps,
                                       unsigned exact_threads, Gang gang)
      : block_(block),
        block_number_(block_number),
        rows_of_warps_(rows_of_warps),
        exact_threads_(exact_threads),
        gang_(gang) {}

  __device__ __forceinline__ Index3 block() const { return block_; }
  __device__ __forceinline__ std::uint64_t block_number() const { return block_number_; }
  __device__ __forceinline__ Index3 threads() const {
    return gang_.count > 1 ? gang_.threads : Index3{blockDim.x, blockDim.y, blockDim.z};
  }
  __device__ __forceinline__ unsigned size() const {
    if (exact_threads_) return exact_threads_;
    if (rows_of_warps_) return blockDim.x;
    return gang_.count > 1 ? gang_.threads.x * gang_.threads.y * gang_.threads.z : blockDim.x * blockDim.y * blockDim.z;
  }

  /// A gang's blocks wait for their own threads alone: each has a barrier of the device for itself.
  __device__ __forceinline__ void barrier() {
    if (gang_.count == 1)
      __syncthreads();
    else if (size() <= warp_size)
      __syncwarp(mask());
    else
      barrier_of_gang();
  }

  __device__ __forceinline__ void warp_barrier() { __syncwarp(mask()); }

  template <class Value>
  __device__ __forceinline__ DynamicTile<Value> dynamic_tile(unsigned /*count*/, unsigned first_byte = 0) {
    extern __shared__ uint4 dynamic_shared[];  // its type is its alignment
    return {reinterpret_cast<Value*>(reinterpret_cast<unsigned char*>(dynamic_shared) + first_byte)};
  }

  template <class Body>
  __device__ __forceinline__ void each(Body&& body) {
    body(Thread{index(), place()});
  }

  template <class Body>
  __device__ __forceinline__ void each_in_warp(Body&& body) {
    body(WarpLane{index() % warp_size, live()});
  }

  /// Tree of shuffles over no more lanes than hold anything: ceil(log2 items) steps, then one broadcast.
  template <class Value>
  __device__ __forceinline__ Value warp_sum(PerThread<Value>& part, unsigned items) {
    const unsigned alive = live(), mask = this->mask(), self = index() % warp_size;
    const unsigned used = items < alive ? items : alive;
    Value value = part.value;
    for (unsigned offset = used > 1 ? 1u << (31 - __clz(static_cast<int>(used - 1))) : 0; offset; offset >>= 1) {
      const Value other = __shfl_down_sync(mask, value, offset);
      if (self + offset < used) value = value + other;
    }
    return __shfl_sync(mask, value, 0);
  }

  template <class Value>
  __device__ __forceinline__ Value sum(PerThread<Value>& part) {
    __shared__ Value of_all[warp_size];
    Value* const of_warp = of_all + first_warp();
    const Value in_warp = warp_sum(part, warp_size);
    if (size() <= warp_size) return in_warp;
    if (index() % warp_size == 0) of_warp[index() / warp_size] = in_warp;
    barrier();
    Value total{};
    for (unsigned i = 0; i < (size() + warp_size - 1) / warp_size; ++i) total = total + of_warp[i];
    barrier();  // the next sum of this type writes where the slowest warp still reads
    return total;
  }

  template <class Value>
  __device__ __forceinline__ Value exclusive_sum(PerThread<Value>& part) {
    __shared__ Value of_all[warp_size];
    Value* const of_warp = of_all + first_warp();
    const unsigned self = index() % warp_size, warp = index() / warp_size;
    Value until = part.value;
    for (unsigned offset = 1; offset < warp_size; offset *= 2) {
      const Value other = __shfl_up_sync(mask(), until, offset);
      if (self >= offset) until = until + other;
    }
    const Value own = until - part.value;
    if (size() <= warp_size) {
      part.value = own;
      return __shfl_sync(mask(), until, live() - 1);
    }
    if (self + 1 == live()) of_warp[warp] = until;
    barrier();
    Value before{}, total{};
    for (unsigned i = 0; i < (size() + warp_size - 1) / warp_size; ++i) {
      if (i == warp) before = total;
      total = total + of_warp[i];
    }
    part.value = before + own;
    barrier();  // the next one of this type writes where the slowest warp still reads
    return total;
  }

  template <class Body>
  __device__ __forceinline__ void once(Body&& body) {
    if (index() == 0) body();
  }

  template <class Tile>
  __device__ __forceinline__ void tile_maximum(Tile&& tile, unsigned i, std::uint32_t value) {
    atomicMax(&tile[i], value);
  }
  template <class Tile>
  __device__ __forceinline__ void tile_maximum(Tile&& tile, unsigned i, std::uint64_t value) {
    atomicMax(reinterpret_cast<unsigned long long*>(&tile[i]), static_cast<unsigned long long>(value));
  }

  /// What it waits for is stored by a block that runs: the device schedules on.
  __device__ __forceinline__ void pause(unsigned looks = 0) const {
    constexpr unsigned most_doublings = 5;
    if (looks > 0) __nanosleep(32u << (looks < most_doublings ? looks : most_doublings));
  }

  /// The first warp computes, the others wait: cheaper from four warps on.
  template <class Body>
  __device__ __forceinline__ auto same(Body&& body, bool again = true) {
    using Value = decltype(body());
    if (size() < 4 * warp_size) return body();
    static_assert(std::is_trivially_copyable_v<Value>);
    // Bytes: no thread may construct what another has already filled.
    alignas(Value) __shared__ unsigned char memory[most_gang * sizeof(Value)];
    Value& shared = reinterpret_cast<Value*>(memory)[gang_.member];
    if (again) barrier();  // no thread still reads what an earlier turn shared
    if (index() < warp_size) {
      const Value own = body();
      if (index() == 0) shared = own;
    }
    barrier();
    return shared;
  }

  /// The first warp multiplies. Fragments are loaded from shared memory and stored to it: which element a thread has is
  /// not specified.
  template <class Operands, class A, class B, class C>
  __device__ __forceinline__ const Product16<typename Operands::Sum>& product(A&& a, B&& b, C&& c) {
    using Sum = typename Operands::Sum;
    using Operand = std::conditional_t<std::is_same_v<Operands, HalfOperands>, __half, unsigned char>;
    __shared__ alignas(32) Operand left[256], right[256];
    __shared__ alignas(32) Product16<Sum> result;
    const auto operand = [](auto value) {
      if constexpr (std::is_same_v<Operands, HalfOperands>)
        return __float2half(static_cast<float>(value));
      else
        return static_cast<unsigned char>(value);
    };
    __syncthreads();  // what came out before is read by now
    for (unsigned i = index(); i < 256; i += size()) {
      left[i] = operand(a(i / 16, i % 16));
      right[i] = operand(b(i / 16, i % 16));
      result.values[i] = static_cast<Sum>(c(i / 16, i % 16));
    }
    __syncthreads();
    if (index() < warp_size) {
      namespace wmma = nvcuda::wmma;
      wmma::fragment<wmma::matrix_a, 16, 16, 16, Operand, wmma::row_major> in_a;
      wmma::fragment<wmma::matrix_b, 16, 16, 16, Operand, wmma::row_major> in_b;
      wmma::fragment<wmma::accumulator, 16, 16, 16, Sum> sums;
      wmma::load_matrix_sync(in_a, left, 16);
      wmma::load_matrix_sync(in_b, right, 16);
      wmma::load_matrix_sync(sums, result.values, 16, wmma::mem_row_major);
      wmma::mma_sync(sums, in_a, in_b, sums);
      wmma::store_matrix_sync(result.values, sums, 16, wmma::mem_row_major);
    }
    __syncthreads();
    return result;
  }

  template <class Value, class Body>
  __device__ __forceinline__ void sum_once(PerThread<Value>& part, Body&& body, bool again = true) {
    __shared__ Value of_all[warp_size];
    Value* const of_warp = of_all + first_warp();
    Value value = tree(part.value, live());
    const unsigned warps = (size() + warp_size - 1) / warp_size;
    if (warps == 1) {
      if (index() == 0) body(value);
      return;
    }
    if (again) barrier();  // the first warp may still read the sums of an earlier turn
    if (index() % warp_size == 0) of_warp[index() / warp_size] = value;
    barrier();
    if (index() >= warp_size) return;
    value = tree(index() < warps ? of_warp[index()] : Value{}, warp_size);
    if (index() == 0) body(value);
  }

  template <class Value, class Body>
  __device__ __forceinline__ void each_warp_sum(PerThread<Value>& part, Body&& body) {
    if (!__any_sync(mask(), part.value != Value{})) return;
    const Value total = warp_sum(part, warp_size);
    if (index() % warp_size == 0 && total != Value{}) body(index() / warp_size, total);
  }

  template <class Body>
  __device__ __forceinline__ void each_warp_count(PerThread<bool>& flags, Body&& body) {
    const unsigned set = __popc(__ballot_sync(mask(), flags.value));
    if (index() % warp_size == 0) body(live(), set);
  }

  __device__ __forceinline__ void warp_ranks(PerThread<bool>& flags, PerThread<unsigned>& ranks) {
    ranks.value = __popc(__ballot_sync(mask(), flags.value) & ((1u << (index() % warp_size)) - 1));
  }

  /// Neighbours at a distance that doubles, as long as they are not before the last head.
  template <class Value>
  __device__ __forceinline__ void warp_segmented_sum(PerThread<Value>& values, PerThread<bool>& heads) {
    const unsigned self = index() % warp_size;
    const unsigned until = __ballot_sync(mask(), heads.value) & (~0u >> (warp_size - 1 - self));
    const unsigned before = until ? self - (31 - __clz(static_cast<int>(until))) : self;
    for (unsigned offset = 1; offset < warp_size; offset *= 2) {
      const Value other = __shfl_up_sync(mask(), values.value, offset);
      if (before >= offset) values.value = other + values.value;
    }
  }

  __device__ __forceinline__ void warp_ballot(PerThread<bool>& flags, PerThread<std::uint32_t>& votes) {
    votes.value = __ballot_sync(mask(), flags.value);
  }

  __device__ __forceinline__ std::uint32_t ballot(PerThread<bool>& flags) { return __ballot_sync(mask(), flags.value); }

  template <class Value>
  __device__ __forceinline__ void shuffle(const PerThread<Value>& values, const PerThread<unsigned>& lanes,
                                          PerThread<Value>& to) {
    static_assert(std::is_trivially_copyable_v<Value> && sizeof(Value) % sizeof(unsigned) == 0);
    constexpr unsigned count = sizeof(Value) / sizeof(unsigned);
    unsigned words[count];
    memcpy(words, &values.value, sizeof(Value));
    // By number: by address a compiler may leave it a loop over words in memory.
#pragma unroll
    for (unsigned w = 0; w < count; ++w) words[w] = __shfl_sync(mask(), words[w], static_cast<int>(lanes.value));
    memcpy(&to.value, words, sizeof(Value));
  }

  template <class Body>
  __device__ __forceinline__ void each_warp_distinct(PerThread<bool>& flags, PerThread<std::uint64_t>& keys,
                                                     Body&& body) {
    // A thread without a key takes any, so that all live lanes take part in the match; it has no peers.
    const unsigned long long key = flags.value ? keys.value : 0;
    const unsigned flagged = __ballot_sync(mask(), flags.value);
    const unsigned peers = __match_any_sync(mask(), key) & flagged;
    const bool first = flags.value && (peers & ((1u << (index() % warp_size)) - 1)) == 0;
    const unsigned distinct = __popc(__ballot_sync(mask(), first));
    if (index() % warp_size == 0) body(distinct);
  }

 private:
  /// The sum over the first `alive` lanes of the warp, in its first lane.
  template <class Value>
  __device__ __forceinline__ Value tree(Value value, unsigned alive) const {
    const unsigned self = index(), mask = alive == warp_size ? ~0u : (1u << alive) - 1;
    for (unsigned offset = warp_size / 2; offset; offset >>= 1) {
      const Value other = __shfl_down_sync(mask, value, offset);
      if (self % warp_size + offset < alive) value = value + other;
    }
    return value;
  }
  __device__ __forceinline__ unsigned index() const {
    if (rows_of_warps_ || gang_.count > 1) return threadIdx.x;
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  }
  __device__ __forceinline__ Index3 place() const {
    if (rows_of_warps_) return {threadIdx.x, 0, 0};
    if (gang_.count == 1) return {threadIdx.x, threadIdx.y, threadIdx.z};
    const unsigned row = threadIdx.x / gang_.threads.x;
    return {threadIdx.x % gang_.threads.x, row % gang_.threads.y, row / gang_.threads.y};
  }
  /// Of a gang: places for threads that a block's row has.
  __device__ __forceinline__ unsigned row() const {
    return exact_threads_ ? (exact_threads_ + warp_size - 1) / warp_size * warp_size : blockDim.x;
  }
  /// By numbers that the compiler knows: of one that it does not it counts all the device has as used, and a
  /// multiprocessor then holds a few blocks only.
  __device__ __forceinline__ void barrier_of_gang() {
    static_assert(most_gang == 8);
    switch (gang_.member) {
      case 0:
        return barrier_number<1>();
      case 1:
        return barrier_number<2>();
      case 2:
        return barrier_number<3>();
      case 3:
        return barrier_number<4>();
      case 4:
        return barrier_number<5>();
      case 5:
        return barrier_number<6>();
      case 6:
        return barrier_number<7>();
      default:
        return barrier_number<8>();
    }
  }
  template <unsigned number>
  __device__ __forceinline__ void barrier_number() {
    asm volatile("bar.sync %0, %1;" ::"n"(number), "r"(row()) : "memory");
  }
  /// Of a gang: how many warps are before this block's.
  __device__ __forceinline__ unsigned first_warp() const {
    return gang_.count > 1 ? gang_.member * (row() / warp_size) : 0;
  }
  __device__ __forceinline__ unsigned live() const {
    if (rows_of_warps_) return warp_size;
    const unsigned rest = size() - index() / warp_size * warp_size;
    return rest < warp_size ? rest : warp_size;
  }
  __device__ __forceinline__ unsigned mask() const { return live() == warp_size ? ~0u : (1u << live()) - 1; }

  Index3 block_;
  std::uint64_t block_number_;
  bool rows_of_warps_;
  unsigned exact_threads_;
  Gang gang_;
};

}  // namespace warploom

#endif
