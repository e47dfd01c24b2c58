#include "gpu/scenes/bins/tracks/list_bins.h"

#include "gpu/core/launch.h"

namespace warploom {

ListBins::ListBins(const char* kernel, Queue& queue, const Elements& list, const BinGrid& grid)
    : grid_(grid),
      width_(list.width),
      scratch_(queue.backend()),
      bins_(queue.backend(), list.count),
      ranks_(queue.backend(), list.count),
      counts_(queue.backend(), grid.count()),
      offsets_(queue.backend(), grid.count() + 1),
      values_(queue.backend(), list.count * list.width),
      order_(queue.backend(), list.count) {
  counts_.zero(queue);
  launch_items(kernel, queue, list.count, HistogramStage{list, grid, bins_.data(), ranks_.data(), counts_.data()});
  exclusive_scan(kernel, queue, counts_.data(), grid.count(), ~0u, offsets_.data(), scratch_);
  launch_items(kernel, queue, list.count,
               ScatterStage{list, bins_.data(), ranks_.data(), offsets_.data(), 0, values_.data(), order_.data()});
}

BinSlots ListBins::slots() const {
  BinSlots slots{grid_};
  slots.width = width_;
  slots.values = values_.data();
  slots.offsets = offsets_.data();
  slots.elements = order_.size();
  return slots;
}

}  // namespace warploom
