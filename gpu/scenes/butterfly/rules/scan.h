#pragma once
#include <cstdint>

#include "gpu/core/macros.h"
#include "gpu/scenes/butterfly/kernels/equation.h"
#include "gpu/scenes/butterfly/kernels/network.h"

namespace warploom {

/// Whole numbers, modulo 2^32; a maximum is that of signed ones.
struct WordOperator {
  using Value = std::uint32_t;
  enum class Kind { add, multiply, maximum } kind = Kind::add;
  WARPLOOM_HD Value identity() const { return kind == Kind::add ? 0 : kind == Kind::multiply ? 1 : 0x80000000u; }
  WARPLOOM_HD Value combine(Value left, Value right) const {
    if (kind == Kind::add) return left + right;
    if (kind == Kind::multiply) return left * right;
    return static_cast<std::int32_t>(left) > static_cast<std::int32_t>(right) ? left : right;
  }
};

/// ... that is known when the program is compiled.
template <WordOperator::Kind kind>
struct KnownWordOperator {
  using Value = WordOperator::Value;
  WARPLOOM_HD Value identity() const { return WordOperator{kind}.identity(); }
  WARPLOOM_HD Value combine(Value left, Value right) const { return WordOperator{kind}.combine(left, right); }
};

struct FloatAdd {
  using Value = float;
  WARPLOOM_HD Value identity() const { return 0; }
  WARPLOOM_HD Value combine(Value left, Value right) const { return left + right; }
};

/// x -> a x + b, modulo 2^32; the left one is applied first.
struct AffineMap {
  std::uint32_t a = 1, b = 0;
};
struct AffineOperator {
  using Value = AffineMap;
  WARPLOOM_HD Value identity() const { return {}; }
  WARPLOOM_HD Value combine(Value left, Value right) const { return {right.a * left.a, right.a * left.b + right.b}; }
};

/// Element e becomes the combination of elements 0 to e, or of those before it.
template <class Network_, class Operator_>
struct ScanRule {
  using Network = Network_;
  using Operator = Operator_;
  using Value = typename Operator::Value;
  using Word = Value;
  using Step = Value;
  static constexpr int words = 1, usual_p = 2;

  Network network;
  Operator op;
  const Value* in;  ///< (batch, N)
  Value* out;
  bool exclusive = false;
  Value* sums = nullptr;  ///< of whole problems; null: not wanted
  /// What comes before the first element of each row of 2^log_problems problems; null: nothing does.
  const Value* carries = nullptr;
  int log_problems = 0;
  static constexpr std::uint64_t* singular = nullptr;

  WARPLOOM_HD Value load(std::uint64_t problem, std::uint32_t e) const {
    const Value value = in[(problem << network.n) + e];
    if (carries == nullptr || e != 0 || (problem & below_digit(log_problems + 1)) != 0) return value;
    return op.combine(carries[problem >> log_problems], value);
  }
  WARPLOOM_HD void store(std::uint64_t problem, std::uint32_t e, const Value& value, ZeroPivot&) const {
    put(out + (problem << network.n), 1u << network.n, e, value);
    if (sums && e + 1 == 1u << network.n) sums[problem] = value;
  }
  /// Into the row of a problem; what is exclusive moves on by one.
  WARPLOOM_HD void put(Value* row, std::uint32_t elements, std::uint32_t e, const Value& value) const {
    if (!exclusive) {
      row[e] = value;
      return;
    }
    if (e + 1 < elements) row[e + 1] = value;
    if (e == 0) row[0] = op.identity();
  }
  WARPLOOM_HD static int words_of(int /*stage*/) { return 1; }
  WARPLOOM_HD static Word word(const Value& value, int /*w*/, int /*stage*/) { return value; }
  WARPLOOM_HD static Value join(const Word (&all)[words], int /*stage*/) { return all[0]; }
  WARPLOOM_HD Value node(int /*stage*/, std::uint32_t /*e*/, const Value (&from)[Network::operands],
                         const bool (&)[Network::operands], ZeroPivot&) const {
    return op.combine(from[0], from[1]);
  }
  WARPLOOM_HD static Step step(const Value& value) { return value; }
};

}  // namespace warploom
