#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "gpu/core/macros.h"
#include "gpu/core/pixels.h"

// The kinds of edges, and all that pictures, tables and files say of each: a kind more is an entry here.
namespace warploom {

/// How an operand comes to the thread that needs it.
enum class EdgeKind { in_register, shuffle, shared, global, link, ring };
constexpr std::size_t edge_kinds = 6;

struct EdgeWords {
  const char *key, *paths, *brief;  ///< in files and tables; above a stage's box, and where that is narrow
  const char* way;                  ///< what follows an operand that came so, in the inspector
  float dash;                       ///< of its stroke in tables, in pixels; a third of it lies between two
};
constexpr std::array<EdgeWords, edge_kinds> words_of_edges{{{"register", "registers", "regs", "", 18},
                                                            {"shuffle", "shuffles", "shfl", ", shfl", 8},
                                                            {"shared", "shared", "shared", ", shared", 4},
                                                            {"global", "global", "global", ", global", 2},
                                                            {"link", "link", "link", ", link", 6},
                                                            {"ring", "ring", "ring", ", ring", 1}}};

/// Global and ring have one colour, which the stroke tells apart. None is a track's.
WARPLOOM_HD constexpr Rgba edge_colour(EdgeKind kind) {
  return kind == EdgeKind::in_register ? rgba(122, 132, 146)
         : kind == EdgeKind::shuffle   ? rgba(132, 176, 40)
         : kind == EdgeKind::shared    ? rgba(150, 115, 245)
         : kind == EdgeKind::link      ? rgba(0, 204, 244)
                                       : rgba(232, 80, 80);
}

/// Whether a line is drawn so many pixels from its begin: register solid, shuffle in long dashes, shared in short ones,
/// link dash, dot, dash, others dotted.
WARPLOOM_HD constexpr bool edge_dashed(EdgeKind kind, float along) {
  const int at = static_cast<int>(along);
  return kind == EdgeKind::in_register || (kind == EdgeKind::shuffle  ? at % 16 < 11
                                           : kind == EdgeKind::shared ? at % 7 < 4
                                           : kind == EdgeKind::link   ? at % 17 < 9 || (at % 17 >= 12 && at % 17 < 14)
                                                                      : at % 5 < 2);
}

/// A pixel of edges: of several that cross it the one that covers most, and of those the one that goes farthest.
struct EdgePixel {
  static_assert(edge_kinds <= 8);
  std::uint32_t word = 0;  ///< 0: none is there
  WARPLOOM_HD static EdgePixel of(std::uint32_t coverage, EdgeKind kind) {
    return {coverage << 3 | static_cast<std::uint32_t>(kind)};
  }
  WARPLOOM_HD EdgeKind kind() const { return static_cast<EdgeKind>(word & 7); }
  WARPLOOM_HD std::uint32_t coverage() const { return word >> 3; }  ///< 0 to 255
};

}  // namespace warploom
