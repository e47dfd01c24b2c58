#include "gpu/scenes/butterfly/kernels/operator_string.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>

namespace warploom {

namespace {

/// By IndexOperator::Kind.
constexpr std::string_view letters = "GRB";

class OperatorReader {
 public:
  OperatorReader(const std::string& text, int n) : text_(text), n_(n) {}

  std::vector<IndexOperator> all() {
    std::vector<IndexOperator> operators;
    for (skip(); at_ < text_.size(); skip()) operators.push_back(one());
    return operators;
  }

 private:
  [[noreturn]] void fail(std::size_t at, const std::string& why) const {
    throw OperatorMistake(text_, static_cast<int>(at) + 1, why);
  }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(char wanted) {
    skip();
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  /// From 1 to n.
  int number(const char* what) {
    skip();
    const std::size_t begin = at_;
    if (take('n')) return n_;
    int value = 0;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9' && value <= n_)
      value = 10 * value + (text_[at_++] - '0');
    if (at_ == begin) fail(begin, fmt::format("expected {}, a number from 1 to {}", what, n_));
    if (value < 1 || value > n_) fail(begin, fmt::format("{} is from 1 to {}", what, n_));
    return value;
  }

  IndexOperator one() {
    using Kind = IndexOperator::Kind;
    const std::size_t begin = at_;
    IndexOperator read;
    const std::size_t kind = letters.find(text_[at_]);
    if (kind == letters.npos) fail(begin, fmt::format("'{}' is no operator: expected G, R or B", text_[at_]));
    read.kind = static_cast<Kind>(kind);
    ++at_;
    if (take('^')) {
      if (read.kind == Kind::reverse) fail(at_ - 1, "R has no power");
      read.power = number("a power");
    }
    if (!take('(')) fail(at_, "expected '('");
    const std::size_t inside = at_;
    do read.at.push_back(number("a place"));
    while (take(','));
    if (!take(')')) fail(at_, "expected ')'");
    check(read, inside);
    return read;
  }
  void check(const IndexOperator& read, std::size_t inside) const {
    using Kind = IndexOperator::Kind;
    const auto& at = read.at;
    if (read.kind == Kind::node) {
      if (at.size() != 1) fail(inside, "B takes one place");
      if (at[0] + read.power - 1 > n_) fail(inside, fmt::format("B reaches beyond place {}", n_));
      return;
    }
    if (at.size() != 2 && !(read.kind == Kind::shift && at.size() == 4))
      fail(inside, read.kind == Kind::shift ? "G takes two places or four" : "R takes two places");
    if (!std::is_sorted(at.rbegin(), at.rend())) fail(inside, "places go down from left to right");
    if (at.size() == 4 && at[1] == at[2]) fail(inside, "the two fields overlap");
  }

  const std::string& text_;
  int n_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<IndexOperator> parse_operators(const std::string& text, int n) { return OperatorReader(text, n).all(); }

std::string operators_text(const std::vector<IndexOperator>& operators) {
  std::string text;
  for (const IndexOperator& one : operators) {
    if (!text.empty()) text += ' ';
    text += letters[static_cast<std::size_t>(one.kind)];
    if (one.power != 1) text += fmt::format("^{}", one.power);
    text += fmt::format("({})", fmt::join(one.at, ","));
  }
  return text;
}

std::vector<int> applied(const IndexOperator& one, std::vector<int> digits) {
  // Where the places stand, from the left.
  const auto n = static_cast<int>(digits.size());
  std::vector<std::size_t> where;
  for (std::size_t field = 0; field + 1 < one.at.size(); field += 2)
    for (int place = one.at[field]; place >= one.at[field + 1]; --place)
      where.push_back(static_cast<std::size_t>(n - place));
  if (one.kind == IndexOperator::Kind::node || where.empty()) return digits;
  std::vector<int> field;
  field.reserve(where.size());
  for (const std::size_t i : where) field.push_back(digits[i]);
  if (one.kind == IndexOperator::Kind::reverse)
    std::reverse(field.begin(), field.end());
  else
    std::rotate(field.begin(), field.end() - one.power % static_cast<std::ptrdiff_t>(field.size()), field.end());
  for (std::size_t i = 0; i < where.size(); ++i) digits[where[i]] = field[i];
  return digits;
}

OperatorResult apply_operators(const std::vector<IndexOperator>& operators, int n) {
  OperatorResult result;
  for (int place = n; place >= 1; --place) result.digits.push_back(place);
  int left = n;  // the highest that no node acted on
  bool in_order = true;
  for (const IndexOperator& one : operators) {
    if (one.kind == IndexOperator::Kind::node) {
      std::set<int> acted;
      for (int place = one.at[0]; place < one.at[0] + one.power; ++place)
        acted.insert(result.digits[static_cast<std::size_t>(n - place)]);
      in_order = in_order && *acted.rbegin() == left && *acted.begin() == left - one.power + 1;
      left -= one.power;
    }
    result.digits = applied(one, std::move(result.digits));
  }
  result.is_fft = in_order && left == 0 && std::is_sorted(result.digits.begin(), result.digits.end());
  return result;
}

std::vector<IndexOperator> fft_operators(const std::vector<int>& windows) {
  using Kind = IndexOperator::Kind;
  const int n = std::accumulate(windows.begin(), windows.end(), 0);
  std::vector<IndexOperator> all;
  int so_far = 0;
  for (const int r : windows) {
    so_far += r;
    all.push_back({Kind::shift, r, {n, n - so_far + 1}});
    all.push_back({Kind::reverse, 1, {n, n - r + 1}});
    all.push_back({Kind::node, r, {n - r + 1}});
  }
  return all;
}

}  // namespace warploom
