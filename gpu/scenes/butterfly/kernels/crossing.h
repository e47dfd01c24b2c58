#pragma once
#include <algorithm>
#include <cstdint>

#include "gpu/scenes/butterfly/kernels/network.h"

namespace warploom {

/// Of a problem of a network.
template <class Network>
std::uint32_t elements_of(const Network& network) {
  return network.n > 0 ? 1u << network.n : 1;
}

/// Whether a stage has an edge between threads. Of long problems not every element is asked: a partner is found by
/// adding or changing digits, so that what crosses anywhere crosses beside some power of two, or at either end.
template <class Network>
bool crosses_threads(const Network& a, int j) {
  const std::uint64_t all = elements_of(a);
  const auto from = [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t e = first; e < std::min(last, all); ++e) {
      const auto own = static_cast<std::uint32_t>(e);
      for (int k = 0; k < Network::operands && a.makes(j, own); ++k) {
        const std::uint32_t other = a.partner(j, own, k);
        if (other != no_element && a.place(j - 1, other).thread != a.place(j, own).thread) return true;
      }
    }
    return false;
  };
  constexpr std::uint64_t looked = 1u << 14, beside = 1u << 6;
  if (from(0, looked) || (all > looked && from(all - looked, all))) return true;
  for (std::uint64_t power = looked; power < all; power *= 2)
    for (std::uint64_t at = power; at < all; at += std::max(power, all / 64))
      if (from(at - beside, at + beside)) return true;
  return false;
}

}  // namespace warploom
