#pragma once
#include <cstdint>

#include "gpu/core/checked_block.h"
#include "gpu/core/checked_memory.h"
#include "gpu/core/cpu_group.h"

#ifdef __CUDACC__  // host code that nvcc checks for both sides (checked_memory.h)
#pragma nv_diagnostic push
#pragma nv_diag_suppress 20011, 20013, 20014, 20015
#endif
namespace warploom {

/// A block on the CPU that checks every promise: it runs its threads in an order of each block's own, every warp where
/// a CpuGroup lets one stand for all, and throws GroupError for
/// - a value of shared memory that is read or written where another thread wrote it, or written where another read it,
///   since the last barrier that both waited at; that is read before it is written; that is out of range; that meets a
///   tile_maximum of any thread since the last barrier, or that a tile_maximum meets before it is written
/// - a call of all threads inside the body of another, so that not all reach it
/// - a PerThread of a thread that does not run; one that a collective reads and a thread never set
/// - warps that disagree on a warp_sum
/// - a barrier, of the block or of warps, while copies are under way, copied() not called since; a value of one that is
///   read, or written, before copied() waited for its batch
/// Slower than CpuGroup by an order of magnitude: for debug and sanitizer builds, and tests.
class CheckedGroup : CpuGroup {
 public:
  using CpuGroup::on_device, CpuGroup::block, CpuGroup::block_number, CpuGroup::threads, CpuGroup::size,
      CpuGroup::pause, CpuGroup::next_may_begin;

  /// A read of one that was never set is seen by collectives alone.
  template <class Value>
  struct PerThread : CpuGroup::PerThread<Value> {
    bool set[max_block_threads] = {};
    WARPLOOM_HD Value& operator[](const Thread& thread) { return touched(CheckedBlock::current().own(thread.index)); }
    WARPLOOM_HD Value& operator[](const WarpLane& lane) {
      return touched(CheckedBlock::current().own_in_warp(lane.index));
    }

   private:
    WARPLOOM_HD Value& touched(unsigned index) {
      set[index] = true;
      return this->values[index];
    }
  };

  template <class Value, unsigned count>
  using Tile = CheckedTile<Value, count>;
  template <class Value>
  using DynamicTile = CheckedDynamicTile<Value>;
  using Dynamic = CheckedDynamic;

  CheckedGroup(const char* kernel, Index3 block, std::uint64_t block_number, Index3 threads, Dynamic& dynamic)
      : CpuGroup(block, block_number, threads), at_(kernel, block, block_number, threads), dynamic_(&dynamic) {}
  CheckedGroup(Index3 block, std::uint64_t block_number, Index3 threads)
      : CpuGroup(block, block_number, threads), at_(nullptr, block, block_number, threads), dynamic_(nullptr) {}

  WARPLOOM_HD void barrier() {
    at_.call("barrier");
    if (copies_) at_.fail("a barrier is reached while copies are under way: copied() comes before it");
    at_.next_phase();
  }
  WARPLOOM_HD void warp_barrier() {
    at_.call("warp_barrier");
    if (copies_) at_.fail("a barrier of warps is reached while copies are under way: copied() comes before it");
    at_.next_phase_of_warps();
  }

  template <class Value>
  WARPLOOM_HD DynamicTile<Value> dynamic_tile(unsigned count, unsigned first_byte = 0) {
    check_dynamic(std::uint64_t{count} * sizeof(Value), alignof(Value), first_byte);
    return {dynamic_, count, first_byte};
  }

  template <class Body>
  WARPLOOM_HD void each(Body&& body) {
    at_.call("each");
    for (unsigned i = 0; i < size(); ++i) {
      const unsigned index = at_.in_order(i);
      at_.run_as("each", index);
      body(Thread{index, at_.place(index)});
    }
    at_.leave();
  }

  template <class Body>
  WARPLOOM_HD void each_in_warp(Body&& body) {
    at_.call("each_in_warp");
    for (unsigned warp = at_.warps(); warp-- > 0;)
      for (unsigned lane = at_.live_in(warp); lane-- > 0;) {
        at_.run_as("each_in_warp", warp * warp_size + lane);
        body(WarpLane{lane, at_.live_in(warp)});
      }
    at_.leave();
  }

