// How long the blocks of a gather take.
#include <algorithm>
#include <array>

#include "gpu/core/scoped_no_cancel.h"
#include "gpu/core/scoped_untimed.h"
#include "gpu/core/wall_time.h"
#include "gpu/scenes/bins/tracks/track.h"

namespace warploom {

std::shared_ptr<const BlockTimes> BinsTrack::block_times() const {
  const std::lock_guard lock(times_mutex_);
  return block_times_;
}

void BinsTrack::show_block_times(Queue& queue) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  if (variant_.spreads || !stepped_ || !times_wanted_) return;
  // A tenth of the time at most.
  if (begin - timed_ < 10 * timing_took_) return;
  times_wanted_ = false;
  if (has_bins()) rebin(queue);
  const auto* const cancel = queue.cancel;
  const ScopedNoCancel whole(queue);
  const ScopedUntimed apart(queue);
  const Backend backend = queue.backend();
  Buffer<float> out;
  Buffer<std::uint64_t> times;
  try {
    out = Buffer<float>(backend, outputs());
    times = Buffer<std::uint64_t>(backend, tests_.size());
  } catch (const Error&) {
    no_room_for_times_ = true;
    return;
  }
  no_room_for_times_ = false;
  // In turn; the first of each warms up.
  std::array<double, 3> plain{}, timed{};
  std::size_t pairs = 0;
  do {
    plain[pairs] = milliseconds_of([&] {
      gather(queue, front_, out.data());
      queue.wait();
    });
    if (cancel && cancel->load()) return;
    timed[pairs] = milliseconds_of([&] {
      gather(queue, front_, out.data(), times.data());
      queue.wait();
    });
    if (cancel && cancel->load()) return;
    // What takes so long needs no warming up.
  } while (plain[pairs] + timed[pairs] < 500 && ++pairs < plain.size());
  const auto best = [&](const auto& all) {
    return pairs < 2 ? all[pairs] : *std::min_element(all.begin() + 1, all.end());
  };
  auto made = std::make_shared<BlockTimes>();
  made->times = times.download(queue);
  made->unit = backend == Backend::cuda ? "cycles" : "ns";
  made->all = MostAndSum(made->times);
  made->overhead = best(timed) / best(plain) - 1;
  const std::lock_guard lock(times_mutex_);
  made->serial = block_times_ ? block_times_->serial + 1 : 1;
  block_times_ = std::move(made);
  timed_ = Clock::now();
  timing_took_ = timed_ - begin;
}

}  // namespace warploom
