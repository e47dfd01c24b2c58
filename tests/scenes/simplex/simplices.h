#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "gpu/core/error.h"
#include "gpu/scenes/simplex/simplex.h"
#include "gpu/tracks/facets/fill.h"
#include "gpu/tracks/simulation.h"
#include "tests/backends.h"
#include "tests/scenes/fractal/oracle.h"

// A fixture for tests of simplex tracks, and an oracle from the definitions of domains, works and layouts alone: plain
// loops in double precision, and addresses by counting.

namespace warploom {

inline constexpr const char* kinds[] = {"triangle", "tetrahedron", "tetrahedron_corner"};
inline constexpr std::uint64_t simplex_seed = 7;
inline constexpr double simplex_density = .45;

namespace oracle {

/// A simplex in its box, row-major.
struct Simplex {
  int dimensions = 2;
  bool corner = false;
  std::uint32_t n = 1;

  bool contains(std::int64_t x, std::int64_t y, std::int64_t z) const {
    if (x < 0 || y < 0 || z < 0 || x >= n || y >= n || z >= n) return false;
    if (dimensions == 2) return z == 0 && x <= y;
    return corner ? x + y + z < n : x <= y && y <= z;
  }
  bool contains(const Cell& c) const { return contains(c.x, c.y, c.z); }
  std::size_t place(const Cell& c) const { return (std::size_t{c.z} * n + c.y) * n + c.x; }
  std::size_t places() const { return std::size_t{n} * n * (dimensions == 3 ? n : 1); }
  std::uint64_t key(const Cell& c) const {
    return dimensions == 2 ? c.x + c.y * 4294967296u : c.x + c.y * 2097152ull + c.z * 4398046511104ull;
  }
  /// The cell of the stacked tetrahedron that it is sheared onto.
  Cell sheared(const Cell& c) const { return corner ? Cell{c.x, c.x + c.y, c.x + c.y + c.z} : c; }
  /// Row-major.
  std::vector<Cell> cells() const {
    std::vector<Cell> all;
    for (std::uint32_t z = 0; z < (dimensions == 3 ? n : 1); ++z)
      for (std::uint32_t y = 0; y < n; ++y)
        for (std::uint32_t x = 0; x < n; ++x)
          if (contains(x, y, z)) all.push_back({x, y, z});
    return all;
  }
  /// The number of cells before each, layer by layer and row by row of the sheared simplex.
  std::vector<std::uint64_t> order() const {
    std::map<std::array<std::uint32_t, 3>, Cell> in_order;
    for (const Cell& c : cells()) in_order[{sheared(c).z, sheared(c).y, sheared(c).x}] = c;
    std::vector<std::uint64_t> before(places());
    std::uint64_t count = 0;
    for (const auto& [_, c] : in_order) before[place(c)] = count++;
    return before;
  }
};

using Values = std::vector<double>;

inline Values initial_life(const Simplex& s, std::uint64_t seed, double density) {
  Values state(s.places());
  for (const Cell& c : s.cells())
    state[s.place(c)] = static_cast<double>(hash(seed, s.key(c), 0) / 2048) / 9007199254740992.0 < density;
  return state;
}

inline Values initial_numbers(const Simplex& s, std::uint64_t seed) {
  Values state(s.places());
  for (const Cell& c : s.cells()) state[s.place(c)] = static_cast<double>(hash(seed, s.key(c), 0) >> 40) / 16777216.0;
  return state;
}

/// Sum and number of the neighbours that lie inside; `faces`: only those that share a face.
struct Around {
  double sum = 0;
  int count = 0;
};
inline Around around(const Simplex& s, const Values& state, const Cell& c, bool faces) {
  Around all;
  for (int w = -(s.dimensions == 3); w <= (s.dimensions == 3); ++w)
    for (int v = -1; v <= 1; ++v)
      for (int u = -1; u <= 1; ++u) {
        const int away = std::abs(u) + std::abs(v) + std::abs(w);
        const std::int64_t x = std::int64_t{c.x} + u, y = std::int64_t{c.y} + v, z = std::int64_t{c.z} + w;
        if (away == 0 || (faces && away > 1) || !s.contains(x, y, z)) continue;
        all.sum += state[static_cast<std::size_t>((z * s.n + y) * s.n + x)];
        ++all.count;
      }
  return all;
}

/// `born` and `survive` are the digits of the rule.
inline Values life(const Simplex& s, const Values& state, const std::string& born, const std::string& survive) {
  Values next(state.size());
  for (const Cell& c : s.cells()) {
    const auto alive = static_cast<int>(around(s, state, c, s.dimensions == 3).sum);
    const std::string& digits = state[s.place(c)] > 0 ? survive : born;
    next[s.place(c)] = digits.find(static_cast<char>('0' + alive)) != std::string::npos;
  }
  return next;
}

inline Values mean(const Simplex& s, const Values& state) {
  Values next(state.size());
  for (const Cell& c : s.cells()) {
    const Around others = around(s, state, c, false);
    next[s.place(c)] = (others.sum + state[s.place(c)]) / (others.count + 1);
  }
  return next;
}

inline double squared(const Points& points, std::uint64_t i, std::uint64_t j) {
  double all = 0;
  for (int a = 0; a < points.dimensions; ++a) {
    const auto of = [&](std::uint64_t p) {
      return double{points.coordinates[p * static_cast<std::uint64_t>(points.dimensions) + static_cast<unsigned>(a)]};
    };
    all += (of(i) - of(j)) * (of(i) - of(j));
  }
  return all;
}

/// The energy of a block, or of all, and the scales of its rounding errors.
struct Energy {
  double sum = 0;
  double magnitude = 0;    ///< sum of |1| + |3 cos cos cos| over the cubes of the sides
  double sensitivity = 0;  ///< the same, with each side's square where a difference of squares nearly cancels
  std::uint64_t coincident = 0;
  Energy& operator+=(const Energy& other) {
    sum += other.sum, magnitude += other.magnitude, sensitivity += other.sensitivity, coincident += other.coincident;
    return *this;
  }
};

/// Axilrod and Teller: (1 + 3 cos a cos b cos c) / (r12 r23 r31)^3, the cosines by the law of cosines.
inline Energy triple(const Points& points, std::uint64_t i, std::uint64_t j, std::uint64_t k) {
  const double ij = squared(points, i, j), jk = squared(points, j, k), ki = squared(points, k, i);
  if (ij == 0 || jk == 0 || ki == 0) return {0, 0, 0, 1};
  const double at_i = ij + ki - jk, at_j = ij + jk - ki, at_k = jk + ki - ij, all = ij + jk + ki;
  const double cubes = std::pow(ij * jk * ki, 1.5), share = 3 / (8 * ij * jk * ki);
  const double near = all * (std::abs(at_i * at_j) + std::abs(at_j * at_k) + std::abs(at_k * at_i));
  return {(1 + at_i * at_j * at_k * share) / cubes, (1 + std::abs(at_i * at_j * at_k) * share) / cubes,
          (1 + near * share) / cubes, 0};
}

/// Of every block, by its place.
inline std::map<std::array<std::uint32_t, 3>, Energy> energies(const Simplex& s, std::uint32_t rho,
                                                               const Points& points) {
  std::map<std::array<std::uint32_t, 3>, Energy> all;
  for (const Cell& c : s.cells()) {
    const Cell at = s.sheared(c);
    all[{c.x / rho, c.y / rho, c.z / rho}] += triple(points, at.x, at.y + 1, at.z + 2);
  }
  return all;
}

/// Where a cell's value lies in each layout, in elements.
class Addresses {
 public:
  Addresses(const Simplex& simplex, std::uint32_t rho)
      : cells_(simplex),
        blocks_{simplex.dimensions, simplex.corner, (simplex.n + rho - 1) / rho},
        rho_(rho),
        cell_order_(cells_.order()),
        block_order_(blocks_.order()) {}

