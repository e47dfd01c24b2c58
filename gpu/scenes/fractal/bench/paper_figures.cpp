#include "gpu/scenes/fractal/bench/suites.h"

#include <algorithm>
#include <cmath>

namespace warploom::bench {

namespace {

using Across = PaperFigure::Across;
using Shows = PaperFigure::Shows;

const std::vector<int> to_65536{8, 10, 12, 13, 14, 15, 16}, to_2048{6, 7, 8, 9, 10, 11};

/// y at sides s^r for r up to 16, with k copies a level.
template <class Law>
PaperCurve by_side(std::string name, const char* source, double s, double k, int most, Law&& law) {
  PaperCurve curve{std::move(name), source};
  for (int r = 4; r <= most; ++r) {
    const double n = std::pow(s, r);
    curve.x.push_back(n);
    curve.y.push_back(law(n, std::pow(k, r)));
  }
  return curve;
}
double gain(double n, double cells) { return n * n / cells; }
double promised(double n, double cells) { return gain(n, cells) / std::log2(std::log2(n)); }

/// Speed-ups of lambda over the bounding box for a work.
PaperFigure lambda_figure(const char* work, const char* title, const char* brief, std::vector<PaperCurve> printed) {
  return {.key = work,
          .title = title,
          .brief = brief,
          .fractal = "sierpinski_gasket",
          .work = work,
          .levels = to_65536,
          .cpu_levels = to_2048,
          .tracks = {{"lambda, a thread a cell", "lambda_table/lookup", "bounding_box"},
                     {"lambda in series, a thread a cell", "lambda_serial", "bounding_box"},
                     {"best against best", "lambda_table/rows", "bounding_box_walk"}},
          .printed = std::move(printed),
          .promised = {by_side("n^2 / (k^r log2 log2 n)", "navarro2020fractals", 2, 3, 16, promised)}};
}

/// Speed-ups of lambda by tensor cores over lambda in series, at blocks of 16 x 16.
PaperFigure tensor_figure(const char* work, const char* key, const char* title, const char* brief,
                          std::vector<PaperCurve> printed) {
  return {.key = key,
          .title = title,
          .brief = brief,
          .fractal = "sierpinski_gasket",
          .work = work,
          .levels = {8, 10, 12, 13, 14, 15, 16},
          .cpu_levels = {6, 7, 8, 9},
          .block = 16,
          .tracks = {{"variant 1", "lambda_tensor_1", "lambda_serial"},
                     {"variant 2", "lambda_tensor_2", "lambda_serial"},
                     {"variant 3", "lambda_tensor_3", "lambda_serial"},
                     {"8-bit, exact", "lambda_tensor_8bit", "lambda_serial"},
                     {"table", "lambda_table", "lambda_serial"}},
          .printed = std::move(printed)};
}

PaperCurve flat(std::string name, double y) { return {std::move(name), "navarro2020fractals", {256, 65536}, {y, y}}; }

std::vector<PaperFigure> all_figures() {
  std::vector<PaperFigure> all;
  all.push_back(lambda_figure("single_write", "Speed-up of lambda over the bounding box, single write",
                              "paper: write, speed-up",
                              {{"best against best, TITAN V", "navarro2020fractals", {65536}, {8.5}}}));
  all.push_back(lambda_figure("reduction", "Speed-up of lambda over the bounding box, reduction",
                              "paper: reduction, speed-up", {}));
  all.push_back(lambda_figure("life", "Speed-up of lambda over the bounding box, a cellular automaton",
                              "paper: life, speed-up", {}));
  all.push_back({.key = "blocks",
                 .title = "Single write by the block's side; printed at n = 65536",
                 .brief = "paper: write by rho, ms",
                 .across = Across::block,
                 .shows = Shows::milliseconds,
                 .fractal = "sierpinski_gasket",
                 .work = "single_write",
                 .levels = {16},
                 .cpu_levels = {11},
                 .tracks = {{"bounding box", "bounding_box"},
                            {"lambda", "lambda_serial"},
                            {"lambda by table", "lambda_table/lookup"}},
                 .printed = {{"bounding box, TITAN V", "navarro2020fractals", {8, 16, 32}, {108.5, 27.1, 9.06}},
                             {"lambda, TITAN V", "navarro2020fractals", {8, 16, 32}, {2.59, 1.07, 1.47}}}});
  all.push_back({.key = "storage",
                 .title = "A step of a cellular automaton by storage, blocks of 16 x 16",
                 .brief = "paper: storage, ms a step",
                 .shows = Shows::milliseconds,
                 .fractal = "sierpinski_gasket",
                 .work = "life",
                 .levels = to_65536,
                 .cpu_levels = to_2048,
                 .block = 16,
                 .tracks = {{"bounding box", "bounding_box"},
                            {"bounding box, walked", "bounding_box_walk"},
                            {"lambda", "lambda_table/lookup"},
                            {"lambda, compact storage", "lambda_table/lookup/compact"},
                            {"compact", "compact"},
                            {"compact, tensor cores", "compact_tensor"},
                            {"sliced", "sliced"}},
                 .printed = {{"bounding box, TITAN V", "quezada2022squeeze", {32768}, {6.80}},
                             {"compact, TITAN V", "quezada2022squeeze", {32768}, {1.99}},
                             {"lambda, TITAN V", "quezada2022squeeze", {32768}, {1.76}},
                             {"compact, tensors, TITAN V", "quezada2022squeeze", {32768}, {1.49}}}});
  all.push_back(tensor_figure("single_write", "tensor_write", "Tensor cores over lambda in series, single write",
                              "paper: tensor, write", {flat("variant 2, Volta", 1.2), flat("variant 2, Turing", 1.4)}));
  all.push_back(tensor_figure("reduction", "tensor_reduction", "Tensor cores over lambda in series, reduction",
                              "paper: tensor, reduction", {flat("variant 2, from", 1.2), flat("variant 2, to", 1.3)}));
  all.push_back(tensor_figure("life", "tensor_life", "Tensor cores over lambda in series, a cellular automaton",
                              "paper: tensor, life", {flat("variant 2, Volta, at most", 1)}));
  all.push_back({.key = "memory",
                 .title = "Memory of a state: bytes of the box over bytes kept",
                 .brief = "paper: memory gain",
                 .shows = Shows::memory_gain,
                 .fractal = "sierpinski_gasket",
                 .work = "life",
                 .levels = {8, 10, 12, 14, 16, 18, 20, 22, 24},
                 .cpu_levels = {8, 10, 12, 14, 16, 18, 20, 22, 24},
                 .block = 16,
                 .tracks = {{"compact, rho 16", "compact"}, {"sliced", "sliced"}},
                 .printed = {{"Squeeze, rho 1", "quezada2022squeeze", {1048576}, {315}}},
                 .promised = {by_side("compact, rho 1: (4/3)^r", "quezada2022squeeze", 2, 3, 24, gain)}});
  all.push_back({.key = "carpet",
                 .title = "The case against: the carpet fills most of its box, a cellular automaton",
                 .brief = "paper: carpet, speed-up",
                 .fractal = "sierpinski_carpet",
                 .work = "life",
                 .levels = {5, 6, 7, 8, 9, 10},
                 .cpu_levels = {3, 4, 5, 6, 7},
                 .tracks = {{"lambda, a thread a cell", "lambda_table/lookup", "bounding_box"},
                            {"best against best", "lambda_table/rows", "bounding_box_walk"}},
                 .promised = {by_side("n^2 / (k^r log2 log2 n)", "navarro2020fractals", 3, 8, 10, promised)}});
  return all;
}

}  // namespace

const std::vector<PaperFigure>& paper_figures() {
  static const std::vector<PaperFigure> all = all_figures();
  return all;
}

}  // namespace warploom::bench
