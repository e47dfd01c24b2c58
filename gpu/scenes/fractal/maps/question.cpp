#include "gpu/scenes/fractal/maps/question.h"

#include <fmt/format.h>

namespace warploom {

namespace {

std::string pair(std::uint64_t x, std::uint64_t y) { return fmt::format("({}, {})", x, y); }

}  // namespace

Formula explain_member_test(const FractalQuestion& question) {
  if (!question.cell) return {};
  const FractalDomain& domain = question.domain;
  const Cell cell = *question.cell;
  Formula formula{"member " + pair(cell.x, cell.y), {}, {}};
  bool all = true;
  std::uint32_t x = cell.x, y = cell.y;
  for (int mu = 1; mu <= domain.level; ++mu) {
    const std::uint32_t rest_x = domain.power_x[1].quotient(x), rest_y = domain.power_y[1].quotient(y);
    const std::uint32_t digit_x = x - rest_x * domain.side_x, digit_y = y - rest_y * domain.side_y;
    const bool in = domain.copy_at[digit_y * domain.side_x + digit_x] != FractalDomain::outside;
    all = all && in;
    formula.steps.push_back({fmt::format("\u03bc={}", mu), "digits " + pair(digit_x, digit_y), in ? "copy" : "empty"});
    x = rest_x;
    y = rest_y;
  }
  formula.result = {"member", "", all ? "yes" : "no: waste"};
  return formula;
}

/// beta = floor(w / k^e) mod k.
Formula explain_lambda(const FractalQuestion& question) {
  const FractalDomain& domain = question.domain;
  const Index3 block = question.who.block;
  const int digits = domain.level - question.block_digits;
  Formula formula{"\u03bb" + pair(block.x, block.y), {}, {}};
  std::uint64_t x = 0, y = 0;
  for (int mu = 1; mu <= digits; ++mu) {
    const int e = (mu + 1) / 2 - 1;
    const std::uint32_t w = mu & 1 ? block.x : block.y, power = domain.power_k[e].divisor;
    const std::uint32_t beta = w / power % domain.copies;
    const Index2 tau = domain.box(beta);
    x += std::uint64_t{tau.x} * domain.power_x[mu - 1].divisor;
    y += std::uint64_t{tau.y} * domain.power_y[mu - 1].divisor;
    const std::string divided = power == 1 ? std::to_string(w) : fmt::format("\u230a{}/{}\u230b", w, power);
    const std::string weight = domain.side_x == domain.side_y
                                   ? std::to_string(domain.power_x[mu - 1].divisor)
                                   : pair(domain.power_x[mu - 1].divisor, domain.power_y[mu - 1].divisor);
    formula.steps.push_back({fmt::format("\u03bc={}", mu),
                             fmt::format("\u03b2 = {} mod {} = {}", divided, domain.copies, beta),
                             fmt::format("+{}\u00b7{}", pair(tau.x, tau.y), weight)});
  }
  formula.result = {"\u03bb", "", pair(x, y)};
  return formula;
}

namespace {

/// Its first numbers, as many as are not zero after the last that is not.
std::string numbers_text(const float* first, std::size_t apart) {
  std::size_t count = 16;
  while (count > 1 && first[(count - 1) * apart] == 0) --count;
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += fmt::format("{}{:g}", i ? " " : "", first[i * apart]);
  return text;
}
bool is_zero(const float* first, std::size_t apart) {
  for (std::size_t i = 0; i < 16; ++i)
    if (first[i * apart] != 0) return false;
  return true;
}

}  // namespace

Formula explain_product(const FractalQuestion& question,
                        Fragments (*fragments)(const FractalDomain&, int block_digits, Index3 block)) {
  const Fragments has = fragments(question.domain, question.block_digits, question.who.block);
  Formula formula{"D = A B + C of block " + pair(question.who.block.x, question.who.block.y), {}, {}};
  // Rows and columns that repeat the one before say nothing new.
  const auto same = [](const float* a, const float* b, std::size_t apart) {
    for (std::size_t i = 0; i < 16; ++i)
      if (a[i * apart] != b[i * apart]) return false;
    return true;
  };
  float d[256];
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 16; ++j) {
      float sum = has.c[i * 16 + j];
      for (int k = 0; k < 16; ++k) sum += has.a[i * 16 + k] * has.b[k * 16 + j];
      d[i * 16 + j] = sum;
    }
  // A line is every `apart`-th of its numbers, and the next one begins `next` further on.
  const auto lines = [&](const char* name, const float* line, std::size_t next, std::size_t apart) {
    for (int i = 0; i < 16; ++i, line += next)
      if (!is_zero(line, apart) && (i == 0 || !same(line, line - next, apart)))
        formula.steps.push_back({fmt::format("{} {}", name, i), numbers_text(line, apart), ""});
  };
  lines("A row", has.a, 16, 1);
  lines("B column", has.b, 1, 16);
  lines("C row", has.c, 16, 1);
  lines("D row", d, 16, 1);
  formula.result = explain_lambda(question).result;
  return formula;
}

}  // namespace warploom
