// The tuned sort that tells its stages.
// nvcc: by itself
#include "gpu/core/launch.h"
#include "gpu/scenes/butterfly/tuned/sort_block.h"

namespace warploom {

void launch_sort_trace(Queue& queue, const LaunchShape& shape, const std::uint32_t* in, std::uint32_t* out, int n,
                       std::uint64_t rows, const StageTrace<std::uint32_t>& trace) {
  launch("butterfly.trace", queue, shape,
         TunedSort<SortForm::threads(0), StageTrace<std::uint32_t>>{in, out, n, rows << n, -1, false, trace});
}

}  // namespace warploom
