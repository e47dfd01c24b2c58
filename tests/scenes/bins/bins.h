#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <cstring>
#include <map>
#include <memory>
#include <numbers>

#include "gpu/core/hash.h"
#include "gpu/scenes/bins/applications/list.h"
#include "gpu/scenes/bins/bins.h"
#include "gpu/tracks/facets/numbers.h"
#include "gpu/tracks/simulation.h"
#include "tests/backends.h"

// Bins against sums in double, from the formulas alone.

namespace warploom {

/// A problem of given elements: bins and outputs as the application lays them out.
template <class Application>
std::shared_ptr<BinProblem> problem_of(BinSettings settings, BinInput input) {
  settings.application = Application::info.key;
  auto problem = std::make_shared<BinProblem>();
  problem->settings = settings;
  problem->input = std::move(input);
  problem->input.width = Application::info.width;
  problem->space = Application::space(settings, problem->input);
  return problem;
}

/// What a track dumps, by name.
class Dumped {
 public:
  Dumped(Track& track, Queue& queue) {
    for (auto& array : track.dumps(queue)) all_[array.name] = std::move(array);
  }
  bool has(const std::string& name) const { return all_.contains(name); }
  const DumpArray& raw(const std::string& name) const { return all_.at(name); }
  template <class Value>
  std::vector<Value> of(const std::string& name) const {
    const auto& bytes = all_.at(name).bytes;
    std::vector<Value> values(bytes.size() / sizeof(Value));
    if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

 private:
  std::map<std::string, DumpArray> all_;
};

/// From a place to an element; where the box wraps, the shortest way may lead through its border.
template <class Real>
std::array<double, 3> way(const BinGrid& grid, bool wraps, const std::array<double, 3>& from, const Real* element) {
  std::array<double, 3> d;
  for (std::size_t a = 0; a < 3; ++a) {
    const double length = double(grid.length[int(a)]);
    d[a] = double(element[a]) - from[a];
    if (wraps) d[a] -= length * std::round(d[a] / length);
  }
  return d;
}
inline std::array<double, 3> output_place(const Lattice& lattice, std::uint64_t output) {
  const auto at = real(unfold(output, lattice.points));
  std::array<double, 3> place;
  for (std::size_t a = 0; a < 3; ++a) place[a] = double(lattice.origin[int(a)]) + double(lattice.spacing) * at[a];
  return place;
}
inline double squared(const std::array<double, 3>& d) { return d[0] * d[0] + d[1] * d[1] + d[2] * d[2]; }

/// How far an element reaches.
inline double reach_of(const BinProblem& problem, const float* element) {
  if (problem.settings.application != "blinn") return double(problem.space.cutoff);
  return double(element[3]) * std::sqrt(1 + std::log(1000.) / problem.settings.blobbiness);
}

/// What a body in reach pulls another by.
inline std::array<double, 3> pull(const std::array<double, 3>& d, double mass, double cutoff) {
  const double square = squared(d), u = 1 - square / (cutoff * cutoff), s = std::sqrt(square + .04);
  const double of_way = .2 * mass * (u * u / (s * s * s) + 4 * u / (s * cutoff * cutoff));
  return {of_way * d[0], of_way * d[1], of_way * d[2]};
}

/// The outputs in double: each the sum over all elements, with how many are in reach, surely and perhaps.
struct BinOracle {
  std::vector<double> output, sizes;
  std::vector<std::uint32_t> hits, doubtful;  ///< doubtful: within 1e-6 of the cutoff
};

inline BinOracle bin_oracle(const BinProblem& problem, const std::vector<float>& elements) {
  const std::string& key = problem.settings.application;
  const unsigned width = problem.input.width;
  const std::uint64_t n = elements.size() / width;
  const bool bodies = key == "nbody";
  const std::uint64_t outputs = bodies ? n : problem.space.lattice.count();
  const unsigned components = bodies ? 3 : key == "mri" ? 2 : 1;
  const double cutoff = double(problem.space.cutoff), beta_blob = problem.settings.blobbiness;
  const double beta = std::numbers::pi * std::sqrt(std::max(0., cutoff * cutoff * 2.25 - .8));
  std::vector<double> reaches;
  for (std::uint64_t e = 0; e < n; ++e) reaches.push_back(reach_of(problem, &elements[e * width]));
  BinOracle oracle;
  oracle.output.resize(outputs * components);
  oracle.sizes.resize(outputs * components);
  oracle.hits.resize(outputs);
  oracle.doubtful.resize(outputs);
  for (std::uint64_t o = 0; o < outputs; ++o) {
    const float* self = &elements[bodies ? o * width : 0];
    const auto at = bodies ? std::array<double, 3>{self[0], self[1], self[2]} : output_place(problem.space.lattice, o);
    bool excluded = false;
    for (std::uint64_t e = 0; e < n; ++e) {
      const float* element = &elements[e * width];
      const auto d = way(problem.space.grid, bodies, at, element);
      const double square = squared(d), reach = reaches[e];
      const double r = std::sqrt(square);
      if (key == "cutcp" && r < 1) excluded = true;
      if (std::abs(r - reach) < 1e-6 * std::max(1., reach)) ++oracle.doubtful[o];
      if (!(r < reach)) continue;
      ++oracle.hits[o];
      const double u = 1 - square / (reach * reach);
      std::array<double, 3> terms{};
      if (key == "cutcp") terms[0] = r < 1 ? 0 : double(element[3]) / r * u * u;
      if (key == "blinn") terms[0] = std::exp(beta_blob * (1 - square / (double(element[3]) * double(element[3]))));
      if (key == "mri") {
        const double kernel = std::cyl_bessel_i(0., beta * std::sqrt(std::max(0., u)));
        for (std::size_t c = 0; c < 2; ++c) terms[c] = double(element[3 + c]) * double(element[5]) * kernel;
      }
      if (bodies) terms = pull(d, double(element[3]), cutoff);
      for (unsigned c = 0; c < components; ++c) {
        oracle.output[o * components + c] += terms[c];
        oracle.sizes[o * components + c] += std::abs(terms[c]);
      }
    }
    if (excluded) oracle.output[o] = 0;
  }
  return oracle;
}

/// Relative L2 of two arrays; against the sizes of the terms where the sum itself is small beside them.
inline double apart(const std::vector<float>& mine, const BinOracle& oracle) {
  double difference = 0, whole = 0, sizes = 0;
  for (std::size_t i = 0; i < mine.size(); ++i) {
    difference += (double(mine[i]) - oracle.output[i]) * (double(mine[i]) - oracle.output[i]);
    whole += oracle.output[i] * oracle.output[i];
    sizes += oracle.sizes[i] * oracle.sizes[i];
  }
  const double against = std::max(std::sqrt(whole), std::sqrt(sizes) / 100);
  return difference == 0 ? 0 : std::sqrt(difference) / against;
}

/// The named tracks, or all of the application, after so many steps.
inline std::unique_ptr<Simulation> bins_simulation(Queue& queue, const std::shared_ptr<const BinProblem>& problem,
                                                   std::vector<std::string> names, int steps) {
  if (names.empty())
    for (const auto& info : bin_tracks(problem->settings.application)) names.push_back(info.name);
  std::vector<std::unique_ptr<Track>> tracks;
  for (const auto& name : names) tracks.push_back(make_bins_track(queue, problem, name));
  auto made = std::make_unique<Simulation>(std::move(tracks), std::make_shared<Timings>(), 1);
  made->start(queue, 0, [&](Track& track) { start_bins(track, queue); });
  for (int step = 0; step < steps; ++step) made->step(queue, nullptr);
  return made;
}

/// ||mine - right|| / ||right||.
template <class Mine, class Right>
double relative_difference(const Mine& mine, const Right& right) {
  double difference = 0, whole = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    difference += std::norm(std::complex<double>(mine[i]) - std::complex<double>(right[i]));
    whole += std::norm(std::complex<double>(right[i]));
  }
  return std::sqrt(difference / whole);
}

class BinsTest : public BackendTest {
 protected:
  std::unique_ptr<Simulation> simulation(const std::shared_ptr<const BinProblem>& problem,
                                         const std::vector<std::string>& names = {}, int steps = 0) {
    return bins_simulation(*queue, problem, names, steps);
  }
  std::map<std::string, double> numbers(Track& track) {
    std::map<std::string, double> all;
    for (const auto& [name, value] : track.need<Numbers>().numbers(*queue)) all[name] = value;
    return all;
  }
};

/// Told apart by every channel, and the ground from it.
inline Palette bins_palette() {
  Palette palette;
  for (unsigned i = 0; i < Palette::steps; ++i) palette.data[i] = rgba(4 * i, 255 - 4 * i, 100);
  palette.ground = rgba(1, 2, 3);
  return palette;
}

inline BinInput input_of(unsigned width, const std::vector<float>& values) {
  BinInput input;
  input.width = width;
  input.elements = values;
  return input;
}

/// What a track of bins holds, from its dump alone: every element once, in its bin.
inline void check_structure(const Dumped& dump, const BinProblem& problem, const TrackStatus& status) {
  const auto bins = dump.of<std::uint32_t>("bins"), counts = dump.of<std::uint32_t>("counts");
  const auto elements = dump.of<float>("elements");
  const BinGrid& grid = problem.space.grid;
  std::vector<std::uint32_t> expected(grid.count());
  std::uint64_t seal = 0;
  for (std::uint64_t i = 0; i < bins.size(); ++i) {
    std::uint64_t number = 0;
    const std::uint32_t extents[] = {grid.bins.x, grid.bins.y, grid.bins.z};
    for (int a = 2; a >= 0; --a) {
      const float p = elements[i * problem.input.width + unsigned(a)];
      const float inverse = 1 / grid.side[a], place = std::floor((p - grid.origin[a]) * inverse);
      number = number * extents[a] + std::uint64_t(std::clamp(place, 0.f, float(extents[a] - 1)));
    }
    ASSERT_EQ(bins[i], number) << "element " << i;
    ++expected[number];
    seal += key_hash(0, i + (number << 32));
  }
  EXPECT_EQ(counts, expected);
  EXPECT_EQ(status.seal.hash, seal);
  if (!dump.has("order")) return;
  const auto offsets = dump.of<std::int64_t>("offsets");
  const auto order = dump.of<std::int32_t>("order");
  ASSERT_EQ(offsets.size(), grid.count() + 1);
  ASSERT_EQ(std::uint64_t(offsets.back()), order.size());
  std::vector<int> seen(bins.size());
  for (std::uint64_t bin = 0; bin < grid.count(); ++bin)
    for (std::int64_t slot = offsets[bin]; slot < offsets[bin + 1]; ++slot) {
      const std::int32_t element = order[std::uint64_t(slot)];
      if (element < 0) continue;
      ASSERT_EQ(bins[std::uint64_t(element)], bin);
      ++seen[std::uint64_t(element)];
    }
  for (const std::int32_t element : dump.of<std::int32_t>("overflow")) ++seen[std::uint64_t(element)];
  EXPECT_TRUE(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
}

/// All tracks of a problem, after so many steps, against sums in double.
inline void check_all(Simulation& simulation, Queue& queue, const BinProblem& problem) {
  const auto statuses = simulation.status();
  std::optional<BinOracle> oracle;
  for (std::size_t i = 0; i < simulation.size(); ++i) {
    Track& track = simulation.track(i);
    SCOPED_TRACE(problem.settings.application + ", " + track.info().name);
    ASSERT_TRUE(statuses[i].check);
    EXPECT_TRUE(statuses[i].agrees) << statuses[i].check->error;
    const Dumped dump(track, queue);
    if (!oracle) oracle = bin_oracle(problem, dump.of<float>("elements"));
    check_structure(dump, problem, statuses[i]);
    const auto hits = dump.of<std::uint32_t>("hits");
    ASSERT_EQ(hits.size(), oracle->hits.size());
    for (std::size_t o = 0; o < hits.size(); ++o)
      ASSERT_LE(std::abs(double(hits[o]) - oracle->hits[o]), oracle->doubtful[o]) << "output " << o;
    EXPECT_LE(apart(dump.of<float>("output"), *oracle), 1e-5);
    const auto tests = dump.of<std::uint64_t>("tests");
    EXPECT_EQ(tests.size(), track.launches()[0].block_count());
  }
}

}  // namespace warploom
