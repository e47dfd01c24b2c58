// The strip of a tour at the foot of the window: what the step says, what it asks, and the way on and back.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "viewer/model/scene_parts.h"
#include "viewer/panels/panels.h"
#include "viewer/ui/imgui_compat.h"
#include "viewer/ui/theme.h"

namespace warploom {

namespace {

constexpr float reason_height = 22;

/// Larger type where the window has room for it.
bool wide(const PanelContext& panel) {
  // A presentation is larger already, and read from afar: there it is enough that a line of words has room.
  return ImGui::GetIO().DisplaySize.x >= panel.ui.px(panel.model.view.presentation ? 1100 : 1600);
}
const ImFont* type_of(const PanelContext& panel) { return wide(panel) ? panel.ui.fonts->lead : panel.ui.fonts->body; }
float right_part(const PanelContext& panel) { return panel.ui.px(wide(panel) ? 440 : 360); }
float line_height(const PanelContext& panel) { return panel.ui.px(wide(panel) ? 18 : 16); }

/// Words without the brackets round terms of the glossary, which are told apart.
struct Told {
  std::vector<std::string> lines, terms, shown;  ///< terms, and as they stand in the lines
};
Told told(const PanelContext& panel, const std::string& text, float width) {
  Told all;
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 2, "[[") == 0) {
      const auto end = std::min(text.find("]]", i), text.size());
      // It is not parted: no space of it breaks a line.
      std::string term = text.substr(i + 2, end - i - 2), whole;
      for (const char c : term) whole += c == ' ' ? std::string("\u00a0") : std::string(1, c);
      all.terms.push_back(std::move(term));
      all.shown.push_back(whole);
      plain += whole;
      i = end - 1;
    } else if (text.compare(i, 2, "]]") == 0) {
      ++i;
    } else {
      // A line break in a file is a space; an empty line is a break.
      const bool breaks = text[i] == '\n', twice = breaks && i + 1 < text.size() && text[i + 1] == '\n';
      if (twice) ++i;
      plain += breaks && !twice ? ' ' : text[i];
    }
  }
  const ImFont* font = type_of(panel);
  // No more than 72 characters or so, of which most are narrower than an e: longer lines are hard to read.
  const float most = std::min(width, ui::text_width(font, std::string(62, 'e')));
  for (std::size_t begin = 0; begin < plain.size();) {
    const auto end = std::min(plain.find('\n', begin), plain.size());
    const std::string wrapped = ui::wrapped(font, plain.substr(begin, end - begin), most);
    for (std::size_t at = 0; at <= wrapped.size();) {
      const auto stop = std::min(wrapped.find('\n', at), wrapped.size());
      all.lines.push_back(wrapped.substr(at, stop - at));
      at = stop + 1;
    }
    begin = end + 1;
  }
  return all;
}

/// Draws lines from a place on, terms underlined with their meanings; what has no room below is cut, and noted.
void draw_told(PanelContext& panel, const std::string& text, ImVec2 at, float width, float bottom, ImU32 colour) {
  auto& ui = panel.ui;
  const ImFont* font = type_of(panel);
  const float height = line_height(panel);
  const Told all = told(panel, text, width);
  ImDrawList* list = ImGui::GetWindowDrawList();
  std::size_t next = 0;
  for (const std::string& line : all.lines) {
    if (at.y + height > bottom + 1) {
      panel.state.strip_cut = true;
      return;
    }
    ui::draw_text(list, font, colour, at, {at.x + width + 1, at.y + height}, line);
    for (std::size_t from = 0; next < all.terms.size(); ++next) {
      const auto found = line.find(all.shown[next], from);
      if (found == line.npos) break;
      const float x0 = at.x + ui::text_width(font, line.substr(0, found)),
                  x1 = x0 + ui::text_width(font, all.shown[next]);
      list->AddLine({x0, at.y + height - 1}, {x1, at.y + height - 1}, ui.theme->accent);
      ImGui::SetCursorScreenPos({x0, at.y});
      ImGui::Dummy({x1 - x0, height});
      ui::help_tooltip(ui, meaning(all.terms[next]));
      from = found + all.shown[next].size();
    }
    at.y += height;
  }
}

/// A row of its own width: fields fill what they are in.
template <class Draw>
void within(const char* id, ImVec2 at, ImVec2 size, Draw&& draw) {
  ImGui::SetCursorScreenPos(at);
  ImGui::BeginChild(id, size, false,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoNav);
  draw();
  ImGui::EndChild();
}

