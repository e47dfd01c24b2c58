#pragma once
#include <cstdint>

#include "gpu/core/bits.h"
#include "gpu/core/hash.h"
#include "gpu/core/macros.h"

// What a tree is over points in the order of their Morton codes. Source: karras2012trees, zhou2008kdtrees.
namespace warploom {

/// A range of places of the sorted points, both ends in it. One of a single place is none: nodes have two and more.
struct PlaceRange {
  std::uint32_t first = 0, last = 0;
  WARPLOOM_HD bool there() const { return last > first; }
  WARPLOOM_HD std::uint32_t count() const { return last - first + 1; }
  friend constexpr bool operator==(const PlaceRange&, const PlaceRange&) = default;
};

inline constexpr int code_bits = 30;
/// Levels that nodes may be at: a bit of the code each, and one of the rank, which has 27 at most.
inline constexpr int most_tree_levels = 64;

/// The bits of `value` so far apart that each leaves room for those of the other axes.
template <int dimension>
WARPLOOM_HD constexpr std::uint32_t spread_bits(std::uint32_t v) {
  if constexpr (dimension == 2) {
    v = (v | v << 8) & 0x00ff00ffu;
    v = (v | v << 4) & 0x0f0f0f0fu;
    v = (v | v << 2) & 0x33333333u;
    return (v | v << 1) & 0x55555555u;
  } else {
    v = (v | v << 16) & 0x030000ffu;
    v = (v | v << 8) & 0x0300f00fu;
    v = (v | v << 4) & 0x030c30c3u;
    return (v | v << 2) & 0x09249249u;
  }
}
/// Back.
template <int dimension>
WARPLOOM_HD constexpr std::uint32_t gathered_bits(std::uint32_t v) {
  if constexpr (dimension == 2) {
    v &= 0x55555555u;
    v = (v | v >> 1) & 0x33333333u;
    v = (v | v >> 2) & 0x0f0f0f0fu;
    v = (v | v >> 4) & 0x00ff00ffu;
    return (v | v >> 8) & 0x0000ffffu;
  } else {
    v &= 0x09249249u;
    v = (v | v >> 2) & 0x030c30c3u;
    v = (v | v >> 4) & 0x0300f00fu;
    v = (v | v >> 8) & 0x030000ffu;
    return (v | v >> 16) & 0x000003ffu;
  }
}

/// Where a point is on an axis, by its code: bit d j + a of a code is bit j of axis a.
WARPLOOM_HD std::uint32_t place_of_code(std::uint32_t code, int axis, int dimension) {
  return dimension == 2 ? gathered_bits<2>(code >> axis) : gathered_bits<3>(code >> axis);
}

/// A box of places in one word, so that it is written and read as a whole: least coordinates, then largest ones, of
/// `code_bits / dimension` bits each, and a bit that says that it is there.
struct PackedBox {
  static constexpr std::uint64_t there = std::uint64_t{1} << 63;
  static WARPLOOM_HD int bits(int dimension) { return code_bits / dimension; }
  /// Numbers 0 .. 2 d - 1: low.., high..
  static WARPLOOM_HD std::uint32_t number(std::uint64_t box, int which, int dimension) {
    const int b = bits(dimension);
    return static_cast<std::uint32_t>(box >> (which * b)) & ((1u << b) - 1);
  }
  static WARPLOOM_HD std::uint64_t of_code(std::uint32_t code, int dimension) {
    std::uint64_t box = there;
    for (int a = 0; a < dimension; ++a) {
      const std::uint64_t at = place_of_code(code, a, dimension);
      box |= at << (a * bits(dimension)) | at << ((dimension + a) * bits(dimension));
    }
    return box;
  }
  /// Around both.
  static WARPLOOM_HD std::uint64_t around(std::uint64_t one, std::uint64_t other, int dimension) {
    std::uint64_t box = there;
    for (int i = 0; i < 2 * dimension; ++i) {
      const std::uint32_t p = number(one, i, dimension), q = number(other, i, dimension);
      box |= std::uint64_t{(p < q) == (i < dimension) ? p : q} << (i * bits(dimension));
    }
    return box;
  }
};

/// The sorted points: codes, and where those are equal ranks, as one string of bits each.
struct TreeKeys {
  const std::uint32_t* codes;
  std::uint32_t count;
  int rank_bits;  ///< of count - 1

