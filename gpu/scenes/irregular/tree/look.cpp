#include "gpu/scenes/irregular/tree/look.h"

#include <algorithm>

namespace warploom {

std::uint32_t TreeLook::split_of(PlaceRange node) const {
  if (!node.there() || node.last >= codes.size()) return Division::none;
  const std::uint32_t split = keys().split(node, level(node));
  return nodes[split] == node ? split : Division::none;
}

std::uint32_t TreeLook::parent(PlaceRange node) const {
  const auto count = static_cast<std::uint32_t>(codes.size());
  return TreeNodes{const_cast<PlaceRange*>(nodes.data()), count}.parent(node);
}

int TreeLook::first_level(PlaceRange node) const {
  const std::uint32_t above = parent(node);
  return above == Division::none ? 0 : level(nodes[above]) + 1;
}

std::int64_t TreeLook::slot(int at, PlaceRange node) const {
  if (at < 0 || static_cast<std::size_t>(at) >= lists.size()) return -1;
  const auto& list = lists[static_cast<std::size_t>(at)];
  const auto found = std::find(list.begin(), list.end(), node);
  return found == list.end() ? -1 : found - list.begin();
}

void TreeLook::count_levels() {
  levels.clear();
  split_at.clear();
  std::fill_n(halves, 3, 0);
  for (const PlaceRange& node : nodes) {
    if (!node.there()) continue;
    const int last = level(node);
    if (levels.size() <= static_cast<std::size_t>(last)) {
      levels.resize(static_cast<std::size_t>(last) + 1);
      split_at.resize(levels.size());
    }
    const auto split = static_cast<std::uint32_t>(&node - nodes.data());
    split_at[static_cast<std::size_t>(last)].push_back(split);
    const std::uint32_t made = Division::at(node, split, leaf).made();
    ++halves[made];
    for (int l = first_level(node); l <= last; ++l) {
      TreeLevel& own = levels[static_cast<std::size_t>(l)];
      ++own.nodes;
      ++own.slots;
      ++own.made[l < last ? 1 : made];
    }
  }
}

NearPoints TreeLook::near(const NearPlace& place) const {
  NearPoints all;
  const auto test_points = [&](PlaceRange range) {
    for (std::uint32_t i = range.first; i <= range.last; ++i) {
      ++all.points;
      all.found += place.reaches(PackedBox::of_code(codes[i], dimension), dimension);
    }
  };
  std::vector<PlaceRange> open{{0, static_cast<std::uint32_t>(codes.size() - 1)}};
  while (!open.empty()) {
    const PlaceRange range = open.back();
    open.pop_back();
    if (range.count() <= leaf) {
      test_points(range);
      continue;
    }
    const std::uint32_t split = keys().split(range, level(range));
    ++all.boxes;
    if (!place.reaches(boxes[split], dimension)) continue;
    ++all.visited;
    open.push_back({split + 1, range.last});
    open.push_back({range.first, split});
  }
  return all;
}

}  // namespace warploom
