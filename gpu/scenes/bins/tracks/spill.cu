// What a bin has no slots for: fetched by the host, scattered there beside the gather, and merged.
#include <algorithm>
#include <thread>

#include "gpu/core/probe.h"
#include "gpu/core/scoped_member.h"
#include "gpu/core/stopwatch.h"
#include "gpu/scenes/bins/tracks/track.h"

namespace warploom {

namespace {

template <class Access, class... Accesses>
constexpr int number_of_access(TypeList<Accesses...>) {
  int number = 0, found = -1;
  ((std::is_same_v<Access, Accesses> ? void(found = number++) : void(++number)), ...);
  return found;
}

/// Becomes true when the time is over, or the user cancels.
class Deadline {
 public:
  Deadline(double milliseconds, const std::atomic<bool>* cancel)
      : watch_(
            [this, cancel, end = Clock::now() + std::chrono::duration<double, std::milli>(std::min(milliseconds, 1e9))](
                const std::stop_token& stop) {
              while (!stop.stop_requested() && !over_) {
                if ((cancel && cancel->load()) || Clock::now() >= end) over_ = true;
                std::this_thread::sleep_for(std::chrono::milliseconds(2));
              }
            }) {}
  const std::atomic<bool>* over() const { return &over_; }

 private:
  using Clock = std::chrono::steady_clock;
  std::atomic<bool> over_{false};
  std::jthread watch_;  // last: it ends before what it sets does
};

/// Compact bins of a list of elements, apart from those that a track steps with.
class ListBins {
 public:
  /// Timed as `kernel`. Throws UsageError where the memory is not to be had, Cancelled.
  ListBins(const char* kernel, Queue& queue, const Elements& list, const BinGrid& grid)
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
  /// As long as this lives.
  BinSlots slots() const {
    BinSlots slots{grid_};
    slots.width = width_;
    slots.values = values_.data();
    slots.offsets = offsets_.data();
    slots.elements = order_.size();
    return slots;
  }

