#pragma once
#include "gpu/core/type_list.h"
#include "gpu/scenes/fractal/maps/intra.h"
#include "gpu/scenes/fractal/maps/lambda_map.h"

// A line of the list of fractal maps is a whole map, or a way to compute lambda, which every way to serve the cells of
// a block makes a map of: by itself, where it says how (Map<Intra>), else as a LambdaMap.

namespace warploom {

/// How the cells of a block are served once lambda has placed it. A new way is one struct and one line. The first is
/// the default.
using FractalIntraWays = TypeList<  //
    SubBoxes,                       //
    Unroll,                         //
    Lookup>;

namespace detail {
template <class Line, class... Ways>
constexpr auto maps_of_line(TypeList<Ways...>) {
  if constexpr (requires { Line::launched(FractalDomain{}, 0); })
    return TypeList<Line>{};
  else if constexpr (requires { typename Line::template Map<SubBoxes>; })
    return TypeList<typename Line::template Map<Ways>...>{};
  else
    return TypeList<LambdaMap<Line, Ways>...>{};
}
}  // namespace detail

/// The maps that one line of the list stands for.
template <class Line>
using FractalMapsOf = decltype(detail::maps_of_line<Line>(FractalIntraWays{}));

/// The way inside the block of a map; null: it has none.
template <class Map>
constexpr const MapInfo* intra_info() {
  if constexpr (requires { typename Map::intra; })
    return &Map::intra::info;
  else
    return nullptr;
}

}  // namespace warploom
