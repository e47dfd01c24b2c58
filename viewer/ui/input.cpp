#include "viewer/ui/input.h"

#include "viewer/ui/text.h"
#include "viewer/ui/walk.h"

namespace warploom::ui {
namespace {

/// What ImGui's callback needs: the buffer to grow and the rule for the arrow keys.
struct Typing {
  std::string* text;
  const InputRules* rules;
  bool stepped = false;
};

int on_input(ImGuiInputTextCallbackData* data) {
  auto& typing = *static_cast<Typing*>(data->UserData);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
    typing.text->resize(static_cast<std::size_t>(data->BufTextLen));
    data->Buf = typing.text->data();
  } else if (data->EventFlag == ImGuiInputTextFlags_CallbackHistory && typing.rules->stepped) {
    const int steps = (data->EventKey == ImGuiKey_UpArrow ? 1 : -1) * (ImGui::GetIO().KeyShift ? 10 : 1);
    const std::string next =
        typing.rules->stepped(std::string(data->Buf, static_cast<std::size_t>(data->BufTextLen)), steps);
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, next.c_str());
    data->SelectAll();
    typing.stepped = true;
  }
  return 0;
}

}  // namespace

bool input(UiContext& ui, std::string_view id, std::string_view label, float width, std::string& value,
           const InputRules& rules) {
  const Theme& theme = *ui.theme;
  ImGui::PushID(id.data(), id.data() + id.size());
  const ImGuiID key = ImGui::GetID("input");
  const bool was_active = ui.edit.id == key;
  const bool was_left = ui.left.id == key;
  std::string shown = was_active ? ui.edit.text : was_left ? ui.left.text : value;
  const bool invalid = was_active && rules.valid && !rules.valid(shown);
  if (invalid) ImGui::PushStyleColor(ImGuiCol_Border, theme.bad);
  // ImGui would cut a long text in mid-letter: while it is not edited, it is hidden and drawn with an ellipsis.
  const float padding = ImGui::GetStyle().FramePadding.x;
  const bool too_long = !was_active && text_width(ui.fonts->mono, shown) > width - 2 * padding;
  if (too_long) ImGui::PushStyleColor(ImGuiCol_Text, IM_COL32_BLACK_TRANS);
  Typing typing{&shown, &rules};
  const std::string hint(rules.hint);
  ImGui::PushFont(ui.fonts->mono);
  ImGui::SetNextItemWidth(width);
  if (pressed_by_key(ui, id)) ImGui::SetKeyboardFocusHere();
  ImGui::InputTextWithHint(
      "##input", hint.c_str(), shown.data(), shown.capacity() + 1,
      ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_CallbackHistory,
      on_input, &typing);
  ImGui::PopFont();
  if (too_long) ImGui::PopStyleColor();
  if (invalid) ImGui::PopStyleColor();
  ImGui::PopID();

  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  record(ui, id, label, low, high);
  if (too_long && !ImGui::IsItemActive())
    draw_text(ImGui::GetWindowDrawList(), ui.fonts->mono, theme.text, {low.x + padding, low.y},
              {high.x - padding, high.y}, shown);
  if (!rules.suffix.empty()) {
    const float room = high.x - low.x - 2 * padding - text_width(ui.fonts->mono, shown) - ui.px(8);
    if (text_width(ui.fonts->mono, rules.suffix) <= room)
      draw_text(ImGui::GetWindowDrawList(), ui.fonts->mono, theme.quiet, low, {high.x - padding, high.y}, rules.suffix,
                Align::right);
  }

  if (ImGui::IsItemActive()) {
    // The field that had the focus may stand further down: it takes its text when its turn comes.
    if (!was_active && ui.edit.id != 0) ui.left = ui.edit;
    if (was_left) ui.left = {};
    ui.edit = {key, shown, ImGui::GetFrameCount()};
    ui.edit_path = path_of(ui, id);
    if (!typing.stepped || shown == value) return false;
    value = shown;
    return true;
  }
  if (!was_active && !was_left) return false;
  // The focus left. `shown` began as the text kept in `ui.edit` or `ui.left`, because ImGui drops what was typed when
  // another widget took the focus first; after Escape ImGui has put the old text back into it.
  (was_active ? ui.edit : ui.left) = TextEdit();
  if (shown == value) return false;
  if (rules.valid && !rules.valid(shown)) {
    ui.refused = std::string(label) + ": '" + shown + "' is not " + rules.expects + "; it stays " + value;
    return false;
  }
  value = shown;
  return true;
}

}  // namespace warploom::ui
