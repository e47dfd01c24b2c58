#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "gpu/bench/suites.h"
#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/scenes/simplex/bench/meter.h"
#include "gpu/scenes/simplex/bench/shapes.h"

namespace warploom::bench {

namespace {

class SimplexSuite {
 public:
  explicit SimplexSuite(Bench& bench) : meter_(bench), bench_(bench), cuda_(meter_.cuda()) {}

  std::vector<Figure> run() {
    add_parts();
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      meter_.start = static_cast<double>(i) / static_cast<double>(parts_.size());
      bench_.report(parts_[i].name, meter_.start);
      bench_.part("simplex/" + parts_[i].name, meter_.figures, parts_[i].run);
    }
    return std::move(meter_.figures);
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
                          meter_.skip(c, error.what());
                        }
                      }});
  }

  void add_parts() {
    const std::string* given = bench_.settings().given("measure");
    const auto chosen = given ? words_of(*given) : std::vector<std::string>();
    const auto wanted = [&](const char* key) {
      return chosen.empty() || std::find(chosen.begin(), chosen.end(), key) != chosen.end();
    };
    if (wanted("roots")) add_roots();
    if (wanted("cells")) add_cells();
    if (wanted("shapes"))
      for (auto& part : simplex_shape_parts(bench_))
        parts_.push_back({part.name, [this, run = std::move(part.run)] { run(meter_); }});
    if (wanted("alone")) add_alone();
  }

  void add_roots() {
    parts_.push_back({"roots", [this] {
                        for (auto& figure : root_figures(bench_)) meter_.figures.push_back(std::move(figure));
                      }});
  }

  static constexpr std::uint32_t cube = 8;
  /// A thread a cell.
  void add_cells() {
    for (const std::uint32_t n : sides(3, cube, {1024, 2048, 4096}, {64, 128}))
      add_part("tetrahedron", n, cube, "single_write", [this](SimplexCase& c) { tetrahedron_write(c); });
    for (const char* work : {"single_write", "distance_matrix"})
      for (const std::uint32_t n : sides(2, 32, {16384, 32768}, {512, 1024}))
        for (const std::uint32_t rho : {16u, 32u})
          add_part("triangle", n, rho, work, [this](SimplexCase& c) { meter_.written(c, "linear", nullptr); });
    for (const std::uint32_t n : sides(3, cube, {512, 1024}, {32, 64}))
      add_part("tetrahedron", n, cube, "stencil", [this](SimplexCase& c) { stencil(c); });
    for (const std::uint32_t n : sides(3, cube, {2048, 4096}, {64, 96}))  // points; a triple is of three different ones
      add_part("tetrahedron", n - 2, cube, "triplet_energy", [this](SimplexCase& c) { triplets(c); });
  }

  void add_alone() {
    for (const std::uint32_t n : sides(3, cube, {1024}, {96}))
      add_part("tetrahedron", n, cube, "map_only", [this](SimplexCase& c) { maps_alone(c); });
    for (const std::uint32_t n : sides(2, 32, {16384}, {1024}))
      add_part("triangle", n, 16, "map_only", [this](SimplexCase& c) { maps_alone(c); });
  }

  /// Linear and blocked, beside the bounding box of the same layout and a linear fill.
  void tetrahedron_write(SimplexCase& c) {
    meter_.require(c, {simplex_track_name(3, baseline, "blocked"), simplex_track_name(3, "root_exact", "blocked")});
    const auto bytes = static_cast<std::uint64_t>(c.cells()) * c.value_bytes();
    const MemoryLine fill = linear_fill(bench_, bytes);
    for (const char* layout : {"linear", "blocked"}) meter_.written(c, layout, &fill);
  }

  /// 27 places around: what the layouts are for. The faster of two maps for each, all against linear.
  void stencil(SimplexCase& c) {
    const std::vector<std::string> layouts{"linear", "blocked", "box"};
    meter_.require(c, {simplex_track_name(3, "root_exact", "linear"), simplex_track_name(3, "root_exact", "blocked"),
                       simplex_track_name(3, "root_exact", "box")});
    c.expected = expect(bench_, c);
    std::vector<Contestant> all;
    std::vector<std::string> notes;
    for (const auto& layout : layouts) {
      std::string note;
      std::vector<std::string> maps{simplex_track_name(3, "root_exact", layout)};
      if (layout != "box") maps.push_back(simplex_track_name(3, "stride_walk", layout));
      all.push_back(simplex_contestant(bench_, c, meter_.fastest(c, maps, note)));
      notes.push_back(note);
    }
    constexpr double bytes = 8;  // a cell: one read, one written
    for (const Cache cache : meter_.caches(c)) {
      const auto samples = measure(bench_, all, cache);
      for (std::size_t i = 0; i < all.size(); ++i) {
        Figure figure = meter_.named(c, all[i].name, cache);
        figure.unit = "GB/s";
        figure.note = notes[i];
        figure.parameters.emplace_back("counted", "8 bytes a cell");
        set_rates(figure, samples[i], bytes * c.cells(), 1e9);
        if (i) set_peer(figure, all[0].name, samples[i], samples[0]);
        meter_.rate_share(figure, "copy", 1e9);
        meter_.figures.push_back(std::move(figure));
      }
    }
  }

  void triplets(SimplexCase& c) {
    // Derived: 25 multiply-adds and 3 inverse roots a triple; the scarcer of the two is the floor.
    constexpr double multiply_adds = 25, roots = 3, floor = 1.3e12;
    const bool by_roots = bench_.ceiling("special") / roots < bench_.ceiling("fma") / multiply_adds;
    meter_.compare(
        c, "linear", nullptr,
        [&](const std::string& track, const Samples& samples, const Samples* base, const Samples*, Cache cache) {
          Figure figure = meter_.named(c, track, cache);
          figure.unit = "Gtriples/s";
          figure.parameters.emplace_back("points", std::to_string(c.settings.n + 2));
          figure.note = by_roots ? "share: of 3 inverse roots a triple" : "share: of 25 multiply-adds a triple";
          set_rates(figure, samples, c.cells(), 1e9);
          if (base) set_peer(figure, baseline, samples, *base);
          meter_.rate_share(figure, by_roots ? "special" : "fma", 1e9 * (by_roots ? roots : multiply_adds));
          if (cuda_ && figure.samples)
            figure.note += fmt::format("; {:.1f} % of the derived floor of an H200, 1.3e12 triples/s",
                                       100 * figure.median * 1e9 / floor);
          meter_.figures.push_back(std::move(figure));
        });
  }

  /// beta, the time of the box a place of it; tau, the time of a map a cell; and the gain they allow as n grows.
  void maps_alone(SimplexCase& c) {
    const double limit = c.settings.kind->dimensions == 2 ? 2 : 6;
    meter_.compare(
        c, "linear", nullptr,
        [&](const std::string& track, const Samples& samples, const Samples* base, const Samples*, Cache cache) {
          Figure figure = meter_.named(c, track, cache);
          figure.unit = base ? "ps/cell" : "ps/place";
          figure.parameters.emplace_back("is", base ? "tau" : "beta");
          meter_.set_values(figure, samples, [&](std::size_t i) {
            return samples.milliseconds[i] * 1e9 / (base ? c.cells() : c.box());
          });
          if (base) set_peer(figure, baseline, samples, *base);
          meter_.figures.push_back(figure);
          if (!base) return;
          Figure gain = meter_.named(c, track, cache);
          gain.name += "/gain";
          gain.unit = "x";
          gain.note =
              fmt::format("{:.0f} beta / tau: what the map alone could gain at best [navarro2016tetrahedra]", limit);
          Samples pairs = samples;
          pairs.verified = samples.verified && base->verified;
          meter_.set_values(gain, pairs, [&](std::size_t i) {
            return limit * (base->milliseconds[i] / c.box()) / (samples.milliseconds[i] / c.cells());
          });
          meter_.figures.push_back(std::move(gain));
        });
  }

  SimplexMeter meter_;
  Bench& bench_;
  const bool cuda_;
  std::vector<Part> parts_;
};

}  // namespace

namespace {
constexpr const char* part_list[] = {"roots", "cells", "shapes", "alone"};

void check_measured(const Settings&, const std::string& text) {
  for (const auto& word : words_of(text))
    if (std::find(std::begin(part_list), std::end(part_list), word) == std::end(part_list))
      throw UsageError(unknown_message("measure", word, {std::begin(part_list), std::end(part_list)}));
}
}  // namespace

/// Maps of triangles and tetrahedra: roots, writes, stencil layouts, triples, shapes, and what maps cost alone.
Suite simplex_suite() {
  return {"simplex",
          "roots, maps, layouts and shapes of triangles and tetrahedra, against the bounding box, a fill and a copy",
          [](Bench& bench) { return SimplexSuite(bench).run(); },
          {{"measure", check_measured}}};
}

}  // namespace warploom::bench
