#include "gpu/scenes/butterfly/tracks/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <numbers>
#include <optional>

#include "gpu/scenes/butterfly/kernels/equation.h"
#include "gpu/scenes/butterfly/networks/wang_mou.h"
#include "gpu/scenes/butterfly/tracks/operators.h"

namespace warploom {

namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

template <class Value>
Value value_of(const NodeMade::Operand& operand) {
  Value value;
  std::memcpy(&value, operand.value, sizeof value);
  return value;
}

const NodeMade::Operand* with_role(const NodeMade& node, int role) {
  for (const auto& one : node.operands)
    if (one.role == role) return &one;
  return nullptr;
}

/// What each operand of a transform's node is multiplied by: the butterflies of its digits, one after another, of a 1
/// at that operand alone.
std::complex<double> weight(const NodeMade& node, std::uint32_t operand) {
  const int low = node.digits.low, high = node.digits.high;
  const std::uint32_t mask = (1u << (high - low + 1)) - 1, base = node.element & ~(mask << (low - 1));
  std::vector<std::complex<double>> x(mask + 1);
  x[operand >> (low - 1) & mask] = 1;
  const double turn = (node.settings->inverse ? 2 : -2) * std::numbers::pi;
  for (int j = high; j >= low; --j) {
    const std::uint32_t half = 1u << (j - low);
    for (std::uint32_t i = 0; i <= mask; ++i) {
      if (i & half) continue;
      const std::uint32_t e = (base | i << (low - 1)) & below_digit(j);
      const auto u = x[i], v = x[i | half];
      x[i] = u + v;
      x[i | half] = (u - v) * std::polar(1., turn * e / std::ldexp(1., j));
    }
  }
  return x[node.element >> (low - 1) & mask];
}

Lines transform_lines(const NodeMade& node) {
  if (node.digits.high == 0) return {};  // of several launches they are not told
  Lines lines;
  constexpr std::size_t most = 16;
  for (std::size_t i = 0; i < std::min(most, node.operands.size()); ++i) {
    const auto factor = weight(node, node.operands[i].element);
    lines.emplace_back(fmt::format("times {}", node.operands[i].element), factor_words(factor.real(), factor.imag()));
  }
  return lines;
}

Lines scan_lines(const NodeMade& node) {
  const auto *left = with_role(node, 0), *own = with_role(node, 1);
  if (!left || !own) return {};
  return with_scan_operator(*node.settings, [&]<class Operator>(const Operator& op) -> Lines {
    using Value = typename Operator::Value;
    const Value made = op.combine(value_of<Value>(*left), value_of<Value>(*own));
    if constexpr (std::is_same_v<Operator, AffineOperator>) {
      return {{"a' a", std::to_string(made.a)}, {"a' b + b'", std::to_string(made.b)}};
    } else if constexpr (std::is_same_v<Operator, FloatAdd>) {
      return {{"sum", fmt::format("{:.6g}", made)}};
    } else {
      static constexpr const char* names[] = {"sum", "product", "maximum"};
      return {{names[static_cast<int>(op.kind)], std::to_string(static_cast<std::int32_t>(made))}};
    }
  });
}

Lines sort_lines(const NodeMade& node) {
  if (node.operands.size() != 2) return {};
  const auto a = value_of<std::uint32_t>(node.operands[0]), b = value_of<std::uint32_t>(node.operands[1]);
  // Role 0 leads to where the minimum goes.
  if (node.operands[0].role == 0) return {{"minimum", std::to_string(std::min(a, b))}};
  return {{"maximum", std::to_string(std::max(a, b))}};
}

std::string number(float value) { return fmt::format("{:.4g}", value); }

/// Of Ladner and Fischer only the way back: forward a node merges blocks, of which the values tell one end alone.
Lines back_lines(const NodeMade& node) {
  const auto *own = with_role(node, 0), *next = with_role(node, 1);
  if (!own || !next || node.stage <= node.variant->mapping.n) return {};
  const auto e = value_of<Equation<float>>(*own), x = value_of<Equation<float>>(*next);
  return {{"f = c / b", number(e.c / x.b)}, {"d - f d", number(e.d - e.c / x.b * x.d)}};
}

/// Of tuned systems, whose equations are divided by their diagonal. What stands outside a system has zeros.
template <class Operand>
Lines unit_lines(const NodeMade& node, const Equation<float>& e, const Operand* left, const Operand* right) {
  const auto of = [](const Operand* one) {
    return one ? value_of<Equation<float>>(*one) : Equation<float>{0, 1, 0, 0};
  };
  const auto before = of(left), behind = of(right);
  if (node.variant->variant != "wang_mou")
    return {{"r = 1 / (1 - a c - c a)", number(1 / (1 - e.a * before.c - e.c * behind.a))}};
  // Behind the stages of all digits: rows between the ends of a thread.
  if (node.stage > node.variant->mapping.n) return {{"d - a x - c x", number(e.d - e.a * before.d - e.c * behind.d)}};
  const auto last = left ? before : e, first = right ? behind : e;
  return {{"r = 1 / (1 - c a)", number(1 / (1 - last.c * first.a))}};
}

Lines system_lines(const NodeMade& node) {
  if (node.variant->variant == "ladner_fischer") return back_lines(node);
  const auto *left = with_role(node, 0), *own = with_role(node, 1), *right = with_role(node, 2);
  if (!own) return {};
  const auto e = value_of<Equation<float>>(*own);
  if (node.variant->exchange == Exchange::tuned) return unit_lines(node, e, left, right);
  if (node.variant->variant == "wang_mou") {
    const auto network = network_of<WangMou>(node.variant->mapping.n);
    ZeroPivot ignored;
    const auto last = value_of<Equation<float>>(left ? *left : *own),
               first = value_of<Equation<float>>(right ? *right : *own);
    const auto seam = seam_of(last, first, network.before_seam(node.stage, node.element), ignored);
    if (digit(node.element, node.stage))
      return {{"b across", number(seam.before.b)}, {"f = a / b", number(e.a / seam.before.b)}};
    return {{"b across", number(seam.behind.b)}, {"f = c / b", number(e.c / seam.behind.b)}};
  }
  Lines lines;
  std::optional<Equation<float>> before, behind;
  if (left) {
    before = value_of<Equation<float>>(*left);
    lines.emplace_back("f = a / b", number(e.a / before->b));
  }
  if (right) {
    behind = value_of<Equation<float>>(*right);
    lines.emplace_back("g = c / b", number(e.c / behind->b));
  }
  ZeroPivot ignored;
  const auto made = reduced(before ? &*before : nullptr, e, behind ? &*behind : nullptr, node.element, 0, ignored);
  if (left || right) lines.emplace_back(left && right ? "b - f c - g a" : left ? "b - f c" : "b - g a", number(made.b));
  return lines;
}

struct Arithmetic {
  const char* algorithm;
  Lines (*lines)(const NodeMade& node);
};
constexpr Arithmetic all_arithmetic[] = {{"fft", transform_lines},      {"real_fft", transform_lines},
                                         {"dct", transform_lines},      {"scan", scan_lines},
                                         {"tridiagonal", system_lines}, {"sort", sort_lines}};

}  // namespace

std::string factor_words(double re, double im) {
  const auto is = [](double x, double y) { return std::abs(x - y) < 1e-9; };
  const auto imaginary = [&](double x) { return is(x, 1) ? std::string("i") : fmt::format("{:.4g}i", x); };
  if (is(im, 0)) return fmt::format("{:.4g}", is(re, 0) ? 0. : re);
  if (is(re, 0)) return im < 0 ? "-" + imaginary(-im) : imaginary(im);
  return fmt::format("{:.4g} {} {}", re, im < 0 ? "-" : "+", imaginary(std::abs(im)));
}

std::vector<std::pair<std::string, std::string>> node_arithmetic(const NodeMade& node) {
  for (const Arithmetic& one : all_arithmetic)
    if (node.settings->algorithm == one.algorithm) return one.lines(node);
  return {};
}

}  // namespace warploom
