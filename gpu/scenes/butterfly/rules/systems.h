#pragma once
#include <cmath>
#include <cstdint>

#include "gpu/core/atomic.h"
#include "gpu/scenes/butterfly/kernels/equation.h"
#include "gpu/scenes/butterfly/networks/cyclic_reduction.h"
#include "gpu/scenes/butterfly/networks/tridiagonal_ladner_fischer.h"
#include "gpu/scenes/butterfly/networks/wang_mou.h"

namespace warploom {

/// What `singular` holds of a problem: that its input is no number; the earliest stage and its smallest row that
/// divides by 0 (note_zero); that it is well.
inline constexpr std::uint64_t input_is_no_number = 0, no_zero_pivot = ~std::uint64_t{0};

/// As it lies in memory, and goes through shared memory.
using SystemRow = Equation<float>;
static_assert(sizeof(SystemRow) == 16);

WARPLOOM_HD bool is_finite(float x) { return x - x == 0; }
WARPLOOM_HD bool is_finite(const SystemRow& e) {
  return is_finite(e.a) && is_finite(e.b) && is_finite(e.c) && is_finite(e.d);
}

/// Where the rows of systems, and their unknowns, lie: one system after another, or row after row of all.
struct SystemOrder {
  int n = 0;
  std::uint64_t batch = 1;
  bool interleaved = false;
  WARPLOOM_HD std::uint64_t rows() const { return batch << n; }
  WARPLOOM_HD std::uint64_t at(std::uint64_t problem, std::uint64_t row) const {
    return interleaved ? row * batch + problem : (problem << n) + row;
  }
  // Of what lies at a place, and how far it is from row to row.
  WARPLOOM_HD std::uint64_t problem(std::uint64_t i) const { return interleaved ? i % batch : i >> n; }
  WARPLOOM_HD std::uint64_t row(std::uint64_t i) const {
    return interleaved ? i / batch : i & ((std::uint64_t{1} << n) - 1);
  }
  WARPLOOM_HD std::uint64_t step() const { return interleaved ? batch : 1; }
};

/// Systems of N rows (a, b, c, d), a x[i - 1] + b x[i] + c x[i + 1] = d, that become N unknowns. What all of them
/// share.
struct SystemProblems {
  const SystemRow* in;      ///< (batch, N)
  float* out;               ///< (batch, N)
  std::uint64_t* singular;  ///< (batch), no_zero_pivot before: what note_zero makes of it

  /// The first a and the last c are never read.
  WARPLOOM_HD SystemRow row(int n, std::uint64_t problem, std::uint32_t e) const {
    SystemRow row = in[(problem << n) + e];  // whole, as it lies
    if (e == 0) row.a = 0;
    if (e + 1 == 1u << n) row.c = 0;
    // What is no number has no answer, and is no error.
    if (!is_finite(row)) atomic_minimum(singular + problem, input_is_no_number);
    return row;
  }
  WARPLOOM_HD void put(int n, std::uint64_t problem, std::uint32_t e, const SystemRow& made, ZeroPivot& zero) const {
    const float x = made.d / made.b;
    if (made.b == 0 || !is_finite(x)) zero.note(e);
    out[(problem << n) + e] = x;
  }
};

/// Of algorithms whose values are equations.
template <class Network_>
struct SystemRule : SystemProblems {
  using Network = Network_;
  using Value = SystemRow;
  using Word = SystemRow;
  using Step = SystemRow;
  static constexpr int words = 1, usual_p = 1;

  Network network;

  WARPLOOM_HD Value load(std::uint64_t problem, std::uint32_t e) const { return row(network.n, problem, e); }
  WARPLOOM_HD void store(std::uint64_t problem, std::uint32_t e, const Value& made, ZeroPivot& zero) const {
    put(network.n, problem, e, made, zero);
  }
  WARPLOOM_HD static int words_of(int /*stage*/) { return 1; }
  WARPLOOM_HD static Word word(const Value& value, int /*w*/, int /*stage*/) { return value; }
  WARPLOOM_HD static Value join(const Word (&all)[words], int /*stage*/) { return all[0]; }
  WARPLOOM_HD Value node(int stage, std::uint32_t e, const Value (&from)[3], const bool (&there)[3],
                         ZeroPivot& zero) const {
    return made_of(stage, e, from, there, zero);
  }
  WARPLOOM_HD static Step step(const Value& value) { return value; }

 private:
  WARPLOOM_HD Value made_of(int stage, std::uint32_t e, const Value (&from)[3], const bool (&there)[3],
                            ZeroPivot& zero) const {
    if constexpr (requires { network.before_seam(stage, e); }) {
      const auto seam =
          seam_of(there[0] ? from[0] : from[1], there[2] ? from[2] : from[1], network.before_seam(stage, e), zero);
      return e > network.before_seam(stage, e) ? across_from_behind(from[1], seam, zero)
                                               : across_from_before(from[1], seam, zero);
    } else {
      return reduced(there[0] ? &from[0] : nullptr, from[1], there[2] ? &from[2] : nullptr, e, network.apart(stage),
                     zero);
    }
  }
};

/// Of Ladner and Fischer: the first and the last equation of the block that ends with an element; forward both are
/// wanted, back the last alone.
struct BlockRule : SystemProblems {
  using Network = TridiagonalLadnerFischer;
  using Value = BlockEnds<float>;
  using Word = SystemRow;
  using Step = SystemRow;
  static constexpr int words = 2, usual_p = 1;

  Network network;

  WARPLOOM_HD Value load(std::uint64_t problem, std::uint32_t e) const {
    const SystemRow own = row(network.n, problem, e);
    return {own, own};
  }
  WARPLOOM_HD void store(std::uint64_t problem, std::uint32_t e, const Value& made, ZeroPivot& zero) const {
    put(network.n, problem, e, made.last, zero);
  }
  WARPLOOM_HD int words_of(int stage) const { return stage <= network.n ? 2 : 1; }
  WARPLOOM_HD Word word(const Value& value, int w, int stage) const {
    return w == 0 && stage <= network.n ? value.first : value.last;
  }
  WARPLOOM_HD static Value join(const Word (&all)[words], int /*stage*/) { return {all[0], all[1]}; }
  WARPLOOM_HD Value node(int stage, std::uint32_t e, const Value (&from)[2], const bool (&)[2], ZeroPivot& zero) const {
    Value made = from[0];
    if (stage <= network.n) {
      made = merged(from[0], from[1], network.partner(stage, e, 0), zero);
    } else {
      // x[e] by x[m], and x[m] by what is behind: the unknown of m goes.
      const SystemRow &own = from[0].last, &next = from[1].last;
      const float f = elimination(own.c, next.b, network.partner(stage, e, 1), zero);
      made.last = {0, own.b, -f * next.c, own.d - f * next.d};
    }
    return made;
  }
  WARPLOOM_HD static Step step(const Value& value) { return value.last; }
};

}  // namespace warploom
