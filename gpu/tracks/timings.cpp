#include "gpu/tracks/timings.h"

#include <algorithm>
#include <utility>

namespace warploom {

std::vector<double> Timings::Row::milliseconds() const {
  std::vector<double> all;
  for (const auto& sample : samples) all.push_back(sample.milliseconds);
  return all;
}

std::map<std::uint64_t, double> Timings::Row::by_step() const {
  std::map<std::uint64_t, double> sums;
  for (const auto& sample : samples)
    if (!incomplete.contains(sample.step)) sums[sample.step] += sample.milliseconds;
  return sums;
}

void Timings::add(const TimingSample& sample) {
  const std::lock_guard lock(mutex_);
  Row& row = rows_[{sample.kernel, sample.track}];
  if (row.settings != sample.settings) row = {{}, {}, sample.settings};
  row.samples.push_back({sample.step, sample.milliseconds});
  row.bytes = sample.bytes;
  row.steps = sample.steps;
  row.launches = sample.launches;
  if (row.samples.size() <= most_samples) return;
  // The oldest step may lose the first of its launches: it is whole no more.
  row.incomplete.insert(row.samples.front().step);
  row.samples.pop_front();
  row.incomplete.erase(row.incomplete.begin(), row.incomplete.lower_bound(row.samples.front().step));
}

void Timings::add_dropped(const TimingSample& sample) {
  const std::lock_guard lock(mutex_);
  Row& row = rows_[{sample.kernel, sample.track}];
  ++row.dropped;
  row.incomplete.insert(sample.step);
}

void Timings::clear() {
  const std::lock_guard lock(mutex_);
  rows_.clear();
}

void Timings::keep(const std::vector<int>& from) {
  const std::lock_guard lock(mutex_);
  const auto before = std::exchange(rows_, {});
  for (const auto& [key, row] : before)
    for (std::size_t i = 0; i < from.size(); ++i)
      if (from[i] == key.second) rows_[{key.first, static_cast<int>(i)}] = row;
}

std::vector<KernelTiming> Timings::table() const {
  std::vector<KernelTiming> table;
  const std::lock_guard lock(mutex_);
  for (const auto& [key, row] : rows_) {
    const std::vector<double> samples = row.milliseconds();
    const std::size_t first = samples.size() > most_recent ? samples.size() - most_recent : 0;
    table.push_back({key.first, key.second, summarize(samples), row.dropped, row.bytes, row.steps, row.launches,
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
  return row ? row->milliseconds() : std::vector<double>{};
}

Ratio Timings::ratio(const std::string& kernel, int baseline, const std::string& baseline_kernel, int track) const {
  std::map<std::uint64_t, double> our_steps, their_steps;
  {
    const std::lock_guard lock(mutex_);
    const Row *our_row = find(kernel, track), *their_row = find(baseline_kernel, baseline);
    // Times under two settings are not compared.
    if (!our_row || !their_row || our_row->settings != their_row->settings) return {};
    our_steps = our_row->by_step();
    their_steps = their_row->by_step();
  }
  std::vector<double> ours, theirs;
  constexpr std::size_t enough = 512;
  for (auto step = our_steps.rbegin(); step != our_steps.rend() && ours.size() < enough; ++step)
    if (const auto same = their_steps.find(step->first); same != their_steps.end()) {
      ours.push_back(step->second);
      theirs.push_back(same->second);
    }
  std::reverse(ours.begin(), ours.end());
  std::reverse(theirs.begin(), theirs.end());
  return paired_ratio(theirs, ours, 200);
}

}  // namespace warploom
