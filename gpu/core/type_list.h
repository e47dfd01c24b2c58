#pragma once
#include <cstddef>
#include <type_traits>

#include "gpu/core/macros.h"

namespace warploom {

/// A list of types, to register maps, strategies, works and storages in.
template <class... Types>
struct TypeList {
  static constexpr std::size_t size = sizeof...(Types);
};

template <class... Types, class Body>
constexpr void for_each_type(TypeList<Types...>, Body&& body) {
  (body.template operator()<Types>(), ...);
}

/// One list after another.
template <class... A, class... B>
constexpr auto operator+(TypeList<A...>, TypeList<B...>) {
  return TypeList<A..., B...>{};
}

/// For lists that a macro writes with a comma before each.
template <class First, class... Rest>
TypeList<Rest...> without_first(TypeList<First, Rest...>);

/// Is the type one of the list?
template <class Type, class... Types>
constexpr bool contains(TypeList<Types...>) {
  return (std::is_same_v<Type, Types> || ...);
}

/// What belongs to a plane, or to space.
template <int Dimensions, class Two, class Three>
using ByDimension = std::conditional_t<Dimensions == 2, Two, Three>;

/// A number as a type, to be handed to a generic function, where it is a constant: `constexpr int i = number`.
template <int number>
struct Number {
  static constexpr int value = number;
  WARPLOOM_HD_FLAT constexpr operator int() const { return number; }
};

}  // namespace warploom
