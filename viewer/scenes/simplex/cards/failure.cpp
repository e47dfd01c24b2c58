#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/tracks/facets/counted.h"
#include "viewer/panels/cards/cards.h"

namespace warploom {

namespace {

std::string place(const Index3& at, int dimensions) { return at.x == ~0u ? "nowhere" : place_text(at, dimensions); }

}  // namespace

/// For an inexact map: how far it is right, a slider over n, and the way to its first failure.
void failure_card(PanelContext& panel, std::size_t, Track& track, FailureFacet& failing) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  const FirstWrong wrong = failing.first_wrong();
  const ui::Scope scope(ui, "break_it");
  ui::section_title(ui, "Break it \u00b7 " + full_title(track.info()));
  const auto* breakable = model.scene().facet<Breakable>();
  const auto way = breakable ? breakable->break_it(wrong) : std::nullopt;
  if (!way) {
    ui::quiet_text(ui, fmt::format("no wrong block below {} on this device", grouped(wrong.index)));
    return;
  }
  ui::key_value(ui, "first wrong block here", "w = " + grouped(wrong.index), ui::Role::bad);
  ui::key_value(ui, "published, on a CPU", "w = " + grouped(wrong.published));
  ui::key_value(ui, "the map says", place(wrong.answer, track.dimensions()), ui::Role::bad);
  ui::key_value(ui, "it should say", place(wrong.right, track.dimensions()), ui::Role::good);
  for (const auto& parameter : model.scene().parameters()) {
    if (parameter.key != way->key) continue;
    double n = double(std::get<std::int64_t>(parameter.get()));
    const double most = double(way->maximum) * 1.05 + 2;
    if (ui::slider(ui, "slider", parameter.title, n, 1, std::max(most, n), grouped(static_cast<std::uint64_t>(n)),
                   "slide n up to the first failure and a little beyond", true)) {
      const auto wanted = static_cast<std::int64_t>(std::lround(n));
      // The newest place of the knob wins; a build that is under way is given up.
      if (wanted != std::get<std::int64_t>(parameter.get())) model.set(way->key, wanted);
    }
  }
  const auto counts = counts_of(track);
  if (!counts)
    ui::quiet_text(ui, "counting mis-mapped blocks at this n \u2026");
  else if (counts->wrong)
    ui::key_value(ui, "mis-mapped now",
                  fmt::format("{} of {} blocks", short_count(counts->wrong), short_count(counts->blocks)),
                  ui::Role::bad);
  else
    ui::quiet_text(ui, "at this n no block is mis-mapped and the seals agree, but an inexact map never shows a ratio");
  if (ui::link_button(ui, "reach", "go to the first failure (B)", ui::Icon::warning)) find_and_run(model, "break_it");
}

}  // namespace warploom
