#pragma once
#include "gpu/core/pack.h"
#include "gpu/core/unroll.h"

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

  /// Of the elements of a block from one on those that there are: the last block may be left with fewer rows.
  WARPLOOM_HD std::uint32_t elements_from(std::uint64_t first, int tile) const {
    const std::uint64_t left = (batch << n) - first;
    return left >> tile ? 1u << tile : static_cast<std::uint32_t>(left);
  }
  WARPLOOM_HD std::uint32_t in_row(std::uint32_t e) const { return e & ((1u << n) - 1); }

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
