#include "viewer/ui/text.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "viewer/ui/icons.h"
#include "viewer/ui/imgui_compat.h"
#include "viewer/ui/svg.h"
#include "viewer/ui/walk.h"

namespace warploom::ui {
namespace {

/// The ellipsis, or three points where the font has none.
std::string ellipsis(const ImFont* font) { return spelled(font, "…"); }

/// Letter spacing of titles in design pixels: 0.08 em of 11.
constexpr float title_spacing = 0.9f;

bool continues(char c) { return (c & 0xc0) == 0x80; }

std::string_view first_character(std::string_view text) {
  std::size_t length = 1;
  while (length < text.size() && continues(text[length])) ++length;
  return text.substr(0, length);
}

/// The exact width of words that are spelled already.
float advance_of(const ImFont* font, std::string_view shown) {
  return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, shown.data(), shown.data() + shown.size()).x;
}

/// As much of words that are spelled already as has room.
std::string shortened(const ImFont* font, const std::string& text, float width) {
  const std::string dots = ellipsis(font);
  const float room = width - std::ceil(advance_of(font, dots));
  if (room <= 0) return {};
  const char* end = text.data() + text.size();
  const char* rest = end;
  font->CalcTextSizeA(font->FontSize, room, 0, text.data(), end, &rest);
  auto kept = static_cast<std::size_t>(rest - text.data());
  // ImGui takes at least one character, however narrow the room.
  if (std::ceil(advance_of(font, std::string_view(text).substr(0, kept))) > room) kept = 0;
  while (kept > 0 && text[kept - 1] == ' ') --kept;
  return text.substr(0, kept) + dots;
}

std::string capitals(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return result;
}

/// Whether the space there parts the thousands of a number: behind a digit, before three of them and no more.
bool parts_thousands(std::string_view text, std::size_t space) {
  const auto digit = [&](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  return space > 0 && digit(space - 1) && digit(space + 1) && digit(space + 2) && digit(space + 3) && !digit(space + 4);
}

std::string wrapped_anew(const ImFont* font, std::string_view words, float width) {
  const std::string text = spelled(font, words);
  std::string lines, line;
  float line_width = 0;
  const float space = advance_of(font, " ");
  std::size_t at = 0;
  while (at < text.size()) {
    // The next word, with all of a bracket that it opens; a number keeps its thousands and its per cent.
    std::size_t end = at;
    const auto parts = [&](char c) {
      return c == '\n' || (c == ' ' && text.substr(end + 1, 1) != "%" && !parts_thousands(text, end));
    };
    for (int open = 0; end < text.size() && (open > 0 || !parts(text[end])); ++end)
      open += (text[end] == '[') - (text[end] == ']');
    const std::string word = text.substr(at, end - at);
    const float word_width = advance_of(font, word);
    if (!line.empty() && std::ceil(line_width + space + word_width) > width) {
      lines.append(line).append("\n");
      line.clear();
    }
    line_width = line.empty() ? word_width : line_width + space + word_width;
    if (!line.empty()) line += ' ';
    line += word;
    if (end < text.size() && text[end] == '\n') {
      lines.append(line).append("\n");
      line.clear();
    }
    at = end + 1;
  }
  return lines + line;
}

}  // namespace

float text_width(const ImFont* font, std::string_view text) { return std::ceil(advance_of(font, spelled(font, text))); }

std::string elide(const ImFont* font, std::string_view words, float width) {
  const std::string text = spelled(font, words);
  return std::ceil(advance_of(font, text)) <= width ? text : shortened(font, text, width);
}

bool draw_text(ImDrawList* list, const ImFont* font, ImU32 colour, ImVec2 min, ImVec2 max, std::string_view text,
               Align align) {
  std::string shown = spelled(font, text);
  const float room = max.x - min.x;
  float width = std::ceil(advance_of(font, shown));
  const bool cut = width > room;
  if (cut) {
    shown = shortened(font, shown, room);
    width = std::ceil(advance_of(font, shown));
  }
  const float free = room - width;
  const float x = min.x + (align == Align::left ? 0 : align == Align::centre ? free / 2 : free);
  // Whole pixels, else the glyphs blur.
  const ImVec2 at{std::floor(x), std::floor((min.y + max.y - font->FontSize) / 2 + 0.5f)};
  if (auto* kept = KeptText::current())
    kept->lines.push_back(
        {list, list->IdxBuffer.Size, list->_CmdHeader.ClipRect, font, colour, at, width, std::move(shown)});
  else
    list->AddText(font, font->FontSize, at, colour, shown.data(), shown.data() + shown.size());
  return cut;
}

float draw_title(UiContext& ui, ImDrawList* list, ImVec2 at, ImU32 colour, std::string_view title, float width) {
  const ImFont* font = ui.fonts->title;
  const float spacing = title_spacing * ui.scale;
  const std::string text = capitals(spelled(font, title)), dots = ellipsis(font);
  const auto advance = [&](std::string_view character) {
    return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, character.data(), character.data() + character.size()).x +
           spacing;
  };
  float whole = 0;
  for (std::string_view rest = text; !rest.empty(); rest.remove_prefix(first_character(rest).size()))
    whole += advance(first_character(rest));
  const bool elided = whole - spacing > width;
  const float room = elided ? width - advance(dots) : width + spacing;
  float x = at.x;
  const auto put = [&](std::string_view character, float step) {
    list->AddText(font, font->FontSize, {x, at.y}, colour, character.data(), character.data() + character.size());
    x += step;
  };
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view character = first_character(rest);
    const float step = advance(character);
    if (x - at.x + step > room) break;
    put(character, step);
    rest.remove_prefix(character.size());
  }
  if (elided && room >= 0) put(dots, advance(dots));
  return std::max(0.0f, x - at.x - spacing);
}

