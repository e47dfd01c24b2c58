#pragma once
#include "gpu/bench/paper_figure.h"
#include "gpu/bench/suites.h"

namespace warploom::bench {

Suite fractal_suite();
Suite figures_suite();

/// The figures of papers on fractals, in their order. A new one is one line of paper_figures.cpp.
const std::vector<PaperFigure>& paper_figures();

}  // namespace warploom::bench
