// What a scene of bins computes of its state.
#include <algorithm>
#include <cmath>

#include "gpu/core/scoped_member.h"
#include "gpu/scenes/bins/kernels/spill.h"
#include "gpu/scenes/bins/tracks/track.h"

namespace warploom {

Conserved conserved(const BinProblem& problem, const std::vector<float>& bodies, const std::vector<float>& velocities) {
  // As they are defined, not as they are rounded for the force.
  constexpr double gravity = .2, square_softening = .04;
  Conserved all;
  const double square_cutoff = static_cast<double>(problem.space.cutoff) * static_cast<double>(problem.space.cutoff);
  const HostBins near(problem.space, bodies, 4);
  for (std::uint64_t i = 0; i < bodies.size() / 4; ++i) {
    const double mass = static_cast<double>(bodies[4 * i + 3]);
    double square = 0;
    for (std::uint64_t a = 0; a < 3; ++a) {
      const double v = static_cast<double>(velocities[3 * i + a]);
      all.momentum[a] += mass * v;
      square += v * v;
    }
    all.momenta += mass * std::sqrt(square);
    all.kinetic += mass * square / 2;
    near.each_near(near.place(i), [&](std::uint64_t j) {
      if (j <= i) return;  // each pair once, and none with itself
      double apart = 0;
      for (std::uint64_t a = 0; a < 3; ++a) {
        const double length = static_cast<double>(problem.space.grid.length[static_cast<int>(a)]);
        const double d = static_cast<double>(bodies[4 * j + a]) - static_cast<double>(bodies[4 * i + a]);
        const double image = d - length * std::round(d / length);
        apart += image * image;
      }
      if (apart >= square_cutoff) return;
      const double u = 1 - apart / square_cutoff;
      all.potential -=
          gravity * mass * static_cast<double>(bodies[4 * j + 3]) * u * u / std::sqrt(apart + square_softening);
    });
  }
  return all;
}

std::optional<std::uint64_t> BinsTrack::excluded(Queue& queue) {
  if (std::none_of(stages_.begin(), stages_.end(), [](const Stage& stage) { return stage.kernel == "bins.exclude"; }))
    return std::nullopt;
  const ScopedUntimed counting(queue);
  Buffer<float> ones(queue.backend(), outputs());
  ones.upload(queue, std::vector<float>(outputs(), 1.f));
  finish(queue, ones.data());
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

/// "NAME_x" and so on.
void add_axes(BinResults& all, const std::string& name, const Float3& values) {
  for (int a = 0; a < 3; ++a)
    all.emplace_back(
        name + "_" + "xyz" [a], double { values[a] });
}
void add_axes(BinResults& all, const std::string& name, Index3 counts) {
  for (int a = 0; a < 3; ++a)
    all.emplace_back(
        name + "_" + "xyz" [a], std::uint64_t { coordinate(counts, a) });
}

void add_conserved(BinResults& all, BinsTrack& track, Queue& queue) {
  const BinProblem& problem = track.problem();
  add_axes(all, "box", problem.space.grid.length);
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
  BinResults all{{"elements", depths.elements}, {"bins", depths.bins}};
  add_axes(all, "bins", space.grid.bins);
  add_axes(all, "bin_side", space.grid.side);
  add_axes(all, "bin_origin", space.grid.origin);
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
  add_axes(all, "lattice", space.lattice.points);
  add_axes(all, "origin", space.lattice.origin);
  all.emplace_back("spacing", double{space.lattice.spacing});
  if (const auto& atoms = track.problem().input.without_charge) all.emplace_back("atoms_without_charge", *atoms);
  if (const auto points_excluded = track.excluded(queue)) all.emplace_back("excluded", *points_excluded);
  track.show_image(queue);
  if (const auto error = image_error(track, queue)) all.emplace_back("image_error", *error);
  return all;
}

}  // namespace warploom
