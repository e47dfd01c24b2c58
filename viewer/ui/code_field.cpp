#include "viewer/ui/code_field.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "viewer/ui/code_paint.h"
#include "viewer/ui/imgui_compat.h"
#include "viewer/ui/text.h"

namespace warploom::ui {

namespace {

/// What ImGui's callback needs.
struct CodeTyping {
  std::string* text;
  CodeField* field;
  std::size_t most_bytes;
  int length_before;
  int cursor = 0;  ///< in bytes, as the callback saw it last
};

/// What happens to selected lines.
enum class LineEdit { comment, indent, outdent };

/// Of the selected lines, which stay selected, or of the cursor's. Comments are taken away where all lines have one.
void edit_lines(ImGuiInputTextCallbackData* data, LineEdit edit) {
  const std::string text(data->Buf, static_cast<std::size_t>(data->BufTextLen));
  const auto low = static_cast<std::size_t>(std::min(data->SelectionStart, data->SelectionEnd)),
             high = static_cast<std::size_t>(std::max(data->SelectionStart, data->SelectionEnd));
  const bool selected = low != high;
  const auto cursor = static_cast<std::size_t>(data->CursorPos);
  const int first = line_of(text, selected ? low : cursor).first,
            last = line_of(text, selected ? std::max(high, low + 1) - 1 : cursor).first;
  struct Line {
    std::size_t begin, code;  ///< code: the first character that is no space
  };
  std::vector<Line> lines;
  bool all = true;
  for (int line = first; line <= last; ++line) {
    const std::size_t begin = begin_of(text, line), end = std::min(text.find('\n', begin), text.size());
    const std::size_t code = std::min(text.find_first_not_of(' ', begin), end);
    if (code == end && selected) continue;  // nothing stands there
    lines.push_back({begin, code});
    all = all && text.compare(code, 2, "//") == 0;
  }
  int grown = 0;
  for (auto at = lines.rbegin(); at != lines.rend(); ++at) {
    const int length = data->BufTextLen;
    const auto begin = static_cast<int>(at->begin), code = static_cast<int>(at->code);
    if (edit == LineEdit::indent)
      data->InsertChars(begin, "  ");
    else if (edit == LineEdit::outdent)
      data->DeleteChars(begin, std::min(code - begin, 2));
    else if (!all)
      data->InsertChars(begin, "// ");
    else
      data->DeleteChars(code, text.compare(at->code, 3, "// ") == 0 ? 3 : 2);
    grown += data->BufTextLen - length;
  }
  if (!selected || lines.empty()) return;
  data->SelectionStart = static_cast<int>(begin_of(text, first));
  data->SelectionEnd = data->CursorPos = std::max(data->SelectionStart, static_cast<int>(high) + grown);
}

/// Goes to another text of the history; `by` is -1 or 1.
void walk_history(ImGuiInputTextCallbackData* data, CodeField::History& history, int by) {
  if ((by < 0 && history.at == 0) || (by > 0 && history.at + 1 >= history.entries.size())) return;
  history.at = by < 0 ? history.at - 1 : history.at + 1;
  const auto& entry = history.entries[history.at];
  data->DeleteChars(0, data->BufTextLen);
  data->InsertChars(0, entry.text.c_str());
  data->CursorPos = std::clamp(entry.cursor, 0, data->BufTextLen);
  data->SelectionStart = data->SelectionEnd = data->CursorPos;
}

/// Notes a text that is another than the one shown: a new entry where the last one is older than a moment.
void note_history(CodeField::History& history, const std::string& text, int cursor, double now) {
  constexpr double moment = .6;
  constexpr std::size_t most = 200;
  auto& entries = history.entries;
  if (!entries.empty() && entries[history.at].text == text) return;
  entries.resize(entries.empty() ? 0 : history.at + 1);
  const bool grows = entries.size() > 1 && history.typed >= 0 && now - history.typed < moment;
  if (grows)
    entries.back() = {text, cursor};
  else
    entries.push_back({text, cursor});
  if (entries.size() > most) entries.erase(entries.begin());
  history.at = entries.size() - 1;
  history.typed = now;
}

int mend(ImGuiInputTextCallbackData* data, CodeTyping& typing) {
  if (data->EventFlag == ImGuiInputTextFlags_CallbackResize) {
    typing.text->resize(static_cast<std::size_t>(data->BufTextLen));
    data->Buf = typing.text->data();
    return 0;
  }
  if (data->EventFlag == ImGuiInputTextFlags_CallbackCharFilter)
    return typing.text->size() >= typing.most_bytes && data->EventChar != '\n' ? 1 : 0;
  // Always: what was just typed is mended.
  CodeField& field = *typing.field;
  const ImGuiIO& io = ImGui::GetIO();
  if (key_pressed(ImGuiKey_Tab)) {
    if (io.KeyShift || data->SelectionStart != data->SelectionEnd)
      edit_lines(data, io.KeyShift ? LineEdit::outdent : LineEdit::indent);
    else
      data->InsertChars(data->CursorPos, "  ");
    typing.length_before = data->BufTextLen;
  }
  if (io.KeyCtrl && (key_pressed(ImGuiKey_Z) || key_pressed(ImGuiKey_Y))) {
    const bool forward = io.KeyShift || key_pressed(ImGuiKey_Y);
    walk_history(data, field.history, forward ? 1 : -1);
    typing.length_before = data->BufTextLen;
  }
  if (std::exchange(field.comment, false)) edit_lines(data, LineEdit::comment);
  if (field.go_to > 0) {
    const std::string_view text(data->Buf, static_cast<std::size_t>(data->BufTextLen));
    data->CursorPos = static_cast<int>(begin_of(text, field.go_to - 1));
    data->SelectionStart = data->SelectionEnd = data->CursorPos;
    field.go_to = 0;
  }
  const int grown = data->BufTextLen - typing.length_before;
  typing.length_before = data->BufTextLen;
  if (grown != 1 || data->CursorPos == 0) return 0;
  const char typed = data->Buf[data->CursorPos - 1];
  if (typed == '\n' && field.focus) {
    data->DeleteChars(data->CursorPos - 1, 1);  // of Ctrl+Enter, whose Ctrl is up already
  } else if (typed == '\n') {
    const std::string_view text(data->Buf, static_cast<std::size_t>(data->BufTextLen));
    const auto at = static_cast<std::size_t>(data->CursorPos) - 1;
    const std::size_t begin = line_of(text, at).second;
    std::size_t indent = std::min(text.find_first_not_of(' ', begin), at) - begin;
    if (at > begin && text[at - 1] == '{') indent += 2;
    data->InsertChars(data->CursorPos, std::string(indent, ' ').c_str());
  } else if (typed == '}') {
    // It stands below what it closes.
    const std::string_view text(data->Buf, static_cast<std::size_t>(data->BufTextLen));
    const auto at = static_cast<std::size_t>(data->CursorPos) - 1;
    const std::size_t begin = line_of(text, at).second;
    if (at >= begin + 2 && text.find_first_not_of(' ', begin) == at) data->DeleteChars(static_cast<int>(at) - 2, 2);
  }
  typing.length_before = data->BufTextLen;
  return 0;
}

int on_code(ImGuiInputTextCallbackData* data) {
  auto& typing = *static_cast<CodeTyping*>(data->UserData);
  const int refused = mend(data, typing);
  if (data->EventFlag == ImGuiInputTextFlags_CallbackAlways) typing.cursor = data->CursorPos;
  return refused;
}

}  // namespace

bool code_field(UiContext& ui, std::string_view id, std::string& text, CodeField& field, ImVec2 size,
                const std::vector<std::string_view>& words, std::size_t most_bytes) {
  const Theme& theme = *ui.theme;
  const ImFont* mono = ui.fonts->mono;
  ImGui::PushFont(ui.fonts->mono);
  const float line_height = ImGui::GetFontSize(), letter = text_width(mono, "0");
  const float gutter = code_gutter(text, letter);
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const ImVec2 low{corner.x + gutter, corner.y}, high{corner.x + size.x, corner.y + size.y};
  ImGui::GetWindowDrawList()->AddRectFilled(corner, high, theme.ground);

  ImGui::SetCursorScreenPos(low);
  const std::string label = "##" + std::string(id), before = text;
  const bool escaped = key_pressed(ImGuiKey_Escape, false);
  const ImGuiID key = ImGui::GetID(label.c_str());
  CodeTyping typing{&text, &field, most_bytes, static_cast<int>(text.size())};
  if (field.focus && ImGui::GetActiveID() != key) activate_text(key);
  // What was changed from outside meanwhile ImGui would put back: it begins anew with it.
  const auto& known = field.history;
  if (ImGui::GetActiveID() == key && !known.entries.empty() && known.entries[known.at].text != text) {
    ImGui::ClearActiveID();
    activate_text(key);
  }
  if (ImGuiInputTextState* const editing = ImGui::GetInputTextState(key)) forget_undo(*editing);
  note_history(field.history, text, 0, ImGui::GetTime());
  ImGui::PushStyleColor(ImGuiCol_Text, 0);
  ImGui::PushStyleColor(ImGuiCol_FrameBg, theme.ground);
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {std::floor(letter * .5f), ui.px(4)});
  ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, 0);
  const int go_to = field.go_to;
  const auto edit = [&] {
    const IgnoresCtrlEnter ignores;
    return ImGui::InputTextMultiline(label.c_str(), text.data(), text.capacity() + 1, {high.x - low.x, high.y - low.y},
                                     ImGuiInputTextFlags_CallbackResize | ImGuiInputTextFlags_CallbackAlways |
                                         ImGuiInputTextFlags_CallbackCharFilter,
                                     on_code, &typing);
  };
  bool changed = edit();
  const ImVec2 padding = ImGui::GetStyle().FramePadding;
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor(2);
  field.active = ImGui::GetActiveID() == key;
  // ImGui takes everything back that was typed since the field took the keyboard.
  if (escaped && text != before) {
    text = before;
    changed = false;
  }
  if (text.size() > most_bytes) {  // what was pasted was too much
    text = before;
    changed = false;
    ImGui::ClearActiveID();
  }
  if (changed) note_history(field.history, text, typing.cursor, ImGui::GetTime());
  record(ui, id, "code", low, high);

  // The text over the invisible one of ImGui, by the scroll of its child window.
  ImGuiWindow* const window = ImGui::GetCurrentWindow();
  char name[256];
  ImFormatString(name, sizeof name, "%s/%s_%08X", window->Name, label.c_str(), key);
  // Where the field is clipped away its child window was not begun: what it drew in an earlier frame is over.
  ImGuiWindow* const known_child = ImGui::FindWindowByName(name);
  ImGuiWindow* const child = known_child && known_child->Active ? known_child : nullptr;
  const ImGuiInputTextState* const state = field.active ? ImGui::GetInputTextState(key) : nullptr;
  float scroll_y = child ? child->Scroll.y : 0;
  if (child && go_to > 0) {
    scroll_y = std::clamp(static_cast<float>(go_to - 1) * line_height - size.y / 3, 0.f, child->ScrollMax.y);
    ImGui::SetScrollY(child, scroll_y);
    if (!field.active) field.go_to = 0;
  }
  const float scroll_x = state ? state->ScrollX : 0;
  ImDrawList* const list = child ? child->DrawList : ImGui::GetWindowDrawList();
  const ImVec2 begin{low.x + padding.x - scroll_x, low.y + padding.y - scroll_y};
  const float right = high.x - (child && child->ScrollbarY ? ImGui::GetStyle().ScrollbarSize : 0);

  std::size_t cursor = 0;
  field.cursor_line = 0;
  if (state) {
    // ImGui counts in characters; the text is UTF-8.
    const ImWchar* const characters = state->TextW.Data;
    cursor = static_cast<std::size_t>(ImTextCountUtf8BytesFromStr(characters, characters + state->Stb.cursor));
    field.cursor_line = line_of(text, cursor).first + 1;
  }
  paint_code(ui, *list, {corner, low, {right, high.y}, begin, line_height, letter}, text, field, words);
  if (state && std::fmod(state->CursorAnim, 1.2f) <= .8f) {
    const std::size_t line_begin = line_of(text, cursor).second;
    const float caret = begin.x + text_width(mono, std::string_view(text).substr(line_begin, cursor - line_begin)),
                y = begin.y + static_cast<float>(field.cursor_line - 1) * line_height;
    list->PushClipRect(low, {right, high.y}, true);
    list->AddRectFilled({caret, y}, {caret + std::max(1.f, ui.scale), y + line_height}, theme.accent);
    list->PopClipRect();
  }
  // Around the numbers, too.
  list->PushClipRect(corner, high, false);
  list->AddRect(corner, high, field.active ? theme.accent : theme.line);
  list->PopClipRect();
  ImGui::PopFont();
  return changed;
}