  WARPLOOM_HD TreeKeys(const std::uint32_t* sorted, std::uint64_t points)
      : codes(sorted),
        count(static_cast<std::uint32_t>(points)),
        rank_bits(points > 1 ? floor_log2(static_cast<std::uint32_t>(points - 1)) + 1 : 0) {}

  /// The bit that a level tests: the highest one of the code at level 0, then those below, then those of the rank.
  WARPLOOM_HD std::uint32_t bit(int level, std::uint32_t place) const {
    return level < code_bits ? codes[place] >> (code_bits - 1 - level) & 1
                             : place >> (rank_bits - 1 - (level - code_bits)) & 1;
  }
  /// How many leading bits two different places have in common: the level at which their ways part.
  WARPLOOM_HD int common(std::uint32_t i, std::uint32_t j) const {
    const std::uint32_t differ = codes[i] ^ codes[j];
    return differ ? code_bits - 1 - floor_log2(differ) : code_bits + rank_bits - 1 - floor_log2(i ^ j);
  }
  /// The last place whose bit at that level is 0, of a range whose ends differ there.
  WARPLOOM_HD std::uint32_t split(PlaceRange range, int level) const {
    std::uint32_t low = range.first, high = range.last;
    while (high - low > 1) {
      const std::uint32_t middle = low + (high - low) / 2;
      (bit(level, middle) ? high : low) = middle;
    }
    return low;
  }
};

/// What becomes of a node at a level: a node of the next level as it is, or the halves that are larger than a leaf.
struct Division {
  static constexpr std::uint32_t none = ~0u;
  PlaceRange children[2];
  std::uint32_t split = none;  ///< the last place of the first half; none: it goes on as it is

  /// How many nodes it makes: 0, 1 or 2.
  WARPLOOM_HD std::uint32_t made() const {
    return static_cast<std::uint32_t>(children[0].there()) + static_cast<std::uint32_t>(children[1].there());
  }
  /// By where it is split.
  static WARPLOOM_HD Division at(PlaceRange node, std::uint32_t split, std::uint32_t leaf) {
    Division all;
    all.split = split;
    if (split == none) {
      all.children[0] = node;
      return all;
    }
    if (split - node.first + 1 > leaf) all.children[0] = {node.first, split};
    if (node.last - split > leaf) all.children[1] = {split + 1, node.last};
    return all;
  }
  static WARPLOOM_HD Division of(const TreeKeys& keys, PlaceRange node, int level, std::uint32_t leaf) {
    const bool parts = keys.bit(level, node.first) != keys.bit(level, node.last);
    return at(node, parts ? keys.split(node, level) : none, leaf);
  }
};

/// Split nodes, by where they are split: no two are at the same place, so that each has a place of its own, whoever
/// finds it.
struct TreeNodes {
  PlaceRange* at;  ///< (count - 1); none: no node is split there
  std::uint32_t count;

  /// What a slot of a level makes, nothing where it has no node. A node that is split is kept.
  WARPLOOM_HD Division divide(const TreeKeys& keys, PlaceRange node, int level, std::uint32_t leaf) const {
    Division division;
    if (!node.there()) return division;
    division = Division::of(keys, node, level, leaf);
    if (division.split != Division::none) at[division.split] = node;
    return division;
  }
  /// Where the node that has this one as a half is split; `none`: it is the root.
  WARPLOOM_HD std::uint32_t parent(PlaceRange node) const {
    if (node.last + 1 < count && at[node.last].there() && at[node.last].first == node.first) return node.last;
    return node.first > 0 ? node.first - 1 : Division::none;
  }
};

/// What a split node adds to the seal.
WARPLOOM_HD std::uint64_t node_hash(PlaceRange node, std::uint32_t split, std::uint64_t box, int dimension) {
  std::uint64_t c = key_hash(0, node.first + (std::uint64_t{node.last} << 32));
  c = key_hash(c, split);
  for (int a = 0; a < dimension; ++a)
    c = key_hash(c, PackedBox::number(box, a, dimension) +
                        (std::uint64_t{PackedBox::number(box, dimension + a, dimension)} << 32));
  return c;
}

}  // namespace warploom
