#include "viewer/ui/fields.h"

#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "viewer/ui/icons.h"
#include "viewer/ui/imgui_compat.h"
#include "viewer/ui/numbers.h"
#include "viewer/ui/text.h"
#include "viewer/ui/walk.h"

namespace warploom::ui {
namespace {

/// How a field behaves while something is typed into it.
struct InputRules {
  std::function<bool(const std::string&)> valid;                ///< the frame warns while this is false
  std::function<std::string(const std::string&, int)> stepped;  ///< the text after so many steps; empty: no steps
  std::string_view suffix;
  std::string_view hint;
  std::string expects = {};  ///< what is valid, in words: "a whole number from 1 to 32"
};

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

/// A single-line field of `width` pixels at the cursor. Returns whether a new text was committed into `value`.
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
  // A hint keeps clear of the caret.
  const std::string hint = (was_active ? " " : "") + std::string(rules.hint);
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

struct Row {
  float width;  ///< of the control column
  int steps;    ///< how far the label was scrubbed in this frame
};

/// The label and the control column; a label that scrubs takes the mouse, any other only shows its tooltip.
Row begin_row(UiContext& ui, std::string_view label, std::string_view tooltip, bool scrubs, float narrow = 0,
              float wanted = 0) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float available = ImGui::GetContentRegionAvail().x, height = ui.px(22), unit = ui.px(4);
  const float share = std::floor(available * 0.6f / unit) * unit;
  const float column =
      label.empty() ? available : std::min(std::max(share, std::min(ui.px(96), available)), ui.px(220));
  // A control that needs less than the column leaves the rest to its label; one that needs more takes what that has
  // left.
  const float free = available - text_width(ui.fonts->body, label) - ui.px(12);
  // What has no room beside its label stands below it.
  const bool below = wanted > std::max(column, free) && wanted <= available && !label.empty();
  const float control = below        ? available
                        : narrow > 0 ? std::min(column, narrow)
                                     : std::max(column, std::min(wanted, free));
  const float label_width = below ? available : available - control - ui.px(8);
  if (label_width >= ui.px(16)) {
    const ImVec2 high{at.x + label_width, at.y + height};
    const bool elided = draw_text(ImGui::GetWindowDrawList(), ui.fonts->body, ui.theme->text, at, high, label);
    if (scrubs)
      ImGui::InvisibleButton("label", {label_width, height});
    else
      ImGui::Dummy({label_width, height});
    term_tooltip(ui, label);
    help_tooltip(ui, !tooltip.empty() ? tooltip : elided ? label : std::string_view());
  }
  int steps = 0;
  if (scrubs && label_width >= ui.px(16)) {
    if (ImGui::IsItemHovered() || ImGui::IsItemActive()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (ImGui::IsItemActive()) {
      steps = static_cast<int>(ImGui::GetMouseDragDelta(0, 0).x / ui.px(4));
      if (steps != 0) ImGui::ResetMouseDragDelta(0);
    }
  }
  if (!below) ImGui::SetCursorScreenPos({at.x + available - control, at.y});
  return {control, steps};
}

/// The field of any kind of number.
template <class Number, class Parse, class Format, class Step>
bool number(UiContext& ui, std::string_view id, std::string_view label, Number& value, Number min, Number max,
            std::string_view suffix, std::string_view tooltip, std::string_view kind, const Automatic* automatic,
            Parse parse_number, Format format_number, Step step) {
  const auto parse = [&](const std::string& typed) -> std::optional<Number> {
    if (automatic && (typed == "auto" || typed == automatic->shown)) return static_cast<Number>(automatic->value);
    return parse_number(typed);
  };
  const auto format = [&](Number v) {
    return automatic && v == static_cast<Number>(automatic->value) ? automatic->shown : format_number(v);
  };
  ImGui::PushID(id.data(), id.data() + id.size());
  const Row field = begin_row(ui, label, tooltip, true);
  ImGui::PopID();
  Number next = value;
  if (field.steps != 0) next = step(next, field.steps);
  std::string text = format(next);
  std::string expects(kind);
  expects.append(" from ").append(format_number(min)).append(" to ").append(format_number(max));
  if (automatic) expects.append(", or auto");
  const InputRules rules{
      [&](const std::string& typed) {
        const auto number = parse(typed);
        return number && *number >= min && *number <= max;
      },
      [&](const std::string& typed, int steps) { return format(step(parse(typed).value_or(value), steps)); },
      suffix,
      {},
      expects};
  if (input(ui, id, label, field.width, text, rules))
    if (const auto typed = parse(text)) next = *typed;
  help_tooltip(ui, tooltip);
  if (next == value) return false;
  value = next;
  return true;
}

/// value + steps within min..max, without overflow.
template <class Number>
Number add(Number value, int steps, Number min, Number max) {
  Number sum{};
  if (__builtin_add_overflow(value, steps, &sum)) return steps < 0 ? min : max;
  return std::clamp(sum, min, max);
}

bool combo_item(UiContext& ui, const Choice& item, bool chosen, bool marked) {
  const std::string key = item.key.empty() ? slug(item.title) : item.key;
  ImGui::PushID(key.c_str());
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float sign = ui.px(20),
              width = std::max(ImGui::GetContentRegionAvail().x, text_width(ui.fonts->body, item.title) + sign);
  if (marked)
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + width, at.y + ui.px(22)},
                                              blend(ui.theme->raised, ui.theme->accent, 0.24f));
  const bool picked = ImGui::Selectable(
      "##item", chosen, item.refusal.empty() ? ImGuiSelectableFlags_None : ImGuiSelectableFlags_DontClosePopups,
      {width, ui.px(22)});
  ImGui::PopID();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 high{at.x + width, at.y + ui.px(22)};
  if (chosen) draw_icon(list, Icon::check, {at.x + ui.px(6), (at.y + high.y) / 2}, ui.px(12), ui.theme->accent);
  const bool refused = !item.refusal.empty();
  draw_text(list, ui.fonts->body, refused ? fade(ui.theme->quiet, .6f) : ui.theme->text, {at.x + sign, at.y}, high,
            item.title);
  record(ui, key, item.title, at, high);
  help_tooltip(ui, refused ? item.refusal : item.note);
  if (chosen) ImGui::SetItemDefaultFocus();
  return picked && !refused;
}

