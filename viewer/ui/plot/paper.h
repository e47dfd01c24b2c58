#pragma once

#include "gpu/bench/paper_figure.h"
#include "viewer/ui/plot/figure.h"
#include "viewer/ui/theme.h"

namespace warploom::ui {

/// A figure of a paper with what was printed and what is promised, still without anything measured; axes are not
/// fitted.
Figure paper_figure(const bench::PaperFigure& paper, const Theme& theme);

/// The colour of its track `i`.
ImU32 paper_colour(const Theme& theme, std::size_t i);

/// Axes that hold all curves.
void fit_axes(Figure& figure, const bench::PaperFigure& paper);

}  // namespace warploom::ui