void code_view(UiContext& ui, std::string_view id, const std::string& text, CodeField& field, ImVec2 size,
               const std::vector<std::string_view>& words) {
  const ImFont* mono = ui.fonts->mono;
  ImGui::PushFont(ui.fonts->mono);
  const float line_height = ImGui::GetFontSize(), letter = text_width(mono, "0"), gutter = code_gutter(text, letter);
  const ImVec2 corner = ImGui::GetCursorScreenPos(), high{corner.x + size.x, corner.y + size.y};
  const auto lines = static_cast<float>(std::ranges::count(text, '\n') + 1);
  if (field.widest_of != text) {
    field.widest_of = text;
    field.widest = 0;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      field.widest = std::max(field.widest, text_width(mono, std::string_view(text).substr(begin, end - begin)));
      begin = end + 1;
    }
  }
  ImGui::PushStyleColor(ImGuiCol_ChildBg, ui.theme->ground);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {0, 0});
  ImGui::PushID(&field);  // each text scrolls by itself
  ImGui::BeginChild(ImGui::GetID(std::string(id).c_str()), size, false,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoMove);
  const float padding = ui.px(4);
  ImGui::Dummy({gutter + field.widest + 2 * padding, lines * line_height + 2 * padding});
  if (const int line = std::exchange(field.go_to, 0)) {
    const float at = static_cast<float>(line - 1) * line_height;
    ImGui::SetScrollX(0);
    // What is in view already stays where it is.
    if (at < ImGui::GetScrollY() || at + 2 * line_height > ImGui::GetScrollY() + size.y)
      ImGui::SetScrollY(std::clamp(at - size.y / 3, 0.f, std::max(0.f, lines * line_height)));
  }
  const bool bar = ImGui::GetScrollMaxY() > 0;
  const float right = high.x - (bar ? ImGui::GetStyle().ScrollbarSize : 0);
  const ImVec2 low{corner.x + gutter, corner.y},
      begin{low.x + std::floor(letter * .5f) - ImGui::GetScrollX(), low.y + padding - ImGui::GetScrollY()};
  field.active = false;
  field.cursor_line = 0;
  paint_code(ui, *ImGui::GetWindowDrawList(), {corner, low, {right, high.y}, begin, line_height, letter}, text, field,
             words);
  // Around the numbers, too, which the child draws over its own edge.
  ImGui::GetWindowDrawList()->AddRect(corner, {right, high.y}, ui.theme->line);
  ImGui::EndChild();
  ImGui::PopID();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  record(ui, id, "code", low, high);
  ImGui::PopFont();
}

}  // namespace warploom::ui
