#include <fmt/format.h>

#include <map>
#include <optional>

#include "gpu/scenes/simplex/bench/meter.h"

namespace warploom::bench {

namespace {

/// Block side, cells per thread, blocks per launched one. The first of a layout is a thread per cell, if there is one:
/// the others are compared with it.
struct Shape {
  std::uint32_t rho, coarsen, gang;
};
struct Shapes {
  const char *kind, *work, *layout;
  std::vector<std::uint32_t> on_cuda, on_cpu;  ///< sides
  std::vector<Shape> shapes;
};

const std::vector<Shapes>& all_shapes() {
  using Sides = std::vector<std::uint32_t>;
  static const auto all = [] {
    std::vector<Shapes> made;
    const auto add = [&](const char* kind, const char* work, const char* layout, Sides on_cuda, Sides on_cpu,
                         std::vector<Shape> shapes) {
      made.push_back({kind, work, layout, std::move(on_cuda), std::move(on_cpu), std::move(shapes)});
    };
    add("tetrahedron", "single_write", "blocked", {1024, 2048, 4096}, {64, 128},
        {{8, 1, 1}, {8, 4, 1}, {8, 4, 2}, {8, 16, 8}, {16, 16, 1}, {16, 64, 4}, {32, 128, 2}});
    add("tetrahedron", "single_write", "linear", {1024, 2048, 4096}, {64, 128},
        {{8, 1, 1}, {8, 16, 8}, {16, 8, 1}, {16, 8, 2}, {16, 16, 4}, {16, 64, 4}, {32, 128, 2}});
    add("tetrahedron", "stencil", "blocked", {1024, 2048}, {64, 128},
        {{8, 1, 1}, {8, 16, 4}, {8, 16, 8}, {16, 64, 1}, {16, 64, 2}, {16, 64, 4}, {32, 128, 1}});
    add("tetrahedron", "stencil", "linear", {1024, 2048}, {64, 128}, {{8, 1, 1}, {32, 64, 1}});
    add("tetrahedron", "automaton", "blocked", {1024, 2048}, {128, 256},
        {{8, 1, 1},
         {8, 4, 1},
         {8, 16, 1},
         {8, 16, 2},
         {8, 16, 4},
         {16, 16, 2},
         {16, 32, 1},
         {16, 32, 2},
         {16, 64, 2},
         {32, 128, 1}});
    add("tetrahedron", "automaton", "linear", {1024, 2048}, {128, 256},
        {{8, 1, 1}, {16, 16, 2}, {32, 32, 1}, {32, 64, 1}, {32, 128, 1}});
    add("tetrahedron", "triplet_energy", "linear", {2046, 4094}, {62, 94},
        {{8, 1, 1}, {8, 16, 1}, {8, 16, 4}, {16, 128, 1}, {16, 128, 4}, {32, 512, 1}, {32, 512, 2}, {64, 1024, 1}});
    add("triangle", "single_write", "blocked", {32768}, {512, 1024},
        {{16, 1, 1}, {32, 1, 1}, {32, 8, 1}, {32, 8, 2}, {32, 16, 2}, {64, 16, 1}});
    add("triangle", "single_write", "linear", {32768}, {512, 1024},
        {{16, 1, 1}, {32, 1, 1}, {32, 8, 1}, {32, 16, 4}, {64, 16, 2}});
    add("triangle", "distance_matrix", "blocked", {32768}, {512, 1024},
        {{16, 1, 1}, {32, 8, 2}, {32, 16, 2}, {64, 16, 1}});
    add("triangle", "distance_matrix", "linear", {32768}, {512, 1024},
        {{16, 1, 1}, {32, 8, 1}, {32, 8, 2}, {32, 16, 4}, {64, 16, 2}});
    add("triangle", "automaton", "blocked", {32768}, {1024}, {{16, 1, 1}, {16, 8, 4}, {32, 32, 4}, {64, 64, 2}});
    add("triangle", "automaton", "linear", {32768}, {1024}, {{16, 1, 1}, {32, 32, 4}, {32, 16, 2}, {64, 16, 1}});
    add("triangle", "stencil", "blocked", {32768}, {1024}, {{16, 1, 1}, {16, 8, 4}, {32, 32, 4}, {64, 64, 2}});
    add("triangle", "stencil", "linear", {32768}, {1024}, {{16, 1, 1}, {32, 32, 4}});
    return made;
  }();
  return all;
}

/// Measures every shape of a layout at one side, and keeps the quickest of each track.
class Sweep {
 public:
  Sweep(SimplexMeter& meter, const Shapes& what, std::uint32_t n) : meter_(meter), what_(what), n_(n) {}

