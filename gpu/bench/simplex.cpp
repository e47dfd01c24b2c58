#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "gpu/bench/ceilings.h"
#include "gpu/bench/fresh_start.h"
#include "gpu/bench/simplex_case.h"
#include "gpu/bench/simplex_roots.h"
#include "gpu/core/error.h"
#include "gpu/core/statistics.h"

namespace warploom::bench {

namespace {

std::string track_name(int dimensions, const std::string& map, const std::string& layout) {
  return find_simplex_track(dimensions, map + "/" + layout).name;
}

class SimplexSuite {
 public:
  explicit SimplexSuite(Bench& bench) : bench_(bench), cuda_(bench.backend() == Backend::cuda) {}

  std::vector<Figure> run() {
    add_parts();
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      start_ = static_cast<double>(i) / static_cast<double>(parts_.size());
      bench_.report(parts_[i].name, start_);
      bench_.part("simplex/" + parts_[i].name, figures_, parts_[i].run);
    }
    return std::move(figures_);
  }

 private:
  struct Part {
    std::string name;
    std::function<void()> run;
  };

  // ---- what is measured ------------------------------------------------------------------------------------------

  /// Sides for this backend, times the settings' scale of data; multiples of `unit`, each once.
  std::vector<std::uint32_t> sides(int dimensions, std::uint32_t unit, const std::vector<std::uint32_t>& on_cuda,
                                   const std::vector<std::uint32_t>& on_cpu) const {
    std::vector<std::uint32_t> all;
    const double scale = std::pow(bench_.settings().scale, 1. / dimensions);
    for (const std::uint32_t side : cuda_ ? on_cuda : on_cpu) {
      const auto units = static_cast<std::uint32_t>(std::lround(side * scale / unit));
      all.push_back(std::max(2u, units) * unit);
    }
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }

  void add_part(const std::string& kind, std::uint32_t n, std::uint32_t rho, const std::string& work,
                const std::function<void(SimplexCase&)>& body) {
    const std::string name = fmt::format("{}/{}/{}/rho{}", kind, work, n, rho);
    parts_.push_back({name, [this, kind, n, rho, work, body, name] {
                        SimplexCase c = make_simplex_case(bench_, kind, n, rho, work);
                        try {
                          body(c);
                        } catch (const UsageError& error) {  // no room, or past what a map is right for
                          skip(c, error.what());
                        }
                      }});
  }

  void add_parts() {
    parts_.push_back({"roots", [this] {
                        for (auto& figure : root_figures(bench_)) figures_.push_back(std::move(figure));
                      }});
    constexpr std::uint32_t cube = 8;
    for (const std::uint32_t n : sides(3, cube, {1024, 2048, 4096}, {64, 128}))
      add_part("tetrahedron", n, cube, "single_write", [this](SimplexCase& c) { tetrahedron_write(c); });
    for (const char* work : {"single_write", "distance_matrix"})
      for (const std::uint32_t n : sides(2, 32, {16384, 32768}, {512, 1024}))
        for (const std::uint32_t rho : {16u, 32u})
          add_part("triangle", n, rho, work, [this](SimplexCase& c) { written(c, "linear", nullptr); });
    for (const std::uint32_t n : sides(3, cube, {512, 1024}, {32, 64}))
      add_part("tetrahedron", n, cube, "stencil", [this](SimplexCase& c) { stencil(c); });
    for (const std::uint32_t n : sides(3, cube, {2048, 4096}, {64, 96}))  // points; a triple is of three different ones
      add_part("tetrahedron", n - 2, cube, "triplet_energy", [this](SimplexCase& c) { triplets(c); });
    for (const std::uint32_t n : sides(3, cube, {1024}, {96}))
      add_part("tetrahedron", n, cube, "map_only", [this](SimplexCase& c) { maps_alone(c); });
    for (const std::uint32_t n : sides(2, 32, {16384}, {1024}))
      add_part("triangle", n, 16, "map_only", [this](SimplexCase& c) { maps_alone(c); });
  }

  /// Linear and blocked, beside the bounding box of the same layout and a linear fill.
  void tetrahedron_write(SimplexCase& c) {
    require(c, {track_name(3, baseline, "blocked"), track_name(3, "root_exact", "blocked")});
    const auto bytes = static_cast<std::uint64_t>(c.cells()) * c.value_bytes();
    const LinearFill fill = linear_fill(bench_, bytes);
    for (const char* layout : {"linear", "blocked"}) written(c, layout, &fill);
  }

