#include "viewer/ui/walk.h"

#include <imgui_internal.h>

#include <algorithm>
#include <utility>

#include "viewer/ui/imgui_compat.h"

namespace warploom::ui {
namespace {

/// The next widget that can be pressed, `by` 1 or -1 from where the walk stands; around the ends. Of a widget that is
/// gone, the first.
void go_on(UiContext& ui, int by) {
  const auto& all = ui.walked;
  const int count = static_cast<int>(all.size());
  if (count == 0) return;
  const auto here = std::ranges::find(all, ui.walk.at, &WidgetRecord::path);
  int at = here == all.end() ? (by > 0 ? -1 : 0) : static_cast<int>(here - all.begin());
  for (int i = 0; i < count; ++i) {
    at = (at + by + count) % count;
    const auto& widget = all[static_cast<std::size_t>(at)];
    if (!widget.keyed || !widget.path.starts_with(ui.walk.within)) continue;
    ui.walk.at = widget.path;
    ui.walk.moved = true;
    return;
  }
}

std::string_view pane_of(std::string_view path) { return path.substr(0, path.find('/')); }

/// The first widget of the next pane, `by` 1, or of the one before, -1; around the ends.
void go_on_by_pane(UiContext& ui, int by) {
  std::vector<const WidgetRecord*> firsts;
  for (const auto& widget : ui.walked)
    if (widget.keyed && widget.path.starts_with(ui.walk.within) &&
        (firsts.empty() || pane_of(firsts.back()->path) != pane_of(widget.path)))
      firsts.push_back(&widget);
  const auto here = std::ranges::find(firsts, pane_of(ui.walk.at), [](const auto* one) { return pane_of(one->path); });
  if (here == firsts.end()) return go_on(ui, by);
  const auto count = static_cast<int>(firsts.size()), at = static_cast<int>(here - firsts.begin());
  ui.walk.at = firsts[static_cast<std::size_t>((at + by + count) % count)]->path;
  ui.walk.moved = true;
}

}  // namespace

void walk(UiContext& ui) {
  ui.walk.press = ui.walk.moved = ui.walk.picks = false;
  ui.walk.by = 0;
  const bool typing = ui.walk.typing = ui.edit.id != 0;
  if (!ui.walk.at.starts_with(ui.walk.within)) ui.walk.at.clear();
  if (typing && key_pressed(ImGuiKey_Tab)) {
    ui.walk.on = true;
    ui.walk.at = ui.edit_path;
    ImGui::ClearActiveID();  // the field takes its text when its turn comes
    go_on(ui, ImGui::GetIO().KeyShift ? -1 : 1);
    return;
  }
  if (!ui.walk.on || typing || ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return;
  if (key_pressed(ImGuiKey_Escape)) {
    ui.walk.on = false;
    return;
  }
  if (const int panes = std::exchange(ui.walk.panes, 0)) return go_on_by_pane(ui, panes);
  const int across = key_pressed(ImGuiKey_RightArrow) - key_pressed(ImGuiKey_LeftArrow);
  int by = key_pressed(ImGuiKey_DownArrow) - key_pressed(ImGuiKey_UpArrow);
  if (key_pressed(ImGuiKey_Tab)) by = ImGui::GetIO().KeyShift ? -1 : 1;
  const auto here = std::ranges::find(ui.walked, ui.walk.at, &WidgetRecord::path);
  const bool picks = here != ui.walked.end() && here->label == picture_label && !key_pressed(ImGuiKey_Tab);
  if (picks && (across || by || key_pressed(ImGuiKey_Home) || key_pressed(ImGuiKey_End)))
    ui.walk.picks = true;
  else if (across && here != ui.walked.end() && here->label == slider_label)
    ui.walk.by = across;
  else if (by || across)
    go_on(ui, by ? by : across);
  else
    ui.walk.press = (enter_pressed() && !ImGui::GetIO().KeyCtrl) || key_pressed(ImGuiKey_Space, false);
  if (picks && enter_pressed()) ui.walk.picks = true;  // of what is picked: it is meant
  if (ui.walk.at.empty()) go_on(ui, 1);
}

bool walk_is_lost(const UiContext& ui) {
  // What was not recorded yet is not gone.
  return ui.walk.on && !ui.walk.at.empty() && !ui.walked.empty() &&
         std::ranges::count(ui.walked, ui.walk.at, &WidgetRecord::path) == 0;
}

bool pressed_by_key(const UiContext& ui, std::string_view id) {
  return ui.walk.on && ui.walk.press && path_of(ui, id) == ui.walk.at;
}

KeyPick picked_by_key(const UiContext& ui, std::string_view id) {
  if (!ui.walk.on || !ui.walk.picks || path_of(ui, id) != ui.walk.at) return {};
  const ImGuiIO& io = ImGui::GetIO();
  return {key_pressed(ImGuiKey_RightArrow) - key_pressed(ImGuiKey_LeftArrow),
          key_pressed(ImGuiKey_DownArrow) - key_pressed(ImGuiKey_UpArrow),
          key_pressed(ImGuiKey_Home),
          key_pressed(ImGuiKey_End),
          io.KeyShift,
          io.KeyCtrl,
          enter_pressed()};
}

int stepped_by_key(const UiContext& ui, std::string_view id) {
  return ui.walk.on && ui.walk.by && path_of(ui, id) == ui.walk.at ? ui.walk.by : 0;
}

}  // namespace warploom::ui