/// The width of a field that shows it whole; tests look for hints that have less room.
float hint_width(UiContext& ui, std::string_view hint) {
  if (hint.empty()) return 0;
  return text_width(ui.fonts->mono, " " + std::string(hint)) + 2 * ImGui::GetStyle().FramePadding.x;
}
void note_cut_hint(UiContext& ui, std::string_view value, std::string_view hint, float width) {
  if (ui.recording && value.empty() && hint_width(ui, hint) > width) ui.cut_hints.emplace_back(hint);
}

}  // namespace

bool toggle(UiContext& ui, std::string_view id, std::string_view label, bool& value, std::string_view tooltip) {
  const float width = begin_row(ui, label, tooltip, false, ui.px(64)).width;
  ImGui::PushID(id.data(), id.data() + id.size());
  const bool clicked = ImGui::InvisibleButton("toggle", {width, ui.px(22)}) || pressed_by_key(ui, id);
  ImGui::PopID();
  if (clicked) value = !value;
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  const Theme& theme = *ui.theme;
  const float line = std::max(1.0f, std::floor(ui.scale)), middle = std::floor((low.y + high.y) / 2);
  const ImVec2 track_low{high.x - ui.px(28), middle - ui.px(8)}, track_high{high.x, middle + ui.px(8)};
  const bool lit = ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(track_low, track_high, value ? blend(theme.panel, theme.accent, 0.36f) : theme.raised, ui.px(3));
  list->AddRect(track_low, track_high, lit ? theme.quiet : theme.line, ui.px(3), 0, line);
  const float knob = ui.px(10), inset = ui.px(3), knob_x = value ? track_high.x - inset - knob : track_low.x + inset;
  list->AddRectFilled({knob_x, middle - knob / 2}, {knob_x + knob, middle + knob / 2}, value ? theme.text : theme.quiet,
                      ui.px(2));
  draw_text(list, ui.fonts->body, value ? theme.text : theme.quiet, low, {track_low.x - ui.px(8), high.y},
            value ? "on" : "off", Align::right);
  record(ui, id, label, low, high);
  help_tooltip(ui, tooltip);
  return clicked;
}

