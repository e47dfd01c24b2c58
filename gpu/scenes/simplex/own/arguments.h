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

}  // namespace warploom::own
