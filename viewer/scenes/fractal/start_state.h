#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/files/states.h"
#include "gpu/scenes/fractal/maps/mask.h"

namespace warploom {

/// A state of a file over the whole box of a domain, row-major, a byte a place. Throws FileError, that names it, when
/// it does not fit.
std::vector<std::uint8_t> placed(const Mask& mask, int level, const StateFile& file, const std::string& name);

/// Throws FileError where a state is another domain's, or has live cells outside.
void check_start(const Mask& mask, int level, const std::vector<std::uint8_t>& cells, const std::string& name);

}  // namespace warploom
