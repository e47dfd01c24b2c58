#include "gpu/scenes/bins/bench/case.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gpu/core/error.h"
#include "gpu/core/hash.h"
#include "gpu/scenes/bins/kernels/application.h"
#include "gpu/scenes/bins/kernels/inputs.h"

namespace warploom::bench {

namespace {

using Place = std::array<double, 3>;

/// The formulas of the applications, in double, for one output and one element of the table.
class Terms {
 public:
  explicit Terms(const BinProblem& problem)
      : settings_(problem.settings), input_(problem.input), space_(problem.space), cutoff_(double{space_.cutoff}) {
    // Beatty's shape of Kaiser's window.
    beta_ = pi * std::sqrt(std::max(0., cutoff_ * cutoff_ * 2.25 - .8));
  }

  unsigned components() const { return is("mri") ? 2 : is("nbody") ? 3 : 1; }
  bool is(const char* application) const { return settings_.application == application; }

  Place place(std::uint64_t output) const {
    if (is("nbody")) return element(output);
    Place at{};
    const Index3 index = unfold(output, space_.lattice.points);
    for (int a = 0; a < 3; ++a)
      at[static_cast<std::size_t>(a)] =
          double{space_.lattice.origin[a]} + double{space_.lattice.spacing} * coordinate(index, a);
    return at;
  }
  Place element(std::uint64_t e) const {
    const float* values = input_.elements.data() + e * input_.width;
    return {double{values[0]}, double{values[1]}, double{values[2]}};
  }

  /// What an element adds to an output; `near_edge`: rounding may decide whether it is in reach.
  void add(const Place& output, std::uint64_t e, double* sums, double* sizes, bool& excluded, bool& near_edge) const {
    const float* values = input_.elements.data() + e * input_.width;
    Place d{};
    double square = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      d[a] = double{values[a]} - output[a];
      if (is("nbody")) {
        const double length = double{space_.grid.length[static_cast<int>(a)]};
        d[a] -= length * std::round(d[a] / length);
      }
      square += d[a] * d[a];
    }
    const double reach = is("blinn") ? values[3] * std::sqrt(1 + std::log(1000.) / settings_.blobbiness) : cutoff_;
    if (std::abs(std::sqrt(square) - reach) < 1e-5 * reach) near_edge = true;
    if (square >= reach * reach) return;
    const auto put = [&](unsigned c, double term) {
      sums[c] += term;
      sizes[c] += std::abs(term);
    };
    const double u = 1 - square / (cutoff_ * cutoff_);
    if (is("cutcp")) {
      const double r = std::sqrt(square);
      if (std::abs(r - 1) < 1e-5) near_edge = true;
      if (r < 1) excluded = true;
      if (r >= 1) put(0, values[3] / r * u * u);
    } else if (is("mri")) {
      const double weight = values[5] * std::cyl_bessel_i(0., beta_ * std::sqrt(u));
      put(0, values[3] * weight);
      put(1, values[4] * weight);
    } else if (is("blinn")) {
      put(0, std::exp(settings_.blobbiness * (1 - square / (double{values[3]} * values[3]))));
    } else {
      const double s = std::sqrt(square + .04), gravity = .2;
      const double pull = gravity * values[3] * (u * u / (s * s * s) + 4 * u / (s * cutoff_ * cutoff_));
      for (unsigned c = 0; c < 3; ++c) put(c, pull * d[c]);
    }
  }

  /// The output nearest to an element.
  std::uint64_t nearest(std::uint64_t e) const {
    if (is("nbody")) return e;
    const Place at = element(e);
    const Index3 points = space_.lattice.points;
    const auto along = [&](std::size_t a, std::uint32_t most) {
      const int axis = static_cast<int>(a);
      const double i = std::round((at[a] - double{space_.lattice.origin[axis]}) / double{space_.lattice.spacing});
      return static_cast<std::uint32_t>(std::clamp(i, 0., double{1} * (most - 1)));
    };
    return linear_index({along(0, points.x), along(1, points.y), along(2, points.z)}, points);
  }
  std::uint64_t outputs() const { return is("nbody") ? input_.count() : space_.lattice.count(); }

  /// By binary32 roundings, as bins are defined.
  std::uint64_t bin(std::uint64_t e) const {
    const float* values = input_.elements.data() + e * input_.width;
    std::uint64_t at[3];
    for (int a = 0; a < 3; ++a) {
      const float from = values[a] - space_.grid.origin[a], place = std::floor(from * space_.grid.per_side[a]);
      const std::uint64_t last = coordinate(space_.grid.bins, a) - 1;
      at[a] = place > 0 ? std::min(static_cast<std::uint64_t>(place), last) : 0;
    }
    return (at[2] * space_.grid.bins.y + at[1]) * space_.grid.bins.x + at[0];
  }

