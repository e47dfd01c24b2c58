#pragma once
#include <algorithm>

#include "gpu/scenes/butterfly/kernels/plan.h"

// How operands come, by where a plan has both ends of an edge.
namespace warploom {

/// Of an edge between two stages. `shuffles`: threads of a warp exchange by shuffle. `base`: the first thread of the
/// problem in its block, as warps are cut from blocks.
inline EdgeKind edge_kind(const PlanPlaces& places, int stage, std::uint32_t from, std::uint32_t to, bool shuffles,
                          bool global = false, std::uint32_t base = 0) {
  const std::uint32_t before = places.place(stage - 1, from).thread + base, now = places.place(stage, to).thread + base;
  if (before == now) return EdgeKind::in_register;
  if (global) return EdgeKind::global;
  return shuffles && before / 32 == now / 32 ? EdgeKind::shuffle : EdgeKind::shared;
}

/// Whether a stage has an edge between threads. Of long problems not every element is asked: a partner is found by
/// adding or changing digits, so that what crosses anywhere crosses beside some power of two, or at either end.
template <class Network>
bool crosses_threads(const Network& a, const PlanPlaces& places, int j) {
  const std::uint64_t all = elements_of(a);
  const auto from = [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t e = first; e < std::min(last, all); ++e) {
      const auto own = static_cast<std::uint32_t>(e);
      bool crosses = false;
      each_operand(a, j, own, [&](int, std::uint32_t other) {
        crosses |= places.place(j - 1, other).thread != places.place(j, own).thread;
      });
      if (crosses) return true;
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