 private:
  BinGrid grid_;
  unsigned width_;
  Scratch scratch_;
  Buffer<std::uint32_t> bins_, ranks_, counts_, offsets_;
  Buffer<float> values_;
  Buffer<std::int32_t> order_;
};

}  // namespace

std::uint64_t BinsTrack::spilled_count(Queue& queue) const {
  if (!variant_.spills) return 0;
  std::uint32_t count = 0;
  download_bytes(queue, &count, overflowed_.data(), sizeof count);
  return count;
}

std::vector<float> BinsTrack::fetch(Queue& queue, int state) {
  const std::uint64_t spilled = spilled_count(queue);
  std::vector<float> values(spilled * application_.width);
  if (!spilled) return values;
  launch_items("bins.fetch", queue, spilled, FetchStage{view(state), overflow_.data(), fetched_.data()});
  download_bytes(queue, values.data(), fetched_.data(), values.size() * sizeof(float));
  return values;
}

void BinsTrack::spill_now(Queue& queue, Pool& pool, const std::atomic<bool>* cancel, int state) {
  const std::vector<float> spilled = fetch(queue, state);
  if (spilled.empty()) return merged_.zero(queue), queue.wait();
  const auto bodies = moves() ? elements_of(state).download(queue) : std::vector<float>{};
  const std::vector<double> sums = spill(queue.backend(), pool, cancel, spilled, bodies);
  if (cancel && cancel->load()) return;
  merged_.upload(queue, std::vector<float>(sums.begin(), sums.end()));
}

void BinsTrack::make_outputs(Queue& queue, int state) {
  float* const out = output_[state].data();
  if (variant_.spills) {
    scattered_->set(queue);
    spill_queue_->cancel = queue.cancel;
    HostStage stage(
        queue, "bins.spill", 0,
        [&](Pool& pool, const std::atomic<bool>* cancel) { spill_now(*spill_queue_, pool, cancel, state); },
        [&] {
          scattered_->hold(*spill_queue_);
          spill_queue_->wait();
        });
    gather(queue, state, out);
    stage.wait();
    launch_items("bins.merge", queue, outputs(), MergeStage{merged_.data(), out});
  } else {
    gather(queue, state, out);
  }
  finish(queue, out);
}

void BinsTrack::search_cap(Queue& queue, int state) {
  const ScopedUntimed search(queue);
  const std::uint64_t bins = space().grid.count();
  found_.cap = ~0u;
  count_bins(queue, state);
  const auto counts = counts_[state].download(queue);
  std::uint32_t deepest = *std::max_element(counts.begin(), counts.end());
  if (regular()) {
    // The largest that fits, with a tenth to spare.
    const double a_slot = static_cast<double>(bins) * (application_.width * sizeof(float) + sizeof(std::int32_t));
    const double fits = .9 * static_cast<double>(free_bytes(queue.backend())) / a_slot;
    deepest = static_cast<std::uint32_t>(std::min(static_cast<double>(deepest), fits));
  }
  Buffer<float> out(queue.backend(), outputs());
  const auto measure = [&](std::uint32_t cap, double give_up_after) {
    found_.cap = cap;
    bin(queue, state);
    queue.wait();
    CapTime time{cap};
    std::vector<double> gathers, spills;
    for (int sample = 0; sample < 4 && !time.given_up; ++sample) {
      const double gathered = milliseconds_of([&] {
        gather(queue, state, out.data());
        queue.wait();
      });
      const Deadline deadline(give_up_after, queue.cancel);
      // Asked within the span: what was finished in time stays finished, however late this thread runs again.
      double spilled = milliseconds_of([&] {
        spill_now(queue, queue.host_pool(), deadline.over(), state);
        launch_items("bins.merge", queue, outputs(), MergeStage{merged_.data(), out.data()});
        queue.wait();
        time.given_up = deadline.over()->load();
      });
      if (queue.cancel && queue.cancel->load()) throw Cancelled();
      // The deadline began before the span: the span alone may be shorter.
      if (time.given_up) spilled = std::max(spilled, give_up_after);
      if (time.given_up) gathers.clear(), spills.clear();  // what counts is the time until then
      if (sample > 0 || time.given_up) {                   // the first warms up
        gathers.push_back(gathered);
        spills.push_back(spilled);
      }
    }
    const auto median = [](std::vector<double>& all) {
      std::sort(all.begin(), all.end());
      return all[all.size() / 2];
    };
    time.gather = median(gathers);
    time.spill = median(spills);
    return time;
  };
  try {
    found_.cap = warploom::search_cap(deepest, measure, found_.curve);
  } catch (...) {
    found_.curve.clear();  // the next start searches again
    found_.cap = ~0u;
    throw;
  }
}

void BinsTrack::show_hits(Queue& queue, const Elements& elements, float* hits) const {
  const ListBins bins("bins.hits", queue, elements, space().grid);
  count_hits(queue, bins.slots(), hits);
  queue.wait();
}

void BinsTrack::audit_overflow(Queue& queue, double* sizes) {
  const std::uint64_t spilled = spilled_count(queue);
  if (!spilled) return;
  // Those who are in reach of what was spilled, by bins of their own: exact, as the rest.
  fetch(queue, front_);
  const Backend backend = queue.backend();
  const ListBins bins("bins.audit", queue, {fetched_.data(), application_.width, spilled}, space().grid);
  // Pairs that the host tests are none of the backend's.
  Buffer<std::uint64_t> tests(backend, tests_.size());
  Buffer<AuditTotals> totals(backend, 1);
  tests.zero(queue);
  totals.zero(queue);
  run_audit(queue, bins.slots(), number_of_access<CompactRange>(BinAccesses{}),
            {hits_.data(), tests.data(), sizes, totals.data()});
  queue.wait();
}

}  // namespace warploom
