#pragma once
#include "gpu/core/buffer.h"
#include "gpu/core/scan.h"
#include "gpu/scenes/bins/kernels/stages.h"

namespace warploom {

/// Compact bins of a list of elements, apart from those that a track steps with.
class ListBins {
 public:
  /// Timed as `kernel`. Throws UsageError where the memory is not to be had, Cancelled.
  ListBins(const char* kernel, Queue& queue, const Elements& list, const BinGrid& grid);
  /// As long as this lives.
  BinSlots slots() const;

 private:
  BinGrid grid_;
  unsigned width_;
  Scratch scratch_;
  Buffer<std::uint32_t> bins_, ranks_, counts_, offsets_;
  Buffer<float> values_;
  Buffer<std::int32_t> order_;
};

}  // namespace warploom
