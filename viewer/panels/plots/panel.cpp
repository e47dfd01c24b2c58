#include <algorithm>
#include <cmath>

#include "viewer/panels/dialogs.h"
#include "viewer/panels/plots/plots.h"
#include "viewer/ui/walk.h"

namespace warploom {
namespace {

/// What stands at a place below the pictures: what was chosen for it, or, where a scene has nothing for that, what
/// stands in for it, unless that is shown already.
const PlotKind& kind_at(const PanelContext& panel, std::size_t place) {
  const auto& chosen = panel.model.view.plots;
  const PlotKind& own = plot_kind(chosen[place]);
  if (own.missing(panel).empty()) return own;
  for (const PlotKind& other : known_parts().plots)
    if (other.in_place_of && other.in_place_of == std::string(own.key) && other.missing(panel).empty() &&
        !std::ranges::count(chosen, other.key))
      return other;
  return own;
}

}  // namespace

void plots_panel(PanelContext& panel, const ui::Rectangle& area) {
  auto& ui = panel.ui;
  const ui::Scope scope(ui, "plots");
  begin_panel(panel, "plots", area, ui.theme->panel, 0, 0);
  if (panel.model.teaching.hides_figures()) {
    ImGui::SetCursorScreenPos({area.min.x + ui.px(14), area.min.y + ui.px(12)});
    ui::quiet_text(ui, hidden_words);
    ImGui::End();
    return;
  }
  // As many as have room to be read; the first matters most.
  const int shown = std::clamp(static_cast<int>(area.width() / ui.px(208)), 1, 3);
  panel.model.plots_shown = static_cast<std::size_t>(shown);
  for (int i = 0; i < shown; ++i) {
    ui::Rectangle part = area;
    part.min.x = area.min.x + std::floor(area.width() * static_cast<float>(i) / static_cast<float>(shown));
    part.max.x = area.min.x + std::floor(area.width() * static_cast<float>(i + 1) / static_cast<float>(shown));
    const PlotKind& kind = kind_at(panel, static_cast<std::size_t>(i));
    ImGui::SetCursorScreenPos(part.min);
    const std::string id = "place_" + std::to_string(i + 1);
    const ui::Scope place(ui, id);
    const bool opened = ImGui::InvisibleButton("open", {part.width(), part.height()}) || ui::pressed_by_key(ui, "open");
    ui::record(ui, "open", kind.name, part.min, part.max);
    if (opened) {
      panel.model.plot_open = i;
      panel.model.view.plots[static_cast<std::size_t>(i)] =
          kind.key;  // the one that is seen, in place of one that has nothing
    }
    // Under its title alone: elsewhere the values under the mouse are read out.
    if (ImGui::GetIO().MousePos.y < part.min.y + ui.px(28))
      ui::help_tooltip(ui, std::string(kind.help) + " Click for the large view (V).");
    ui::draw(ui, part, kind.make(panel), kind.key == std::string("times") ? &panel.state.crosshair : nullptr,
             &panel.state.plot_drawings[static_cast<std::size_t>(i)]);
    if (i) ImGui::GetWindowDrawList()->AddLine(part.min, {part.min.x, part.max.y}, ui.theme->line);
  }
  dim_stale(panel, area, ui.theme->panel);
  ImGui::End();
}

bool plot_captured(const Model& model) {
  return model.capture_plot && !model.capture_wanted.empty() && model.plot_open >= 0;
}

void large_plot(PanelContext& panel, ImVec2 window) {
  auto& ui = panel.ui;
  auto& model = panel.model;
  const ui::Scope scope(ui, "plot");
  std::string& chosen = model.view.plots[static_cast<std::size_t>(std::clamp(model.plot_open, 0, 2))];
  const ui::Rectangle area = begin_dialog(panel, "plot", window, 1100, 640, 1100, false);
  float x = area.min.x + ui.px(8);
  // The base's and the scene's own, which scene texts keep.
  const auto is_one_of = [](const std::vector<PlotKind>& plots, const char* key) {
    return std::ranges::any_of(plots, [&](const PlotKind& one) { return one.key == std::string(key); });
  };
  for (const PlotKind& kind : known_parts().plots) {
    if (!is_one_of(base_plots(), kind.key) && !is_one_of(model.scene().parts().plots, kind.key)) continue;
    ImGui::SetCursorScreenPos({x, area.min.y + ui.px(4)});
    if (ui::tab(ui, kind.key, kind.name, plot_kind(chosen).key == std::string(kind.key), 32)) chosen = kind.key;
    const std::string why = kind.missing(panel);
    ui::help_tooltip(ui, why.empty() ? std::string(kind.help) : std::string(kind.help) + " Now: " + why + ".");
    x = ImGui::GetItemRectMax().x;
  }
  const PlotKind& kind = plot_kind(chosen);
  const ui::Rectangle inner{{area.min.x + ui.px(12), area.min.y + ui.px(44)},
                            {area.max.x - ui.px(12), area.max.y - ui.px(52)}};  // within what the window clips to
  ui::record(ui, "figure", kind.name, area.min, area.max, false);
  const ui::Theme* const own = ui.theme;
  const bool alone = plot_captured(model);
  if (alone) {
    // On white, for slides and papers: the light theme's colours, for this frame.
    ui.theme = &ui::theme(ui::ThemeName::light, model.shown_scene().letters());
    ImGui::GetWindowDrawList()->AddRectFilled(inner.min, inner.max, IM_COL32_WHITE);
    panel.state.figure_area = inner;
  }
  ui::Figure figure = kind.make(panel);
  figure.still = alone;
  ui::draw(ui, inner, figure, nullptr);
  ui.theme = own;
  ImGui::SetCursorScreenPos({area.min.x + ui.px(20), area.max.y - ui.px(40)});
  if (ui::primary_button(ui, "close", "Close")) model.plot_open = -1;
  ImGui::SameLine();
  if (ui::button(ui, "svg", "Save SVG")) {
    panel.state.figure_text = ui::to_svg(figure);
    model.path_prompt = "svg";
  }
  ImGui::SameLine();
  if (ui::button(ui, "png", "Save PNG")) model.path_prompt = "png";
  ImGui::SameLine();
  if (ui::button(ui, "csv", "Save CSV")) {
    panel.state.figure_text = ui::to_csv(figure);
    model.path_prompt = "csv";
  }
  ImGui::End();
}

}  // namespace warploom
