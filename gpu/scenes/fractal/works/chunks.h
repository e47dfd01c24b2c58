#pragma once
#include <cstdint>

#include "gpu/core/bits.h"
#include "gpu/core/macros.h"
#include "gpu/core/unroll.h"

namespace warploom {

/// Chunks of 32 bits that follow each other in a word, worked on and moved at once: a thread that has two spends on
/// addresses what it would spend on one.
template <int count>
struct alignas(4 * count) Chunks {
  static constexpr int parts = count;
  std::uint32_t of[count] = {};

  template <class Body>
  WARPLOOM_HD_FLAT static Chunks each(Body&& body) {
    Chunks made;
    WARPLOOM_UNROLL
    for (int i = 0; i < count; ++i) made.of[i] = body(i);
    return made;
  }
  WARPLOOM_HD_FLAT friend Chunks operator&(const Chunks& a, const Chunks& b) {
    return each([&](int i) { return a.of[i] & b.of[i]; });
  }
  WARPLOOM_HD_FLAT friend Chunks operator|(const Chunks& a, const Chunks& b) {
    return each([&](int i) { return a.of[i] | b.of[i]; });
  }
  WARPLOOM_HD_FLAT friend Chunks operator^(const Chunks& a, const Chunks& b) {
    return each([&](int i) { return a.of[i] ^ b.of[i]; });
  }
  /// With the same mask in each.
  WARPLOOM_HD_FLAT friend Chunks operator&(const Chunks& a, std::uint32_t mask) {
    return each([&](int i) { return a.of[i] & mask; });
  }
  WARPLOOM_HD_FLAT Chunks operator~() const {
    return each([&](int i) { return ~of[i]; });
  }
};

template <unsigned table, int count>
WARPLOOM_HD_FLAT Chunks<count> logic_3(const Chunks<count>& a, const Chunks<count>& b, const Chunks<count>& c) {
  return Chunks<count>::each([&](int i) { return logic_3<table>(a.of[i], b.of[i], c.of[i]); });
}

}  // namespace warploom
