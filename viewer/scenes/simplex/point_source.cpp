#include "viewer/scenes/simplex/point_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/hash.h"
#include "viewer/base/numbers.h"

namespace warploom {

namespace {

/// Squares of coordinates, and their products, must stay within a float.
void check_span(const Points& points, const std::string& name) {
  float span = 0;
  for (const float value : points.coordinates) span = std::max(span, std::abs(value));
  constexpr float least = 1e-12f, most = 1e12f;
  if (span > most || (span > 0 && span < least))
    throw FileError(
        fmt::format("{}: coordinates up to {:g}; scale them to between {:g} and {:g}, distances are computed "
                    "in single precision",
                    name, span, least, most));
}

}  // namespace

void ScenePoints::resolve(SimplexParams& params, const std::set<std::string>& given,
                          const std::filesystem::path& folder) {
  const SimplexKind& kind = find_simplex_kind(params.domain);
  const SimplexWork& work = find_simplex_work(kind, params.work);
  const std::uint64_t needed = work.more_points ? std::uint64_t(params.n) + *work.more_points : 0;
  const std::string wanted = params.points.empty() ? "0" : params.points;
  if (const auto asked = parse_number<std::uint64_t>(wanted)) {
    const std::uint64_t count = *asked ? *asked : needed;
    params.points = wanted;
    if (count < needed)
      throw UsageError(fmt::format("points {}: '{}' with n = {} needs {} points; 0 makes as many as needed", count,
                                   work.key, params.n, needed));
    constexpr std::uint64_t most = 1u << 26;
    if (count > most) throw UsageError(fmt::format("points: {} points are too many, at most {} are made", count, most));
    points_ = nullptr;
    if (!needed) return;
    const std::string wish = fmt::format("{} random, seed {}, {} axes", count, params.seed, kind.dimensions);
    if (wish != loaded_from_) keep(random_points(count, kind.dimensions, params.seed), wish);
    points_ = loaded_;
    return;
  }
  if (wanted.find_first_not_of("+-0123456789.eE") == std::string::npos)
    throw UsageError("points '" + wanted + "': expected a count from 0, or a " + point_file_kinds() + " file");
  // A named file is read, needed or not: a wrong one is told at once.
  if (!needed && !given.contains("points")) {
    points_ = nullptr;
    return;
  }
  const std::filesystem::path file = folder / wanted;  // `wanted` itself where it is absolute
  // Read once; again when it is named anew.
  const std::string wish = fmt::format("{}, {} axes", file.string(), kind.dimensions);
  if (given.contains("points") || wish != loaded_from_) {
    Points read = read_points(file, kind.dimensions);
    check_span(read, wanted);
    keep(std::move(read), wish);
  }
  const std::uint64_t have = loaded_->count();
  if (have < needed)
    throw FileError(fmt::format("{}: {} points, '{}' with n = {} needs {}; choose n up to {}", wanted, have, work.key,
                                params.n, needed, have > *work.more_points ? have - *work.more_points : 0));
  points_ = needed ? loaded_ : nullptr;
}

void ScenePoints::keep(Points points, const std::string& from) {
  hash_ =
      text_hash({reinterpret_cast<const char*>(points.coordinates.data()), points.coordinates.size() * sizeof(float)});
  loaded_ = std::make_shared<const Points>(std::move(points));
  loaded_from_ = from;
}

}  // namespace warploom
