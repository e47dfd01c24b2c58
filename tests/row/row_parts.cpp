#include "tests/row/row_parts.h"

#include <chrono>
#include <nlohmann/json.hpp>

#include "gpu/core/hash.h"
#include "gpu/core/statistics.h"
#include "tests/row/row_track.h"
#include "viewer/panels/cards/cards.h"
#include "viewer/panels/plots/plots.h"

namespace warploom {

namespace {

void pairs_card(PanelContext& panel) {
  const ui::Scope scope(panel.ui, "pairs");
  ui::section_title(panel.ui, "Pairs");
  ui::key_value(panel.ui, "pairs", std::to_string((panel.simulation->track(0).cells() + 1) / 2));
  ++panel.state.own<PairsCardState>().frames;
}

std::string threads_missing(const PanelContext& panel) { return panel.simulation ? "" : "no tracks yet"; }

/// Threads launched, by the cells of the row: whole blocks.
ui::Figure threads_figure(PanelContext& panel) {
  ui::Figure figure{.title = "threads by n", .empty_words = threads_missing(panel)};
  if (!panel.simulation) return figure;
  const auto block = panel.simulation->track(0).launches()[0].threads.x;
  ui::Figure::Curve curve{.name = "whole blocks", .colour = panel.ui.theme->tracks[0]};
  ui::Extent n, value;
  for (std::uint64_t cells = 1; cells <= 8 * std::uint64_t{block}; cells += block / 4 + 1) {
    curve.x.push_back(static_cast<double>(cells));
    curve.y.push_back(static_cast<double>((cells + block - 1) / block * block));
  }
  n.add(curve.x);
  value.add(curve.y);
  figure.curves.push_back(std::move(curve));
  figure.x = axis_of_n(n);
  figure.y = ui::fitted(value, false);
  return figure;
}

nlohmann::ordered_json pairs_stats(const Track& track) { return (track.cells() + 1) / 2; }

/// Rule 90 once, by its definition.
std::uint64_t alive_after_a_step(const RowSettings& settings) {
  std::uint64_t alive = 0;
  const auto cell = [&](std::uint64_t i) { return i < settings.n && chosen(key_hash(settings.seed, i), .5); };
  for (std::uint64_t i = 0; i < settings.n; ++i) alive += (i && cell(i - 1)) != cell(i + 1);
  return alive;
}

/// Milliseconds of a step under each map, checked against the definition.
std::vector<bench::Figure> run_suite(bench::Bench& bench) {
  std::vector<bench::Figure> figures;
  const RowSettings settings{1 << 12, 64, 1};
  for (const TrackInfo& info : row_tracks()) {
    bench::Figure figure;
    figure.suite = "row", figure.name = "row/" + info.name, figure.unit = "ms";
    figure.verified = true;
    std::vector<double> times;
    for (std::size_t sample = 0; sample < bench.settings().samples; ++sample) {
      const auto track = make_row_track(bench.queue(), settings, info.name);
      start_row(*track, bench.queue());
      bench.queue().wait();
      track->publish(bench.queue());
      const auto begin = std::chrono::steady_clock::now();
      track->step(bench.queue());
      bench.queue().wait();
      times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
      track->publish(bench.queue());
      figure.verified = figure.verified && track->seal(bench.queue())->sum == alive_after_a_step(settings);
    }
    if (figure.verified) {
      const Summary summary = summarize(times);
      figure.median = summary.median, figure.low = summary.p5, figure.high = summary.p95;
      figure.samples = summary.samples;
    }
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace

const SceneParts& row_parts() {
  static const SceneParts parts{
      .cards = {{Card::Panel::right, pairs_card}},
      .plots = {{"row_threads", "Threads of a row", "Threads launched by the cells of a row.", threads_figure,
                 threads_missing}},
      .colours = {{parity_colour, "parity", "parity", "whether a cell's number is odd"}},
      .spaces = {{pair_space, "N", true}},
      .terms = {{"pair", "Two neighbouring cells of a row, the first of an even number."}},
      .stats = {{"pairs", pairs_stats}},
      .suites = {{"row", "a row of cells under its maps", run_suite}},
  };
  return parts;
}

}  // namespace warploom