  /// Times of a work that writes every cell once, of every exact map.
  void written(SimplexCase& c, const std::string& layout, const LinearFill* fill) {
    const auto add = [&](const std::string& track, const Samples& samples, const Samples* base, const Samples* line,
                         Cache cache) {
      Figure figure = named(c, track, cache);
      set_times(figure, samples);
      set_share(bench_, figure, "fill", c.cells() * static_cast<double>(c.value_bytes()));
      if (base) set_peer(figure, track_name(c.settings.kind->dimensions, baseline, layout), samples, *base);
      figures_.push_back(figure);
      if (!line || !base) return;  // a figure has one peer: the fill's is another one
      Figure beside = named(c, track, cache);
      beside.name += "/fill";
      beside.parameters.emplace_back("fill", fill->how);
      beside.note = "the same samples; the time over that of a fill of as many bytes is 1 / ratio";
      set_times(beside, samples);
      set_peer(beside, fill->contestant.name, samples, *line);
      figures_.push_back(std::move(beside));
    };
    compare(c, layout, fill, add);
  }

  /// 27 places around: what the layouts are for. The faster of two maps for each, all against linear.
  void stencil(SimplexCase& c) {
    const std::vector<std::string> layouts{"linear", "blocked", "box"};
    require(c, {track_name(3, "root_exact", "linear"), track_name(3, "root_exact", "blocked"),
                track_name(3, "root_exact", "box")});
    c.expected = expect(bench_, c);
    std::vector<Contestant> all;
    std::vector<std::string> notes;
    for (const auto& layout : layouts) {
      std::string note;
      const std::vector<std::string> maps{track_name(3, "root_exact", layout), track_name(3, "stride_walk", layout)};
      all.push_back(simplex_contestant(bench_, c, fastest(c, maps, note)));
      notes.push_back(note);
    }
    constexpr double bytes = 8;  // a cell: one read, one written
    for (const Cache cache : caches(c)) {
      const auto samples = measure(bench_, all, cache);
      for (std::size_t i = 0; i < all.size(); ++i) {
        Figure figure = named(c, all[i].name, cache);
        figure.unit = "GB/s";
        figure.note = notes[i];
        figure.parameters.emplace_back("counted", "8 bytes a cell");
        set_rates(figure, samples[i], bytes * c.cells(), 1e9);
        if (i) set_peer(figure, all[0].name, samples[i], samples[0]);
        rate_share(figure, "copy", 1e9);
        figures_.push_back(std::move(figure));
      }
    }
  }

  void triplets(SimplexCase& c) {
    // Derived: 25 multiply-adds and 3 inverse roots a triple; the scarcer of the two is the floor.
    constexpr double multiply_adds = 25, roots = 3, floor = 1.3e12;
    const bool by_roots = bench_.ceiling("special") / roots < bench_.ceiling("fma") / multiply_adds;
    compare(c, "linear", nullptr,
            [&](const std::string& track, const Samples& samples, const Samples* base, const Samples*, Cache cache) {
              Figure figure = named(c, track, cache);
              figure.unit = "Gtriples/s";
              figure.parameters.emplace_back("points", std::to_string(c.settings.n + 2));
              figure.note = by_roots ? "share: of 3 inverse roots a triple" : "share: of 25 multiply-adds a triple";
              set_rates(figure, samples, c.cells(), 1e9);
              if (base) set_peer(figure, baseline, samples, *base);
              rate_share(figure, by_roots ? "special" : "fma", 1e9 * (by_roots ? roots : multiply_adds));
              if (cuda_ && figure.samples)
                figure.note += fmt::format("; {:.1f} % of the derived floor of an H200, 1.3e12 triples/s",
                                           100 * figure.median * 1e9 / floor);
              figures_.push_back(std::move(figure));
            });
  }

  /// beta, the time of the box a place of it; tau, the time of a map a cell; and the gain they allow as n grows.
  void maps_alone(SimplexCase& c) {
    const double limit = c.settings.kind->dimensions == 2 ? 2 : 6;
    compare(c, "linear", nullptr,
            [&](const std::string& track, const Samples& samples, const Samples* base, const Samples*, Cache cache) {
              Figure figure = named(c, track, cache);
              figure.unit = base ? "ps/cell" : "ps/place";
              figure.parameters.emplace_back("is", base ? "tau" : "beta");
              set_values(figure, samples,
                         [&](std::size_t i) { return samples.milliseconds[i] * 1e9 / (base ? c.cells() : c.box()); });
              if (base) set_peer(figure, baseline, samples, *base);
              figures_.push_back(figure);
              if (!base) return;
              Figure gain = named(c, track, cache);
              gain.name += "/gain";
              gain.unit = "x";
              gain.note = fmt::format(
                  "{:.0f} beta / tau: what the map alone could gain at best [navarro2016tetrahedra]", limit);
              Samples pairs = samples;
              pairs.verified = samples.verified && base->verified;
              set_values(gain, pairs, [&](std::size_t i) {
                return limit * (base->milliseconds[i] / c.box()) / (samples.milliseconds[i] / c.cells());
              });
              figures_.push_back(std::move(gain));
            });
  }

  // ---- how -------------------------------------------------------------------------------------------------------

  using Add =
      std::function<void(const std::string& track, const Samples&, const Samples* base, const Samples* fill, Cache)>;

