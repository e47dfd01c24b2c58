#include "viewer/scenes/fractal/start_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/scenes/fractal/maps/domain.h"

namespace warploom {

std::vector<std::uint8_t> placed(const Mask& mask, int level, const StateFile& file, const std::string& name) {
  const FractalDomain domain(mask, level);
  const auto [width, height] = std::pair(domain.extent.x, domain.extent.y);
  const std::string sizes = fmt::format("{}: a state of {} x {} cells (x, y), the domain has {} x {}", name, file.width,
                                        file.height, width, height);
  if (!file.centred) {
    if (file.width != width || file.height != height) throw FileError(sizes + "; they must be equal");
    return file.cells;
  }
  if (file.width > width || file.height > height) throw FileError(sizes + "; choose a higher level");
  if (double(width) * height > 1ull << 33)
    throw FileError(sizes + "; patterns load into domains of at most 2^33 places");
  std::vector<std::uint8_t> cells(std::size_t{width} * height);
  const std::uint32_t left = (width - file.width) / 2, top = (height - file.height) / 2;
  for (std::uint32_t y = 0; y < file.height; ++y)
    std::copy_n(file.cells.begin() + std::ptrdiff_t(y) * file.width, file.width,
                cells.begin() + std::ptrdiff_t(top + y) * width + left);
  return cells;
}

void check_start(const Mask& mask, int level, const std::vector<std::uint8_t>& cells, const std::string& name) {
  const FractalDomain domain(mask, level);
  if (cells.size() != volume(domain.extent)) throw FileError(name + ": it belongs to another level or fractal");
  std::uint64_t outside = 0, first = 0;
  for (std::uint64_t i = 0; i < cells.size(); ++i)
    if (cells[i] && !domain.contains({std::uint32_t(i % domain.extent.x), std::uint32_t(i / domain.extent.x), 0}) &&
        outside++ == 0)
      first = i;
  if (outside)
    throw FileError(fmt::format("{}: {} live {} outside the fractal, the first at ({}, {}); only its cells can live",
                                name, outside, outside == 1 ? "cell lies" : "cells lie", first % domain.extent.x,
                                first / domain.extent.x));
}

}  // namespace warploom
