#include "gpu/scenes/irregular/tree/points.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/watched_work.h"
#include "gpu/files/input.h"
#include "gpu/files/points.h"
#include "gpu/scenes/irregular/streams.h"

namespace warploom {

namespace {

constexpr std::uint64_t most_points = 1u << 27;

/// Numbers of the streams that a point is drawn from.
struct PointSeed {
  std::uint64_t seed;
  int bits;
  std::uint64_t g(std::uint64_t i, std::uint64_t axis) const { return stream_hash(seed, 0, i + (axis << 32)); }
  std::int64_t top(std::uint64_t hash) const { return static_cast<std::int64_t>(hash >> (64 - bits)); }
};

struct PlaceAndMotion {
  std::int64_t place[3] = {}, motion[3] = {};
};

using PointRecipe = PlaceAndMotion (*)(const PointSeed& of, std::uint64_t i, int dimension);

namespace point_recipe {

PlaceAndMotion uniform(const PointSeed& of, std::uint64_t i, int dimension) {
  PlaceAndMotion point;
  for (int a = 0; a < dimension; ++a) {
    const std::uint64_t g = of.g(i, static_cast<std::uint64_t>(a));
    point.place[a] = of.top(g);
    point.motion[a] = static_cast<std::int64_t>(g % 7) - 3;
  }
  return point;
}

PlaceAndMotion clusters(const PointSeed& of, std::uint64_t i, int dimension) {
  PlaceAndMotion point;
  const std::uint64_t cluster = below(of.g(i, 3), 24);
  for (int a = 0; a < dimension; ++a) {
    const auto axis = static_cast<std::uint64_t>(a);
    const std::uint64_t g = of.g(i, axis), q = stream_hash(of.seed, 7, cluster + (axis << 32));
    std::int64_t apart = -510;  // the sum of four dice of 256 sides, about its mean
    for (int byte = 0; byte < 4; ++byte) apart += static_cast<std::int64_t>(g >> (8 * byte) & 0xff);
    point.place[a] = of.top(q) + (apart * static_cast<std::int64_t>(1 + cluster % 8) >> (15 - of.bits));
    point.motion[a] = static_cast<std::int64_t>(q % 7) - 3;
  }
  return point;
}

/// A wave: two parabolas, up and down.
std::int64_t wave(std::int64_t x, int bits) {
  const std::int64_t half = std::int64_t{1} << (bits - 1), u = x % half, height = u * (half - u) >> (bits - 2);
  return x >= half ? -height : height;
}

PlaceAndMotion sheet(const PointSeed& of, std::uint64_t i, int dimension) {
  PlaceAndMotion point;
  std::int64_t waves = 0;
  for (int a = 0; a + 1 < dimension; ++a) {
    point.place[a] = of.top(of.g(i, static_cast<std::uint64_t>(a)));
    waves += wave(point.place[a], of.bits);
  }
  point.place[dimension - 1] = (std::int64_t{1} << (of.bits - 1)) + (dimension == 2 ? waves : waves >> 1);
  point.motion[0] = 1;
  return point;
}

PlaceAndMotion line(const PointSeed& of, std::uint64_t i, int dimension) {
  PlaceAndMotion point;
  std::fill_n(point.place, dimension, of.top(of.g(i, 0)));
  std::fill_n(point.motion, dimension, 1);
  return point;
}

PlaceAndMotion equal(const PointSeed& of, std::uint64_t, int dimension) {
  PlaceAndMotion point;
  std::fill_n(point.place, dimension, std::int64_t{1} << (of.bits - 1));
  point.motion[0] = 1;
  return point;
}

}  // namespace point_recipe

// A new recipe is its function above, and one line here.
constexpr std::pair<const char*, PointRecipe> known_recipes[] = {{"clusters", point_recipe::clusters},
                                                                 {"uniform", point_recipe::uniform},
                                                                 {"sheet", point_recipe::sheet},
                                                                 {"line", point_recipe::line},
                                                                 {"equal", point_recipe::equal}};

PointRecipe point_recipe_of(const std::string& name) {
  for (const auto& [key, recipe] : known_recipes)
    if (name == key) return recipe;
  return nullptr;
}

std::uint32_t moving_word(std::int64_t place, std::int64_t motion, int bits) {
  const std::uint64_t mask = (1u << bits) - 1;  // two's complement: what is negative is taken modulo 2^bits, too
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(place) & mask) |
                                    (static_cast<std::uint64_t>(motion) & mask) << 16);
}