bool combo(UiContext& ui, std::string_view id, std::string_view label, int& index, std::span<const Choice> items,
           std::string_view tooltip) {
  const bool known = index >= 0 && index < static_cast<int>(items.size());
  const std::string title = known ? items[static_cast<std::size_t>(index)].title : "none";
  const float wanted = text_width(ui.fonts->body, title) + ui.px(8 + 8 + 12 + 3);
  const float width = begin_row(ui, label, tooltip, false, 0, wanted).width;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 low = ImGui::GetCursorScreenPos(), high{low.x + width, low.y + ui.px(22)};
  record(ui, id, label, low, high);
  const bool opened = pressed_by_key(ui, id);

  const Scope scope(ui, id);
  ImGui::SetNextItemWidth(width);
  if (opened) ImGui::OpenPopupEx(ImHashStr("##ComboPopup", 0, ImGui::GetID("##combo")));  // as BeginCombo does
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(8), ui.px(6)});
  const bool open = ImGui::BeginCombo("##combo", "", ImGuiComboFlags_NoArrowButton | ImGuiComboFlags_HeightLarge);
  const float padding = ui.px(8), sign = ui.px(12);
  const bool elided = draw_text(list, ui.fonts->body, known ? ui.theme->text : ui.theme->quiet,
                                {low.x + padding, low.y}, {high.x - padding - sign - ui.px(2), high.y}, title);
  draw_icon(list, Icon::down, {high.x - padding - sign / 2, (low.y + high.y) / 2}, sign, ui.theme->quiet);
  bool changed = false;
  if (open) {
    const ImVec2 list_low = ImGui::GetWindowPos(), list_size = ImGui::GetWindowSize();
    keep_free(ui, list_low, {list_low.x + list_size.x, list_low.y + list_size.y});
    if (ImGui::IsWindowAppearing()) ui.list_row = index;
    const bool moved = move_row(ui.list_row, static_cast<int>(items.size()));
    const bool entered = enter_pressed() && !ImGui::IsWindowAppearing();  // it may have opened the list
    // The list may have fewer rows than when it opened.
    ui.list_row = std::min(ui.list_row, static_cast<int>(items.size()) - 1);
    int taken = entered ? ui.list_row : -1;
    if (taken >= 0 && !items[static_cast<std::size_t>(taken)].refusal.empty()) taken = -1;
    for (int i = 0; i < static_cast<int>(items.size()); ++i) {
      if (combo_item(ui, items[static_cast<std::size_t>(i)], i == index, i == ui.list_row)) taken = i;
      if (moved && i == ui.list_row) ImGui::SetScrollHereY();
    }
    if (entered || key_pressed(ImGuiKey_Escape)) ImGui::CloseCurrentPopup();
    if (taken >= 0 && taken != index) {
      index = taken;
      changed = true;
    }
    ImGui::EndCombo();
  } else {
    const std::string_view note =
        known ? std::string_view(items[static_cast<std::size_t>(index)].note) : std::string_view();
    help_tooltip(ui, !note.empty() ? note : elided ? std::string_view(title) : tooltip);
  }
  ImGui::PopStyleVar();
  return changed;
}

bool integer(UiContext& ui, std::string_view id, std::string_view label, std::int64_t& value, std::int64_t min,
             std::int64_t max, std::string_view suffix, std::string_view tooltip, const Automatic* automatic) {
  const std::string range = tooltip.empty() ? std::to_string(min) + " to " + std::to_string(max) : std::string(tooltip);
  return number(
      ui, id, label, value, min, max, suffix, range, "a whole number", automatic, parse_integer,
      [](std::int64_t v) { return std::to_string(v); },
      [&](std::int64_t v, int steps) { return add(v, steps, min, max); });
}