 private:
  const BinSettings& settings_;
  const BinInput& input_;
  const BinSpace& space_;
  double cutoff_, beta_ = 0;
};

std::uint64_t seal_of(const BinProblem& problem) {
  const Terms terms(problem);
  std::uint64_t seal = 0;
  for (std::uint64_t e = 0; e < problem.input.count(); ++e) seal += key_hash(0, e + (terms.bin(e) << 32));
  return seal;
}

std::shared_ptr<const BinningExpected> expected_of(Bench& bench, const BinProblem& problem) {
  constexpr std::uint64_t wanted = 64;
  const Terms terms(problem);
  const unsigned components = terms.components();
  auto expected = std::make_shared<BinningExpected>();
  expected->seal = seal_of(problem);
  // Half anywhere, half where elements are: most outputs may have none.
  const std::uint64_t seed = bench.fresh_seed(), outputs = terms.outputs(), elements = problem.input.count();
  std::vector<std::uint64_t> at;
  for (std::uint64_t i = 0; i < 2 * wanted; ++i)
    at.push_back(i % 2 ? terms.nearest(key_hash(seed, i) % elements) : key_hash(seed, i) % outputs);
  std::sort(at.begin(), at.end());
  at.erase(std::unique(at.begin(), at.end()), at.end());
  std::vector<double> values(at.size() * components), sizes(at.size() * components);
  std::vector<char> unsure(at.size());
  Pool pool;
  const bool whole = pool.run(
      at.size(),
      [&](std::uint64_t i) {
        bool excluded = false, near_edge = false;
        const Place place = terms.place(at[i]);
        double *sums = values.data() + i * components, *all = sizes.data() + i * components;
        for (std::uint64_t e = 0; e < elements; ++e) terms.add(place, e, sums, all, excluded, near_edge);
        if (excluded) std::fill_n(sums, components, 0.);
        unsure[i] = near_edge;
      },
      bench.queue().cancel);
  if (!whole) throw Cancelled();
  for (std::size_t i = 0; i < at.size(); ++i) {
    if (unsure[i]) continue;
    expected->at.push_back(at[i]);
    for (std::size_t c = 0; c < components; ++c) {
      expected->values.push_back(values[i * components + c]);
      expected->sizes.push_back(sizes[i * components + c]);
    }
  }
  if (expected->at.empty()) throw UsageError("every output that was drawn has an element at the edge of its reach");
  return expected;
}

/// By the rule of the tracks: ||o - o_ref|| against the larger of ||o_ref|| and a hundredth of all magnitudes.
bool near(const BinningExpected& expected, const std::vector<float>& found) {
  double apart = 0, values = 0, sizes = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    apart += std::pow(double{found[i]} - expected.values[i], 2);
    values += std::pow(expected.values[i], 2);
    sizes += std::pow(expected.sizes[i], 2);
    // Weak outputs are not to be lost among strong ones.
    if (!(std::abs(double{found[i]} - expected.values[i]) <= 1e-4 * expected.sizes[i] + 1e-30)) return false;
  }
  // What is no number is near to nothing.
  return std::sqrt(apart) <= 1e-5 * std::max(std::sqrt(values), std::sqrt(sizes) / 100);
}

/// Every step has the same work.
BinSettings at_rest(BinSettings settings) {
  settings.time_step = 0;
  return settings;
}

}  // namespace

BinningCase make_binning_case(Bench& bench, const BinSettings& settings) {
  bench.check_cancelled();
  const auto problem = make_bin_problem(at_rest(settings));
  return {problem, expected_of(bench, *problem)};
}

BinningCase rebinned(Bench& bench, const BinningCase& c, const BinSettings& settings) {
  bench.check_cancelled();
  const auto problem = make_bin_problem(at_rest(settings), c.problem->input);
  auto expected = std::make_shared<BinningExpected>(*c.expected);
  expected->seal = seal_of(*problem);
  return {problem, expected};
}

Contestant binning_contestant(Bench& bench, const BinningCase& c, const std::string& name) {
  const std::shared_ptr<Track> track = make_bins_track(bench.queue(), c.problem, name);
  start_bins(*track, bench.queue());
  finish_step(*track, bench.queue());
  return track_contestant(name, track, poison_bins, [expected = c.expected](Track& asked, Queue& queue) {
    const auto seal = asked.seal(queue);
    return seal && seal->hash == expected->seal && near(*expected, bin_outputs(asked, queue, expected->at));
  });
}

}  // namespace warploom::bench