/// The prediction as a line over what was measured: its interval, and its median.
void draw_prediction(PanelContext& panel, const AskedQuestion& asked, ImVec2 at, float width) {
  const auto& ui = panel.ui;
  const auto& [low, median, high] = asked.measured;
  const double given = asked.skipped ? median : asked.given;  // who skipped said nothing
  const double least = std::min({low, given, 1.}) / 1.25, most = std::max({high, given, 1.}) * 1.25;
  const auto place = [&](double ratio) {
    return at.x + width * static_cast<float>(std::log(ratio / least) / std::log(most / least));
  };
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float middle = at.y + ui.px(20), half = ui.px(5);
  list->AddLine({at.x, middle}, {at.x + width, middle}, ui.theme->line);
  list->AddLine({place(1), middle - half}, {place(1), middle + half}, ui.theme->quiet);
  // Each pair, where it lies on the axis.
  for (const double one : asked.spread)
    if (one > least && one < most)
      list->AddLine({place(one), middle - 2 * half}, {place(one), middle + 2 * half},
                    (ui.theme->quiet & ~IM_COL32_A_MASK) | IM_COL32(0, 0, 0, 40));
  // An interval is seen however narrow it is.
  const float from = std::min(place(low), place(median) - ui.px(2)),
              to = std::max(place(high), place(median) + ui.px(2));
  list->AddRectFilled({from, middle - half}, {to, middle + half}, ui.theme->quiet);
  if (!asked.skipped)
    list->AddLine({place(given), middle - 2 * half}, {place(given), middle + 2 * half}, ui.theme->accent, ui.px(2));
  std::vector<std::pair<float, float>> taken;
  const auto label = [&](double ratio, const std::string& words, ImU32 colour) {
    const float wide = ui::text_width(ui.fonts->mono, words);
    const float x = std::clamp(place(ratio) - wide / 2, at.x, at.x + width - wide), gap = ui.px(6);
    for (const auto& [from_x, to_x] : taken)
      if (x < to_x + gap && x + wide > from_x - gap) return;
    taken.emplace_back(x, x + wide);
    ui::draw_text(list, ui.fonts->mono, colour, {x, at.y - ui.px(6)}, {x + wide + 1, at.y + ui.px(10)}, words);
  };
  if (!asked.skipped) label(given, fmt::format("you: {:.3g}", given), ui.theme->accent);
  label(median, fmt::format("{:.2f}", median), ui.theme->text);
  label(1, "1", ui.theme->quiet);
}

/// Whether what is typed is the answer: nothing else that takes it is open.
bool takes_keys(const PanelContext& panel) {
  return !ImGui::GetIO().WantTextInput && dialog_path(panel.model).empty() &&
         !ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
}

/// Where the reasons of a ratio stand: in rows, as many side by side as have room. Empty: none are asked for.
std::vector<ImVec2> reason_places(const PanelContext& panel, float width) {
  const auto& ui = panel.ui;
  const AskedQuestion& asked = panel.model.teaching.strip.asked;
  std::vector<ImVec2> all;
  if (!panel.model.teaching.strip.asks || asked.kind != AskedQuestion::Kind::ratio || asked.answered) return all;
  ImVec2 at{0, 0};
  for (const std::string& reason : asked.choices) {
    const float wide = ui::tab_width(ui, reason);
    if (at.x > 0 && at.x + wide > width) at = {0, at.y + ui.px(reason_height)};
    all.push_back(at);
    at.x += wide + ui.px(10);
  }
  return all;
}
float reasons_height(const PanelContext& panel, float width) {
  const auto places = reason_places(panel, width);
  return places.empty() ? 0 : places.back().y + panel.ui.px(reason_height);
}

