// nvcc: by itself
#include "gpu/scenes/fractal/maps/lambda_serial.h"
#include "gpu/scenes/fractal/maps/lambda_shuffle.h"
#include "gpu/scenes/fractal/maps/lambda_table.h"
#include "gpu/scenes/fractal/tracks/row_track.h"

namespace warploom {

namespace {

constexpr MapInfo rows_info{"rows", "rows", "a warp a tile, a thread per row of bytes, whole sectors",
                            "navarro2020fractals"};

template <class Placing>
detail::FractalEntry entry() {
  return row_entry<LambdaRows<Placing>, Embedded>(
      detail::track_info(Placing::info, &rows_info, Embedded::info, false, true));
}

}  // namespace

detail::FractalEntries detail::lambda_row_entries() {
  return {entry<LambdaSerial>(), entry<LambdaTable>(), entry<LambdaShuffle>()};
}

}  // namespace warploom