namespace {

/// Draws a section's title, `right` pixels short of the panel's edge, and returns the row that it has.
Area title_row(UiContext& ui, std::string_view title, float right) {
  // The first section of a panel needs no space above it: the panel's padding is there.
  const bool first = ImGui::GetCursorPosY() <= ImGui::GetStyle().WindowPadding.y + 1;
  if (!first) ImGui::Dummy({0, ui.px(8)});
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ui.px(20);
  draw_title(ui, ImGui::GetWindowDrawList(), {at.x, std::floor(at.y + (height - ui.fonts->title->FontSize) / 2)},
             ui.theme->quiet, title, width - right);
  return {at, {at.x + width, at.y + height}};
}

}  // namespace

void section_title(UiContext& ui, std::string_view title) {
  const Area row = title_row(ui, title, 0);
  ImGui::Dummy({row.max.x - row.min.x, row.max.y - row.min.y});
  term_tooltip(ui, title);
}

bool folding_title(UiContext& ui, std::string_view title) {
  if (!ui.folded) return section_title(ui, title), true;
  // "right/timings/": the panel's own name is no part of it.
  std::string path = path_of(ui, "");
  path = path.substr(path.find('/') + 1);
  path.pop_back();
  ui.sections.emplace_back(path, ImGui::GetCursorPosY());
  const float sign = ui.px(10);
  const Area row = title_row(ui, title, sign + ui.px(8));
  const bool pressed =
      ImGui::InvisibleButton("fold", {row.max.x - row.min.x, row.max.y - row.min.y}) || pressed_by_key(ui, "fold");
  record(ui, "fold", title, row.min, row.max);
  if (pressed && !ui.folded->erase(path)) ui.folded->insert(path);
  const bool open = !ui.folded->contains(path);
  draw_icon(ImGui::GetWindowDrawList(), open ? Icon::down : Icon::add,
            {row.max.x - sign / 2 - ui.px(1), (row.min.y + row.max.y) / 2}, sign,
            ImGui::IsItemHovered() ? ui.theme->text : blend(ui.theme->panel, ui.theme->quiet, .7f));
  term_tooltip(ui, title);
  return open;
}

std::string wrapped(const ImFont* font, std::string_view words, float width) {
  // Most words are those of the frame before. Fonts are loaded anew at other scales, perhaps where others were.
  struct Key {
    const ImFont* font;
    float size, width;
    std::string words;
    auto operator<=>(const Key&) const = default;
  };
  constexpr std::size_t most = 512;
  thread_local std::map<Key, std::string> known;
  const Key key{font, font->FontSize, width, std::string(words)};
  if (const auto found = known.find(key); found != known.end()) return found->second;
  if (known.size() >= most) known.clear();
  return known[key] = wrapped_anew(font, words, width);
}

void quiet_text(UiContext& ui, std::string_view words) {
  const std::string text = wrapped(ImGui::GetFont(), words, ImGui::GetContentRegionAvail().x);
  ImGui::PushStyleColor(ImGuiCol_Text, ui.theme->quiet);
  ImGui::TextUnformatted(text.data(), text.data() + text.size());
  ImGui::PopStyleColor();
}

void key_value(UiContext& ui, std::string_view label, std::string_view value, Role role) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ui.px(22), gap = ui.px(8);
  const float wanted = text_width(ui.fonts->mono, value), wanted_label = text_width(ui.fonts->body, label);
  const ImU32 colour = role == Role::neutral ? ui.theme->text : role_colour(*ui.theme, role);
  if (wanted + wanted_label + gap > width) {  // a row each
    const float row = ui.px(18);
    bool cut = draw_text(list, ui.fonts->body, ui.theme->quiet, at, {at.x + width, at.y + row}, label);
    cut |= draw_text(list, ui.fonts->mono, colour, {at.x, at.y + row}, {at.x + width, at.y + 2 * row}, value,
                     Align::right);
    ImGui::Dummy({width, 2 * row + ui.px(2)});
    term_tooltip(ui, label);
    if (cut) help_tooltip(ui, std::string(label) + ": " + std::string(value));
    return;
  }
  const float value_x = std::floor(width - wanted);
  const ImVec2 low{at.x, at.y}, high{at.x + width, at.y + height};
  draw_text(list, ui.fonts->body, ui.theme->quiet, low, {at.x + value_x - gap, high.y}, label);
  draw_text(list, ui.fonts->mono, colour, {at.x + value_x, low.y}, high, value, Align::right);
  ImGui::Dummy({width, height});
  term_tooltip(ui, label);
}