/// What the learner answers with.
void draw_question(PanelContext& panel, ImVec2 at, float width, float bottom) {
  auto& ui = panel.ui;
  Teaching& teaching = panel.model.teaching;
  AskedQuestion& asked = teaching.strip.asked;
  const float row = ui.px(26);
  const bool fields = asked.kind == AskedQuestion::Kind::number || asked.kind == AskedQuestion::Kind::ratio;
  const float below = asked.answered ? 0 : row + reasons_height(panel, width);
  if (asked.answered) {
    const float axis = ui.px(30);
    const float words = static_cast<float>(told(panel, asked.verdict, width).lines.size()) * line_height(panel);
    const bool fits = asked.measured[1] > 0 && asked.given > 0 && at.y + words + axis <= bottom;
    draw_told(panel, asked.verdict, at, width, bottom - (fits ? axis : 0), ui.theme->text);
    if (fits) draw_prediction(panel, asked, {at.x, bottom - axis}, std::min(width, ui.px(360)));
    return;
  }
  draw_told(panel, asked.question, at, width, bottom - below, ui.theme->text);
  at.y = bottom - ui.px(24);
  if (asked.kind == AskedQuestion::Kind::place) {
    ui::draw_text(ImGui::GetWindowDrawList(), ui.fonts->body, ui.theme->quiet, at, {at.x + width, at.y + ui.px(17)},
                  asked.touched ? "Enter takes the place that is picked" : "A click, or F6, arrow keys and Enter");
    return;
  }
  if (fields) {
    const bool ratio = asked.kind == AskedQuestion::Kind::ratio;
    // The reason is chosen beside the number.
    const auto places = reason_places(panel, width);
    for (std::size_t i = 0; i < places.size(); ++i) {
      ImGui::SetCursorScreenPos({at.x + places[i].x, at.y - reasons_height(panel, width) + places[i].y});
      const bool chosen = asked.chosen == static_cast<int>(i);
      if (ui::tab(ui, "why_" + std::to_string(i + 1), asked.choices[i], chosen, reason_height))
        asked.chosen = chosen ? -1 : static_cast<int>(i);
      if (ImGui::GetItemRectMax().x > at.x + width + 1) panel.state.strip_cut = true;
    }
    // Digits go into the answer, wherever the keyboard is; Backspace takes the last one.
    AskedQuestion& by_keys = panel.model.teaching.strip.asked;
    if (takes_keys(panel)) {
      bool changed = ui::key_pressed(ImGuiKey_Backspace) && !by_keys.typed.empty();
      if (changed) by_keys.typed.pop_back();
      for (const ImWchar one : ImGui::GetIO().InputQueueCharacters)
        if (((one >= '0' && one <= '9') || one == '.') && by_keys.typed.size() < 12) {
          by_keys.typed += static_cast<char>(one);
          changed = true;
        }
      if (changed) {
        by_keys.given = std::clamp(std::atof(by_keys.typed.c_str()), asked.low, asked.high);
        by_keys.touched = !by_keys.typed.empty();
      }
    }
    const std::string shown = ratio ? fmt::format("{:.3g}\u00d7", asked.given) : fmt::format("{}", asked.given);
    const float field = ui.px(84);
    within("slider", at, {width - field - ui.px(8), row}, [&] {
      if (ui::slider(ui, "guess", asked.unit, asked.given, asked.low, asked.high, shown, "What you think; drag it",
                     asked.logarithmic)) {
        asked.touched = true;
        if (!ratio && asked.high - asked.low > 5) asked.given = std::round(asked.given);
      }
    });
    within("field", {at.x + width - field, at.y}, {field, row}, [&] {
      if (!ui::real(ui, "number", "", asked.given, asked.low, asked.high, ratio ? .1 : 1, "")) return;
      asked.touched = true;
      if (ui::enter_pressed()) teaching.wish = TourWish::answer;
    });
    return;
  }
  // Choices: a click answers, or the choice's number.
  ImGui::SetCursorScreenPos(at);
  std::optional<std::size_t> chosen;
  if (takes_keys(panel))
    for (const ImWchar one : ImGui::GetIO().InputQueueCharacters)
      if (one >= '1' && one < '1' + asked.choices.size()) chosen = one - '1';
  for (std::size_t i = 0; i < asked.choices.size(); ++i) {
    if (i) ImGui::SameLine(0, ui.px(4));
    const std::string number = std::to_string(i + 1);
    if (ui::button(ui, "choice_" + number, asked.choices[i])) chosen = i;
    ui::help_tooltip(ui, "Answers with it (the key " + number + ")");
    if (ImGui::GetItemRectMax().x > at.x + width + 1) panel.state.strip_cut = true;
  }
  if (!chosen) return;
  asked.chosen = static_cast<int>(*chosen);
  teaching.wish = TourWish::answer;
}

}  // namespace

float strip_height(const PanelContext& panel) {
  // A row of reasons has its room; more rows have theirs above.
  const float more = std::max(0.f, reasons_height(panel, right_part(panel)) - panel.ui.px(reason_height));
  return panel.model.teaching.strip.open ? panel.ui.px(wide(panel) ? 129 : 112) + more : 0;
}

