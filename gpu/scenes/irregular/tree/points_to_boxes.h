#pragma once
#include "gpu/core/atomic.h"
#include "gpu/core/ordered_atomic.h"
#include "gpu/scenes/irregular/tree/nodes.h"
#include "gpu/scenes/irregular/tree/points.h"

// What all trees have in common: points, their codes, and boxes. An item each.
namespace warploom {

/// Points where they are in a step. A coordinate an item.
struct PlacePoints {
  const std::uint32_t* moving;
  std::uint32_t step;
  int bits;
  std::uint32_t* points;  ///< (n, d)
  WARPLOOM_HD void operator()(std::uint64_t i) const { points[i] = place_at(moving[i], step, bits); }
};

/// Morton codes [morton1966]: bit d j + a is bit j of axis a. Above each stands its point.
template <int dimension>
struct CodePoints {
  const std::uint32_t* points;
  std::uint64_t* words;
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    std::uint32_t code = 0;
    for (int a = 0; a < dimension; ++a) code |= spread_bits<dimension>(points[i * dimension + a]) << a;
    words[i] = i << 32 | code;
  }
};

/// Sorted words apart.
struct PartWords {
  const std::uint64_t* words;
  std::uint32_t *codes, *order;
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    codes[i] = static_cast<std::uint32_t>(words[i]);
    order[i] = static_cast<std::uint32_t>(words[i] >> 32);
  }
};

/// The boxes of all split nodes, from the lowest ones upwards: a node's box lies where its parent is split until that
/// of its sibling comes, which goes on with both. A place an item.
template <int dimension>
struct FitBoxes {
  TreeKeys keys;
  TreeNodes nodes;
  std::uint32_t leaf;
  std::uint64_t* boxes;  ///< (n - 1), 0 before

  WARPLOOM_HD void operator()(std::uint64_t i) const {
    auto split = static_cast<std::uint32_t>(i);
    PlaceRange node = nodes.at[split];
    if (!node.there() || Division::at(node, split, leaf).made() > 0) return;
    std::uint64_t box = of_points(node);
    for (;;) {
      boxes[split] = box;
      const std::uint32_t parent = nodes.parent(node);
      if (parent == Division::none) return;
      const PlaceRange above = nodes.at[parent];
      PlaceRange sibling{parent + 1, above.last};
      if (node.first != above.first) sibling = {above.first, parent};
      if (sibling.count() > leaf) {
        const std::uint64_t other = exchange(boxes + parent, box);
        if (!other) return;
        box = PackedBox::around(box, other, dimension);
      } else {
        box = PackedBox::around(box, of_points(sibling), dimension);
      }
      split = parent;
      node = above;
    }
  }

 private:
  WARPLOOM_HD std::uint64_t of_points(PlaceRange range) const {
    std::uint64_t box = PackedBox::of_code(keys.codes[range.first], dimension);
    for (std::uint32_t i = range.first + 1; i <= range.last; ++i)
      box = PackedBox::around(box, PackedBox::of_code(keys.codes[i], dimension), dimension);
    return box;
  }
};

/// What node_hash says of each node, for sums.
struct HashNodes {
  const PlaceRange* nodes;
  const std::uint64_t* boxes;
  int dimension;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const {
    return nodes[i].there() ? node_hash(nodes[i], static_cast<std::uint32_t>(i), boxes[i], dimension) : 0;
  }
};
struct CountNodes {
  const PlaceRange* nodes;
  WARPLOOM_HD std::uint64_t operator()(std::uint64_t i) const { return nodes[i].there(); }
};

}  // namespace warploom
