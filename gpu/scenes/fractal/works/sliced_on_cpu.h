#pragma once
#include "gpu/scenes/fractal/works/bit_logic.h"
#include "gpu/scenes/fractal/works/sliced_shape.h"

namespace warploom {

/// One step of the gasket's tiles first..last - 1 on a CPU, all eight chunks of a word at once: by the widest vectors
/// that the processor has. The three tiles whose corners meet other lanes are left out. Of levels whose tiles are
/// whole tiles of tiles, 27 each. `Logic`: ConwayLogic or RuleLogic.
template <class Logic>
void step_gasket_tiles(const SlicedStates& states, const Logic& logic, std::uint32_t first, std::uint32_t last);

/// Seven steps of a tile of tiles, which stays near the processor meanwhile; the others are read alone.
template <class Logic>
void step_gasket_seven(const SlicedStates& states, const Logic& logic, std::uint32_t outer_tile);

}  // namespace warploom
