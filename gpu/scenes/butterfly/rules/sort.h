#pragma once
#include <cstdint>

#include "gpu/core/macros.h"
#include "gpu/scenes/butterfly/kernels/equation.h"

namespace warploom {

/// Keys without sign, ascending.
template <class Network_>
struct SortRule {
  using Network = Network_;
  using Value = std::uint32_t;
  using Word = Value;
  using Step = Value;
  static constexpr int words = 1, usual_p = 2;

  Network network;
  const Value* in;  ///< (batch, N)
  Value* out;
  static constexpr std::uint64_t* singular = nullptr;

  WARPLOOM_HD Value load(std::uint64_t problem, std::uint32_t e) const { return in[(problem << network.n) + e]; }
  WARPLOOM_HD void store(std::uint64_t problem, std::uint32_t e, Value value, ZeroPivot&) const {
    out[(problem << network.n) + e] = value;
  }
  WARPLOOM_HD static int words_of(int /*stage*/) { return 1; }
  WARPLOOM_HD static Word word(Value value, int /*w*/, int /*stage*/) { return value; }
  WARPLOOM_HD static Value join(const Word (&all)[words], int /*stage*/) { return all[0]; }
  WARPLOOM_HD Value node(int stage, std::uint32_t e, const Value (&from)[2], const bool (&)[2], ZeroPivot&) const {
    const bool first_is_less = from[0] < from[1];
    return network.takes_minimum(stage, e) == first_is_less ? from[0] : from[1];
  }
  WARPLOOM_HD static Step step(Value value) { return value; }
};

}  // namespace warploom
