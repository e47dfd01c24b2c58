#pragma once
#include "gpu/core/pack.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/butterfly/tuned/exchange.h"

namespace warploom {

/// Rows of scans, in and out as they lie: of 2^n values, several in a block.
template <class Operator>
struct ScanRows {
  using Value = typename Operator::Value;
  Operator op;
  const Value* in;  ///< (batch, N)
  Value* out;
  int n;
  std::uint64_t batch;
  bool exclusive;

  /// Of `count` elements from one on those that there are.
  WARPLOOM_HD std::uint32_t elements_from(std::uint64_t first, std::uint32_t count) const {
    const std::uint64_t left = (batch << n) - first;
    return left < count ? static_cast<std::uint32_t>(left) : count;
  }
  WARPLOOM_HD std::uint32_t in_row(std::uint32_t e) const { return e & ((1u << n) - 1); }

  /// What a trace is told of registers, whose elements element(thread, i) are, from `first` on.
  template <class Trace, class Group, class Own, class Element>
  WARPLOOM_HD void tell_values([[maybe_unused]] const Trace& trace, [[maybe_unused]] Group& group,
                               [[maybe_unused]] Own& own, [[maybe_unused]] std::uint64_t first,
                               [[maybe_unused]] int stage, [[maybe_unused]] Element&& element) const {
    if constexpr (Trace::on) {
      if (!trace.tells()) return;
      group.each([&](const Thread& thread) {
        auto& values = own[thread].v;
        WARPLOOM_UNROLL_NONE
        for (int i = 0; i < static_cast<int>(sizeof(values) / sizeof(Value)); ++i) {
          const std::uint64_t e = first + element(thread, i);
          trace.step(stage, e >> n, in_row(static_cast<std::uint32_t>(e)), values[i]);
        }
      });
    }
  }

  static constexpr unsigned of_pack = 16 / sizeof(Value);
  /// Four neighbours.
  WARPLOOM_HD static void load_four(const Value* from, Value* four) {
    WARPLOOM_UNROLL
    for (unsigned i = 0; i < 4; i += of_pack) {
      const auto pack = load_pack<of_pack>(from + i);
      WARPLOOM_UNROLL
      for (unsigned k = 0; k < of_pack; ++k) four[i + k] = pack[k];
    }
  }
  WARPLOOM_HD static void store_four(Value* to, const Value* four) {
    WARPLOOM_UNROLL
    for (unsigned i = 0; i < 4; i += of_pack) {
      Pack<Value, of_pack> pack;
      WARPLOOM_UNROLL
      for (unsigned k = 0; k < of_pack; ++k) pack[k] = four[i + k];
      store_pack(to + i, pack);
    }
  }
};

}  // namespace warploom
