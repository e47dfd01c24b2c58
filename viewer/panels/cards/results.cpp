#include <fmt/format.h>

#include <algorithm>

#include "gpu/core/words.h"
#include "viewer/panels/cards/cards.h"

namespace warploom {

/// What the scene computed: sums, live cells, energies. While steps run, of the last step at which none did.
void results_card(PanelContext& panel) {
  auto& ui = panel.ui;
  const Model::Computed& computed = panel.model.computed();
  if (computed.results.empty() || computed.simulation != panel.simulation->id()) return;
  const ui::Scope scope(ui, "results");
  ui::section_title(ui, "Results \u00b7 step " + grouped(computed.step));
  ui::help_tooltip(ui, "what the scene computed of its state, once no step is under way");
  for (const auto& [name, value] : computed.results) {
    std::string words = name;
    std::replace(words.begin(), words.end(), '_', ' ');
    const auto* whole = std::get_if<std::uint64_t>(&value);
    ui::key_value(ui, words, whole ? grouped(*whole) : fmt::format("{:.9g}", std::get<double>(value)));
  }
}

}  // namespace warploom
