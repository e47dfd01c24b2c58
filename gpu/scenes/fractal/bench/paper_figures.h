#pragma once
#include "gpu/bench/paper_figure.h"

namespace warploom::bench {

/// The figures of papers on fractals, in their order. A new one is one line of paper_figures.cpp.
const std::vector<PaperFigure>& paper_figures();

}  // namespace warploom::bench
