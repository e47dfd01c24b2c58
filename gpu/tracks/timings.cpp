#include "gpu/tracks/timings.h"

#include <algorithm>

namespace warploom {

void Timings::add(const TimingSample& sample) {
  const std::lock_guard lock(mutex_);
  Row& row = rows_[{sample.kernel, sample.track}];
  if (row.settings != sample.settings) row = {{}, sample.settings, 0, 0};
  row.samples.push_back(sample.milliseconds);
  row.bytes = sample.bytes;
  if (row.samples.size() > most_samples) row.samples.pop_front();
}

void Timings::add_dropped(const TimingSample& sample) {
  const std::lock_guard lock(mutex_);
  ++rows_[{sample.kernel, sample.track}].dropped;
}

void Timings::clear() {
  const std::lock_guard lock(mutex_);
  rows_.clear();
}

std::vector<KernelTiming> Timings::table() const {
  std::vector<KernelTiming> table;
  const std::lock_guard lock(mutex_);
  for (const auto& [key, row] : rows_) {
    const std::vector<double> samples(row.samples.begin(), row.samples.end());
    const std::size_t first = samples.size() > most_recent ? samples.size() - most_recent : 0;
    table.push_back({key.first, key.second, summarize(samples), row.dropped, row.bytes,
                     std::vector<float>(samples.begin() + static_cast<std::ptrdiff_t>(first), samples.end())});
  }
  return table;
}

const Timings::Row* Timings::find(const std::string& kernel, int track) const {
  const auto row = rows_.find({kernel, track});
  return row == rows_.end() ? nullptr : &row->second;
}

std::vector<double> Timings::samples(const std::string& kernel, int track) const {
  const std::lock_guard lock(mutex_);
  const Row* row = find(kernel, track);
  return row ? std::vector<double>(row->samples.begin(), row->samples.end()) : std::vector<double>{};
}

Ratio Timings::ratio(const std::string& kernel, int baseline, const std::string& baseline_kernel, int track) const {
  std::vector<double> ours, theirs;
  {
    const std::lock_guard lock(mutex_);
    const Row *our_row = find(kernel, track), *their_row = find(baseline_kernel, baseline);
    // Times under two settings are not compared.
    if (!our_row || !their_row || our_row->settings != their_row->settings) return {};
    ours.assign(our_row->samples.begin(), our_row->samples.end());
    theirs.assign(their_row->samples.begin(), their_row->samples.end());
  }
  // Pairs are of the same step: both end with the newest.
  constexpr std::size_t enough = 512;
  const std::size_t pairs = std::min({ours.size(), theirs.size(), enough});
  return paired_ratio(std::span(theirs).last(pairs), std::span(ours).last(pairs), 200);
}

}  // namespace warploom
