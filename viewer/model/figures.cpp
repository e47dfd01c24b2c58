#include "viewer/model/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/core/format.h"
#include "gpu/tracks/facets/compared.h"
#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/over_devices.h"
#include "gpu/tracks/facets/written.h"

namespace warploom {

namespace {

/// Threads that take several turns are launched once.
std::uint64_t launched_threads(const Track& track) {
  std::uint64_t threads = 0;
  for (const LaunchShape& shape : track.launches()) threads += volume(shape.blocks) * volume(shape.threads);
  return threads;
}

std::string threads_words(const Track& track, const Counts& own, const Track& baseline, const Counts& base,
                          const std::string& letter) {
  const std::uint64_t threads = launched_threads(track);
  const std::string launched = threads < own.threads() ? "launches " + counted(threads, "thread") +
                                                             fmt::format(" in {} turns", grouped(own.threads()))
                                                       : "launches " + counted(own.threads(), "thread");
  const std::string name = launched_threads(baseline) < base.threads()
                               ? fmt::format("the {} turns of {}'s threads", grouped(base.threads()), letter)
                               : letter;
  const double factor = double(base.threads()) / double(std::max<std::uint64_t>(1, own.threads()));
  if (factor > 1.005) return launched + fmt::format(", {:.3g} times fewer than {}", factor, name);
  if (factor < .995) return launched + fmt::format(", {:.3g} times as many as {}", 1 / factor, name);
  return launched + ", as many as " + name;
}

/// How long a track takes, and why: what the reader wants to know of fewer threads that do not pay.
struct TimeWords {
  std::string takes, why;
};

TimeWords time_words(const Simulation& simulation, std::size_t track, std::size_t baseline,
                     const std::optional<Ratio>& ratio, const std::string& where, bool fewer) {
  const auto status = simulation.status();
  if (!status[track].agrees || !status[baseline].agrees) return {"is not timed: the two compute different things", {}};
  if (!simulation.track(track).info().exact || !simulation.track(baseline).info().exact)
    return {simulation.track(track).info().exact ? "is not timed: the map beside it is inexact"
                                                 : "is inexact, so it is not timed",
            {}};
  if (!ratio || !ratio->enough()) return {};
  const std::string why = fewer && ratio->low <= 1 ? ": idle threads end early" : "";
  if (ratio->low <= 1 && ratio->high >= 1)
    return {fmt::format("shows no difference{}, [{:.2f}, {:.2f}]", where, ratio->low, ratio->high), why};
  const bool faster = ratio->median > 1;
  const double times = faster ? ratio->median : 1 / ratio->median, low = faster ? ratio->low : 1 / ratio->high,
               high = faster ? ratio->high : 1 / ratio->low;
  return {fmt::format("is {:.2f}\u00d7 [{:.2f}, {:.2f}] {}{}", times, low, high, faster ? "faster" : "slower", where),
          why};
}

/// What the track does, and how long it takes, without its subject.
struct Predicates {
  std::vector<std::string> does;
  TimeWords time;
};

Predicates predicates(const Simulation& simulation, std::size_t track, std::size_t baseline,
                      const std::optional<Ratio>& ratio, bool on_cpu) {
  if (track == baseline) return {};
  const Track &own = simulation.track(track), &base = simulation.track(baseline);
  const std::string name = track_letter(simulation, baseline);
  Predicates all;
  // A wrong map is not praised for how few threads it launches.
  const auto* written = own.facet<Written>();
  const bool wrong = written && *simulation.status()[track].broken;
  if (wrong) all.does = {verdict_words(written->own(), own.dimensions())};
  if (wrong) return all;
  if (const auto* compared = own.facet<Compared>()) all.does = compared->against(base, name);
  const auto counts = counts_of(own), base_counts = counts_of(base);
  const bool by_threads = all.does.empty() && counts && base_counts;
  if (by_threads) all.does = {threads_words(own, *counts, base, *base_counts, name)};
  const bool fewer = by_threads && counts->threads() < base_counts->threads();
  all.time = time_words(simulation, track, baseline, ratio, on_cpu ? " on this CPU" : "", fewer);
  return all;
}

std::string sentence(const Simulation& simulation, std::size_t track, const std::vector<std::string>& parts) {
  return parts.empty() ? std::string() : track_letter(simulation, track) + " " + join(parts, ", and ") + ".";
}

}  // namespace

int figures_of(const Summary& time) {
  constexpr int least = 2, most = 4;
  const double open = (time.median_high - time.median_low) / 2;
  if (time.samples < 10 || !(time.median > 0)) return least;
  if (!(open > 0)) return most;
  const auto magnitude = [](double value) { return static_cast<int>(std::floor(std::log10(value))); };
  return std::clamp(magnitude(time.median) - magnitude(open) + 1, least, most);
}

VerdictWords verdict_of(const Simulation& simulation, std::size_t track, std::size_t baseline,
                        const std::optional<Ratio>& ratio, bool on_cpu) {
  const Predicates all = predicates(simulation, track, baseline, ratio, on_cpu);
  const auto& [takes, why] = all.time;
  if (takes.empty()) return {sentence(simulation, track, all.does), {}, {}};
  return {sentence(simulation, track, all.does), sentence(simulation, track, {takes + why}),
          sentence(simulation, track, {takes})};
}

std::string verdict_text(const Simulation& simulation, std::size_t track, std::size_t baseline,
                         const std::optional<Ratio>& ratio, bool on_cpu) {
  Predicates all = predicates(simulation, track, baseline, ratio, on_cpu);
  if (!all.time.takes.empty()) all.does.push_back(all.time.takes + all.time.why);
  return sentence(simulation, track, all.does);
}

std::string caption_text(Scene& scene) {
  const auto* captioned = scene.facet<Captioned>();
  return captioned ? captioned->caption() : scene.title();
}

std::vector<std::string> figures_text(const Simulation& simulation, std::size_t baseline, bool on_cpu) {
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
    if (const auto verdict = verdict_text(simulation, i, baseline, ratio, on_cpu); !verdict.empty())
      verdicts.push_back(verdict);
  }
  lines.insert(lines.end(), verdicts.begin(), verdicts.end());
  return lines;
}

