#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

// What the answers should be, worked out another way than the library does: pictures built by copying, plain loops over
// neighbours, formulas spelled from the published text. Nothing here includes a map or a work.

namespace warploom::oracle {

using Rows = std::vector<std::string>;

/// A picture of a fractal, or a state on it: row-major, 1 where there is a member or a live cell.
struct Picture {
  std::uint32_t width = 1, height = 1;
  std::vector<std::uint8_t> cells{1};

  std::uint8_t at(std::int64_t x, std::int64_t y) const {
    if (x < 0 || y < 0 || x >= width || y >= height) return 0;
    return cells[static_cast<std::size_t>(y) * width + static_cast<std::size_t>(x)];
  }
  std::uint64_t count() const {
    std::uint64_t all = 0;
    for (const auto value : cells) all += value;
    return all;
  }
};

inline std::uint32_t marks(const Rows& mask) {
  std::uint32_t all = 0;
  for (const auto& row : mask)
    for (const char c : row) all += c == '#';
  return all;
}

inline std::uint64_t power(std::uint64_t base, int exponent) {
  std::uint64_t all = 1;
  while (exponent-- > 0) all *= base;
  return all;
}

/// Level r + 1 is a copy of level r in every marked box: the Kronecker product of the mask with the picture so far.
inline Picture fractal(const Rows& mask, int level) {
  Picture now;
  for (int r = 0; r < level; ++r) {
    Picture next;
    next.width = now.width * static_cast<std::uint32_t>(mask[0].size());
    next.height = now.height * static_cast<std::uint32_t>(mask.size());
    next.cells.assign(std::size_t{next.width} * next.height, 0);
    for (std::uint32_t y = 0; y < next.height; ++y)
      for (std::uint32_t x = 0; x < next.width; ++x)
        if (mask[y / now.height][x / now.width] == '#')
          next.cells[std::size_t{y} * next.width + x] = now.at(x % now.width, y % now.height);
    now = next;
  }
  return now;
}

/// The published hash of fractals.md: the counter, then splitmix64's finaliser.
inline std::uint64_t hash(std::uint64_t seed, std::uint64_t x, std::uint64_t y) {
  std::uint64_t counter = 1 + x;
  counter += y * 4294967296u;
  std::uint64_t z = seed;
  z += counter * 11400714819323198485u;
  z = (z ^ (z >> 30)) * 13787848793156543929u;
  z = (z ^ (z >> 27)) * 10723151780598845931u;
  z = z ^ (z >> 31);
  return z;
}

inline Picture initial(const Picture& domain, std::uint64_t seed, double density) {
  Picture state = domain;
  for (std::uint32_t y = 0; y < domain.height; ++y)
    for (std::uint32_t x = 0; x < domain.width; ++x) {
      const double draw = static_cast<double>(hash(seed, x, y) / 2048) / 9007199254740992.0;
      state.cells[std::size_t{y} * domain.width + x] = domain.at(x, y) && draw < density;
    }
  return state;
}

/// One step of a life-like automaton; `born` and `survive` are the digits of the rule.
inline Picture life(const Picture& domain, const Picture& state, const std::string& born, const std::string& survive) {
  Picture next = state;
  for (std::uint32_t y = 0; y < domain.height; ++y)
    for (std::uint32_t x = 0; x < domain.width; ++x) {
      int alive = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
          if (dx != 0 || dy != 0) alive += state.at(std::int64_t{x} + dx, std::int64_t{y} + dy);
      const std::string& digits = state.at(x, y) ? survive : born;
      const bool lives = digits.find(static_cast<char>('0' + alive)) != std::string::npos;
      next.cells[std::size_t{y} * domain.width + x] = domain.at(x, y) && lives;
    }
  return next;
}

/// j is legal when the block of s_x^j x s_y^j has at most 1024 threads and is no larger than the domain.
inline std::vector<int> legal_digits(const Rows& mask, int level) {
  std::vector<int> legal;
  for (int j = 0; j <= level; ++j)
    if (power(mask[0].size() * mask.size(), j) <= 1024) legal.push_back(j);
  return legal;
}

struct Place {
  std::uint64_t x = 0, y = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

/// The boxes of the mask that are copies, row by row.
inline std::vector<Place> replicas(const Rows& mask) {
  std::vector<Place> all;
  for (std::size_t y = 0; y < mask.size(); ++y)
    for (std::size_t x = 0; x < mask[y].size(); ++x)
      if (mask[y][x] == '#') all.push_back({x, y});
  return all;
}

/// Digits of a number in a base, lowest first, as many as asked for.
inline std::vector<std::uint64_t> digits(std::uint64_t number, std::uint64_t base, int count) {
  std::vector<std::uint64_t> all;
  for (int i = 0; i < count; ++i, number /= base) all.push_back(number % base);
  return all;
}

/// The cell whose digit pairs, lowest first, are the replicas of these numbers: Horner's rule from the top.
inline Place cell_of(const Rows& mask, const std::vector<std::uint64_t>& copies) {
  const auto boxes = replicas(mask);
  Place at;
  for (auto copy = copies.rbegin(); copy != copies.rend(); ++copy)
    at = {at.x * mask[0].size() + boxes[*copy].x, at.y * mask.size() + boxes[*copy].y};
  return at;
}

/// lambda: digit 1, 3, 5, ... from w_x and digit 2, 4, 6, ... from w_y.
inline Place lambda(const Rows& mask, std::uint64_t w_x, std::uint64_t w_y, int levels) {
  const auto odd = digits(w_x, marks(mask), levels), even = digits(w_y, marks(mask), levels);
  std::vector<std::uint64_t> copies;
  for (int i = 0; i < levels; ++i) copies.push_back((i % 2 ? even : odd)[static_cast<std::size_t>(i / 2)]);
  return cell_of(mask, copies);
}

/// A member, by the spelling of both coordinates in their bases.
inline bool member(const Rows& mask, int level, std::uint64_t x, std::uint64_t y) {
  if (x >= power(mask[0].size(), level) || y >= power(mask.size(), level)) return false;
  const auto of_x = digits(x, mask[0].size(), level), of_y = digits(y, mask.size(), level);
  for (std::size_t i = 0; i < of_x.size(); ++i)
    if (mask[of_y[i]][of_x[i]] != '#') return false;
  return true;
}

/// The published seal of fractals: cells numbered by base-k digits, of which the top ones are a lane and the lowest a
/// place in a block. Plain divisions, products bit by bit; what a live cell counts is worked out once.
class Seals {
 public:
  Seals(const Rows& mask, int level) : weights_(power(mask[0].size(), level) * power(mask.size(), level)) {
    const std::uint64_t k = marks(mask), width = power(mask[0].size(), level);
    int lane_digits = 1, block_digits = 0;
    while (100 * power(k, lane_digits) < 87 * 32 * ((power(k, lane_digits) + 31) / 32)) ++lane_digits;
    while (power(k, block_digits + 1) <= 32) ++block_digits;
    block_digits = std::min(std::max(block_digits, 1), level);
    lane_digits = std::min(lane_digits, level - block_digits);
    const auto copies = replicas(mask);
    const std::uint64_t in_base = power(k, level - lane_digits), in_block = power(k, block_digits);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
      if (!member(mask, level, i % width, i / width)) continue;
      const auto of_x = digits(i % width, mask[0].size(), level), of_y = digits(i / width, mask.size(), level);
      std::uint64_t number = 0;
      for (std::size_t digit = of_x.size(); digit-- > 0;) {
        const auto copy = std::find(copies.begin(), copies.end(), Place{of_x[digit], of_y[digit]});
        number = number * k + static_cast<std::uint64_t>(copy - copies.begin());
      }
      const std::uint64_t lane = number / in_base, base = number % in_base, block = base / in_block;
      const std::uint64_t of_place = hash(0x56, base % in_block, 0) / 1024, of_chunk = hash(0x5A, lane / 32, 0) % prime,
                          of_block = hash(0x55, block % 4294967296u, block / 4294967296u) % prime;
      weights_[i] = times(times(times(of_place, power(2, static_cast<int>(lane % 32))), of_chunk), of_block);
    }
  }
  std::uint64_t operator()(const Picture& state) const {
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i)
      if (state.cells[i]) all = (all + weights_[i]) % prime;
    return all;
  }

 private:
  static constexpr std::uint64_t prime = 2305843009213693951u;
  static std::uint64_t times(std::uint64_t a, std::uint64_t b) {
    std::uint64_t product = 0;
    for (; b; b /= 2, a = 2 * a % prime)
      if (b % 2) product = (product + a) % prime;
    return product;
  }
  std::vector<std::uint64_t> weights_;
};

/// Masks beyond the shipped ones: sparse, oblong with almost every box, full, one row of two.
inline std::vector<std::pair<std::string, Rows>> custom_masks() {
  return {{"sparse_5x5", {"....#", ".....", "..#..", ".....", "#...."}},
          {"oblong_5x2", {"####.", "#.###"}},
          {"full_8x8", Rows(8, "########")},
          {"row_2x1", {"##"}},
          {"last_box_2x2", {".#", "##"}}};
}

}  // namespace warploom::oracle
