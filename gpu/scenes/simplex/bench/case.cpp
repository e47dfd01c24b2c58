#include "gpu/scenes/simplex/bench/case.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "gpu/core/hash.h"
#include "gpu/scenes/simplex/works/list.h"
#include "gpu/scenes/simplex/works/serial.h"

namespace warploom::bench {

std::string SimplexCase::text() const {
  const auto& s = settings;
  return fmt::format("{}/{}/{}/rho{}", s.kind->key, s.work, s.n, s.rho) +
         (!layout.empty() || s.coarsen != 1 || s.gang != 1 ? fmt::format("/c{}/G{}", s.coarsen, s.gang) : "");
}

namespace {

/// Points for a side, where the work needs any.
void set_points(SimplexCase& c) {
  if (const auto& more = c.work().more_points)
    c.settings.points = std::make_shared<const Points>(
        random_points(c.settings.n + std::uint64_t{*more}, c.settings.kind->dimensions, c.seed));
}

}  // namespace

SimplexCase make_simplex_case(Bench& bench, const std::string& kind, std::uint32_t n, std::uint32_t rho,
                              const std::string& work) {
  SimplexCase c{{&find_simplex_kind(kind), n, rho, 1, 1, work, {}, {}}, bench.fresh_seed(), {}, {}};
  set_points(c);
  return c;
}

std::vector<std::string> exact_tracks(int dimensions, const std::string& layout) {
  std::vector<std::string> names;
  for (const TrackInfo& track : simplex_tracks(dimensions))
    if (track.exact && track.layout == layout) names.push_back(track.name);
  std::stable_partition(names.begin(), names.end(),
                        [](const std::string& name) { return name.starts_with("bounding_box"); });
  return names;
}

namespace {

constexpr double density = .5;
constexpr const char* beside = "; serial code on a few blocks";

/// body.operator()<Work>() for the work of a case.
template <class Body>
void with_work(const SimplexCase& c, Body&& body) {
  const auto one = [&]<class Work>() {
    static_assert(HasSimplexSerialStep<Work>, "a work says its serial step, see gpu/scenes/simplex/works/serial.h");
    if (Work::info.key == c.settings.work) body.template operator()<Work>();
  };
  if (c.settings.kind->dimensions == 2)
    for_each_type(TriangleWorks{}, one);
  else
    for_each_type(TetrahedronWorks{}, one);
}

/// A track of the case after one step from its start, published.
auto stepped(Queue& queue, const SimplexCase& c, const std::string& name) {
  auto track = make_simplex_track(queue, c.settings, name);
  fresh_start(*track, queue, c.seed, density);
  track->step(queue);
  finish_step(*track, queue);
  return track;
}

/// The result of one step of two tracks; `who` says which they are.
Expected agreement(Bench& bench, const SimplexCase& box_case, const std::string& box_track,
                   const SimplexCase& root_case, const std::string& root_track, const std::string& who) {
  Queue& queue = bench.queue();
  Expected box = sealed(*stepped(queue, box_case, box_track), queue, "");
  const Expected root = sealed(*stepped(queue, root_case, root_track), queue, "");
  box.agreed = box.hash == root.hash && box.sum == root.sum && box.fold == root.fold;
  box.source = who + ", which " + (box.agreed ? "agree" : "differ") + beside;
  return box;
}

}  // namespace

Expected expect(Bench& bench, const SimplexCase& c) {
  const int dimensions = c.settings.kind->dimensions;
  Expected closed;
  with_work(c, [&]<class Work>() {
    if constexpr (requires { Work::total(dimensions, c.settings.n); })
      (folds_simplex<Work> ? closed.fold : closed.sum) = Work::total(dimensions, c.settings.n);
  });
  closed.source = std::string("a closed form") + beside;
  if (closed.fold || closed.sum) return closed;
  // Threads that serve several cells are held to a thread per cell; sums over blocks have the order of their shape.
  const bool coarse = c.settings.coarsen != 1 && !c.work().per_block;
  if (!coarse && c.settings.gang == 1)
    return agreement(bench, c, "bounding_box", c, "root_exact", "bounding_box and root_exact");
  SimplexCase plain = c;
  plain.settings.gang = 1;
  if (coarse) plain.settings.coarsen = 1, plain.settings.rho = std::min(c.settings.rho, 8u);
  const std::string layout = c.layout.empty() ? "linear" : c.layout;
  return agreement(bench, plain, "bounding_box/" + layout, c, "root_exact/" + layout,
                   "a thread per cell under bounding_box and this shape under root_exact");
}

namespace {

std::uint64_t serial_key(bool solid, std::int64_t x, std::int64_t y, std::int64_t z) {
  const auto a = static_cast<std::uint64_t>(x), b = static_cast<std::uint64_t>(y), c = static_cast<std::uint64_t>(z);
  return solid ? a + (b << 21) + (c << 42) : a + (b << 32);
}

/// A case's cells for the serial step of its work. `live`: they are dead or alive.
SerialSpot serial_spot(const SimplexCase& c, bool live) {
  const std::int64_t n = c.settings.n;
  const int dimensions = c.settings.kind->dimensions;
  const bool solid = dimensions == 3;
  SerialSpot spot;
  spot.dimensions = dimensions;
  spot.rule = c.settings.rule;
  spot.member = [n, solid](std::int64_t x, std::int64_t y, std::int64_t z) {
    return x >= 0 && x <= y && (solid ? y <= z && z < n : y < n && z == 0);
  };
  spot.start = [seed = c.seed, live, solid](std::int64_t x, std::int64_t y, std::int64_t z) {  // as tracks are filled
    const std::uint64_t hash = key_hash(seed, serial_key(solid, x, y, z));
    return live ? double{chosen(hash, density) ? 1. : 0.} : static_cast<double>(hash >> 40) * 0x1p-24;
  };
  spot.squared = [points = c.settings.points, dimensions](std::int64_t p, std::int64_t q) {
    const auto at = [&](std::int64_t point, int axis) {
      return double{points->coordinates[static_cast<std::size_t>(point * dimensions + axis)]};
    };
    double sum = 0;
    for (int axis = 0; axis < dimensions; ++axis) sum += std::pow(at(p, axis) - at(q, axis), 2);
    return sum;
  };
  return spot;
}

/// body(place in the box, row-major) for every cell, which is in `spot`.
template <class Body>
void each_cell(const SimplexCase& c, SerialSpot& spot, Body&& body) {
  const std::int64_t n = c.settings.n;
  const bool solid = spot.dimensions == 3;
  std::size_t place = 0;
  for (spot.z = 0; spot.z < (solid ? n : 1); ++spot.z)
    for (spot.y = 0; spot.y < n; ++spot.y)
      for (spot.x = 0; spot.x < n; ++spot.x, ++place) {
        if (!spot.member(spot.x, spot.y, spot.z)) continue;
        spot.key = serial_key(solid, spot.x, spot.y, spot.z);
        body(place);
      }
}

template <class Work>
bool folds_right(Bench& bench, const SimplexCase& c, SerialSpot& spot, Track& track) {
  std::uint64_t sum = 0;
  each_cell(c, spot, [&](std::size_t) { sum += Work::serial(spot); });
  return track.seal(bench.queue())->folded == sum;
}

template <class Work>
bool writes_right(Bench& bench, const SimplexCase& c, SerialSpot& spot, Track& track) {
  const std::int64_t n = c.settings.n, rho = c.settings.rho;
  const bool solid = spot.dimensions == 3;
  // Works that sum blocks show the sum at each cell of the block.
  const std::int64_t unit = Work::info.per_block ? rho : 1, side = (n + unit - 1) / unit;
  const auto slot = [&] {
    return static_cast<std::size_t>((spot.z / unit * side + spot.y / unit) * side + spot.x / unit);
  };
  std::vector<SerialValue> sums(static_cast<std::size_t>(side * side * (solid ? side : 1)), SerialValue{0, 0});
  each_cell(c, spot, [&](std::size_t) {
    const SerialValue own = Work::serial(spot);
    sums[slot()].value += own.value;
    sums[slot()].scale += own.scale;
  });
  const Index3 box{c.settings.n, c.settings.n, solid ? c.settings.n : 1};
  const std::vector<float> values = track.pictures()[0]->values(bench.queue(), {}, box);
  bool right = true;
  each_cell(c, spot, [&](std::size_t place) {
    const SerialValue& should = sums[slot()];
    // A NaN is not close to anything.
    if (!(std::abs(double{values[place]} - should.value) <= 1e-4 * should.scale)) right = false;
  });
  return right;
}

}  // namespace

bool agrees_with_serial(Bench& bench, const SimplexCase& large, const std::string& name) {
  SimplexCase c = large;
  c.settings.n = std::min(5 * large.settings.rho + 3, 67u);
  set_points(c);
  const auto track = stepped(bench.queue(), c, name);
  bool right = false;
  with_work(c, [&]<class Work>() {
    SerialSpot spot = serial_spot(c, c.work().cells_live);
    if constexpr (folds_simplex<Work>)
      right = folds_right<Work>(bench, c, spot, *track);
    else
      right = writes_right<Work>(bench, c, spot, *track);
  });
  return right;
}

Contestant simplex_contestant(Bench& bench, const SimplexCase& c, const std::string& name) {
  Expected expected = c.expected;
  expected.agreed = expected.agreed && agrees_with_serial(bench, c, name);
  return track_contestant(
      name, make_simplex_track(bench.queue(), c.settings, name),
      [seed = c.seed](Track& track, Queue& queue) { fresh_start(track, queue, seed, density); },
      [expected](Track& track, Queue& queue) { return expected.holds(track, queue); });
}

}  // namespace warploom::bench
