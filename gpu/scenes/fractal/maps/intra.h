#pragma once
#include "gpu/maps/map.h"
#include "gpu/scenes/fractal/maps/domain.h"

// How the threads of a block find their cells once lambda has placed the block: the three ways of
// [navarro2020fractals, section 3.2]. `digits` is log_s rho.

namespace warploom {

/// rho x rho threads, identity, a member test: some waste.
struct SubBoxes {
  static constexpr MapInfo info{"sub_boxes", "sub-boxes", "rho x rho threads, a member test", "navarro2020fractals"};

  static Index3 threads(const FractalDomain& domain, int digits) {
    return {domain.power_x[digits].divisor, domain.power_y[digits].divisor, 1};
  }
  static MapTable table(const FractalDomain&, int) { return {}; }

  WARPLOOM_HD static bool place(const FractalDomain& domain, int digits, const std::uint32_t*, Index3 thread,
                                Index2& at) {
    at = {thread.x, thread.y};
    return domain.member(thread.x, thread.y, digits);
  }
  WARPLOOM_HD static bool thread(const FractalDomain& domain, int digits, Index2 at, Index3& thread) {
    thread = {at.x, at.y, 0};
    return domain.member(at.x, at.y, digits);
  }
};

/// k^ceil(j/2) x k^floor(j/2) threads, lambda again on the thread's own digits: no waste.
struct Unroll {
  static constexpr MapInfo info{"unroll", "unrolled", "lambda again inside the block", "navarro2020fractals"};

  static Index3 threads(const FractalDomain& domain, int digits) {
    return {domain.power_k[(digits + 1) / 2].divisor, domain.power_k[digits / 2].divisor, 1};
  }
  static MapTable table(const FractalDomain&, int) { return {}; }

  WARPLOOM_HD static bool place(const FractalDomain& domain, int digits, const std::uint32_t*, Index3 thread,
                                Index2& at) {
    at = domain.lambda(thread.x, thread.y, digits);
    return true;
  }
  WARPLOOM_HD static bool thread(const FractalDomain& domain, int digits, Index2 at, Index3& thread) {
    thread = {};
    return domain.inverse(at.x, at.y, digits, thread.x, thread.y);
  }
};

/// The same threads, their offsets read from a table of k^j entries: no waste, no arithmetic.
struct Lookup {
  static constexpr MapInfo info{"lookup", "look-up", "offsets from a table of k^j entries", "navarro2020fractals"};

  static Index3 threads(const FractalDomain& domain, int digits) { return Unroll::threads(domain, digits); }

  /// x in the low 16 bits, y in the high ones: a block's side is at most 1024. In the order of the threads.
  static MapTable table(const FractalDomain& domain, int digits) {
    const Index3 shape = threads(domain, digits);
    MapTable offsets;
    for (std::uint32_t y = 0; y < shape.y; ++y)
      for (std::uint32_t x = 0; x < shape.x; ++x) {
        const Index2 at = domain.lambda(x, y, digits);
        offsets.push_back(at.x | at.y << 16);
      }
    return offsets;
  }

  WARPLOOM_HD static bool place(const FractalDomain& domain, int digits, const std::uint32_t* table, Index3 thread,
                                Index2& at) {
    const std::uint32_t packed = table[thread.y * domain.power_k[(digits + 1) / 2].divisor + thread.x];
    at = {packed & 0xffffu, packed >> 16};
    return true;
  }
  WARPLOOM_HD static bool thread(const FractalDomain& domain, int digits, Index2 at, Index3& thread) {
    return Unroll::thread(domain, digits, at, thread);
  }
};

}  // namespace warploom
