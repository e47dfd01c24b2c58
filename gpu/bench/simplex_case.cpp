#include "gpu/bench/simplex_case.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "gpu/core/hash.h"

namespace warploom::bench {

double SimplexCase::cells() const {
  const double n = settings.n;
  return settings.kind->dimensions == 2 ? n * (n + 1) / 2 : n * (n + 1) * (n + 2) / 6;
}
double SimplexCase::box() const { return std::pow(double{1} * settings.n, settings.kind->dimensions); }
std::uint64_t SimplexCase::value_bytes() const { return find_simplex_work(*settings.kind, settings.work).value_bytes; }
std::string SimplexCase::text() const {
  return std::string(settings.kind->key) + "/" + settings.work + "/" + std::to_string(settings.n) + "/rho" +
         std::to_string(settings.rho);
}

namespace {

/// Points for a side, where the work needs any.
void set_points(SimplexCase& c) {
  const SimplexWork& work = find_simplex_work(*c.settings.kind, c.settings.work);
  if (work.more_points)
    c.settings.points = std::make_shared<const Points>(
        random_points(c.settings.n + std::uint64_t{*work.more_points}, c.settings.kind->dimensions, c.seed));
}

}  // namespace

SimplexCase make_simplex_case(Bench& bench, const std::string& kind, std::uint32_t n, std::uint32_t rho,
                              const std::string& work) {
  SimplexCase c;
  c.settings.kind = &find_simplex_kind(kind);
  c.settings.n = n;
  c.settings.rho = rho;
  c.settings.work = work;
  c.seed = bench.fresh_seed();
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

/// The sum of all keys modulo 2^64: x + y 2^32, or x + y 2^21 + z 2^42. The sum of x over x <= y (<= z) < n is the
/// binomial of n + 1 over 3, or of n + 2 over 4; reflected, the largest coordinate is the smallest, the middle one
/// itself. No product below passes 64 bits for sides below 2^16.
std::uint64_t sum_of_keys(int dimensions, std::uint64_t n) {
  const std::uint64_t pairs = n * (n + 1) / 2;
  if (dimensions == 2) {
    const std::uint64_t x = pairs * (n - 1) / 3, y = pairs * (n - 1) - x;
    return x + (y << 32);
  }
  const std::uint64_t triples = pairs * (n + 2) / 3, x = triples * (n - 1) / 4, y = triples * (n - 1) / 2,
                      z = triples * (n - 1) - x;
  return x + (y << 21) + (z << 42);
}

/// One step of a track, sealed.
SimplexExpected result_of(Bench& bench, const SimplexCase& c, const std::string& name) {
  Queue& queue = bench.queue();
  const auto track = make_simplex_track(queue, c.settings, name);
  track->fill(queue, c.seed, .5);
  track->step(queue);
  queue.wait();
  track->publish(queue);
  const Seal seal = track->seal(queue);
  return {seal.hash, seal.sum, seal.folded, true, {}};
}

}  // namespace

SimplexExpected expect(Bench& bench, const SimplexCase& c) {
  const int dimensions = c.settings.kind->dimensions;
  const std::string beside = "; serial code on a few blocks";
  if (c.settings.work == "map_only")
    return {{}, {}, sum_of_keys(dimensions, c.settings.n), true, "a closed form" + beside};
  if (c.settings.work == "single_write")  // of ones over zeros: the sum is the number of cells only if all are written
    return {{}, static_cast<std::uint64_t>(c.cells()), {}, true, "a closed form" + beside};
  SimplexExpected box = result_of(bench, c, "bounding_box");
  const SimplexExpected root = result_of(bench, c, "root_exact");
  box.agreed = box.hash == root.hash && box.sum == root.sum && box.fold == root.fold;
  box.source = (box.agreed ? "bounding_box and root_exact, which agree" : "bounding_box and root_exact, which differ");
  box.source += beside;
  return box;
}

namespace {

/// What a cell comes to, and what its rounding errors are small against.
struct Serial {
  double value = 0, scale = 1;
};

class SerialStep {
 public:
  explicit SerialStep(const SimplexCase& c) : case_(c), solid_(c.settings.kind->dimensions == 3) {}

  bool member(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const std::int64_t n = case_.settings.n;
    return x >= 0 && x <= y && (solid_ ? y <= z && z < n : y < n && z == 0);
  }
  Serial at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const std::string& work = case_.settings.work;
    if (work == "stencil") return stencil(x, y, z);
    if (work == "distance_matrix") return {std::sqrt(squared(x, y)), 1};
    if (work == "triplet_energy") return energy(x, y + 1, z + 2);
    return {1, 1};
  }
  std::uint64_t key(std::int64_t x, std::int64_t y, std::int64_t z) const {
    const auto a = static_cast<std::uint64_t>(x), b = static_cast<std::uint64_t>(y), c = static_cast<std::uint64_t>(z);
    return solid_ ? a + (b << 21) + (c << 42) : a + (b << 32);
  }

