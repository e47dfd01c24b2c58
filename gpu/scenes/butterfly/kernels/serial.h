#pragma once
#include <type_traits>

#include "gpu/scenes/butterfly/kernels/in_place_block.h"
#include "gpu/scenes/butterfly/networks/serial_scan.h"
#include "gpu/scenes/butterfly/networks/thomas.h"
#include "gpu/scenes/butterfly/rules/scan.h"
#include "gpu/scenes/butterfly/rules/systems.h"

// A problem a thread: the least work there is, and no exchange.
namespace warploom {

inline constexpr unsigned serial_threads = 128;
inline LaunchShape serial_shape(std::uint64_t batch) {
  return {{static_cast<std::uint32_t>((batch + serial_threads - 1) / serial_threads), 1, 1}, {serial_threads, 1, 1}};
}

template <class Operator, class Trace = NoTrace>
struct SerialScanLaunch {
  ScanRule<SerialScan, Operator> rule;
  std::uint64_t batch;
  Trace trace;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    using Element = typename Operator::Value;
    const std::uint32_t elements = 1u << rule.network.n;
    each_item(group, batch, [&](std::uint64_t problem) {
      ZeroPivot none;
      Element sum = rule.load(problem, 0);
      rule.store(problem, 0, sum, none);
      if constexpr (Trace::on) {
        for (std::uint32_t e = 0; e < elements; ++e) trace.step(0, problem, e, rule.load(problem, e));
      }
      for (std::uint32_t e = 1; e < elements; ++e) {
        sum = rule.op.combine(sum, rule.load(problem, e));
        rule.store(problem, e, sum, none);
        trace.step(static_cast<int>(e), problem, e, sum);
      }
    });
  }
};

/// Columns of an array of rows: what is scanned along rows is scanned down them, too.
template <class Operator>
struct ColumnScanLaunch {
  ScanRule<SerialScan, Operator> rule;  ///< `out`: scanned along rows, exclusive or not, and what becomes of it
  std::uint64_t rows;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    using Element = typename Operator::Value;
    // Of floats in double: a column may be long, and nothing else bounds its error.
    using Sum = std::conditional_t<std::is_same_v<Element, float>, double, Element>;
    const std::uint64_t columns = std::uint64_t{1} << rule.network.n;
    each_item(group, columns, [&](std::uint64_t column) {
      Sum sum = rule.op.identity();
      for (std::uint64_t row = 0; row < rows; ++row) {
        Element& at = rule.out[row * columns + column];
        Sum next;
        if constexpr (std::is_same_v<Element, float>)
          next = sum + at;
        else
          next = rule.op.combine(sum, at);
        at = static_cast<Element>(rule.exclusive ? sum : next);
        sum = next;
      }
    });
  }
};

/// Elimination from above, and back. `pivots` and `rights` are (batch, N), as the input lies.
template <class Trace = NoTrace>
struct ThomasLaunch {
  SystemProblems problems;
  SystemOrder order;
  float *pivots, *rights;
  Trace trace;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, order.batch, [&](std::uint64_t problem) { solve(problem); });
  }

 private:
  WARPLOOM_HD SystemRow row(std::uint64_t problem, std::uint32_t e) const {
    SystemRow own = problems.in[order.at(problem, e)];
    if (e == 0) own.a = 0;
    if (e + 1 == 1u << order.n) own.c = 0;
    return own;
  }
  WARPLOOM_HD void note(std::uint64_t problem, std::uint32_t stage, const ZeroPivot& zero) const {
    note_zero(problems.singular + problem, static_cast<int>(stage), zero);
  }
  WARPLOOM_HD void solve(std::uint64_t problem) const {
    const std::uint32_t elements = 1u << order.n;
    SystemRow before = row(problem, 0);
    bool finite = is_finite(before);
    pivots[order.at(problem, 0)] = before.b;
    rights[order.at(problem, 0)] = before.d;
    if constexpr (Trace::on) {
      for (std::uint32_t e = 0; e < elements; ++e) trace.step(0, problem, e, row(problem, e));
    }
    for (std::uint32_t e = 1; e < elements; ++e) {
      SystemRow own = row(problem, e);
      finite = finite && is_finite(own);
      ZeroPivot zero;
      const float f = elimination(own.a, before.b, e - 1, zero);
      own = {0, own.b - f * before.c, own.c, own.d - f * before.d};
      note(problem, e, zero);
      pivots[order.at(problem, e)] = own.b;
      rights[order.at(problem, e)] = own.d;
      trace.step(static_cast<int>(e), problem, e, own);
      before = own;
    }
    if (!finite) atomic_minimum(problems.singular + problem, input_is_no_number);
    float x = 0;
    for (std::uint32_t e = elements; e-- > 0;) {
      const float pivot = pivots[order.at(problem, e)];
      const SystemRow own = row(problem, e);
      const float right = rights[order.at(problem, e)] - (e + 1 < elements ? own.c * x : 0);
      x = right / pivot;
      // The last one is divided by as soon as it is there.
      const std::uint32_t stage = e + 1 == elements ? elements - 1 : 2 * elements - 2 - e;
      ZeroPivot zero;
      if (pivot == 0 || !is_finite(x)) zero.note(e);
      note(problem, stage, zero);
      problems.out[order.at(problem, e)] = x;
      if constexpr (Trace::on) {
        if (e + 1 < elements) trace.step(static_cast<int>(stage), problem, e, {0, pivot, 0, right});
      }
    }
  }
};

}  // namespace warploom