void read_grid_points(const IrregularSettings& settings, GridPoints& to) {
  const Points points = read_points(settings.folder / settings.points, to.dimension);
  if (points.count() > most_points)
    throw FileError(settings.points + ": " + grouped(points.count()) + " points; at most " + grouped(most_points) +
                    " are taken");
  to.name = points.name;
  to.remarks = points.remarks;
  const auto axes = static_cast<std::size_t>(to.dimension);
  double low[3] = {}, extent = 0;
  for (std::size_t a = 0; a < axes; ++a) {
    float least = std::numeric_limits<float>::infinity(), most = -least;
    for (std::size_t i = a; i < points.coordinates.size(); i += axes) {
      least = std::min(least, points.coordinates[i]);
      most = std::max(most, points.coordinates[i]);
    }
    low[a] = least;
    extent = std::max(extent, static_cast<double>(most) - low[a]);
  }
  const double last = (1 << to.bits) - 1, scale = extent > 0 ? last / extent : 0;
  to.moving.resize(points.coordinates.size());
  for (std::size_t i = 0; i < to.moving.size(); ++i)
    to.moving[i] = static_cast<std::uint32_t>(
        std::min(last, std::floor((static_cast<double>(points.coordinates[i]) - low[i % axes]) * scale)));
}

}  // namespace

const std::vector<std::string>& point_recipes() {
  static const std::vector<std::string> all = texts_of(known_recipes, [](const auto& one) { return one.first; });
  return all;
}

void check_points(const IrregularSettings& settings) {
  if (!point_recipe_of(settings.points) && extension_of(settings.points).empty())
    throw UsageError(unknown_message("points", settings.points, point_recipes()) +
                     ", or a file: " + point_file_kinds());
}

std::uint64_t recipe_count(const IrregularSettings& settings) {
  if (!point_recipe_of(settings.points)) return 0;
  return settings.count ? static_cast<std::uint64_t>(settings.count) : 20000;
}

std::uint64_t points_key(const IrregularSettings& settings, int dimension) {
  const bool file = !point_recipe_of(settings.points);
  std::uint64_t key = text_hash(file ? file_stamp(settings, settings.points) : settings.points);
  key = key_hash(key, static_cast<std::uint64_t>(dimension));
  return file ? key : key_hash(key_hash(key, settings.seed), recipe_count(settings));
}

GridPoints make_points(const IrregularSettings& settings, int dimension) {
  check_points(settings);
  GridPoints points{dimension, bits_of_axis(dimension), settings.points, {}};
  const PointRecipe recipe = point_recipe_of(settings.points);
  if (!recipe) {
    read_grid_points(settings, points);
    return points;
  }
  const std::uint64_t count = recipe_count(settings);
  if (count > most_points) throw UsageError(grouped(count) + " points; at most " + grouped(most_points) + " are taken");
  const PointSeed of{settings.seed, points.bits};
  points.moving.reserve(count * static_cast<std::uint64_t>(dimension));
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i % (1u << 16) == 0) {
      WatchedWork::go_on();
      WatchedWork::reached(static_cast<double>(i) / static_cast<double>(count));
    }
    const PlaceAndMotion point = recipe(of, i, dimension);
    for (int a = 0; a < dimension; ++a) points.moving.push_back(moving_word(point.place[a], point.motion[a], of.bits));
  }
  return points;
}

std::vector<std::uint32_t> points_in_step(const GridPoints& points, std::uint64_t step) {
  std::vector<std::uint32_t> all(points.moving.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = place_at(points.moving[i], static_cast<std::uint32_t>(step), points.bits);
  return all;
}

}  // namespace warploom
