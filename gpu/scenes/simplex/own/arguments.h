#pragma once
#include "gpu/maps/rule.h"
#include "gpu/own/arguments.h"
#include "gpu/scenes/simplex/maps/domain.h"

namespace warploom::own {

/// Of own maps of simplices.
template <int Dimensions>
struct SimplexRun : Arguments {
  SimplexDomain<Dimensions> domain;
  std::uint32_t value_bytes = 1;  ///< of a cell in memory
  Rule rule;
};

#ifdef WARPLOOM_OWN_CONSTANTS
/// The same for each run of this source: its compiler knows every number of it.
template <int Dimensions>
struct SimplexConstants {
  SimplexDomain<Dimensions> domain;
  constexpr SimplexConstants() { WARPLOOM_OWN_CONSTANTS((*this)) }
};
template <int Dimensions>
inline constexpr SimplexConstants<Dimensions> simplex_constants;
template <int Dimensions>
WARPLOOM_HD const SimplexDomain<Dimensions>& domain_of_run(const SimplexRun<Dimensions>&) {
  return simplex_constants<Dimensions>.domain;
}
#else
template <int Dimensions>
WARPLOOM_HD const SimplexDomain<Dimensions>& domain_of_run(const SimplexRun<Dimensions>& with) {
  return with.domain;
}
#endif

}  // namespace warploom::own
