#include "gpu/tracks/facets/budget.h"

#include <algorithm>

#include "viewer/panels/cards/cards.h"

namespace warploom {

/// What the active track's data takes under every structure, beside what the device has.
void budget_card(PanelContext& panel, std::size_t track, Track&, BudgetFacet& budget) {
  auto& ui = panel.ui;
  const auto bars = budget.budget();
  if (bars.empty()) return;
  const ui::Section section(
      ui, "budget", "Memory \u00b7 " + track_letter(*panel.simulation, track),
      "bytes that the same data takes in each way to store it, if nothing is left out; the lighter end of a bar is "
      "index arrays; what is too large for the device is crossed out");
  if (!section) return;
  double most = 0;
  for (const auto& bar : bars) most = std::max(most, bar.bytes);
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (const auto& bar : bars) {
    const bool fits = bar.bytes <= budget.budget_bytes();
    ui::key_value(ui, bar.name + (bar.own ? " \u00b7 own" : ""), bytes_text(bar.bytes) + (fits ? "" : ", does not fit"),
                  fits ? ui::Role::neutral : ui::Role::bad);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x, height = ui.px(8);
    const auto until = [&](double bytes) { return at.x + std::max(1.f, static_cast<float>(bytes / most) * width); };
    const ImU32 colour = bar.own ? ui.theme->tracks[track] : ui.theme->quiet;
    list->AddRectFilled(at, {at.x + width, at.y + height}, ui.theme->raised);
    list->AddRectFilled(at, {until(bar.bytes - bar.index), at.y + height}, fits ? colour : ui.theme->bad);
    list->AddRectFilled({until(bar.bytes - bar.index), at.y}, {until(bar.bytes), at.y + height},
                        ui::fade(fits ? colour : ui.theme->bad, .5f));
    if (!fits) {
      ui::hatch(list, at, {until(bar.bytes), at.y + height}, ui.theme->ground, ui.px(4));
      list->AddLine({at.x, at.y + height}, {until(bar.bytes), at.y}, ui.theme->text, ui.px(1.5f));
      list->AddLine(at, {until(bar.bytes), at.y + height}, ui.theme->text, ui.px(1.5f));
    }
    ImGui::Dummy({width, height + ui.px(4)});
  }
  if (most > budget.budget_bytes()) ui::key_value(ui, "free on the device", bytes_text(budget.budget_bytes()));
}

}  // namespace warploom
