#include "viewer/scenes/simplex/theory.h"

#include <fmt/format.h>

#include <cmath>

#include "gpu/own/registry.h"

namespace warploom {

namespace {

/// Sides of the curves: eight per octave, and the scene's own.
std::vector<double> sides(const SimplexSettings& settings) {
  std::vector<double> all;
  const auto own = static_cast<double>(settings.n);
  const double last = std::max(settings.kind->dimensions == 2 ? 65536. : 4096., 2. * settings.n);
  double before = 0;
  for (int step = 0;; ++step) {
    const double exact = settings.rho * std::exp2(step / 8.), n = std::floor(exact);
    if (exact > last) break;
    if (own > before && own < n) all.push_back(own);  // where the scene stands, its dot must lie on the curve
    if (n > before) all.push_back(n);
    before = n;
  }
  return all;
}

/// value(n) over those sides.
template <class ValueOf>
TheoryCurve curve_of(const SimplexSettings& settings, std::size_t track, ValueOf&& value) {
  TheoryCurve curve;
  curve.track = track;
  curve.n = sides(settings);
  for (const double n : curve.n) curve.value.push_back(value(n));
  return curve;
}

/// The measured time of the box per place of it, and of the track's map per cell; in milliseconds.
struct MapCosts {
  double beta, tau;
};
MapCosts costs_of(const SimplexSettings& settings, const std::vector<double>& times, std::size_t track) {
  const int dimensions = settings.kind->dimensions;
  return {times[0] / std::pow(settings.n, dimensions), times[track] / simplex_number_real(dimensions, settings.n)};
}

/// Milliseconds that the maps take alone; empty: not measured, or without a bounding box to compare with.
std::vector<double> times_beside_box(const Simulation& simulation) {
  auto times = simulation.map_times();
  if (times.size() != simulation.size() || simulation.track(0).info().map != "bounding_box") times.clear();
  return times;
}

}  // namespace

std::vector<TheoryCurve> waste_curves(const SimplexSettings& settings, const std::vector<std::string>& tracks) {
  std::vector<TheoryCurve> curves;
  const int dimensions = settings.kind->dimensions;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    if (names_own(tracks[i])) continue;  // it alone knows what it launches
    curves.push_back(curve_of(settings, i, [&, map = find_simplex_track(dimensions, tracks[i]).map](double n) {
      return simplex_launched(dimensions, map, static_cast<std::uint32_t>(n), settings.rho) /
             simplex_number_real(dimensions, n);
    }));
  }
  return curves;
}

std::vector<TheoryCurve> gain_curves(const SimplexSettings& settings, const Simulation& simulation) {
  const auto times = times_beside_box(simulation);
  if (times.empty()) return {};
  const int dimensions = settings.kind->dimensions;
  std::vector<TheoryCurve> curves;
  for (std::size_t i = 1; i < simulation.size(); ++i)
    if (simulation.track(i).info().exact && times[i] > 0)
      curves.push_back(curve_of(settings, i, [&, cost = costs_of(settings, times, i)](double side) {
        return cost.beta * std::pow(side, dimensions) / (cost.tau * simplex_number_real(dimensions, side));
      }));
  // A layout alone brings no more than this, k elements per aligned line, alpha = 2.
  const double k = 128. / find_simplex_work(*settings.kind, settings.work).value_bytes;
  curves.push_back(curve_of(settings, 0, [&](double) { return 2 - 1 / k; }));
  curves.back().name = "layout bound";
  return curves;
}

std::vector<std::string> layout_theory(const SimplexSettings& settings, const Simulation& simulation) {
  const double bytes = find_simplex_work(*settings.kind, settings.work).value_bytes, k = 128 / bytes;
  const AlignedShares shares = aligned_shares(settings.n, k);
  std::vector<std::string> lines{
      fmt::format("linear, k = {:.0f} elements per line:", k),
      fmt::format("aligned rows F {:.4f} published, {:.4f} true", shares.published, shares.exact),
      fmt::format("cost C a cell {:.4f}, {:.4f} lines (\u03b1 = 2)", shares.cost_published, shares.cost_exact)};
  if (const auto times = times_beside_box(simulation); times.size() > 1 && times[1] > 0) {
    const auto [beta, tau] = costs_of(settings, times, 1);
    const int limit = settings.kind->dimensions == 2 ? 2 : 6;
    lines.push_back(fmt::format("\u03b2 {:.4f} ns per place, \u03c4 {:.4f} ns per cell", beta * 1e6, tau * 1e6));
    lines.push_back(fmt::format("{} \u03b2/\u03c4 = {:.2f}", limit, limit * beta / tau));
  }
  return lines;
}

}  // namespace warploom