void help_tooltip(UiContext& ui, std::string_view text) {
  if (!text.empty() && rested_on_item(ui)) show_help(ui, text);
}

void term_tooltip(UiContext& ui, std::string_view label) {
  if (!ui.meaning || !rested_on_item(ui)) return;
  if (const std::string line = ui.meaning(label); !line.empty()) show_help(ui, line);
}

bool rested_on_item(UiContext& ui) {
  constexpr float delay = 0.4f;
  if (!ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return false;
  if (!path_of(ui, "").starts_with(ui.walk.within)) return false;  // below a dialog
  const ImVec2 item = ImGui::GetItemRectMin();
  const int frame = ImGui::GetFrameCount();
  const bool same = item.x == ui.rest.item.x && item.y == ui.rest.item.y && ui.rest.frame >= frame - 1;
  ui.rest = {item, same ? ui.rest.seconds + (ui.rest.frame == frame ? 0 : ImGui::GetIO().DeltaTime) : 0, frame};
  return ui.rest.seconds >= delay;
}

void show_help(UiContext& ui, std::string_view text) {
  ui.tooltip = {std::string(text), {ImGui::GetItemRectMin(), ImGui::GetItemRectMax()}};
}

ImVec2 tooltip_place(const UiContext& ui, const Area& item, ImVec2 size) {
  const float gap = ui.px(4);
  const ImVec2 room{ImGui::GetIO().DisplaySize.x - size.x - gap, ImGui::GetIO().DisplaySize.y - size.y - gap};
  const auto covered = [&](ImVec2 at, const Area& area) {
    const float x = std::min(at.x + size.x, area.max.x) - std::max(at.x, area.min.x),
                y = std::min(at.y + size.y, area.max.y) - std::max(at.y, area.min.y);
    return std::max(0.f, x) * std::max(0.f, y);
  };
  // It stands at the item, or at an edge of what is kept: of all such places at the nearest that covers least.
  std::vector<float> across{item.min.x}, down{item.min.y};
  const auto add = [&](const Area& area) {
    for (const float x : {area.max.x + gap, area.min.x - gap - size.x}) across.push_back(x);
    for (const float y : {area.max.y + gap, area.min.y - gap - size.y}) down.push_back(y);
  };
  add(item);
  for (const Area& kept : ui.kept_before) add(kept);
  ImVec2 best{};
  std::pair<float, float> least{HUGE_VALF, 0};
  for (const float y : down)
    for (const float x : across) {
      const ImVec2 at{std::floor(std::max(gap, std::min(x, room.x))), std::floor(std::max(gap, std::min(y, room.y)))};
      float hides = 8 * covered(at, item);
      for (const Area& kept : ui.kept_before) hides += covered(at, kept);
      const float aside = std::max({0.f, at.x - item.max.x, item.min.x - at.x - size.x}),
                  below = std::max({0.f, at.y - item.max.y, item.min.y - at.y - size.y});
      if (const std::pair now{hides, aside + below}; now < least) {
        least = now;
        best = at;
      }
    }
  return best;
}

void draw_tooltip(UiContext& ui) {
  // One whose mouse rests while keys are pressed would cover what they are pressed for.
  const ImGuiIO& io = ImGui::GetIO();
  if (io.MouseDelta.x != 0 || io.MouseDelta.y != 0 || ImGui::IsAnyMouseDown())
    ui.by_keys = false;
  else if (any_key_pressed())
    ui.by_keys = true;
  if (ui.tooltip.words.empty() || ui.by_keys) return;
  const ImVec2 padding{ui.px(10), ui.px(6)};
  const std::string shown = wrapped(ui.fonts->body, ui.tooltip.words, ui.px(320));
  const ImVec2 size =
      ui.fonts->body->CalcTextSizeA(ui.fonts->body->FontSize, FLT_MAX, 0, shown.data(), shown.data() + shown.size());
  ImGui::SetNextWindowPos(
      tooltip_place(ui, ui.tooltip.item, {std::ceil(size.x) + 2 * padding.x, std::ceil(size.y) + 2 * padding.y}));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, padding);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowMinSize, {1, 1});
  ImGui::PushFont(ui.fonts->body);
  ImGui::BeginTooltip();
  ImGui::TextUnformatted(shown.data(), shown.data() + shown.size());
  ImGui::EndTooltip();
  ImGui::PopFont();
  ImGui::PopStyleVar(2);
}

}  // namespace warploom::ui
