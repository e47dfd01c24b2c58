#pragma once
#include <string>

#include "gpu/core/product.h"
#include "gpu/scenes/fractal/works/compact.h"
#include "gpu/scenes/fractal/works/row_program.h"

// Compact tiles whose eight neighbours come from one product of 8-bit integers [quezada2022squeeze]: two tiles a warp.
namespace warploom {

/// Of a tile the numbers of those beside it are in a product, digit sums byte by byte.
struct ProductTiles : CompactTiles {
  static constexpr bool told_by_warp = true;
  /// A neighbour that lacks a digit has this added to the product's row of that digit; sums of bytes stay below.
  static constexpr std::int32_t lacks = 1 << 24;
  static constexpr int bytes = 8;

  struct Tile {
    std::uint64_t number;
    const Product16<std::int32_t>* found = nullptr;  ///< null: no neighbour is looked up
    unsigned column = 0;                             ///< of direction 0
  };
  WARPLOOM_HD static Tile numbered(std::uint64_t number) { return {number, nullptr, 0}; }
  using CompactTiles::CompactTiles;
  using CompactTiles::origin;
  WARPLOOM_HD std::uint64_t base(const Tile& tile) const { return CompactTiles::base(tile.number); }
  WARPLOOM_HD Index2 origin(const Tile& tile) const { return CompactTiles::origin(tile.number); }
  WARPLOOM_HD std::uint64_t beside(const Tile& tile, int direction) const {
    std::uint64_t number = 0;
    return look_up(tile, direction, number) ? CompactTiles::base(number) : nowhere;
  }
  WARPLOOM_HD std::uint32_t told(const Tile& tile, int direction) const {
    std::uint64_t number = 0;
    return look_up(tile, direction, number) ? static_cast<std::uint32_t>(number) : told_nowhere;
  }

 private:
  /// False: there is none.
  WARPLOOM_HD bool look_up(const Tile& tile, int direction, std::uint64_t& number) const {
    const unsigned column = tile.column + static_cast<unsigned>(direction);
    bool there = true;
    for (int row = 0; row < domain.level - digits || row < bytes; ++row) {
      const std::int32_t sum = tile.found->at(static_cast<unsigned>(row), column);
      there &= sum < lacks;
      if (row < bytes) number += static_cast<std::uint64_t>(sum) << 8 * row;
    }
    return there;
  }
};

struct CompactProductRows : CompactRowsOf<ProductTiles, 1, 2> {
  static constexpr MapInfo info{"compact_tensor", "compact, by tensor cores",
                                "compact tiles whose neighbours one exact 8-bit product finds", "quezada2022squeeze"};
  static constexpr bool looks_around = true;
  static constexpr const char* only_work = "life";  ///< no other looks at neighbours
  static constexpr int most_digits = 16;
  std::uint64_t powers[most_digits] = {};  ///< of k

  CompactProductRows() = default;
  CompactProductRows(const Tiles& of, std::uint64_t number) : CompactRowsOf(of, number) {
    powers[0] = 1;
    for (int i = 1; i < tiles.domain.level - tiles.digits && i < most_digits; ++i)
      powers[i] = powers[i - 1] * tiles.domain.copies;
  }
  static std::string refusal(const FractalDomain& domain, int block_digits) {
    const int needed = domain.level - row_digits(domain, block_digits);
    if (needed <= most_digits) return {};
    return "tiles with " + std::to_string(needed) + " digits: a product has room for " + std::to_string(most_digits);
  }

  /// A has the bytes of the powers of k, the lowest in row 0.
  WARPLOOM_HD std::uint32_t a(unsigned row, unsigned column) const {
    return row < Tiles::bytes ? static_cast<std::uint32_t>(powers[column] >> 8 * row) & 255u : 0;
  }
  /// The digit of the neighbour that lies `direction` of the tile at `place`; FractalDomain::outside: it lacks it.
  WARPLOOM_HD std::uint32_t digit(Index2 place, unsigned direction, unsigned row) const {
    const FractalDomain& domain = tiles.domain;
    const int digits = domain.level - tiles.digits, own = static_cast<int>(row);
    // Beyond the left and upper sides it wraps to beyond the others.
    Index2 at{place.x + static_cast<std::uint32_t>(step_x(static_cast<int>(direction))),
              place.y + static_cast<std::uint32_t>(step_y(static_cast<int>(direction)))};
    if (at.x >= domain.power_x[digits].divisor || at.y >= domain.power_y[digits].divisor) return FractalDomain::outside;
    if (own >= digits) return 0;
    at = {domain.power_x[own].quotient(at.x), domain.power_y[own].quotient(at.y)};
    domain.power_x[1].split(at.x);
    domain.power_y[1].split(at.y);
    return domain.copy_at[at.y * domain.side_x + at.x];
  }
  WARPLOOM_HD std::uint32_t b(Index2 place, unsigned direction, unsigned row) const {
    const std::uint32_t found = digit(place, direction, row);
    return found == FractalDomain::outside ? 0 : found;
  }
  WARPLOOM_HD std::int32_t c(Index2 place, unsigned direction, unsigned row) const {
    return digit(place, direction, row) == FractalDomain::outside ? Tiles::lacks : 0;
  }
  /// The place, in tiles, of the tile that columns from 8 `half` on are of.
  WARPLOOM_HD Index2 place(std::uint64_t block, unsigned half) const {
    const std::uint64_t tile = block * in_block() + half;
    return tiles.domain.member_digits(half < in_block() && tile < count ? tile : 0, 0,
                                      tiles.domain.level - tiles.digits);
  }

  template <class Group, class Places, class Body>
  WARPLOOM_HD void look_around(Group& group, Places& places, Body&& body) const {
    const Index2 first = place(group.block_number(), 0), second = place(group.block_number(), 1);
    const auto& d = group.template product<ByteOperands>(
        [&](unsigned i, unsigned k) { return a(i, k); },
        [&](unsigned k, unsigned j) { return b(j < directions ? first : second, j % directions, k); },
        [&](unsigned i, unsigned j) { return c(j < directions ? first : second, j % directions, i); });
    group.each([&](const Thread& thread) {
      auto& tile = places[thread].tile;
      tile.found = &d;
      tile.column = static_cast<unsigned>(tile.number - group.block_number() * in_block()) * directions % 16;
    });
    body();
  }

  static Fragments fragments(const FractalDomain& domain, int digits, Index3 block) {
    const Compact state = Compact::of(domain, digits, nullptr);
    const CompactProductRows ways(Tiles(domain, digits, state.pitch), state.tiles());
    const std::uint64_t number = linear_index(block, ways.shape().blocks);
    return Fragments::of(
        [&](unsigned i, unsigned k) { return ways.a(i, k); },
        [&](unsigned k, unsigned j) { return ways.b(ways.place(number, j / directions), j % directions, k); },
        [&](unsigned i, unsigned j) { return ways.c(ways.place(number, j / directions), j % directions, i); });
  }
  static Formula explain(const FractalQuestion& question) {
    Formula formula = explain_product(question, fragments);
    formula.result = explain_member_test(question).result;
    return formula;
  }
};

}  // namespace warploom
