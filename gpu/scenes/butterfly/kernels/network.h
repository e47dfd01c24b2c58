#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "gpu/core/bits.h"
#include "gpu/core/macros.h"
#include "gpu/scenes/butterfly/kernels/edge_kinds.h"

// A butterfly algorithm says of itself, without memory, on host and device alike:
//
//   info                     what it is called, and whose it is
//   n                        log2 of the elements of a problem; element e has digits n (the highest) to 1
//   nodes()                  of all stages
//   stages()                 they are numbered from 1; stage 0 is the load
//   stage(j)                 which digits it pairs
//   operands                 of a node, at most
//   makes(j, e)              whether a node of stage j makes element e; else its wire passes
//   partner(j, e, k)         the element that is operand k of that node; none: no_element
//   node(j, e)               number of that node, no other's of the stage
//   consumer(j, e, k)        of the elements behind (k = 0) and before (1) that take e as an operand in stage j the one
//                            that is farthest; none, or e itself: no_element. Of algorithms whose elements stay.
//
// Where elements are meanwhile says a plan (plan.h). Kernels' index arithmetic, drawn wires, counts, dumps and tests
// call these. Sources: lobeiras2015bplg, lobeiras2016indexdigit, perez2018large.
namespace warploom {

inline constexpr std::uint32_t no_element = ~0u;

/// Digits high to low differ between the operands of a node; 0: it pairs no digits.
struct NetworkStage {
  int high = 0, low = 0;
  int window = 0;  ///< of an FFT: which digits are in registers then, counted from 0
  friend constexpr bool operator==(const NetworkStage&, const NetworkStage&) = default;
};

/// What menus, lists and documents say of an algorithm's variant.
struct NetworkInfo {
  const char *key, *title, *description, *citation;
};

/// A thread of a problem, and its register: Owner::item.
struct NetworkPlace {
  std::uint32_t thread = 0, item = 0;
  friend constexpr bool operator==(const NetworkPlace&, const NetworkPlace&) = default;
};

template <class Algorithm>
concept Network = requires(const Algorithm& a, int stage, std::uint32_t e, int k) {
  { a.n } -> std::convertible_to<int>;
  { Algorithm::operands } -> std::convertible_to<int>;
  { a.nodes() } -> std::same_as<std::uint64_t>;
  { a.stages() } -> std::same_as<int>;
  { a.stage(stage) } -> std::same_as<NetworkStage>;
  { a.makes(stage, e) } -> std::same_as<bool>;
  { a.partner(stage, e, k) } -> std::same_as<std::uint32_t>;
  { a.node(stage, e) } -> std::same_as<std::uint32_t>;
};

/// Digit j of an element, from 1.
WARPLOOM_HD constexpr std::uint32_t digit(std::uint32_t e, int j) { return e >> (j - 1) & 1; }
/// What is below digit j, as a mask; j from 1.
WARPLOOM_HD constexpr std::uint32_t below_digit(int j) { return (1u << (j - 1)) - 1; }
/// The lowest `count` digits in reversed order.
WARPLOOM_HD constexpr std::uint32_t reversed_digits(std::uint32_t e, int count) { return reversed_bits(e, count); }

/// Where the problems of a launch lie: 2^p elements per thread, 2^s a block, of one problem of 2^n each thread's.
struct NetworkMapping {
  int n, p, s;
  WARPLOOM_HD constexpr int threads_x() const { return n - p; }  ///< log2 of the threads of a problem
  WARPLOOM_HD constexpr int threads_y() const { return s - n; }  ///< log2 of the problems of a block
  WARPLOOM_HD constexpr std::uint64_t blocks(std::uint64_t batch) const {
    return (batch + (std::uint64_t{1} << threads_y()) - 1) >> threads_y();
  }
};

/// What an algorithm takes where nothing is asked for.
struct MappingHabits {
  int p;                    ///< log2 of the elements per thread
  int most_s = 12;          ///< log2 of the elements per block, at most
  bool at_least_p = false;  ///< a smaller p than this cannot be
};

/// p and s as asked for, -1 and 0: the algorithm's own; n at most the block's digits.
constexpr NetworkMapping network_mapping(int n, const MappingHabits& habits, int p = -1, int s = 0) {
  if (s == 0) s = n > 9 ? (n < habits.most_s ? n : habits.most_s) : 9;
  int own = p < 0 || (habits.at_least_p && p < habits.p) ? habits.p : p;
  own = own > s - 10 ? own : s - 10;
  return {n, own < n ? own : n, s};
}

/// Algorithms whose elements stay where they were loaded.
struct InPlaceNetwork {
  static constexpr bool serial = false;
  int n;
  /// Which of 2^d devices has an element when a stage runs; 0: as loaded; stages() + 1: as stored.
  WARPLOOM_HD constexpr int device(int /*stage*/, std::uint32_t e, int d) const {
    return static_cast<int>(e >> (n - d));
  }
  // As most: they pair no digits, and a node makes one element.
  WARPLOOM_HD constexpr NetworkStage stage(int) const { return {}; }
  WARPLOOM_HD constexpr std::uint32_t node(int, std::uint32_t e) const { return e; }
};

/// A problem a thread: nothing is exchanged.
struct SerialNetwork {
  static constexpr bool serial = true;
  int n;
  WARPLOOM_HD constexpr NetworkStage stage(int) const { return {}; }
  WARPLOOM_HD constexpr std::uint32_t node(int, std::uint32_t e) const { return e; }
};

/// A network of 2^n elements.
template <class Network>
constexpr Network network_of(int n) {
  Network network{};
  network.n = n;
  return network;
}

/// body(k, from): of the operands that a stage makes an element of; none, where its wire passes.
template <Network Algorithm, class Body>
constexpr void each_operand(const Algorithm& a, int stage, std::uint32_t e, Body&& body) {
  if (!a.makes(stage, e)) return;
  for (int k = 0; k < Algorithm::operands; ++k)
    if (const std::uint32_t from = a.partner(stage, e, k); from != no_element) body(k, from);
}

/// Of a problem of a network.
template <class Network>
std::uint32_t elements_of(const Network& network) {
  return network.n > 0 ? 1u << network.n : 1;
}

}  // namespace warploom
