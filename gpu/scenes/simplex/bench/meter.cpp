#include "gpu/scenes/simplex/bench/meter.h"

#include <fmt/format.h>

#include <algorithm>

#include "gpu/bench/fresh_start.h"
#include "gpu/core/error.h"

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
}  // namespace

void SimplexMeter::compare(SimplexCase& c, const std::string& layout, const MemoryLine* memory, const Add& add) {
  std::vector<std::string> names = exact_tracks(c.settings.kind->dimensions, layout);
  // Other shapes than the case's are other cases.
  std::erase_if(names, [&](const std::string& name) { return !runs_shape(c.settings, name); });
  require(c, {names[0], names[1]});
  if (c.expected.source.empty()) c.expected = expect(bench_, c);
  double room = .8 * static_cast<double>(free_bytes(bench_.backend())) - simplex_track_bytes(c.settings, names[0]);
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
    std::vector<Contestant> all{simplex_contestant(bench_, c, names[0])};
    for (std::size_t i = first; i < end; ++i) all.push_back(simplex_contestant(bench_, c, names[i]));
    if (memory) all.push_back(memory->contestant);
    const std::size_t tracks = end - first + 1, before = figures.size();
    for (const Cache cache : caches(c)) {
      const auto samples = measure(bench_, all, cache);
      const Samples* line = memory ? &samples.back() : nullptr;
      for (std::size_t i = first > 1; i < tracks; ++i)
        add(all[i].name, samples[i], i ? &samples[0] : nullptr, line, cache);
    }
    if (!note.empty())
      for (std::size_t i = before; i < figures.size(); ++i)
        figures[i].note += (figures[i].note.empty() ? "" : "; ") + note;
  }
}

std::string SimplexMeter::fastest(const SimplexCase& c, const std::vector<std::string>& tracks, std::string& note) {
  std::string best, tried;
  double least = 0;
  for (const auto& name : tracks) {
    bench_.report(c.text() + " " + name, start);
    const auto track = make_simplex_track(bench_.queue(), c.settings, name);
    fresh_start(*track, bench_.queue(), c.seed, .5);
    const double time = quick_time(bench_, [&](Queue& queue) { track->step(queue); });
    tried += fmt::format("{}{}: {:.4g}", tried.empty() ? "" : ", ", name, time);
    if (best.empty() || time < least) best = name, least = time;
  }
  note = "maps tried (ms) " + tried;
  return best;
}

void SimplexMeter::require(const SimplexCase& c, const std::vector<std::string>& tracks) const {
  check_simplex(bench_.backend(), c.settings, tracks);
}

bool SimplexMeter::fits_cache(const SimplexCase& c) const {
  const SimplexWork& work = find_simplex_work(*c.settings.kind, c.settings.work);
  return c.cells() * work.value_bytes * (work.reads_state ? 2 : 1) < 4. * static_cast<double>(bench_.cache_bytes());
}
std::vector<Cache> SimplexMeter::caches(const SimplexCase& c) const {
  if (fits_cache(c) && !arithmetic(c)) return {Cache::warm, Cache::cold};
  return {Cache::warm};
}

Figure SimplexMeter::named(const SimplexCase& c, const std::string& track, Cache cache) const {
  const TrackInfo& info = find_simplex_track(c.settings.kind->dimensions, track);
  const char* cached = !cuda_                 ? "as found"
                       : cache == Cache::cold ? "cold"
                       : arithmetic(c)        ? "warm"
                       : fits_cache(c)        ? "warm"
                                              : "streamed";
  Figure figure;
  figure.suite = "simplex";
  figure.name = c.text() + "/" + track;
  figure.parameters = {{"domain", c.settings.kind->key},
                       {"n", std::to_string(c.settings.n)},
                       {"block", std::to_string(c.settings.rho)},
                       {"coarsen", std::to_string(c.settings.coarsen)},
                       {"gang", std::to_string(c.settings.gang)},
                       {"cells", count_text(c.cells())},
                       {"work", c.settings.work},
                       {"map", info.map},
                       {"layout", info.layout},
                       {"seed", std::to_string(c.seed)},
                       {"cache", cached},
                       {"verified_by", c.expected.source}};
  return figure;
}

void SimplexMeter::skip(const SimplexCase& c, const std::string& why, const std::string& what) {
  Figure figure = named(c, baseline, Cache::warm);
  if (!what.empty()) figure.name += "/" + what;
  figure.unit = "ms";
  figure.verified = true;
  figure.note = "skipped: " + why;
  figures.push_back(std::move(figure));
}

void SimplexMeter::rate_share(Figure& figure, const std::string& ceiling, double each) {
  if (!figure.verified || figure.samples == 0) return;
  figure.ceiling = ceiling;
  figure.share_of_ceiling = figure.median * each / bench_.ceiling(ceiling);
}

void SimplexMeter::written(SimplexCase& c, const std::string& layout, const MemoryLine* memory,
                           std::map<std::string, double>* medians) {
  const auto add = [&](const std::string& track, const Samples& samples, const Samples* base, const Samples* line,
                       Cache cache) {
    Figure figure = named(c, track, cache);
    set_times(figure, samples);
    const SimplexWork& work = find_simplex_work(*c.settings.kind, c.settings.work);
    set_share(bench_, figure, work.reads_state ? "copy" : "fill", c.cells() * static_cast<double>(work.bytes_per_cell));
    if (base) set_peer(figure, simplex_track_name(c.settings.kind->dimensions, baseline, layout), samples, *base);
    figures.push_back(figure);
    if (medians && figure.samples) (*medians)[track] = figure.median;
    if (!line || !base) return;  // a figure has one peer: the fill's is another one
    Figure beside = named(c, track, cache);
    beside.name += "/" + memory->what;
    beside.parameters.emplace_back(memory->what, memory->how);
    beside.note = "the same samples; the ratio is the share of a " + memory->what + " of as many bytes";
    set_times(beside, samples);
    set_peer(beside, memory->contestant.name, samples, *line);
    figures.push_back(std::move(beside));
  };
  compare(c, layout, memory, add);
}

}  // namespace warploom::bench
