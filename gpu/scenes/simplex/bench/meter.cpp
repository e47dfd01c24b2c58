#include "gpu/scenes/simplex/bench/meter.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warploom::bench {

std::string simplex_track_name(int dimensions, const std::string& map, const std::string& layout) {
  return find_simplex_track(dimensions, map + "/" + layout).name;
}

namespace {

bool runs_shape(const SimplexSettings& settings, const std::string& name) {
  const TrackInfo& track = find_simplex_track(settings.kind->dimensions, name);
  return settings.coarsen <= 1 || compiles_all_shapes(settings.kind->dimensions, track) ||
         simplex_shares(settings, track).box.cells() == settings.coarsen;
}

/// What is not limited by memory does not care.
bool arithmetic(const SimplexCase& c) { return c.settings.work == "triplet_energy" || c.settings.work == "map_only"; }

double state_bytes(const SimplexCase& c) { return c.cells() * c.work().value_bytes * (c.work().reads_state ? 2 : 1); }

}  // namespace

void SimplexMeter::compare(SimplexCase& c, const std::string& layout, const MemoryLine* memory,
                           const Add& add_measured) {
  std::vector<std::string> names = exact_tracks(c.settings.kind->dimensions, layout);
  // Other shapes than the case's are other cases.
  std::erase_if(names, [&](const std::string& name) { return !runs_shape(c.settings, name); });
  require(c, {names[0], names[1]});
  if (c.expected.source.empty()) c.expected = expect(bench(), c);
  double room = .8 * static_cast<double>(free_bytes(bench().backend())) - simplex_track_bytes(c.settings, names[0]);
  std::size_t at_once = 0;
  while (at_once + 1 < names.size() && (room -= simplex_track_bytes(c.settings, names[at_once + 1])) > 0) ++at_once;
  std::string note;
  if (at_once <= 1 && names.size() > 2) {
    names = {names[0], fastest(c, {names.begin() + 1, names.end()}, note)};
    note += "; only the fastest was measured: two tracks are all that memory holds";
  }
  at_once = std::max<std::size_t>(1, at_once);
  for (std::size_t first = 1; first < names.size(); first += at_once) {
    const std::size_t end = std::min(names.size(), first + at_once);
    std::vector<Contestant> all{simplex_contestant(bench(), c, names[0])};
    for (std::size_t i = first; i < end; ++i) all.push_back(simplex_contestant(bench(), c, names[i]));
    if (memory) all.push_back(memory->contestant);
    const std::size_t tracks = end - first + 1, before = figures.size();
    for (const Cache cache : caches(c)) {
      const auto samples = measure(bench(), all, cache);
      const Samples* line = memory ? &samples.back() : nullptr;
      for (std::size_t i = first > 1; i < tracks; ++i)
        add_measured({all[i].name, samples[i], i ? &samples[0] : nullptr, line, cache});
    }
    for (std::size_t i = before; i < figures.size(); ++i) figures[i].add_note(note);
  }
}

std::string SimplexMeter::fastest(const SimplexCase& c, const std::vector<std::string>& tracks, std::string& note) {
  std::string best, tried;
  double least = 0;
  for (const auto& name : tracks) {
    report(c.text() + " " + name);
    const auto track = make_simplex_track(bench().queue(), c.settings, name);
    fresh_start(*track, bench().queue(), c.seed, .5);
    const double time = quick_time(bench(), [&](Queue& queue) { track->step(queue); });
    tried += fmt::format("{}{}: {:.4g}", tried.empty() ? "" : ", ", name, time);
    if (best.empty() || time < least) best = name, least = time;
  }
  note = "maps tried (ms) " + tried;
  return best;
}

std::vector<Cache> SimplexMeter::caches(const SimplexCase& c) const {
  return arithmetic(c) ? std::vector{Cache::warm} : caches_of(bench(), state_bytes(c));
}

Figure SimplexMeter::figure_of(const SimplexCase& c, const std::string& track, Cache cache,
                               const std::string& unit) const {
  const TrackInfo& info = find_simplex_track(c.settings.kind->dimensions, track);
  return make_figure(c.text() + "/" + track, unit,
                     {{"domain", c.settings.kind->key},
                      {"n", std::to_string(c.settings.n)},
                      {"block", std::to_string(c.settings.rho)},
                      {"coarsen", std::to_string(c.settings.coarsen)},
                      {"gang", std::to_string(c.settings.gang)},
                      {"cells", count_text(c.cells())},
                      {"work", c.settings.work},
                      {"map", info.map},
                      {"layout", info.layout},
                      {"seed", std::to_string(c.seed)},
                      {"cache", cache_text(bench(), cache, arithmetic(c) ? 0 : state_bytes(c))},
                      {"verified_by", c.expected.source}});
}

Figure SimplexMeter::refused(const SimplexCase& c, const std::string& what) const {
  Figure figure = figure_of(c, baseline, Cache::warm);
  if (!what.empty()) figure.name += "/" + what;
  return figure;
}

std::vector<std::uint32_t> SimplexMeter::sides(int dimensions, std::uint32_t unit, std::uint32_t least,
                                               const std::vector<std::uint32_t>& on_cuda,
                                               const std::vector<std::uint32_t>& on_cpu) const {
  std::vector<std::uint32_t> all;
  const double scale = std::pow(bench().settings().scale, 1. / dimensions);
  for (const std::uint32_t side : cuda() ? on_cuda : on_cpu)
    all.push_back(std::max(least, static_cast<std::uint32_t>(std::lround(side * scale / unit)) * unit));
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void SimplexMeter::written(SimplexCase& c, const std::string& layout, const MemoryLine* memory,
                           std::map<std::string, double>* medians) {
  const SimplexWork& work = c.work();
  compare(c, layout, memory, [&](const Measured& measured) {
    Figure figure = figure_of(c, measured.track, measured.cache);
    set_times(figure, measured.samples);
    set_share(bench(), figure, work.reads_state ? "copy" : "fill",
              c.cells() * static_cast<double>(work.bytes_per_cell));
    if (measured.base)
      set_peer(figure, simplex_track_name(c.settings.kind->dimensions, baseline, layout), measured.samples,
               *measured.base);
    if (medians && figure.samples) (*medians)[measured.track] = figure.median;
    add(std::move(figure));
    if (!measured.line || !measured.base) return;  // a figure has one peer: the fill's is another one
    Figure beside = figure_of(c, measured.track, measured.cache);
    beside.name += "/" + memory->what;
    beside.parameters.emplace_back(memory->what, memory->how);
    beside.note = "the same samples; the ratio is the share of a " + memory->what + " of as many bytes";
    set_times(beside, measured.samples);
    set_peer(beside, memory->contestant.name, measured.samples, *measured.line);
    add(std::move(beside));
  });
}

void SimplexMeter::triples(SimplexCase& c, const std::string& layout, const std::string& ceiling, double each,
                           const std::string& what, const std::function<void(const std::string&, Figure&)>& finish) {
  compare(c, layout, nullptr, [&](const Measured& measured) {
    Figure figure = figure_of(c, measured.track, measured.cache, "Gtriples/s");
    figure.parameters.emplace_back("points", std::to_string(c.settings.n + 2));
    figure.note = fmt::format("share: of {} {} a triple", each, what);
    set_rates(figure, measured.samples, c.cells(), 1e9);
    if (measured.base) set_peer(figure, simplex_track_name(3, baseline, layout), measured.samples, *measured.base);
    set_rate_share(bench(), figure, ceiling, 1e9 * each);
    if (figure.samples) finish(measured.track, figure);
    add(std::move(figure));
  });
}

}  // namespace warploom::bench
