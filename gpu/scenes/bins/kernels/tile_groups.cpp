#include "gpu/scenes/bins/kernels/tile_groups.h"

#include <fmt/format.h>

#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/core/format.h"

namespace warploom {

TileGroups tile_groups(const BinSpace& space, unsigned bytes_an_output, std::uint64_t most_bytes, const char* track) {
  TileGroups groups;
  groups.grid = space.grid;
  groups.lattice = space.lattice;
  const double spacing = static_cast<double>(space.lattice.spacing);
  const auto in_spacings = [&](double length) { return static_cast<float>(length / spacing); };
  for (int a = 0; a < 3; ++a) {
    groups.first_face[a] =
        in_spacings(static_cast<double>(space.grid.origin[a]) - static_cast<double>(space.lattice.origin[a]));
    groups.side[a] = in_spacings(static_cast<double>(space.grid.side[a]));
  }
  groups.margin = in_spacings(static_cast<double>(space.margin));
  const auto widest = [&](int axis, std::uint32_t bins) {
    std::uint32_t most = 0;
    for (std::uint32_t begin = 0; begin < space.grid.extent(axis); begin += bins) {
      std::uint32_t first = 0, end = 0;
      groups.outputs(axis, begin, std::min(begin + bins, space.grid.extent(axis)) - 1, first, end);
      most = std::max(most, end > first ? end - first : 0);
    }
    return most;
  };
  groups.most_outputs = {0, widest(1, 1), widest(2, 1)};
  const std::uint32_t row = space.grid.bins.x;
  std::uint64_t bytes = 0;
  for (std::uint32_t parts = 1, before = 0; parts <= row; ++parts) {
    groups.bins_a_group = (row + parts - 1) / parts;  // of a row's groups all but the last are as long
    if (groups.bins_a_group == before) continue;
    before = groups.bins_a_group;
    groups.groups_a_row = (row + groups.bins_a_group - 1) / groups.bins_a_group;
    groups.most_outputs.x = widest(0, groups.bins_a_group);
    bytes = volume(groups.most_outputs) * bytes_an_output;
    if (bytes <= most_bytes) return groups;
  }
  throw UsageError(fmt::format(
      "{}: a bin's elements reach {} x {} x {} outputs, whose sums take {}; a block has {} of shared memory "
      "for them; choose a shorter reach, smaller bins, or a wider spacing",
      track, groups.most_outputs.x, groups.most_outputs.y, groups.most_outputs.z,
      bytes_text(static_cast<double>(bytes)), bytes_text(static_cast<double>(most_bytes))));
}

}  // namespace warploom
