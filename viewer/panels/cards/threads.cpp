#include <fmt/format.h>

#include <algorithm>

#include "gpu/tracks/facets/accesses.h"
#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/lane_turns.h"
#include "gpu/tracks/facets/written.h"
#include "viewer/panels/cards/cards.h"

namespace warploom {

void threads_card(PanelContext& panel) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  const bool in_turns = any_offers<LaneTurns>(*simulation);
  const ui::Section section(ui, "threads", in_turns ? "Lane turns" : "Threads", [in_turns] {
    return in_turns ? meaning("lane turns") : meaning("useful") + " " + meaning("waste");
  });
  if (!section) return;
  for (std::size_t i = 0; i < simulation->size(); ++i) {
    if (!simulation->track(i).facet<Counted>()) continue;
    const auto counts = counts_of(simulation->track(i));
    if (!counts) {
      const auto* written = simulation->track(i).facet<Written>();
      const OwnState own = written ? written->own() : OwnState{};
      ui::quiet_text(ui,
                     track_letter(*panel.simulation, i) + (own.fault                  ? "  not counted: it fell"
                                                           : written && own.judging() ? "  counted once it is judged"
                                                                                      : "  counting \u2026"));
      continue;
    }
    const std::string useful = short_count(counts->useful), launched = short_count(counts->launched);
    const double share = double(counts->useful) / double(std::max<std::uint64_t>(1, counts->launched));
    ui::waste_bar(ui, {ui.theme->tracks[i], ui.theme->track_text[i], share, track_letter(*panel.simulation, i),
                       counts->items > 1 ? fmt::format("{} cells of {} places", useful, launched)
                                         : fmt::format("{} useful of {}", useful, launched),
                       fmt::format("{} of {}", useful, launched), fmt::format("{:.1f} %", 100 * share)});
    ui::help_tooltip(ui, [&] {
      return fmt::format("{} of {} launched {} useful; the hatched part of the bar is wasted. {}",
                         grouped(counts->useful), grouped(counts->launched),
                         in_turns            ? "lane turns are"
                         : counts->items > 1 ? "places are cells and"
                                             : "threads are",
                         in_turns ? meaning("turn") : meaning("waste"));
    });
    const auto* accesses = simulation->track(i).facet<Accesses>();
    const double useful_bytes = double(counts->useful) * (accesses ? accesses->value_bytes() : 1);
    const double sectors = 32. * double(counts->sectors) / std::max(1., useful_bytes);
    ui::quiet_text(ui, fmt::format("{} {} full, {} partial, {} idle", in_turns ? "turns" : "warps",
                                   short_count(counts->warps_full), short_count(counts->warps_partial),
                                   short_count(counts->warps_idle)));
    ui::help_tooltip(ui, in_turns ? "of all warps: in a full turn all 32 lanes have something to do, in a partial one "
                                    "some, in an idle one none"
                                  : "full: 32 useful threads; partial: some; idle: none. If the block size is not a "
                                    "multiple of 32, some lanes of the last warp have no thread.");
    if (in_turns) continue;
    ui::quiet_text(
        ui, fmt::format("warp efficiency {:.1f} %{}", 100 * counts->warp_efficiency(),
                        counts->lanes_lost() ? ", " + short_count(counts->lanes_lost()) + " lanes unfilled" : ""));
    if (counts->items > 1)
      ui::quiet_text(ui, fmt::format("{} places per thread, counted one by one", short_count(counts->items)));
    const std::string touched = fmt::format("{:.2f} bytes of sectors per useful byte", sectors);
    ui::help_tooltip(ui, [&] {
      return fmt::format("{}: memory moves in sectors of 32 bytes; launched threads by closed form: {}", touched,
                         short_count(counts->launched_stated));
    });
    if (simulation->size() <= 2 && counts->sectors) ui::quiet_text(ui, touched);
  }
  if (const auto* theory = model.scene().facet<Theory>()) {
    ui::quiet_text(ui, theory->sentence(*simulation));
    ui::help_tooltip(ui, meaning("closed form"));
  }
}

}  // namespace warploom