bool unsigned_64(UiContext& ui, std::string_view id, std::string_view label, std::uint64_t& value,
                 std::string_view suffix, std::string_view tooltip) {
  constexpr std::uint64_t min = 0, max = std::numeric_limits<std::uint64_t>::max();
  return number(
      ui, id, label, value, min, max, suffix, tooltip, "a whole number", nullptr, parse_unsigned,
      [](std::uint64_t v) { return std::to_string(v); },
      [](std::uint64_t v, int steps) { return add(v, steps, min, max); });
}

bool real(UiContext& ui, std::string_view id, std::string_view label, double& value, double min, double max,
          double step, std::string_view suffix, std::string_view tooltip, const Automatic* automatic) {
  const std::string range = tooltip.empty() ? format_real(min) + " to " + format_real(max) : std::string(tooltip);
  // Whole multiples of the step: 0.1 added ten times is not 1.
  const auto stepped = [&](double v, int steps) { return std::clamp(std::round(v / step + steps) * step, min, max); };
  return number(ui, id, label, value, min, max, suffix, range, "a number", automatic, parse_real, format_real, stepped);
}

bool text(UiContext& ui, std::string_view id, std::string_view label, std::string& value, std::string_view hint,
          std::string_view tooltip) {
  const float width = begin_row(ui, label, tooltip, false, 0, value.empty() ? hint_width(ui, hint) : 0).width;
  note_cut_hint(ui, value, hint, width);
  const bool changed = input(ui, id, label, width, value, {{}, {}, {}, hint});
  help_tooltip(ui, !tooltip.empty() ? tooltip : std::string_view(value));
  return changed;
}

bool wide_text(UiContext& ui, std::string_view id, std::string_view label, std::string& value, std::string_view hint) {
  note_cut_hint(ui, value, hint, ImGui::GetContentRegionAvail().x);
  return input(ui, id, label, ImGui::GetContentRegionAvail().x, value, {{}, {}, {}, hint});
}

bool slider(UiContext& ui, std::string_view id, std::string_view label, double& value, double min, double max,
            std::string_view shown, std::string_view tooltip, bool logarithmic) {
  const float width = begin_row(ui, label, tooltip, false).width, height = ui.px(22), knob = ui.px(6);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton(std::string(id).c_str(), {width, height});
  record(ui, id, slider_label, at, {at.x + width, at.y + height});
  const bool held = ImGui::IsItemActive(), hovered = ImGui::IsItemHovered();
  // The number has the right end, the track what is left.
  const float text = std::max(ui.px(44), text_width(ui.fonts->mono, shown) + ui.px(8));
  const float left = at.x + knob, right = std::max(left + ui.px(16), at.x + width - text - knob);
  const auto share_of = [&](double v) {
    return logarithmic ? std::log(v / min) / std::log(max / min) : (v - min) / (max - min);
  };
  const auto at_share = [&](double share) {
    return logarithmic ? min * std::pow(max / min, share) : min + (max - min) * share;
  };
  bool changed = false;
  if (held && max > min) {
    const double before =
        std::exchange(value, at_share(std::clamp((ImGui::GetIO().MousePos.x - left) / (right - left), 0.f, 1.f)));
    changed = value != before;
  }
  if (const int by = stepped_by_key(ui, id); by && max > min) {
    value = at_share(std::clamp(share_of(value) + .05 * by, 0., 1.));
    changed = true;
  }
  const float share = max > min ? static_cast<float>(std::clamp(share_of(value), 0., 1.)) : 0;
  const float middle = std::floor(at.y + height / 2), x = left + share * (right - left);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float half = ui.px(1.5f);
  list->AddRectFilled({left, middle - half}, {right, middle + half}, ui.theme->line, half);
  list->AddRectFilled({left, middle - half}, {x, middle + half}, ui.theme->accent, half);
  list->AddCircleFilled({x, middle}, held || hovered ? knob : knob - ui.px(1),
                        held ? ui.theme->accent : ui.theme->text);
  draw_text(list, ui.fonts->mono, ui.theme->text, {right + knob, at.y}, {at.x + width, at.y + height}, shown,
            Align::right);
  if (!tooltip.empty()) help_tooltip(ui, tooltip);
  return changed;
}

}  // namespace warploom::ui