void tour_strip(PanelContext& panel, const ui::Rectangle& area) {
  auto& ui = panel.ui;
  Teaching& teaching = panel.model.teaching;
  const Strip& strip = teaching.strip;
  panel.state.strip_cut = false;
  panel.state.strip_area = area;
  const ui::Scope scope(ui, "tour");
  begin_panel(panel, "tour", area, ui.theme->panel, 0, 0);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(area.min, {area.max.x, area.min.y + ui.px(2)}, ui.theme->accent);
  const float pad = ui.px(14), top = area.min.y + ui.px(8), bottom = area.max.y - ui.px(6),
              right_width = right_part(panel), right = area.max.x - pad - right_width;
  const bool asks = strip.asks, open = asks && !strip.asked.answered;
  const bool alone = strip.steps == 0 || strip.puzzle;  // no step of a tour

  // Left: which step it is, and what it says; once something was answered, the reason.
  const float left = area.min.x + pad, width = right - ui.px(20) - left;
  const std::string title = strip.title + "  \u00b7  ";
  const float named = std::min(ui::text_width(ui.fonts->body, title), width / 2);
  ui::draw_text(list, ui.fonts->body, ui.theme->quiet, {left, top}, {left + named, top + ui.px(17)}, title);
  ui::draw_text(list, ui.fonts->strong, ui.theme->text, {left + named, top}, {left + width, top + ui.px(17)},
                strip.step_title);
  const bool reason = asks && strip.asked.answered && !strip.asked.measuring && !strip.asked.said.empty();
  draw_told(panel, reason ? strip.asked.said : strip.text, {left, top + ui.px(19)}, width, bottom, ui.theme->text);

  // Right: the way on and back.
  ImGui::SetCursorScreenPos({right, top});
  if (!alone) {
    if (ui::button(ui, "back", "Back")) teaching.wish = TourWish::back;
    ui::help_tooltip(ui, strip.step == 0 ? "This is the first step" : "The step before, as it was (Page Up)");
    ImGui::SameLine(0, ui.px(4));
    if (ui::button(ui, "again", "Again")) teaching.wish = TourWish::again;
    ui::help_tooltip(ui, "This step as it began: what the words say is true again");
    ImGui::SameLine(0, ui.px(4));
  }
  if (strip.puzzle) {
    if (ui::primary_button(ui, "check", strip.done ? "Check again" : "Check",
                           strip.done ? ui::Icon::check : ui::Icon::none))
      teaching.wish = TourWish::check;
    ui::help_tooltip(ui, "Judges what is set now, beside the window, on the CPU engine (Ctrl+Enter)");
    ImGui::SameLine(0, ui.px(4));
    // It keeps its place when there are no more.
    if (ui::button(ui, "hint", strip.hints_left > 0 ? "Hint" : "No more")) teaching.wish = TourWish::hint;
    ImGui::SetCursorScreenPos({right + ui.px(206), top});
    if (ui::button(ui, "again", "Start over")) teaching.wish = TourWish::again;
    ui::help_tooltip(ui, "The values of the start; Ctrl+Z brings yours back");
  } else if (open) {
    if (strip.asked.kind != AskedQuestion::Kind::place && strip.asked.kind != AskedQuestion::Kind::choice) {
      if (ui::primary_button(ui, "answer", "Answer")) teaching.wish = TourWish::answer;
      ui::help_tooltip(ui, "Takes it, and shows what is hidden (Enter, Page Down once it was moved)");
    }
    // Not where Next was: a second click must not skip.
    ImGui::SetCursorScreenPos({right + ui.px(alone ? 150 : 206), top});
    if (ui::button(ui, "skip", "Skip")) teaching.wish = TourWish::skip;
    ui::help_tooltip(ui, "Shows it without an answer, which counts as skipped, not as wrong (Page Down)");
  } else {
    const bool last = strip.step + 1 >= strip.steps;
    const char* word = strip.waits ? "Show me" : last ? "Done" : "Next";
    if (strip.waits ? ui::button(ui, "next", word)
                    : ui::primary_button(ui, "next", word, strip.done ? ui::Icon::check : ui::Icon::none))
      teaching.wish = TourWish::next;
    ui::help_tooltip(ui, strip.waits ? "Does it for you (Page Down)" : "Goes on (Page Down)");
    if (asks && strip.asked.looks) {
      ImGui::SameLine(0, ui.px(4));
      if (ui::button(ui, "look", "Look")) teaching.wish = TourWish::look;
      ui::help_tooltip(ui, "Shows where the reason can be seen");
    }
  }
  const std::string count = alone ? std::string() : fmt::format("{} / {}", strip.step + 1, strip.steps);
  ui::draw_text(list, ui.fonts->mono, ui.theme->quiet, {right, top}, {area.max.x - pad - ui.px(34), top + ui.px(26)},
                count, ui::Align::right);
  ImGui::SetCursorScreenPos({area.max.x - pad - ui.px(26), top});
  if (ui::icon_button(ui, "close", ui::Icon::close, alone ? "Close (Esc)" : "End the tour (Esc)"))
    teaching.wish = TourWish::end;
  if (strip.puzzle)
    draw_told(panel, strip.result, {right, top + ui.px(32)}, right_width, bottom,
              strip.done ? ui.theme->good : ui.theme->text);
  if (asks) draw_question(panel, {right, top + ui.px(30)}, right_width, bottom);
  ImGui::End();
}

}  // namespace warploom
