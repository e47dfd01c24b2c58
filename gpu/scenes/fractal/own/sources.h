#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/maps/map.h"
#include "gpu/own/sources.h"
#include "gpu/scenes/fractal/maps/domain.h"

namespace warploom::detail {

/// The sources of a built-in map by its type, as code names it; of a work by its key, none of an own rule.
std::vector<SourceFile> fractal_map_sources(const std::string& map);
std::vector<SourceFile> fractal_work_sources(const std::string& work);
/// What a thread of a built-in map computes. `tables`: what it looks up, in memory of the host.
std::optional<SourceValues> fractal_map_values(const std::string& map, const FractalDomain& domain, int block_digits,
                                               const std::uint32_t* tables, const Owner& who);

}  // namespace warploom::detail
