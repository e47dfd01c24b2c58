#include "viewer/scenes/simplex/theory.h"

#include <fmt/format.h>

#include <cmath>

namespace warploom {

namespace {

double cells_of(int dimensions, double n) { return dimensions == 2 ? n * (n + 1) / 2 : n * (n + 1) * (n + 2) / 6; }

/// Sides to draw curves over: eight an octave, up to what is of interest, and the scene's own.
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

}  // namespace

std::vector<TheoryCurve> waste_curves(const SimplexSettings& settings, const std::vector<std::string>& tracks) {
  std::vector<TheoryCurve> curves;
  const int dimensions = settings.kind->dimensions;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    TheoryCurve curve;
    curve.track = i;
    const std::string map = find_simplex_track(dimensions, tracks[i]).map;
    for (const double n : sides(settings)) {
      curve.n.push_back(n);
      curve.value.push_back(simplex_launched(dimensions, map, static_cast<std::uint32_t>(n), settings.rho) /
                            cells_of(dimensions, n));
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

std::vector<TheoryCurve> gain_curves(const SimplexSettings& settings, const Simulation& simulation) {
  const auto times = simulation.map_times();
  if (times.size() != simulation.size() || simulation.track(0).info().map != "bounding_box") return {};
  const int dimensions = settings.kind->dimensions;
  const double n = settings.n, beta = times[0] / std::pow(n, dimensions);
  std::vector<TheoryCurve> curves;
  for (std::size_t i = 1; i < simulation.size(); ++i) {
    if (!simulation.track(i).info().exact) continue;
    const double tau = times[i] / cells_of(dimensions, n);
    TheoryCurve curve;
    curve.track = i;
    for (const double side : sides(settings)) {
      curve.n.push_back(side);
      curve.value.push_back(beta * std::pow(side, dimensions) / (tau * cells_of(dimensions, side)));
    }
    curves.push_back(std::move(curve));
  }
  // A layout alone brings no more than this, k elements an aligned line, alpha = 2.
  const double k = 128. / find_simplex_work(*settings.kind, settings.work).value_bytes;
  TheoryCurve bound;
  bound.name = "layout bound";
  for (const double side : sides(settings)) {
    bound.n.push_back(side);
    bound.value.push_back(2 - 1 / k);
  }
  curves.push_back(std::move(bound));
  return curves;
}

std::vector<std::string> layout_theory(const SimplexSettings& settings, const Simulation& simulation) {
  const double bytes = find_simplex_work(*settings.kind, settings.work).value_bytes, k = 128 / bytes;
  const AlignedShares shares = aligned_shares(settings.n, k);
  std::vector<std::string> lines{
      fmt::format("linear, k = {:.0f} elements per line:", k),
      fmt::format("aligned rows F {:.4f} published, {:.4f} true", shares.published, shares.exact),
      fmt::format("cost C a cell {:.4f}, {:.4f} lines (\u03b1 = 2)", shares.cost_published, shares.cost_exact)};
  const auto times = simulation.map_times();
  if (times.size() == simulation.size() && times.size() > 1 && simulation.track(0).info().map == "bounding_box") {
    const int dimensions = settings.kind->dimensions;
    const double beta = times[0] / std::pow(double(settings.n), dimensions),
                 tau = times[1] / cells_of(dimensions, settings.n);
    lines.push_back(fmt::format("\u03b2 {:.4f} ns per place, \u03c4 {:.4f} ns per cell", beta * 1e6, tau * 1e6));
    lines.push_back(
        fmt::format("{} \u03b2/\u03c4 = {:.2f}", dimensions == 2 ? 2 : 6, (dimensions == 2 ? 2 : 6) * beta / tau));
  }
  return lines;
}

}  // namespace warploom
