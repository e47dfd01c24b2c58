#pragma once
#include "gpu/maps/fractal/bounding_box.h"
#include "gpu/maps/fractal/intra.h"
#include "gpu/maps/fractal/lambda_map.h"
#include "gpu/maps/fractal/lambda_serial.h"
#include "gpu/maps/fractal/lambda_shuffle.h"
#include "gpu/maps/fractal/lambda_table.h"
#include "gpu/maps/map.h"

// Every fractal map. A new one is one header and one line here; from that line it gets its contract test, CPU twin,
// agreement test, benchmark row, menu entry, command-line name and statistics.

namespace warploom {

/// Maps that place and serve in one go.
using FractalWholeMaps = TypeList<  //
    BoundingBox>;

/// Ways to compute lambda for a block ...
using FractalPlacings = TypeList<  //
    LambdaSerial,                  //
    LambdaTable,                   //
    LambdaShuffle>;

/// ... each with every way to serve the block's cells. The first is the default.
using FractalIntraWays = TypeList<  //
    SubBoxes,                       //
    Unroll,                         //
    Lookup>;

namespace detail {
template <class Placing, class... Ways>
constexpr auto with_ways(TypeList<Ways...>) {
  return TypeList<LambdaMap<Placing, Ways>...>{};
}
template <class... Placings>
constexpr auto all_fractal_maps(TypeList<Placings...>) {
  return (FractalWholeMaps{} + ... + with_ways<Placings>(FractalIntraWays{}));
}
}  // namespace detail

using FractalMaps = decltype(detail::all_fractal_maps(FractalPlacings{}));

/// The intra-block way of a map, or void.
template <class Map>
struct MapIntra {
  using type = void;
};
template <class Placing, class Intra>
struct MapIntra<LambdaMap<Placing, Intra>> {
  using type = Intra;
};

/// The intra-block way of a map; null for maps that have none.
template <class Map>
constexpr const MapInfo* intra_info() {
  if constexpr (requires { typename Map::intra; })
    return &Map::intra::info;
  else
    return nullptr;
}

}  // namespace warploom
