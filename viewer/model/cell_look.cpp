#include "viewer/model/cell_look.h"

#include <cmath>

#include "gpu/pictures/plane_layout.h"
#include "gpu/tracks/facets/editable.h"
#include "gpu/tracks/facets/written.h"

namespace warploom {

bool knows_targets(const Track& track) {
  const auto* written = track.facet<Written>();
  return !written || written->own().form != "kernel";
}

std::optional<CellLook> look_at(Queue& queue, const Track& track, Cell cell) {
  Picture* cells = nullptr;
  for (Picture* picture : track.pictures())
    if (!cells && picture->info().space == Selection::cell) cells = picture;
  if (!cells) return std::nullopt;
  const bool solid = track.dimensions() > 2;
  const auto low = [](std::uint32_t at) { return at > 0 ? at - 1 : 0; };
  const Index3 first{low(cell.x), low(cell.y), solid ? low(cell.z) : 0};
  const Index3 size{cell.x - first.x + 2, cell.y - first.y + 2, solid ? cell.z - first.z + 2 : 1};
  const Index3 origin = origin_of(*cells);
  const auto values = cells->values(queue, {first.x + origin.x, first.y + origin.y, first.z + origin.z}, size);
  const std::uint64_t own = linear_index({cell.x - first.x, cell.y - first.y, cell.z - first.z}, size);
  if (own >= values.size() || std::isnan(values[own])) return std::nullopt;
  CellLook look{values[own]};
  const auto* editable = track.facet<Editable>();
  look.two = editable != nullptr;
  if (!editable || !editable->next(true, 0)) return look;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Index3 at = unfold(i, size);
    const auto from = [](std::uint32_t to, std::uint32_t corner, std::uint32_t middle) {
      return static_cast<int>(to + corner) - static_cast<int>(middle);
    };
    const int x = from(at.x, first.x, cell.x), y = from(at.y, first.y, cell.y), z = from(at.z, first.z, cell.z);
    if (std::isnan(values[i]) || !editable->neighbour(x, y, z)) continue;
    ++look.neighbours;
    look.alive += values[i] != 0;
  }
  look.next = editable->next(look.value != 0, look.alive);
  return look;
}

}  // namespace warploom
