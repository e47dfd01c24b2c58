#pragma once
#include <memory>
#include <vector>

#include "gpu/core/buffer.h"
#include "gpu/scenes/irregular/tree/nodes.h"
#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/track.h"

namespace warploom {

/// What became of a level of a tree that is made level by level.
struct TreeLevel {
  std::uint64_t slots = 0;  ///< threads with a place, if not a node
  std::uint64_t nodes = 0, made[3] = {};
};

/// What a build did.
struct TreeReport {
  std::vector<TreeLevel> levels;  ///< empty of trees that are made at once
  std::size_t kept = 0;           ///< of so many levels the nodes are in LevelLists
  std::uint64_t slots = 0, storage_used = 0, launches = 0;
  Counts counts;
};

/// The nodes of each level as its threads found them, for pictures: of the first levels, as many as have room.
class LevelLists {
 public:
  static constexpr std::uint64_t most_kept = 1u << 22;  ///< slots
  void begin() { kept_ = 0, slots_ = 0; }
  /// Room for a level, which is the one after that of the last call; what was there is lost.
  PlaceRange* room(Queue& queue, int level, std::uint64_t slots);
  int kept() const { return kept_; }
  const PlaceRange* level(int i) const { return levels_[static_cast<std::size_t>(i)].data(); }
  std::uint64_t bytes() const;

 private:
  std::vector<Buffer<PlaceRange>> levels_;
  Buffer<PlaceRange> spare_[2];  ///< of levels that are not kept, by turns
  int kept_ = 0;
  std::uint64_t slots_ = 0;
};

/// A way to find all nodes of sorted points. The thread that steps.
class TreeStrategy {
 public:
  virtual ~TreeStrategy() = default;
  /// Sets each node at its place of `nodes`, where nothing is before. Throws Cancelled.
  virtual TreeReport build(Queue& queue, const TreeKeys& keys, const TreeNodes& nodes, std::uint32_t leaf,
                           LevelLists& lists) = 0;
  /// Bytes of the backend's memory that it holds now.
  virtual std::uint64_t bytes() const = 0;
};

/// What a track of trees is, and how its strategy is made.
struct TreeKind {
  TrackInfo info;
  bool by_levels = false;
  std::unique_ptr<TreeStrategy> (*make)(Backend backend, int compact_every);
};

// A new strategy is one source, tracks/tree_NAME.cu, that defines TreeKind NAME_tree(), and one line here.
// clang-format off
#define WARPLOOM_TREES(one) \
  one(levels_scan)          \
  one(levels_atomic)        \
  one(radix)
// clang-format on
#define WARPLOOM_DECLARED(name) TreeKind name##_tree();
WARPLOOM_TREES(WARPLOOM_DECLARED)
#undef WARPLOOM_DECLARED

/// All of them, in the order of the menu.
const std::vector<TreeKind>& tree_kinds();

}  // namespace warploom