  void run() {
    const SimplexCase plain = of(what_.shapes[0]);
    const SimplexWork& work = find_simplex_work(*plain.settings.kind, what_.work);
    // Where memory does not hold as many bytes again, shapes are measured without a line.
    std::optional<MemoryLine> line;
    if (!work.per_block)
      unless_refused(plain, "line", [&] {
        const auto bytes = static_cast<std::uint64_t>(plain.cells()) * work.value_bytes;
        line = work.reads_state ? linear_copy(meter_.bench(), bytes) : linear_fill(meter_.bench(), bytes);
      });
    const MemoryLine* const memory = line ? &*line : nullptr;
    for (const Shape& shape : what_.shapes) {
      SimplexCase c = of(shape);
      std::map<std::string, double> times;
      unless_refused(c, "", [&] {
        // Eight multiply-adds per triple with tables of pairs; a thread per triple has 25, and three roots.
        if (work.per_block)
          meter_.triples(c, what_.layout, "fma", c.settings.coarsen == 1 ? 25 : 8, "multiply-adds",
                         [&](const std::string& track, Figure& figure) { times[track] = c.cells() / figure.median; });
        else
          meter_.written(c, what_.layout, memory, &times);
        for (const auto& [track, time] : times) {
          auto& best = best_[track];
          if (best.first == 0 || time < best.first) best = {time, shape};
        }
      });
    }
    unless_refused(plain, "best", [&] { best_against_best(memory); });
  }

 private:
  /// Skips what memory does not hold; the figure says why. `what`: the part of the case.
  void unless_refused(const SimplexCase& c, const char* what, const std::function<void()>& measure) {
    meter_.unless_refused(measure, [&] { return meter_.refused(c, what); });
  }

  SimplexCase of(const Shape& shape) {
    SimplexCase c = make_simplex_case(meter_.bench(), what_.kind, n_, shape.rho, what_.work);
    c.settings.coarsen = shape.coarsen;
    c.settings.gang = shape.gang;
    c.layout = what_.layout;
    if (points_) c.settings.points = points_;
    points_ = c.settings.points;
    return c;
  }

  /// The bounding box at its best shape beside the root at its best, in turn.
  void best_against_best(const MemoryLine* line) {
    const int dimensions = find_simplex_kind(what_.kind).dimensions;
    const std::string box = simplex_track_name(dimensions, baseline, what_.layout),
                      root = simplex_track_name(dimensions, "root_exact", what_.layout);
    if (!best_.contains(box) || !best_.contains(root)) return;
    std::vector<SimplexCase> cases;
    std::vector<Contestant> all;
    for (const auto& track : {box, root}) {
      SimplexCase c = of(best_[track].second);
      c.expected = expect(meter_.bench(), c);
      all.push_back(simplex_contestant(meter_.bench(), c, track));
      cases.push_back(std::move(c));
    }
    if (line) all.push_back(line->contestant);
    const auto samples = measure(meter_.bench(), all);
    for (std::size_t i = 0; i < 2; ++i) {
      Figure figure = meter_.figure_of(cases[i], all[i].name, Cache::warm);
      figure.name = fmt::format("{}/{}/{}/best/{}", what_.kind, what_.work, n_, all[i].name);
      figure.note = "best against best: " + cases[i].text();
      set_times(figure, samples[i]);
      if (i) set_peer(figure, box, samples[1], samples[0]);
      meter_.add(std::move(figure));
    }
  }

  SimplexMeter& meter_;
  const Shapes& what_;
  std::uint32_t n_;
  std::shared_ptr<const Points> points_;
  std::map<std::string, std::pair<double, Shape>> best_;
};

}  // namespace

void add_simplex_shapes(SimplexMeter& meter) {
  for (const Shapes& what : all_shapes()) {
    const int dimensions = find_simplex_kind(what.kind).dimensions;
    for (const std::uint32_t n : meter.sides(dimensions, 1, 16, what.on_cuda, what.on_cpu))
      meter.add_part(fmt::format("shapes/{}/{}/{}/{}", what.kind, what.work, what.layout, n),
                     [&meter, &what, n] { Sweep(meter, what, n).run(); });
  }
}

}  // namespace warploom::bench
