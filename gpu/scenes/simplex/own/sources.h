#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/maps/map.h"
#include "gpu/own/sources.h"
#include "gpu/scenes/simplex/maps/cell_shares.h"
#include "gpu/scenes/simplex/maps/domain.h"

namespace warploom::detail {

/// The sources of a built-in map by its type, as code names it; of a work by its key, none of an own rule.
std::vector<SourceFile> simplex_map_sources(const std::string& map);
std::vector<SourceFile> simplex_work_sources(int dimensions, const std::string& work);
/// What a thread of a built-in map computes. `table`: what it looks up, in memory of the host.
template <int Dimensions>
std::optional<SourceValues> simplex_map_values(const std::string& map, const SimplexDomain<Dimensions>& domain,
                                               const CellShares& shares, const std::uint32_t* table, const Owner& who);

}  // namespace warploom::detail