std::vector<std::string> device_badges(const Simulation& simulation) {
  bool pools = false, through_host = false;
  for (std::size_t i = 0; i < simulation.size(); ++i)
    if (const auto* over = simulation.track(i).facet<OverDevices>()) {
      const auto report = over->devices();
      pools = pools || report->pools;
      through_host = through_host || !report->direct;
    }
  std::vector<std::string> badges;
  if (pools) badges.emplace_back("POOLS FOR DEVICES");
  if (through_host) badges.emplace_back("LINK THROUGH HOST");
  return badges;
}

std::vector<std::string> machine_badges(Model& model) {
  std::vector<std::string> badges;
  if (model.on_cpu()) badges.emplace_back("CPU ENGINE");
  if (const auto simulation = model.runner().simulation())
    for (auto& badge : device_badges(*simulation)) badges.push_back(std::move(badge));
  if (model.machine.interop == "staged") badges.emplace_back("STAGED COPY");
  if (model.machine.vsync) badges.emplace_back("V-SYNC");
  return badges;
}

std::string figures_with_origin(Model& model) {
  const auto simulation = model.runner().simulation();
  if (!simulation) return {};
  // The scene that these tracks were made of: the menus may be ahead.
  Scene& scene = model.shown_scene();
  std::string text = model.machine.device + ", " + scene.title();
  for (const auto& parameter : scene.parameters())
    if (parameter.applies().empty()) text += ", " + parameter.key + " = " + parameter.words(parameter.get());
  text += ", step " + grouped(simulation->steps()) + "\n";
  for (const auto& line : figures_text(*simulation, model.baseline_of(*simulation), model.on_cpu()))
    text += line + "\n";
  return text;
}

}  // namespace warploom
