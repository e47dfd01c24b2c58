#include "gpu/scenes/fractal/maps/mask.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/core/error.h"

namespace warploom {

std::uint32_t Mask::copies() const {
  std::uint32_t marks = 0;
  for (const auto& row : rows) marks += static_cast<std::uint32_t>(std::count(row.begin(), row.end(), '#'));
  return marks;
}

double Mask::dimension() const {
  const bool wide = side_x() >= side_y();
  const std::uint32_t many = wide ? side_x() : side_y(), few = wide ? side_y() : side_x();
  if (few == 1 || few == many) return std::log(copies()) / std::log(many);
  // Strips across the shorter side, each by its copies.
  double sum = 0;
  for (std::uint32_t strip = 0; strip < few; ++strip) {
    int copies_there = 0;
    for (std::uint32_t at = 0; at < many; ++at) copies_there += (wide ? rows[strip][at] : rows[at][strip]) == '#';
    if (copies_there) sum += std::pow(copies_there, std::log(few) / std::log(many));
  }
  return std::log(sum) / std::log(few);
}

namespace {

/// The whole UTF-8 letter that begins at `at`.
std::string letter_at(const std::string& text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
  return text.substr(at, end - at);
}

}  // namespace

void check(const Mask& mask) {
  const std::string who = "mask '" + (mask.name.empty() ? mask.key : mask.name) + "': ";
  if (mask.rows.empty()) throw UsageError(who + "it has no rows; give 1 to 8 rows of '#' and '.'");
  for (std::size_t y = 0; y < mask.rows.size(); ++y) {
    const std::string& row = mask.rows[y];
    const std::string where = "row " + std::to_string(y + 1);
    if (row.size() != mask.rows[0].size())
      throw UsageError(fmt::format("{}{} has {} characters, row 1 has {}; all rows need the same length", who, where,
                                   row.size(), mask.rows[0].size()));
    const auto foreign = row.find_first_not_of("#.");
    if (foreign != std::string::npos)
      throw UsageError(fmt::format("{}{}, column {} holds '{}'; only '#' (a copy) and '.' (none) are allowed", who,
                                   where, foreign + 1, letter_at(row, foreign)));
  }
  const auto x = mask.side_x(), y = mask.side_y(), k = mask.copies();
  const std::string size = std::to_string(x) + " x " + std::to_string(y);
  if (x < 2) throw UsageError(who + "a box of " + size + " is too narrow; the side along x must be 2 to 8");
  if (x > largest_mask_side || y > largest_mask_side)
    throw UsageError(who + "a box of " + size + " is too large; sides go up to 8");
  if (k < 2) throw UsageError(who + "it has " + std::to_string(k) + " marks; a fractal needs at least 2");
}

}  // namespace warploom
