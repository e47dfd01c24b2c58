#include "viewer/model/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/core/format.h"
#include "gpu/tracks/facets/compared.h"
#include "gpu/tracks/facets/counted.h"

namespace warploom {

namespace {

std::string threads_words(const Counts& own, const Counts& base, const std::string& name) {
  const std::string launched = "launches " + counted(own.threads(), "thread");
  const double factor = double(base.threads()) / double(std::max<std::uint64_t>(1, own.threads()));
  if (factor > 1.005) return launched + fmt::format(", {:.3g} times fewer than {}", factor, name);
  if (factor < .995) return launched + fmt::format(", {:.3g} times as many as {}", 1 / factor, name);
  return launched + ", as many as " + name;
}

std::string time_words(const Simulation& simulation, std::size_t track, std::size_t baseline,
                       const std::optional<Ratio>& ratio) {
  const auto status = simulation.status();
  if (!status[track].agrees || !status[baseline].agrees) return "is not timed: the two compute different things";
  if (!simulation.track(track).info().exact || !simulation.track(baseline).info().exact)
    return "is not timed against an inexact map";
  if (!ratio || !ratio->enough()) return {};
  if (ratio->low <= 1 && ratio->high >= 1) return "is as fast: the interval contains 1";
  const bool faster = ratio->median > 1;
  const double times = faster ? ratio->median : 1 / ratio->median, low = faster ? ratio->low : 1 / ratio->high,
               high = faster ? ratio->high : 1 / ratio->low;
  return fmt::format("is {:.2f}\u00d7 [{:.2f}, {:.2f}] {}", times, low, high, faster ? "faster" : "slower");
}

}  // namespace

std::string verdict_text(const Simulation& simulation, std::size_t track, std::size_t baseline,
                         const std::optional<Ratio>& ratio) {
  if (track == baseline) return {};
  const auto own = counts_of(simulation.track(track)), base = counts_of(simulation.track(baseline));
  std::vector<std::string> parts;
  if (const auto* compared = simulation.track(track).facet<Compared>())
    parts = compared->against(simulation.track(baseline), track_letter(simulation, baseline));
  if (parts.empty() && own && base) parts.push_back(threads_words(*own, *base, track_letter(simulation, baseline)));
  if (const auto words = time_words(simulation, track, baseline, ratio); !words.empty()) parts.push_back(words);
  return parts.empty() ? std::string() : track_letter(simulation, track) + " " + join(parts, ", and ") + ".";
}

int figures_of(const Summary& time) {
  constexpr int least = 2, most = 4;
  const double open = (time.median_high - time.median_low) / 2;
  if (time.samples < 10 || !(time.median > 0)) return least;
  if (!(open > 0)) return most;
  const auto magnitude = [](double value) { return static_cast<int>(std::floor(std::log10(value))); };
  return std::clamp(magnitude(time.median) - magnitude(open) + 1, least, most);
}

std::vector<std::string> figures_text(const Simulation& simulation, std::size_t baseline) {
  std::vector<std::string> lines, verdicts;
  const auto table = simulation.timings().table();
  for (std::size_t i = 0; i < simulation.size(); ++i) {
    const Track& track = simulation.track(i);
    std::string line = track_letter(simulation, i) + "  " + track.info().name;
    for (const auto& row : table) {
      if (row.kernel != track.kernel() || row.track != static_cast<int>(i)) continue;
      const Summary& time = row.milliseconds;
      line += fmt::format("  {}  median {:.{}g} ms", row.kernel, time.median, figures_of(time));
      if (time.samples > 1) line += fmt::format(" [P5 {0:.{2}g}, P95 {1:.{2}g}]", time.p5, time.p95, figures_of(time));
      line += " of " + counted(time.samples, "sample");
      if (row.bytes) line += fmt::format("  {:.4g} GB/s", row.gb_per_s());
    }
    const auto ratio = i != baseline ? simulation.ratio_to_baseline(i, baseline) : std::nullopt;
    if (ratio) {
      line += fmt::format("  {} : {} = {:.3g}", track_letter(simulation, baseline), track_letter(simulation, i),
                          ratio->median);
      if (ratio->enough()) line += fmt::format(" [{:.3g}, {:.3g}]", ratio->low, ratio->high);
    }
    lines.push_back(line);
    if (const auto verdict = verdict_text(simulation, i, baseline, ratio); !verdict.empty())
      verdicts.push_back(verdict);
  }
  lines.insert(lines.end(), verdicts.begin(), verdicts.end());
  return lines;
}

std::string figures_with_origin(Model& model) {
  const auto simulation = model.runner().simulation();
  if (!simulation) return {};
  // The scene that these tracks were made of: the menus may be ahead.
  Scene& scene = model.shown_scene();
  std::string text = model.machine.device + ", " + scene.title();
  for (const auto& parameter : scene.parameters())
    if (parameter.applies().empty()) text += ", " + parameter.key + " = " + to_text(parameter.get());
  text += ", step " + grouped(simulation->steps()) + "\n";
  for (const auto& line : figures_text(*simulation, model.baseline_of(*simulation))) text += line + "\n";
  return text;
}

}  // namespace warploom
