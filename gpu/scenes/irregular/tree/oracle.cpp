#include "gpu/scenes/irregular/tree/oracle.h"

#include <algorithm>
#include <numeric>

#include "gpu/core/error.h"

namespace warploom {

namespace {

/// The tree of sorted points, from the top down.
class TopDown {
 public:
  TopDown(const std::vector<std::uint32_t>& points, int dimension, std::uint32_t leaf, TreeAnswer& answer,
          const std::function<bool()>& unwanted)
      : points_(points), dimension_(dimension), leaf_(leaf), answer_(answer), unwanted_(unwanted) {
    const std::size_t count = points.size() / static_cast<std::size_t>(dimension);
    std::vector<std::uint32_t> codes(count);
    for (std::size_t i = 0; i < count; ++i)
      for (int j = 0; j < bits_of_axis(dimension); ++j)
        for (int a = 0; a < dimension; ++a)
          codes[i] |= (points[i * static_cast<std::size_t>(dimension) + static_cast<std::size_t>(a)] >> j & 1)
                      << (dimension * j + a);
    answer.order.resize(count);
    std::iota(answer.order.begin(), answer.order.end(), 0u);
    std::stable_sort(answer.order.begin(), answer.order.end(),
                     [&](std::uint32_t i, std::uint32_t j) { return codes[i] < codes[j]; });
    codes_.reserve(count);
    for (const std::uint32_t i : answer.order) codes_.push_back(codes[i]);
    while (count > std::size_t{1} << rank_bits_) ++rank_bits_;
    answer.nodes.resize(count - 1);
    answer.boxes.resize(count - 1);
    if (count > leaf) visit({0, static_cast<std::uint32_t>(count - 1)}, 0);
  }

 private:
  std::uint32_t bit(std::uint32_t place, int level) const {
    return level < code_bits ? codes_[place] >> (code_bits - 1 - level) & 1
                             : place >> (rank_bits_ - 1 - (level - code_bits)) & 1;
  }
  /// The box of a node, which is visited from this level on.
  std::uint64_t visit(PlaceRange node, int level) {
    ++answer_.visits;
    if (unwanted_ && answer_.visits % 4096 == 0 && unwanted_()) throw Cancelled();
    for (; bit(node.first, level) == bit(node.last, level); ++level) ++answer_.visits;
    answer_.levels = std::max(answer_.levels, level + 1);
    std::uint32_t split = node.first;
    for (std::uint32_t step = node.last - node.first; step > 0; step /= 2)
      while (split + step < node.last && bit(split + step, level) == 0) split += step;
    const std::uint64_t box = PackedBox::around(of_half({node.first, split}, level + 1),
                                                of_half({split + 1, node.last}, level + 1), dimension_);
    ++answer_.split_nodes;
    answer_.nodes[split] = node;
    return answer_.boxes[split] = box;
  }
  std::uint64_t of_half(PlaceRange half, int level) {
    if (half.count() > leaf_) return visit(half, level);
    std::uint64_t box = of_point(half.first);
    for (std::uint32_t i = half.first + 1; i <= half.last; ++i) box = PackedBox::around(box, of_point(i), dimension_);
    return box;
  }
  std::uint64_t of_point(std::uint32_t place) const {
    std::uint64_t box = PackedBox::there;
    const int bits = bits_of_axis(dimension_);
    const std::size_t axes = static_cast<std::size_t>(dimension_);
    for (std::size_t a = 0; a < axes; ++a) {
      const std::uint64_t at = points_[answer_.order[place] * axes + a];
      box |= at << (static_cast<int>(a) * bits) | at << ((dimension_ + static_cast<int>(a)) * bits);
    }
    return box;
  }

  const std::vector<std::uint32_t>& points_;
  int dimension_;
  std::uint32_t leaf_;
  TreeAnswer& answer_;
  const std::function<bool()>& unwanted_;
  std::vector<std::uint32_t> codes_;
  int rank_bits_ = 0;
};

}  // namespace

TreeAnswer tree_answer(const std::vector<std::uint32_t>& points, int dimension, std::uint32_t leaf,
                       const std::function<bool()>& unwanted) {
  TreeAnswer answer;
  const TopDown made(points, dimension, leaf, answer, unwanted);
  return answer;
}

std::shared_ptr<const TreeAnswer> TreeProblem::answer(std::uint64_t step, const std::function<bool()>& unwanted) const {
  const std::lock_guard lock(mutex_);
  if (answer_ && step_ == step) return answer_;
  answer_ =
      std::make_shared<const TreeAnswer>(tree_answer(points_in_step(points, step), points.dimension, leaf, unwanted));
  step_ = step;
  return answer_;
}

TreeVisits tree_visits(const std::vector<std::uint32_t>& codes, std::vector<PlaceRange> nodes) {
  TreeVisits all;
  if (codes.size() < 2) return all;
  const TreeKeys keys(codes.data(), codes.size());
  const TreeNodes tree{nodes.data(), keys.count};
  for (const PlaceRange& node : nodes) {
    if (!node.there()) continue;
    const int level = keys.common(node.first, node.last);
    int before = -1;
    if (const std::uint32_t parent = tree.parent(node); parent != Division::none)
      before = keys.common(nodes[parent].first, nodes[parent].last);
    ++all.split_nodes;
    all.visits += static_cast<std::uint64_t>(level - before);
    all.levels = std::max(all.levels, level + 1);
  }
  return all;
}

}  // namespace warploom