  const Simplex& cells() const { return cells_; }
  const Simplex& blocks() const { return blocks_; }
  std::uint64_t linear(const Cell& c) const { return cell_order_[cells_.place(c)]; }
  std::uint64_t blocked(const Cell& c) const {
    const std::uint64_t volume_of_block = std::uint64_t{rho_} * rho_ * (cells_.dimensions == 3 ? rho_ : 1);
    return block_order_[blocks_.place({c.x / rho_, c.y / rho_, c.z / rho_})] * volume_of_block +
           (c.z % rho_ * rho_ + c.y % rho_) * rho_ + c.x % rho_;
  }
  std::uint64_t of(const std::string& layout, const Cell& c) const {
    return layout == "linear" ? linear(c) : layout == "blocked" ? blocked(c) : cells_.place(c);
  }

 private:
  Simplex cells_, blocks_;
  std::uint32_t rho_;
  std::vector<std::uint64_t> cell_order_, block_order_;
};

/// Sum of the values (of floats: the bits) times the hash of the cell's key at seed 0.
inline std::uint64_t seal_of(const Simplex& s, const std::function<float(const Cell&)>& value, bool real) {
  std::uint64_t all = 0;
  for (const Cell& c : s.cells()) {
    const float of = value(c);
    std::uint32_t bits = 0;
    if (real)
      std::memcpy(&bits, &of, sizeof bits);
    else
      bits = static_cast<std::uint32_t>(of);
    all += bits * hash(0, s.key(c), 0);
  }
  return all;
}

}  // namespace oracle

inline std::unique_ptr<Simulation> simplex_simulation(Queue& queue, const SimplexSettings& settings,
                                                      const std::vector<std::string>& names,
                                                      const std::string& hidden = "") {
  std::vector<std::unique_ptr<Track>> tracks;
  for (const auto& name : names) tracks.push_back(make_simplex_track(queue, settings, name));
  return std::make_unique<Simulation>(std::move(tracks), std::make_shared<Timings>(), 1,
                                      hidden.empty() ? nullptr : make_simplex_track(queue, settings, hidden));
}

class SimplexTest : public BackendTest {
 protected:
  std::unique_ptr<Simulation> simulation(const SimplexSettings& settings, const std::vector<std::string>& names,
                                         const std::string& hidden = "") {
    return simplex_simulation(*queue, settings, names, hidden);
  }

