// What the cards of tracks say of maps that their users wrote.
#include <fmt/format.h>

#include <algorithm>

#include "gpu/core/stopwatch.h"
#include "gpu/tracks/facets/written.h"
#include "viewer/model/scene_text.h"
#include "viewer/panels/panels.h"

namespace warploom {

std::string written_words(Model& model, const Simulation& simulation, std::size_t track) {
  const auto* written = simulation.track(track).facet<Written>();
  if (!written) return {};
  const OwnState own = written->own();
  // If a newer text cannot run, the card says so before anything else: what it shows is of the older one.
  if (const OwnDraft* draft = model.editing.find(own.name)) {
    if (draft->compiling) return fmt::format("compiling {:.1f} s", milliseconds_since(draft->since) / 1000);
    if (draft->older_runs())
      return fmt::format("runs {}{}", draft->ran_at.empty() ? "the text before" : "the text of " + draft->ran_at,
                         draft->messages.empty() ? ""
                                                 : fmt::format("; line {}: {}", draft->messages.front().line,
                                                               draft->messages.front().words));
  }
  if (own.fault) return own.fault->text;
  if (own.kind == "rule" || !own.judgement.whole) return {};
  return fmt::format("{:.1f} % waste", 100 * own.judgement.waste());
}

void go_to_cell(PanelContext& panel, std::size_t track, Cell cell) {
  Model& model = panel.model;
  model.picked = {Selection::cell, cell, 0, {}};
  const Index3 extent = panel.simulation->track(track).extent();
  model.view.data.fill({(cell.x + .5) / extent.x, (cell.y + .5) / extent.y, std::max(1., extent.x / 24.)});
}

bool go_where_it_fails(PanelContext& panel, std::size_t track) {
  const auto* written = panel.simulation->track(track).facet<Written>();
  if (!written) return false;
  const OwnState own = written->own();
  const auto cell = own.judgement.first_wrong();
  if (!own.fault) {
    if (cell) go_to_cell(panel, track, *cell);
    return cell.has_value();
  }
  Model& model = panel.model;
  if (const auto& block = own.fault->block) {
    model.picked = parse_selection(
        fmt::format("block:{}:{},{}{}", track_letter(*panel.simulation, track), block->x, block->y,
                    panel.simulation->track(track).dimensions() > 2 ? fmt::format(",{}", block->z) : ""),
        model.scene().letters());
    const Index3 blocks = panel.simulation->track(track).launches().front().blocks;
    model.view.grid[track] = {(block->x + .5) / blocks.x, (block->y + .5) / blocks.y, std::max(1., blocks.x / 24.)};
  }
  if (!own.fault->line || !own.fault->file.empty()) return true;
  edit_own(model, own.name);
  model.editing.go_to = *own.fault->line;
  return true;
}

void written_link(PanelContext& panel, std::size_t track) {
  const auto* written = panel.simulation->track(track).facet<Written>();
  if (!written) return;
  const OwnState own = written->own();
  const int dimensions = panel.simulation->track(track).dimensions();
  std::string words;
  const auto cell = own.judgement.first_wrong();
  if (own.fault) {
    if (own.fault->line && own.fault->file.empty()) words = fmt::format("{}:{}", own.file, *own.fault->line);
    if (const auto& block = own.fault->block)
      words += (words.empty() ? "block " : ", block ") + place_text(*block, dimensions);
  } else if (cell) {
    words = "cell " + place_text(*cell, dimensions);
  }
  const std::string letter = track_letter(*panel.simulation, track);
  if (!words.empty() && ui::link_button(panel.ui, "wrong_" + letter, "go to " + words, ui::Icon::warning))
    (void)go_where_it_fails(panel, track);
  if (own.kind == "rule") return;  // its text is not the track's
  if (ui::link_button(panel.ui, "edit_" + letter, "edit " + own.file, ui::Icon::pen)) edit_own(panel.model, own.name);
  ui::help_tooltip(panel.ui, "its text in the editor (Ctrl+E)");
}

}  // namespace warploom
