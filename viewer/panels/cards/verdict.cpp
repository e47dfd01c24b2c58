#include "viewer/panels/cards/verdict.h"

#include <fmt/format.h>

#include "gpu/core/words.h"
#include "gpu/tracks/facets/counted.h"

namespace warploom {

namespace {

std::string threads_words(const Counts& own, const Counts& base, const std::string& name) {
  const std::string launched = "launches " + counted(own.launched, "thread");
  const double factor = double(base.launched) / double(std::max<std::uint64_t>(1, own.launched));
  if (factor > 1.005) return launched + fmt::format(", {:.3g} times fewer than {}", factor, name);
  if (factor < .995) return launched + fmt::format(", {:.3g} times as many as {}", 1 / factor, name);
  return launched + ", as many as " + name;
}

std::string time_words(const Simulation& simulation, std::size_t track, std::size_t baseline,
                       const std::optional<Ratio>& ratio) {
  const auto status = simulation.status();
  if (!status[track].agrees || !status[baseline].agrees) return "and one of the two computes something else";
  if (!simulation.track(track).info().exact || !simulation.track(baseline).info().exact)
    return "and is not timed against an inexact map";
  if (!ratio || !ratio->enough()) return {};
  if (ratio->low <= 1 && ratio->high >= 1) return "and is as fast: the interval holds 1";
  const bool faster = ratio->median > 1;
  const double times = faster ? ratio->median : 1 / ratio->median, low = faster ? ratio->low : 1 / ratio->high,
               high = faster ? ratio->high : 1 / ratio->low;
  return fmt::format("and is {:.2f}\u00d7 [{:.2f}, {:.2f}] {}", times, low, high, faster ? "faster" : "slower");
}

}  // namespace

std::string verdict_text(const Simulation& simulation, std::size_t track, std::size_t baseline,
                         const std::optional<Ratio>& ratio) {
  if (track == baseline) return {};
  const auto own = counts_of(simulation.track(track)), base = counts_of(simulation.track(baseline));
  std::vector<std::string> parts;
  if (own && base) parts.push_back(threads_words(*own, *base, track_letter(baseline)));
  if (const auto words = time_words(simulation, track, baseline, ratio); !words.empty()) parts.push_back(words);
  return parts.empty() ? std::string() : track_letter(track) + " " + join(parts, ", ") + ".";
}

std::vector<std::string> verdicts(const PanelContext& panel) {
  std::vector<std::string> all;
  const auto& ratios = panel.state.shown.ratios;
  for (std::size_t i = 0; panel.simulation && i < panel.simulation->size(); ++i) {
    const auto words = verdict_text(*panel.simulation, i, panel.model.baseline_of(*panel.simulation),
                                    i < ratios.size() ? ratios[i] : std::nullopt);
    if (!words.empty()) all.push_back(words);
  }
  return all;
}

}  // namespace warploom
