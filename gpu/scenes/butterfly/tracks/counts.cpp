// What a track of butterflies launches, and what of it works: known by its shape.
#include <algorithm>

#include "gpu/scenes/butterfly/devices/team_transform.h"
#include "gpu/scenes/butterfly/tracks/track.h"

namespace warploom {

std::vector<bool> ButterflyTrack::find_working_in_last(std::uint64_t problems) const {
  const NetworkMapping& mapping = variant_.mapping;
  if (!report_.tuned || mapping.n > mapping.s) return {};
  const std::uint64_t rows = std::uint64_t{1} << mapping.threads_y(), left = (problems - 1) % rows + 1;
  const Plan& plan = *report_.tuned;
  const Digits& of_thread = plan.step[plan.step_of(1)].at.thread;
  std::vector<bool> works(std::size_t{1} << plan.l);
  for (std::uint64_t e = 0; e < left << mapping.n; ++e)
    works[gathered(of_thread, static_cast<std::uint32_t>(e))] = true;
  return works;
}

Counts ButterflyTrack::counted_on_all() const {
  const auto* team = dynamic_cast<const TeamTransform*>(transform_.get());
  if (!team) return counted_by_shape(transform_->shape(), settings().batch, variant_.mapping.threads_x());
  Counts all;
  for (const auto& part : team->parts()) {
    const Counts one = counted_by_shape(part.shape, part.problems, part.threads_x);
    for (const auto count :
         {&Counts::launched, &Counts::launched_stated, &Counts::useful, &Counts::useful_stated, &Counts::blocks,
          &Counts::blocks_useful, &Counts::warps_full, &Counts::warps_partial, &Counts::warps_idle})
      all.*count += one.*count;
  }
  return all;
}

Counts ButterflyTrack::counted_by_shape(const LaunchShape& shape, std::uint64_t problems, int threads_x) const {
  Counts counts;
  counts.launched = counts.launched_stated = shape.thread_count();
  const std::uint64_t threads = volume(shape.threads);
  // A problem a thread, or as many threads as its values fill.
  const std::uint64_t of_problem = report_.mapping.s == 0 ? 1 : std::uint64_t{1} << threads_x;
  counts.useful = counts.useful_stated = problems * of_problem;
  counts.blocks = shape.block_count();
  if (const auto last = find_working_in_last(problems); !last.empty()) {
    counts.blocks_useful = counts.blocks;
    const std::uint64_t full = (counts.blocks - 1) * threads;
    counts.useful = full;
    counts.warps_full = full / warp_size;
    for (std::size_t first = 0; first < last.size(); first += warp_size) {
      const auto lanes = std::count(last.begin() + static_cast<std::ptrdiff_t>(first),
                                    last.begin() + static_cast<std::ptrdiff_t>(first + warp_size), true);
      counts.useful += static_cast<std::uint64_t>(lanes);
      ++(lanes == 0 ? counts.warps_idle : lanes == warp_size ? counts.warps_full : counts.warps_partial);
    }
    counts.useful_stated = counts.useful;
    return counts;
  }
  counts.blocks_useful = std::min(counts.blocks, (counts.useful + threads - 1) / threads);
  // Useful threads come first in every block, and blocks without any do not come.
  const std::uint64_t warps = (threads + warp_size - 1) / warp_size;
  const std::uint64_t full_blocks = counts.useful / threads, rest = counts.useful % threads;
  const bool whole = threads % warp_size == 0;
  counts.warps_full = full_blocks * (whole ? warps : warps - 1) + rest / warp_size;
  counts.warps_partial = (whole ? 0 : full_blocks) + (rest % warp_size ? 1 : 0);
  counts.warps_idle = counts.blocks * warps - counts.warps_full - counts.warps_partial;
  return counts;
}

}  // namespace warploom
