// What a scene of bins computes of its state.
#include <algorithm>
#include <cmath>

#include "gpu/core/scoped_member.h"
#include "gpu/scenes/bins/tracks/track.h"

namespace warploom {

std::optional<std::uint64_t> BinsTrack::excluded(Queue& queue) {
  if (std::none_of(stages_.begin(), stages_.end(), [](const Stage& stage) { return stage.kernel == "bins.exclude"; }))
    return std::nullopt;
  const ScopedUntimed counting(queue);
  Buffer<float> ones(queue.backend(), outputs());
  ones.upload(queue, std::vector<float>(outputs(), 1.f));
  finish(queue, finished_elements(), ones.data());
  const auto left = ones.download(queue);
  return static_cast<std::uint64_t>(std::count(left.begin(), left.end(), 0.f));
}

const Conserved& BinsTrack::conserved_at_start() {
  if (!at_start_) at_start_ = conserved(*problem_, problem_->input.elements, problem_->input.velocities);
  return *at_start_;
}

std::vector<float> BinsTrack::outputs_at(Queue& queue, std::span<const std::uint64_t> at) {
  const unsigned components = application_.components;
  std::vector<float> values(at.size() * components);
  for (std::size_t i = 0; i < at.size(); ++i)
    download_bytes(queue, values.data() + i * components, output_[front_].data() + at[i] * components,
                   components * sizeof(float));
  return values;
}

void BinsTrack::poison(Queue& queue) {
  const auto wrong = [&](const auto& buffer) {
    if (buffer.bytes()) fill_with_ones(queue, buffer.data(), buffer.bytes());
  };
  for (int state = 0; state < 2; ++state) {
    wrong(output_[state]);
    wrong(counts_[state]);
    wrong(offsets_[state]);
  }
  wrong(bins_);
  for (auto& ranks : ranks_) wrong(ranks);
  wrong(values_);
  wrong(order_);
  wrong(merged_);
  binned_ = is_audited_ = false;
}

std::vector<float> bin_outputs(Track& track, Queue& queue, std::span<const std::uint64_t> at) {
  return dynamic_cast<BinsTrack&>(track).outputs_at(queue, at);
}

void poison_bins(Track& track, Queue& queue) { dynamic_cast<BinsTrack&>(track).poison(queue); }

namespace {

const char* const axes[] = {"_x", "_y", "_z"};

void add_conserved(BinResults& all, BinsTrack& track, Queue& queue) {
  const BinProblem& problem = track.problem();
  for (int a = 0; a < 3; ++a)
    all.emplace_back(std::string("box") + axes[a], static_cast<double>(problem.space.grid.length[a]));
  const Conserved now = conserved(problem, track.elements(queue), track.velocities(queue));
  const Conserved& before = track.conserved_at_start();
  double apart = 0;
  for (int a = 0; a < 3; ++a) apart += std::pow(now.momentum[a] - before.momentum[a], 2);
  const double energy = now.kinetic + now.potential, largest = std::max(std::abs(now.potential), now.kinetic);
  all.emplace_back("momentum_drift", now.momenta > 0 ? std::sqrt(apart) / now.momenta : 0.);
  all.emplace_back("energy", energy);
  all.emplace_back("energy_drift", largest > 0 ? std::abs(energy - before.kinetic - before.potential) / largest : 0.);
}

}  // namespace

BinResults bin_results(Track& of, Queue& queue) {
  auto& track = dynamic_cast<BinsTrack&>(of);
  const BinSpace& space = track.problem().space;
  const BinDepths depths = bin_depths(track, queue);
  const std::uint32_t bins[] = {space.grid.bins.x, space.grid.bins.y, space.grid.bins.z};
  BinResults all{{"elements", depths.elements}, {"bins", depths.bins}};
  for (int a = 0; a < 3; ++a) all.emplace_back(std::string("bins") + axes[a], std::uint64_t{bins[a]});
  for (int a = 0; a < 3; ++a) all.emplace_back(std::string("bin_side") + axes[a], double{space.grid.side[a]});
  for (int a = 0; a < 3; ++a) all.emplace_back(std::string("bin_origin") + axes[a], double{space.grid.origin[a]});
  all.emplace_back("cutoff", double{space.cutoff});
  all.emplace_back("depth_mean", depths.mean);
  all.emplace_back("depth_max", depths.deepest);
  all.emplace_back("depth_sd", depths.deviation);
  all.emplace_back("bins_empty", depths.empty);
  all.emplace_back("bytes_regular", regular_bytes(depths, track.width()));
  all.emplace_back("bytes_compact", compact_bytes(depths, track.width()));
  if (track.application().periodic) {
    add_conserved(all, track, queue);
    return all;
  }
  const std::uint32_t points[] = {space.lattice.points.x, space.lattice.points.y, space.lattice.points.z};
  for (int a = 0; a < 3; ++a) all.emplace_back(std::string("lattice") + axes[a], std::uint64_t{points[a]});
  for (int a = 0; a < 3; ++a) all.emplace_back(std::string("origin") + axes[a], double{space.lattice.origin[a]});
  all.emplace_back("spacing", double{space.lattice.spacing});
  if (const auto points_excluded = track.excluded(queue)) all.emplace_back("excluded", *points_excluded);
  track.show_image(queue);
  if (const auto error = image_error(track, queue)) all.emplace_back("image_error", *error);
  return all;
}

}  // namespace warploom
