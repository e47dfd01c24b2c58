#include <fmt/format.h>

#include "gpu/core/format.h"
#include "gpu/scenes/irregular/tree/look.h"
#include "viewer/model/scene_parts.h"

namespace warploom {

namespace {

/// Its points, and the level that is looked at where that is another than its own.
std::string node_title(const Index3& at) {
  return fmt::format("node {} to {}", grouped(at.x), grouped(at.y)) +
         (at.z ? fmt::format(", level {}", at.z - 1) : std::string());
}

std::string near_title(const Index3& at) {
  return fmt::format("near {}, {}", at.x, at.y) + (at.z ? fmt::format(", {}", at.z - 1) : std::string());
}

}  // namespace

const SceneParts& tree_parts() {
  static const SceneParts parts{
      .spaces = {{node_space, "FIRST,LAST", false, node_title}, {near_space, "X,Y", false, near_title}},
      .terms =
          {{"brute force", "Testing everything, without a structure that tells what need not be tested."},
           {"compaction",
            "What is still needed is brought together, so that the threads of a warp have all something to do: "
            "flags, a scan of them, and a move to the place that it gives."},
           {"leaf", "A range of so few points that it is not split any more."},
           {"Morton code",
            "The bits of a point's coordinates by turns, the highest first: points in the order of their codes lie "
            "near each other in space, and each leading bit halves it."},
           {"radix tree",
            "A tree over sorted codes whose nodes are split at the first bit in which their points differ."}},
  };
  return parts;
}

}  // namespace warploom
