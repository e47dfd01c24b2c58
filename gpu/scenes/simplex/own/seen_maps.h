#pragma once
#include <string>
#include <vector>

#include "gpu/own/arguments.h"
#include "gpu/own/seen.h"
#include "gpu/scenes/simplex/maps/cell_shares.h"
#include "gpu/scenes/simplex/maps/domain.h"

namespace warploom {

/// Runs one visit of a built-in map, marked (gpu/own/see.h), at one of the thread's items (CellShares). `type`: as
/// type_name gives it. `table`: what the map's table() returned, in memory of the host. A persistent block walks to the
/// turn first, as its kernel does, and notes that turn alone. `answer`: the cell that the thread serves; `useful` false
/// with the place of a wasted thread, and with all ones where its block serves nothing. Notes are added. False: there
/// is no such map of these dimensions, which are two or three.
template <int Dimensions>
bool see_simplex_map(const std::string& type, const SimplexDomain<Dimensions>& domain, const CellShares& shares,
                     const std::uint32_t* table, const own::Visit& visit, std::uint32_t item, own::SeenNotes& notes,
                     Target& answer);

/// The files that notes name by their numbers, as the kit has them.
std::vector<std::string> seen_simplex_files();

}  // namespace warploom
