#include "viewer/ui/context.h"

#include <imgui_internal.h>

#include <algorithm>

namespace warploom::ui {

const WidgetRecord* UiContext::find(std::string_view wanted) const {
  const auto found = std::ranges::find(widgets, wanted, &WidgetRecord::path);
  return found == widgets.end() ? nullptr : &*found;
}

WidgetRecord UiContext::find_whole(const std::string& wanted) const {
  if (const WidgetRecord* one = find(wanted)) return *one;
  WidgetRecord whole;
  whole.visible = false;
  for (const WidgetRecord& widget : widgets) {
    if (!widget.path.starts_with(wanted + "/") || (whole.visible && !widget.visible)) continue;
    if (whole.path.empty() || widget.visible != whole.visible) {
      whole = widget;
    } else {
      whole.min = {std::min(whole.min.x, widget.min.x), std::min(whole.min.y, widget.min.y)};
      whole.max = {std::max(whole.max.x, widget.max.x), std::max(whole.max.y, widget.max.y)};
    }
  }
  return whole;
}

void begin_frame(UiContext& ui) {
  ui.walked.swap(ui.widgets);
  ui.widgets.clear();
  ui.cut_hints.clear();
  ui.kept_before.swap(ui.kept);
  ui.kept.clear();
  ui.tooltip.words.clear();
  ui.path.clear();
  // The text of a field that went is gone with it.
  for (TextEdit* edit : {&ui.edit, &ui.left})
    if (edit->id && edit->frame < ImGui::GetFrameCount() - 1) *edit = {};
  // Dear ImGui hands down to no child window that its window takes no mouse: what is below a dialog waits, all of it.
  ImGuiContext& gui = *ImGui::GetCurrentContext();
  if (gui.HoveredWindow && (gui.HoveredWindow->RootWindow->Flags & ImGuiWindowFlags_NoMouseInputs))
    gui.HoveredWindow = nullptr;
}

Scope::Scope(UiContext& ui, std::string_view name) : ui_(ui) {
  ui_.path.emplace_back(name);
  ImGui::PushID(name.data(), name.data() + name.size());
}

Scope::~Scope() {
  ImGui::PopID();
  ui_.path.pop_back();
}

std::string path_of(const UiContext& ui, std::string_view id) {
  std::string path;
  for (const std::string& element : ui.path) path += element + '/';
  return path.append(id);
}

void record(UiContext& ui, std::string_view id, std::string_view label, ImVec2 min, ImVec2 max, bool keyed) {
  // Tab in a field begins a walk: there must be widgets to walk to.
  if (!ui.recording && !ui.walk.on && ui.edit.id == 0) return;
  std::string path = path_of(ui, id);
  if (ui.walk.on && path == ui.walk.at) {
    // In front: what the widget lies on may be drawn after it.
    const float out = std::max(1.f, ui.px(1));
    const ImDrawList& own = *ImGui::GetWindowDrawList();
    ImDrawList* front = ImGui::GetForegroundDrawList();
    front->PushClipRect({own.GetClipRectMin().x - out, own.GetClipRectMin().y - out},
                        {own.GetClipRectMax().x + out, own.GetClipRectMax().y + out});
    front->AddRect({min.x - out, min.y - out}, {max.x + out, max.y + out}, ui.theme->accent, ui.px(3), 0,
                   std::max(1.f, ui.px(2)));
    front->PopClipRect();
    if (ui.walk.moved) ImGui::SetScrollHereY();
  }
  if (path == ui.scroll_to) ImGui::SetScrollHereY();
  const ImVec2 centre{(min.x + max.x) / 2, (min.y + max.y) / 2};
  const ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 low = list.GetClipRectMin(), high = list.GetClipRectMax();
  const bool visible = centre.x >= low.x && centre.y >= low.y && centre.x < high.x && centre.y < high.y;
  ui.widgets.push_back({std::move(path), std::string(label), min, max, visible, keyed});
}

void keep_free(UiContext& ui, ImVec2 min, ImVec2 max) { ui.kept.push_back({min, max}); }

std::string slug(std::string_view title) {
  std::string key;
  for (const char c : title) {
    const bool upper = c >= 'A' && c <= 'Z', plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    const bool beyond_ascii = (c & 0x80) != 0;
    if (upper)
      key += static_cast<char>(c - 'A' + 'a');
    else if (plain || beyond_ascii)
      key += c;
    else if (!key.empty() && key.back() != '_')
      key += '_';
  }
  while (!key.empty() && key.back() == '_') key.pop_back();
  return key;
}

}  // namespace warploom::ui
