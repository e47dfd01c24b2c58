#pragma once
// Dumps and numbers of SimplexStateTrack; included only by state_2.cu and state_3.cu.
#include <algorithm>
#include <cmath>

#include "gpu/scenes/simplex/tracks/state.h"

namespace warploom {

template <int Dimensions>
std::vector<DumpArray> SimplexStateTrack<Dimensions>::dumps(Queue& queue) {
  const Index3 box = this->extent();
  const std::uint64_t places = volume(box);
  check_dump(4. * static_cast<double>(places));
  std::vector<std::uint64_t> shape{box.y, box.x};
  if (Dimensions == 3) shape.insert(shape.begin(), box.z);
  const std::string axes = Dimensions == 3 ? "(z, y, x)" : "(y, x)";
  std::vector<std::int32_t> owners(places, -1);
  const GridLayout board = this->board();
  for (std::uint64_t i = 0; i < places; ++i) {
    Owner who;
    if (!this->owner(unfold(i, box), who)) continue;
    // In an inexact map, only owners that really come.
    const auto to = info_.exact ? std::nullopt : this->target(who);
    if (!info_.exact && !(to && to->useful && to->cell == unfold(i, box))) continue;
    std::uint64_t first = 0;
    for (int launch = 0; launch < who.launch; ++launch) first += volume(board.rows[launch].blocks);
    owners[i] = static_cast<std::int32_t>(first + linear_index(who.block, board.rows[who.launch].blocks));
  }
  std::vector<DumpArray> arrays;
  arrays.push_back(
      {"owner", "<i4", "int32", shape, array_bytes(owners),
       "linear number of the launched block that serves the cell, in launch order, " + axes + ", -1 outside"});
  if (states_.bytes())
    arrays.push_back(
        {"values", "<f4", "float32", shape, array_bytes(window(queue, {}, box)),
         (work_.per_block ? "sum of the cell's block, " : "value of the cell, ") + axes + ", not a number outside"});
  return arrays;
}

template <int Dimensions>
WorkShape SimplexStateTrack<Dimensions>::shape() const {
  WorkShape shape{settings_.rho, shares_.box, shares_.sector, shares_.gang};
  double blocks = 0;
  for (const LaunchShape& launch : this->launches()) {
    const Index3& grid = launch.blocks;
    blocks += static_cast<double>(launch.block_count());
    shape.launched += std::ceil(static_cast<double>(grid.x) / launch.gang) * grid.y * grid.z;
  }
  shape.persistent = static_cast<double>(board_.visits) > blocks;
  shape.bytes = static_cast<double>(work_.bytes_per_cell) * static_cast<double>(domain_.cells());
  return shape;
}

template <int Dimensions>
std::string SimplexStateTrack<Dimensions>::measured_as() const {
  return std::string(settings_.kind->key) + " " + std::to_string(settings_.n) + " " + settings_.work + " " +
         info_.layout;
}

template <int Dimensions>
std::vector<std::pair<std::string, double>> SimplexStateTrack<Dimensions>::numbers(Queue& queue) {
  std::vector<std::pair<std::string, double>> all{
      {"coarsen_x", shares_.box.x}, {"coarsen_y", shares_.box.y}, {"coarsen_z", shares_.box.z}, {"gang", shares_.gang}};
  if (!work_.per_block || !work_.kind_real) return all;
  // In double and in linear order of blocks: the same under every map.
  std::vector<float> sums(value_domain_.cells());
  download_bytes(queue, sums.data(), states_.finished(), sums.size() * sizeof(float));
  double total = 0;
  for (const float sum : sums) total += static_cast<double>(sum);
  all.emplace_back("energy", total);
  // Energies of nearly coincident points exceed a float.
  const auto lost = std::count_if(sums.begin(), sums.end(), [](float sum) { return !std::isfinite(sum); });
  if (lost) all.emplace_back("blocks_not_finite", static_cast<double>(lost));
  return all;
}

}  // namespace warploom
