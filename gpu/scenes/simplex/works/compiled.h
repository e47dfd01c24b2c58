#pragma once
#include <type_traits>

#include "gpu/core/type_list.h"

// Only programs that are compared are compiled. Others are replaced by the nearest compiled one
// (compiled_simplex_track, simplex_shares).

namespace warploom {

/// Inexact maps show their failure under few works.
template <class Map, class Work>
constexpr bool compiles_work = Map::info.exact || Work::info.under_inexact_maps;

/// The mostly empty layout is a baseline, and costs the same under every map.
template <class Map, class Layout>
constexpr bool compiles_layout = Map::compiles_all || !requires {
  requires Layout::mostly_empty;
};

namespace detail {

/// The first shape of each rho and layout: what `coarsen=auto` takes.
template <class Found, class... Shapes>
struct AutomaticShapes {
  using Type = Found;
};
template <class... Found, class Shape, class... Rest>
struct AutomaticShapes<TypeList<Found...>, Shape, Rest...> {
  static constexpr bool has_earlier =
      ((Found::rho == Shape::rho && std::is_same_v<typename Found::Layout, typename Shape::Layout>) || ...);
  using Next = std::conditional_t<has_earlier, TypeList<Found...>, TypeList<Found..., Shape>>;
  using Type = typename AutomaticShapes<Next, Rest...>::Type;
};
template <bool all, class List>
struct ShapesOf {
  using Type = List;
};
template <class... Shapes>
struct ShapesOf<false, TypeList<Shapes...>> {
  using Type = typename AutomaticShapes<TypeList<>, Shapes...>::Type;
};

}  // namespace detail

/// The shapes of a work's list that are compiled under a map.
template <class Map, class Shapes>
using CompiledShapes = typename detail::ShapesOf<Map::compiles_all, Shapes>::Type;

}  // namespace warploom