  /// A track that was filled and has taken steps.
  std::unique_ptr<Track> stepped(const SimplexSettings& settings, const std::string& name, int steps,
                                 double density = simplex_density) {
    auto track = make_simplex_track(*queue, settings, name);
    track->need<FillFacet>().fill(*queue, simplex_seed, density);
    track->publish(*queue);
    for (int i = 0; i < steps; ++i) {
      track->step(*queue);
      track->publish(*queue);
    }
    return track;
  }
};

/// Names of the exact tracks, or of the inexact ones.
inline std::vector<std::string> simplex_track_names(int dimensions, bool exact, const std::string& layout = "") {
  std::vector<std::string> names;
  for (const auto& info : simplex_tracks(dimensions))
    if (info.exact == exact && (layout.empty() || info.layout == layout)) names.push_back(info.name);
  return names;
}

/// Points by hash; `coincident`: some of them at one place.
inline std::shared_ptr<const Points> simplex_points(std::uint64_t count, int dimensions, bool coincident) {
  auto points = std::make_shared<Points>(random_points(count, dimensions, 3));
  const auto d = static_cast<std::size_t>(dimensions);
  if (coincident)
    for (const auto& [from, to] : {std::pair<std::size_t, std::size_t>{0, 2}, {0, 7}, {4, 5}, {9, 30}})
      if (to < count)
        std::copy_n(points->coordinates.begin() + static_cast<std::ptrdiff_t>(from * d), d,
                    points->coordinates.begin() + static_cast<std::ptrdiff_t>(to * d));
  return points;
}

inline SimplexSettings simplex_settings(const std::string& kind, std::uint32_t n, std::uint32_t rho,
                                        const std::string& work, bool coincident = false) {
  SimplexSettings settings;
  settings.kind = &find_simplex_kind(kind);
  settings.n = n;
  settings.rho = rho;
  settings.work = work;
  settings.rule = parse_rule(settings.kind->dimensions == 2 ? "B3/S23" : "B1/S12");
  const SimplexWork& known = find_simplex_work(*settings.kind, work);
  if (known.more_points)
    settings.points = simplex_points(n + *known.more_points, settings.kind->dimensions, coincident);
  return settings;
}

inline oracle::Simplex simplex_of(const SimplexSettings& settings) {
  return {settings.kind->dimensions, settings.kind->corner, settings.n};
}

inline std::string describe(const SimplexSettings& settings) {
  return std::string(settings.kind->key) + " n = " + std::to_string(settings.n) +
         " rho = " + std::to_string(settings.rho) + " " + settings.work + " coarsen " +
         std::to_string(settings.coarsen) + " gang " + std::to_string(settings.gang);
}

/// Why a call is refused; empty: it is not.
template <class Call>
std::string refusal(const Call& call) {
  try {
    call();
    return {};
  } catch (const UsageError& error) {
    return error.what();
  }
}
/// Why a track cannot share out its blocks so; empty: it can.
inline std::string refusal_of(const SimplexSettings& settings, const TrackInfo& track) {
  return refusal([&] { (void)simplex_shares(settings, track); });
}

/// Every kind of domain with each of its works.
inline std::vector<std::pair<const char*, SimplexWork>> kinds_and_works() {
  std::vector<std::pair<const char*, SimplexWork>> all;
  for (const char* kind : kinds)
    for (const auto& work : simplex_works(find_simplex_kind(kind).dimensions)) all.emplace_back(kind, work);
  return all;
}

/// Cells per side that tests go through.
inline std::vector<std::uint32_t> simplex_sides() {
  if (sanitized) return {1, 2, 5, 17};
  return {1, 2, 3, 5, 16, 17, 33};
}

struct SimplexSize {
  const char* kind;
  std::uint32_t n, rho;
};
/// Every kind with those sides, and the sides of blocks that tests go through.
inline std::vector<SimplexSize> simplex_sizes() {
  std::vector<SimplexSize> all;
  for (const char* kind : kinds)
    for (const std::uint32_t n : simplex_sides())
      for (const std::uint32_t rho : {1u, 2u, 3u, 5u, 8u, 10u, 16u, 31u, 32u})
        if (sanitized ? rho == 1 || rho == 3 || rho == 8 : rho <= find_simplex_kind(kind).most_block)
          all.push_back({kind, n, rho});
  return all;
}

/// Domains of more blocks than persistent blocks are in flight, and not a multiple of them.
inline constexpr SimplexSize several_turns[] = {{"triangle", 140, 1},          {"triangle", 750, 16},
                                                {"tetrahedron", 45, 1},        {"tetrahedron", 111, 8},
                                                {"tetrahedron_corner", 45, 1}, {"tetrahedron_corner", 92, 3}};

}  // namespace warploom