 private:
  Serial stencil(std::int64_t x, std::int64_t y, std::int64_t z) const {
    double sum = 0, count = 0;
    for (std::int64_t w = z - solid_; w <= z + solid_; ++w)
      for (std::int64_t v = y - 1; v <= y + 1; ++v)
        for (std::int64_t u = x - 1; u <= x + 1; ++u) {
          if (!member(u, v, w)) continue;
          sum += static_cast<double>(key_hash(case_.seed, key(u, v, w)) >> 40) * 0x1p-24;  // as tracks are filled
          ++count;
        }
    return {sum / count, 1};
  }
  double squared(std::int64_t p, std::int64_t q) const {
    const auto& all = case_.settings.points->coordinates;
    double sum = 0;
    for (std::int64_t axis = 0, d = solid_ ? 3 : 2; axis < d; ++axis) {
      const double apart =
          double{all[static_cast<std::size_t>(p * d + axis)]} - double{all[static_cast<std::size_t>(q * d + axis)]};
      sum += apart * apart;
    }
    return sum;
  }
  /// (1 + 3 cos cos cos) / (abc)^3, the cosines by the law of cosines, side by side.
  Serial energy(std::int64_t i, std::int64_t j, std::int64_t k) const {
    const double a = std::sqrt(squared(j, k)), b = std::sqrt(squared(k, i)), c = std::sqrt(squared(i, j));
    if (a == 0 || b == 0 || c == 0) return {0, 0};
    const double cosines = ((b * b + c * c - a * a) / (2 * b * c)) * ((c * c + a * a - b * b) / (2 * c * a)) *
                           ((a * a + b * b - c * c) / (2 * a * b));
    const double cube = std::pow(a * b * c, 3);
    return {(1 + 3 * cosines) / cube, 1 / cube};
  }

  const SimplexCase& case_;
  bool solid_;
};

/// Calls body(x, y, z, place row-major) for the places of the box.
template <class Body>
void each_place(std::int64_t n, bool solid, Body&& body) {
  std::size_t place = 0;
  for (std::int64_t z = 0; z < (solid ? n : 1); ++z)
    for (std::int64_t y = 0; y < n; ++y)
      for (std::int64_t x = 0; x < n; ++x) body(x, y, z, place++);
}

}  // namespace

bool agrees_with_serial(Bench& bench, const SimplexCase& large, const std::string& name) {
  SimplexCase c = large;
  c.settings.n = std::min(5 * large.settings.rho + 3, 67u);
  set_points(c);
  Queue& queue = bench.queue();
  const auto track = make_simplex_track(queue, c.settings, name);
  track->fill(queue, c.seed, .5);
  track->step(queue);
  queue.wait();
  track->publish(queue);

  const SerialStep serial(c);
  const std::int64_t n = c.settings.n, rho = c.settings.rho;
  const bool solid = c.settings.kind->dimensions == 3;
  if (c.settings.work == "map_only") {
    std::uint64_t sum = 0;
    each_place(n, solid, [&](auto x, auto y, auto z, std::size_t) {
      if (serial.member(x, y, z)) sum += serial.key(x, y, z);
    });
    return track->seal(queue).folded == sum;
  }
  // Works that sum a block show its sum at each of its cells.
  const bool per_block = find_simplex_work(*c.settings.kind, c.settings.work).per_block;
  const std::int64_t unit = per_block ? rho : 1, side = (n + unit - 1) / unit;
  const auto slot = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
    return static_cast<std::size_t>((z / unit * side + y / unit) * side + x / unit);
  };
  std::vector<Serial> sums(static_cast<std::size_t>(side * side * (solid ? side : 1)), Serial{0, 0});
  each_place(n, solid, [&](auto x, auto y, auto z, std::size_t) {
    if (!serial.member(x, y, z)) return;
    const Serial own = serial.at(x, y, z);
    sums[slot(x, y, z)].value += own.value;
    sums[slot(x, y, z)].scale += own.scale;
  });
  const Index3 box{c.settings.n, c.settings.n, solid ? c.settings.n : 1};
  const std::vector<float> values = track->window(queue, {}, box);
  bool right = true;
  each_place(n, solid, [&](auto x, auto y, auto z, std::size_t place) {
    if (!serial.member(x, y, z)) return;
    const Serial& should = sums[slot(x, y, z)];
    // A NaN is not close to anything.
    if (!(std::abs(double{values[place]} - should.value) <= 1e-4 * should.scale)) right = false;
  });
  return right;
}

Contestant simplex_contestant(Bench& bench, const SimplexCase& c, const std::string& name) {
  const bool trusted = c.expected.agreed && agrees_with_serial(bench, c, name);
  const std::shared_ptr<Track> track = make_simplex_track(bench.queue(), c.settings, name);
  const SimplexExpected expected = c.expected;
  const auto right = [track, expected, trusted](Queue& queue) {
    if (!trusted) return false;
    track->publish(queue);
    if (expected.fold && track->seal(queue).folded != expected.fold) return false;
    if (!expected.hash && !expected.sum) return expected.fold.has_value();
    const Seal seal = track->seal(queue);
    return (!expected.hash || seal.hash == *expected.hash) && (!expected.sum || seal.sum == *expected.sum);
  };
  // A fresh start leaves what the step writes empty. Not published between runs, every step is the same.
  return {name, [track](Queue& queue) { track->step(queue); },
          [track, seed = c.seed](Queue& queue) { track->fill(queue, seed, .5); }, right};
}

}  // namespace warploom::bench