  template <class Value>
  WARPLOOM_HD Value warp_sum(PerThread<Value>& part, unsigned items) {
    at_.call("warp_sum");
    Value first{};
    for (unsigned warp = 0; warp < at_.warps(); ++warp) {
      Value total{};
      for (unsigned lane = 0; lane < at_.live_in(warp); ++lane) {
        const unsigned thread = warp * warp_size + lane;
        if (lane < items) {
          at_.check_set("warp_sum", part.set[thread], thread);
          total = total + part.values[thread];  // NOLINT(clang-analyzer-core.UndefinedBinaryOperatorResult): it is set
        } else if (part.set[thread] &&
                   part.values[thread] != Value{}) {  // NOLINT(clang-analyzer-core.UndefinedBinaryOperatorResult)
          at_.fail("warp_sum is told of fewer lanes than hold a value");
        }
      }
      if (warp == 0) first = total;
      if (total != first) at_.fail("warp_sum differs between the warps of a block");
    }
    return first;
  }

  template <class Value>
  WARPLOOM_HD Value sum(PerThread<Value>& part) {
    at_.call("sum");
    check_set("sum", part, 0, size());
    return CpuGroup::sum(part);
  }

  template <class Value>
  WARPLOOM_HD Value exclusive_sum(PerThread<Value>& part) {
    at_.call("exclusive_sum");
    check_set("exclusive_sum", part, 0, size());
    return CpuGroup::exclusive_sum(part);
  }

  template <class Body>
  WARPLOOM_HD void once(Body&& body) {
    at_.call("once");
    at_.run_as("once", 0);
    body();
    at_.leave();
  }

  template <class Body>
  WARPLOOM_HD auto same(Body&& body, bool again = true) {
    at_.call("same");
    at_.use_site(site<Body>(), "same", again);
    at_.run_as("same", CheckedBlock::everyone);
    const auto value = body();
    at_.leave();
    return value;
  }

  template <class Operands, class A, class B, class C>
  WARPLOOM_HD Product16<typename Operands::Sum> product(A&& a, B&& b, C&& c) {
    at_.call("product");
    if (size() < warp_size) at_.fail("product is of blocks of a warp and more");
    return CpuGroup::product<Operands>(a, b, c);
  }

  template <class Value, class Body>
  WARPLOOM_HD void sum_once(PerThread<Value>& part, Body&& body, bool again = true) {
    at_.call("sum_once");
    at_.use_site(site<Body>(), "sum_once", again);
    check_set("sum_once", part, 0, size());
    const Value all = CpuGroup::sum(part);
    at_.run_as("sum_once", 0);
    body(all);
    at_.leave();
  }

  template <class Value, class Body>
  WARPLOOM_HD void each_warp_sum(PerThread<Value>& part, Body&& body) {
    each_warp("each_warp_sum", [&](unsigned warp, unsigned first, unsigned live) {
      check_set("each_warp_sum", part, first, live);
      Value all{};
      for (unsigned i = first; i < first + live; ++i) all = all + part.values[i];
      if (all != Value{}) body(warp, all);
    });
  }

  template <class Body>
  WARPLOOM_HD void each_warp_count(PerThread<bool>& flags, Body&& body) {
    each_warp("each_warp_count", [&](unsigned, unsigned first, unsigned live) {
      check_set("each_warp_count", flags, first, live);
      unsigned set = 0;
      for (unsigned i = first; i < first + live; ++i) set += flags.values[i];
      body(live, set);
    });
  }

  WARPLOOM_HD void warp_ranks(PerThread<bool>& flags, PerThread<unsigned>& ranks) {
    at_.call("warp_ranks");
    check_set("warp_ranks", flags, 0, size());
    CpuGroup::warp_ranks(flags, ranks);
    now_set(ranks);
  }

  template <class Value>
  WARPLOOM_HD void warp_segmented_sum(PerThread<Value>& values, PerThread<bool>& heads) {
    at_.call("warp_segmented_sum");
    check_set("warp_segmented_sum", values, 0, size());
    check_set("warp_segmented_sum", heads, 0, size());
    CpuGroup::warp_segmented_sum(values, heads);
  }

  WARPLOOM_HD void warp_ballot(PerThread<bool>& flags, PerThread<std::uint32_t>& votes) {
    at_.call("warp_ballot");
    check_set("warp_ballot", flags, 0, size());
    CpuGroup::warp_ballot(flags, votes);
    now_set(votes);
  }

