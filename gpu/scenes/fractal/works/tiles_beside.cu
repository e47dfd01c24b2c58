#include "gpu/core/error.h"
#include "gpu/core/launch.h"
#include "gpu/scenes/fractal/works/sliced_tables.h"
#include "gpu/scenes/fractal/works/tile_tables.h"

namespace warploom {

namespace {

/// Of every tile in every direction, a thread per tile.
struct FindTilesBeside {
  SlicedShape shape;
  SlicedSteps steps;
  std::uint32_t arrive = 0;  ///< a bit of each direction that lanes can be stepped in; no tile lies any other way
  TileBeside* to = nullptr;  ///< (tiles, directions)

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const int digits = shape.base_digits - shape.tile_digits;
    each_item(group, shape.tiles(), [&](std::uint64_t tile) {
      TileBeside beside[directions];
      bool crosses = false;
      for (int d = 0; d < directions; ++d) {
        const auto found = steps.neighbour(tile, digits, d);
        if (!found.there || (found.crossing >= 0 && !(arrive >> found.crossing & 1u))) continue;
        beside[d] = TileBeside(found.number, found.crossing);
        crosses = crosses || found.crossing >= 0;
      }
      for (int d = 0; d < directions; ++d) {
        if (crosses) beside[d].say_any_crosses();
        to[tile * directions + static_cast<std::uint64_t>(d)] = beside[d];
      }
    });
  }
};

}  // namespace

Buffer<TileBeside> tiles_beside(Queue& queue, const FractalDomain& domain, const SlicedShape& shape) {
  const std::uint64_t tiles = shape.tiles();
  if (tiles > TileBeside::most)
    throw Error("a state of " + std::to_string(tiles) + " tiles: " + std::to_string(TileBeside::most) +
                " are the most that `sliced` numbers");
  Buffer<TileBeside> beside(queue.backend(), tiles * directions);
  const DigitTables tables(queue, domain);
  const FindTilesBeside program{shape, tables.view(), arriving(digit_steps(domain), domain.copies), beside.data()};
  launch("fractal.tiles_beside", queue, row_shape(tiles), program, 0);
  queue.wait();  // the tables go; and steps begin before the launch in front of them has ended
  return beside;
}

}  // namespace warploom
