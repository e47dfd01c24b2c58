#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "gpu/scenes/irregular/tree/nodes.h"
#include "gpu/scenes/irregular/tree/points.h"

namespace warploom {

/// A tree by its definition: what every track must make. By where nodes are split, as TreeNodes has them.
struct TreeAnswer {
  std::vector<std::uint32_t> order;  ///< (n)
  std::vector<PlaceRange> nodes;     ///< (n - 1); none: no node is split there
  std::vector<std::uint64_t> boxes;  ///< (n - 1); 0: none
  std::uint64_t split_nodes = 0, visits = 0;
  int levels = 0;
};

/// From the top down on the host, bit by bit, of points (n, dimension). Shares nothing with the kernels but the box's
/// word. `unwanted`: asked now and then; may be empty. Throws Cancelled.
TreeAnswer tree_answer(const std::vector<std::uint32_t>& points, int dimension, std::uint32_t leaf,
                       const std::function<bool()>& unwanted = {});

/// What the tracks of a run share.
class TreeProblem final : public IrregularProblem {
 public:
  /// Answers are known of so many points; beyond nodes are judged one by one.
  static constexpr std::uint64_t most_answered = 1u << 20;

  explicit TreeProblem(GridPoints moving, std::uint32_t most_in_leaf) : points(std::move(moving)), leaf(most_in_leaf) {
    remarks = points.remarks;
  }
  /// The answer of a step, kept until another is asked for: all tracks are judged by one. Throws Cancelled.
  std::shared_ptr<const TreeAnswer> answer(std::uint64_t step, const std::function<bool()>& unwanted) const;

  const GridPoints points;
  const std::uint32_t leaf;

 private:
  mutable std::mutex mutex_;
  mutable std::uint64_t step_ = 0;
  mutable std::shared_ptr<const TreeAnswer> answer_;
};

/// Levels and visits of finished nodes: what a tree costs level by level, whoever made it.
struct TreeVisits {
  std::uint64_t split_nodes = 0, visits = 0;
  int levels = 0;
};
TreeVisits tree_visits(const std::vector<std::uint32_t>& codes, std::vector<PlaceRange> nodes);

}  // namespace warploom
