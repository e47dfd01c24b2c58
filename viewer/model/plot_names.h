#pragma once
#include <string>
#include <vector>

namespace warploom {

// A new plot is one file of viewer/panels/plots and one line here: its key, its name, what is shown in
// its place where a scene has nothing for it (null: nothing is), and what it shows. The file
// defines `ui::Figure KEY_figure(PanelContext&)` and `std::string KEY_missing(const PanelContext&)`.
// clang-format off
#define WARPLOOM_PLOTS(one)                                                                                      \
  one(times,     "Kernel times", nullptr,       "Time of the tracks' kernel, sample after sample.")                       \
  one(histogram, "Histogram of times", nullptr, "How many samples took how long; slower ones than 99 in 100 are counted.") \
  one(frames,    "Frame times", nullptr,        "What a frame of this window costs, and what of it is panels and interop.") \
  one(waste,     "Threads a cell", "rate",     "Threads launched for each useful one, by the size of the domain: closed "   \
                                       "form as lines, these tracks as dots.")                                     \
  one(gain,      "Speed-up", nullptr,           "How much faster than the baseline, by the size of the domain: promised as " \
                                       "lines, measured as dots.")                                                                     \
  one(shapes,    "Gain by shape", nullptr,      "What a map gains over the bounding box by the side of a block and the "         \
                                       "blocks of a CTA: by the law of dispatch and memory as lines, measured as dots.") \
  one(rate,      "Rate", nullptr,               "Work a second of each track by the size of its problem, as far as sizes "   \
                                       "were run; printed values beside.")                                         \
  one(paper,     "Figure of a paper", nullptr,  "What a paper printed and promises, and above it what was measured in " \
                                       "this window, at every size that was run.") \
  one(depth,     "Depth and operators", nullptr, "What each variant does to a problem: how much, and how much of it one after " \
                                       "another.")
// clang-format on

/// The keys of all plots.
inline std::vector<std::string> plot_names() {
#define WARPLOOM_NAMED(key, name, stands_in, help) #key,
  return {WARPLOOM_PLOTS(WARPLOOM_NAMED)};
#undef WARPLOOM_NAMED
}

}  // namespace warploom
