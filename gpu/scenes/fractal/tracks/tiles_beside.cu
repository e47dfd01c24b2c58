#include "gpu/scenes/fractal/tracks/tiles_beside.h"

#include "gpu/core/error.h"
#include "gpu/core/launch.h"
#include "gpu/scenes/fractal/works/sliced_tables.h"

namespace warploom {

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