  WARPLOOM_HD std::uint32_t ballot(PerThread<bool>& flags) {
    at_.call("ballot");
    if (size() > warp_size) at_.fail("ballot is of blocks of one warp");
    check_set("ballot", flags, 0, size());
    return CpuGroup::ballot(flags);
  }

  template <class Tile, class Value>
  WARPLOOM_HD void tile_maximum(Tile&& tile, unsigned i, Value value) {
    tile[i].raise(value);
  }

  template <class Tile, class Value>
  WARPLOOM_HD void copy_async(Tile&& tile, unsigned i, const Value* from) {
    tile[i].copy(*from);
    copies_ = true;
  }
  template <class Tile, class Value>
  WARPLOOM_HD void copy_async_or_zero(Tile&& tile, unsigned i, const Value* from, bool there) {
    tile[i].copy(there ? *from : Value{});
    copies_ = true;
  }
  WARPLOOM_HD void end_copies() {
    at_.call("end_copies");
    at_.end_batch();
  }
  template <unsigned newest = 0>
  WARPLOOM_HD void copied() {
    at_.call("copied");
    at_.batches_are_there(newest);
    copies_ = false;
  }
  WARPLOOM_HD void after_previous() { at_.call("after_previous"); }

  template <class Value>
  WARPLOOM_HD void shuffle(const PerThread<Value>& values, const PerThread<unsigned>& lanes, PerThread<Value>& to) {
    at_.call("shuffle");
    check_set("shuffle", lanes, 0, size());
    for (unsigned i = 0; i < size(); ++i) {
      const unsigned warp = i / warp_size, from = warp * warp_size + lanes.values[i];
      if (lanes.values[i] >= at_.live_in(warp)) at_.fail("shuffle asks for a lane that is not live");
      at_.check_set("shuffle", values.set[from], from);
    }
    CpuGroup::shuffle(values, lanes, to);
    now_set(to);
  }

  template <class Body>
  WARPLOOM_HD void each_warp_distinct(PerThread<bool>& flags, PerThread<std::uint64_t>& keys, Body&& body) {
    each_warp("each_warp_distinct", [&](unsigned, unsigned first, unsigned live) {
      check_set("each_warp_distinct", flags, first, live);
      unsigned distinct = 0;
      for (unsigned i = first; i < first + live; ++i) {
        if (!flags.values[i]) continue;
        at_.check_set("each_warp_distinct", keys.set[i], i);
        bool fresh = true;
        for (unsigned j = first; j < i; ++j) fresh &= !(flags.values[j] && keys.values[j] == keys.values[i]);
        distinct += fresh;
      }
      body(distinct);
    });
  }

 private:
  /// body(warp, its first thread, how many it has) as the first thread of each warp.
  template <class Body>
  WARPLOOM_HD void each_warp(const char* name, Body&& body) {
    at_.call(name);
    for (unsigned warp = at_.warps(); warp-- > 0;) {
      at_.run_as(name, warp * warp_size);
      body(warp, warp * warp_size, at_.live_in(warp));
    }
    at_.leave();
  }
  /// These threads have set it; all have now.
  template <class Value>
  WARPLOOM_HD void check_set(const char* call, const PerThread<Value>& part, unsigned first, unsigned count) const {
    for (unsigned i = first; i < first + count; ++i) at_.check_set(call, part.set[i], i);
  }
  template <class Value>
  WARPLOOM_HD void now_set(PerThread<Value>& part) const {
    for (unsigned i = 0; i < size(); ++i) part.set[i] = true;
  }
  /// One place of a program, by the type of its body.
  template <class Body>
  static const void* site() {
    static constexpr char here = 0;
    return &here;
  }
  void check_dynamic(std::uint64_t bytes, std::uint64_t alignment, std::uint64_t first_byte) const {
    const std::uint64_t all = dynamic_ ? dynamic_->size() : 0;
    if (first_byte + bytes > all)
      at_.fail("a tile of bytes " + std::to_string(first_byte) + " to " + std::to_string(first_byte + bytes) +
               " is asked of " + std::to_string(all) + " bytes of dynamic shared memory");
    if (first_byte % alignment)
      at_.fail("a tile from byte " + std::to_string(first_byte) + " on is not aligned to " + std::to_string(alignment));
  }

  CheckedBlock at_;
  Dynamic* dynamic_;
  bool copies_ = false;  ///< some are not waited for
};

}  // namespace warploom
#ifdef __CUDACC__
#pragma nv_diagnostic pop
#endif