  /// Every exact map of a layout in turn with its bounding box, and with a fill where there is one; as many at once as
  /// memory holds. Where that is one, only the map that is fastest at a glance.
  void compare(SimplexCase& c, const std::string& layout, const LinearFill* fill, const Add& add) {
    std::vector<std::string> names = exact_tracks(c.settings.kind->dimensions, layout);
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
      if (fill) all.push_back(fill->contestant);
      const std::size_t tracks = end - first + 1, before = figures_.size();
      for (const Cache cache : caches(c)) {
        const auto samples = measure(bench_, all, cache);
        const Samples* line = fill ? &samples.back() : nullptr;
        for (std::size_t i = first > 1; i < tracks; ++i)
          add(all[i].name, samples[i], i ? &samples[0] : nullptr, line, cache);
      }
      if (!note.empty())
        for (std::size_t i = before; i < figures_.size(); ++i)
          figures_[i].note += (figures_[i].note.empty() ? "" : "; ") + note;
    }
  }

  /// The track that takes least in a few runs, one at a time.
  std::string fastest(const SimplexCase& c, const std::vector<std::string>& tracks, std::string& note) {
    std::string best, tried;
    double least = 0;
    for (const auto& name : tracks) {
      bench_.report(c.text() + " " + name, start_);
      const auto track = make_simplex_track(bench_.queue(), c.settings, name);
      fresh_start(*track, bench_.queue(), c.seed, .5);
      const double time = quick_time(bench_, [&](Queue& queue) { track->step(queue); });
      tried += fmt::format("{}{}: {:.4g}", tried.empty() ? "" : ", ", name, time);
      if (best.empty() || time < least) best = name, least = time;
    }
    note = "maps tried (ms) " + tried;
    return best;
  }

  /// Throws UsageError where memory does not hold these tracks.
  void require(const SimplexCase& c, const std::vector<std::string>& tracks) const {
    check_simplex(bench_.backend(), c.settings, tracks);
  }

  /// Some of the states could still be in the cache from the run before.
  bool fits_cache(const SimplexCase& c) const {
    const SimplexWork& work = find_simplex_work(*c.settings.kind, c.settings.work);
    return c.cells() * work.value_bytes * (work.reads_state ? 2 : 1) < 4. * static_cast<double>(bench_.cache_bytes());
  }
  /// What is not limited by memory does not care.
  static bool arithmetic(const SimplexCase& c) {
    return c.settings.work == "triplet_energy" || c.settings.work == "map_only";
  }
  std::vector<Cache> caches(const SimplexCase& c) const {
    if (fits_cache(c) && !arithmetic(c)) return {Cache::warm, Cache::cold};
    return {Cache::warm};
  }

  Figure named(const SimplexCase& c, const std::string& track, Cache cache) const {
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
                         {"cells", count_text(c.cells())},
                         {"work", c.settings.work},
                         {"map", info.map},
                         {"layout", info.layout},
                         {"seed", std::to_string(c.seed)},
                         {"cache", cached},
                         {"verified_by", c.expected.source}};
    return figure;
  }

  void skip(const SimplexCase& c, const std::string& why) {
    Figure figure = named(c, baseline, Cache::warm);
    figure.unit = "ms";
    figure.verified = true;
    figure.note = "skipped: " + why;
    figures_.push_back(std::move(figure));
  }

  /// The share of a ceiling that a rate is; `each` of the ceiling's units for one of the figure's.
  void rate_share(Figure& figure, const std::string& ceiling, double each) {
    if (!figure.verified || figure.samples == 0) return;
    figure.ceiling = ceiling;
    figure.share_of_ceiling = figure.median * each / bench_.ceiling(ceiling);
  }

  /// A value a sample, neither a time nor a rate.
  template <class ValueOf>
  static void set_values(Figure& figure, const Samples& samples, const ValueOf& value) {
    figure.verified = samples.verified;
    if (!samples.note.empty()) figure.note += (figure.note.empty() ? "" : "; ") + samples.note;
    if (!samples.verified) return;
    std::vector<double> values;
    for (std::size_t i = 0; i < samples.milliseconds.size(); ++i) values.push_back(value(i));
    const Summary summary = summarize(values);
    figure.median = summary.median;
    figure.low = summary.p5;
    figure.high = summary.p95;
    figure.samples = summary.samples;
  }

  Bench& bench_;
  const bool cuda_;
  std::vector<Part> parts_;
  std::vector<Figure> figures_;
  double start_ = 0;
};

}  // namespace

/// Maps of triangles and tetrahedra: roots, writes, stencil layouts, triples, and what maps cost alone.
Suite simplex_suite() {
  return {"simplex", "roots, maps and layouts of triangles and tetrahedra, against the bounding box",
          [](Bench& bench) { return SimplexSuite(bench).run(); }};
}

}  // namespace warploom::bench
