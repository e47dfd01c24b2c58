#include <fmt/format.h>

#include "gpu/scenes/simplex/bench/meter.h"

namespace warploom::bench {

namespace {

class SimplexSuite : public SimplexMeter {
 public:
  explicit SimplexSuite(Bench& bench) : SimplexMeter(bench) {
    if (wants("measure", "roots")) add_part("roots", [this] { add(root_figures(TrackBench::bench())); });
    if (wants("measure", "cells")) add_cells();
    if (wants("measure", "shapes")) add_simplex_shapes(*this);
    if (wants("measure", "alone")) add_alone();
  }

 private:
  /// A part whose case is made when it is measured.
  template <class Body>
  void add_case(const std::string& kind, std::uint32_t n, std::uint32_t rho, const std::string& work,
                const Body& body) {
    add_part(fmt::format("{}/{}/{}/rho{}", kind, work, n, rho), [this, kind, n, rho, work, body] {
      SimplexCase c = make_simplex_case(bench(), kind, n, rho, work);
      // No room, or past what a map is right for.
      unless_refused([&] { body(c); }, [&] { return refused(c); });
    });
  }

  static constexpr std::uint32_t cube = 8;
  /// A thread per cell.
  void add_cells() {
    for (const std::uint32_t n : sides(3, cube, 2 * cube, {1024, 2048, 4096}, {64, 128}))
      add_case("tetrahedron", n, cube, "single_write", [this](SimplexCase& c) { tetrahedron_write(c); });
    for (const char* work : {"single_write", "distance_matrix"})
      for (const std::uint32_t n : sides(2, 32, 64, {16384, 32768}, {512, 1024}))
        for (const std::uint32_t rho : {16u, 32u})
          add_case("triangle", n, rho, work, [this](SimplexCase& c) { written(c, "linear", nullptr); });
    for (const std::uint32_t n : sides(3, cube, 2 * cube, {512, 1024}, {32, 64}))
      add_case("tetrahedron", n, cube, "stencil", [this](SimplexCase& c) { stencil(c); });
    // Sides are points; a triple has three different ones.
    for (const std::uint32_t n : sides(3, cube, 2 * cube, {2048, 4096}, {64, 96}))
      add_case("tetrahedron", n - 2, cube, "triplet_energy", [this](SimplexCase& c) { triplets(c); });
  }

  void add_alone() {
    for (const std::uint32_t n : sides(3, cube, 2 * cube, {1024}, {96}))
      add_case("tetrahedron", n, cube, "map_only", [this](SimplexCase& c) { maps_alone(c); });
    for (const std::uint32_t n : sides(2, 32, 64, {16384}, {1024}))
      add_case("triangle", n, 16, "map_only", [this](SimplexCase& c) { maps_alone(c); });
  }

  /// Linear and blocked, beside the bounding box of the layout and a linear fill.
  void tetrahedron_write(SimplexCase& c) {
    require(c, {"bounding_box/blocked", "root_exact/blocked"});
    const MemoryLine fill = linear_fill(bench(), static_cast<std::uint64_t>(c.cells()) * c.work().value_bytes);
    for (const char* layout : {"linear", "blocked"}) written(c, layout, &fill);
  }

  /// 27 places around: the purpose of the layouts. The faster of two maps for each, all against linear.
  void stencil(SimplexCase& c) {
    require(c, {"root_exact", "root_exact/blocked", "root_exact/box"});
    c.expected = expect(bench(), c);
    std::vector<Contestant> all;
    std::vector<std::string> notes(3);
    for (const std::vector<std::string>& maps : {std::vector<std::string>{"root_exact", "stride_walk"},
                                                 {"root_exact/blocked", "stride_walk/blocked"},
                                                 {"root_exact/box"}})
      all.push_back(simplex_contestant(bench(), c, fastest(c, maps, notes[all.size()])));
    constexpr double bytes = 8;  // per cell: four read, four written
    for (const Cache cache : caches(c)) {
      const auto samples = measure(bench(), all, cache);
      for (std::size_t i = 0; i < all.size(); ++i) {
        Figure figure = figure_of(c, all[i].name, cache, "GB/s");
        figure.note = notes[i];
        figure.parameters.emplace_back("counted", "8 bytes per cell");
        set_rates(figure, samples[i], bytes * c.cells(), 1e9);
        if (i) set_peer(figure, all[0].name, samples[i], samples[0]);
        set_rate_share(bench(), figure, "copy", 1e9);
        add(std::move(figure));
      }
    }
  }

  void triplets(SimplexCase& c) {
    // Derived: 25 multiply-adds and 3 inverse roots per triple; the scarcer of the two is the floor.
    constexpr double multiply_adds = 25, roots = 3, floor = 1.3e12;
    const bool by_roots = bench().ceiling("special") / roots < bench().ceiling("fma") / multiply_adds;
    triples(c, "linear", by_roots ? "special" : "fma", by_roots ? roots : multiply_adds,
            by_roots ? "inverse roots" : "multiply-adds", [&](const std::string&, Figure& figure) {
              if (cuda())
                figure.add_note(fmt::format("{:.1f} % of the derived floor of an H200, 1.3e12 triples/s",
                                            100 * figure.median * 1e9 / floor));
            });
  }

  /// beta, the time of the box per place; tau, the time of a map per cell; and the gain they allow as n grows.
  void maps_alone(SimplexCase& c) {
    const double limit = c.settings.kind->dimensions == 2 ? 2 : 6;
    compare(c, "linear", nullptr, [&](const Measured& measured) {
      const Samples* const base = measured.base;
      const auto& own = measured.samples.milliseconds;
      Figure figure = figure_of(c, measured.track, measured.cache, base ? "ps/cell" : "ps/place");
      figure.parameters.emplace_back("is", base ? "tau" : "beta");
      std::vector<double> values;
      values.reserve(own.size());
      for (const double ms : own) values.push_back(ms * 1e9 / (base ? c.cells() : c.box()));
      set_values(figure, measured.samples, values);
      if (base) set_peer(figure, baseline, measured.samples, *base);
      add(std::move(figure));
      if (!base) return;
      Figure gain = figure_of(c, measured.track, measured.cache, "x");
      gain.name += "/gain";
      gain.note =
          fmt::format("{:.0f} beta / tau: what the map alone could gain at best [navarro2016tetrahedra]", limit);
      Samples pairs = measured.samples;
      pairs.verified = pairs.verified && base->verified;
      values.clear();
      for (std::size_t i = 0; i < own.size() && pairs.verified; ++i)
        values.push_back(limit * (base->milliseconds[i] / c.box()) / (own[i] / c.cells()));
      set_values(gain, pairs, values);
      add(std::move(gain));
    });
  }
};

void check_measured(const Settings&, const std::string& text) {
  check_words("measure", text, {"roots", "cells", "shapes", "alone"});
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
