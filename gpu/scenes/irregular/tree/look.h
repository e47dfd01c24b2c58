#pragma once
#include <memory>
#include <vector>

#include "gpu/scenes/irregular/tree/list.h"
#include "gpu/tracks/facets/curves.h"

namespace warploom {

/// A node: x its first point, y its last, in the order of the codes; z one more than the level that is looked at, or 0
/// for the level at which it is split.
inline constexpr const char* node_space = "node";
/// A place among the points, and what lies near it: x, y, and in space one more than z, or 0 for any z.
inline constexpr const char* near_space = "near";

/// ... on each axis; Division::none: any.
struct NearPlace {
  std::uint32_t at[3] = {Division::none, Division::none, Division::none};
  std::uint32_t reach = 0;  ///< so far at most: 1/32 of the side

  NearPlace() = default;
  NearPlace(const Index3& selected, int dimension) : reach(1u << (code_bits / dimension - 5)) {
    at[0] = selected.x;
    at[1] = selected.y;
    if (dimension == 3 && selected.z) at[2] = selected.z - 1;
  }
  /// Whether it is as near to a box of these coordinates.
  WARPLOOM_HD bool reaches(std::uint64_t box, int dimension) const {
    std::uint64_t square = 0;
    for (int a = 0; a < dimension; ++a) {
      if (at[a] == Division::none) continue;
      const std::uint64_t low = PackedBox::number(box, a, dimension),
                          high = PackedBox::number(box, dimension + a, dimension),
                          by = at[a] < low    ? low - at[a]
                               : at[a] > high ? at[a] - high
                                              : 0;
      square += by * by;
    }
    return square <= std::uint64_t{reach} * reach;
  }
};

/// What is near a place, and what finding it by the tree takes.
struct NearPoints {
  std::uint64_t found = 0, visited = 0;  ///< points, and nodes that are near as well
  std::uint64_t boxes = 0, points = 0;   ///< that are tested
};

/// A finished tree on the host: what marks, cards and curves tell by.
struct TreeLook {
  static constexpr std::uint64_t most_points = 1u << 20;
  std::uint64_t serial = 0;  ///< of the state
  int dimension = 2;
  std::uint32_t leaf = 1;
  std::vector<std::uint32_t> codes;
  std::vector<PlaceRange> nodes;
  std::vector<std::uint64_t> boxes;
  std::vector<std::vector<PlaceRange>> lists;  ///< of the first levels: the nodes as their threads found them
  std::shared_ptr<const TreeReport> report;
  std::vector<std::vector<std::uint32_t>> split_at;  ///< of each level, where its nodes are split
  std::vector<TreeLevel> levels;  ///< what a tree costs level by level, whoever made it; `slots` as nodes
  std::uint64_t halves[3] = {};   ///< split nodes of which none, one and both halves are nodes
  std::shared_ptr<const std::vector<CurveFigure>> curves;

  TreeKeys keys() const { return {codes.data(), codes.size()}; }
  /// Where a node is split; Division::none: there is no such node.
  std::uint32_t split_of(PlaceRange node) const;
  /// Levels at which it is first visited and split.
  int first_level(PlaceRange node) const;
  int level(PlaceRange node) const { return keys().common(node.first, node.last); }
  std::uint32_t parent(PlaceRange node) const;
  /// Which slot of a level has it; -1: none, or it is not kept.
  std::int64_t slot(int level, PlaceRange node) const;
  /// Counts nodes level by level.
  void count_levels();
  NearPoints near(const NearPlace& place) const;
};

}  // namespace warploom
