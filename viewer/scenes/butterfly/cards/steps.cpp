#include "viewer/scenes/butterfly/cards/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace warploom {

namespace {

constexpr int lane_bits = 5;

constexpr int of_batch = 0;  ///< for the number of a digit

/// Numbers that fall or rise by one are told as a run where they are three or more; digits of a batch are points.
std::string numbers_text(const std::vector<int>& all) {
  std::string text;
  for (std::size_t i = 0; i < all.size();) {
    std::size_t end = i + 1;
    if (all[i] == of_batch) {
      text += text.empty() || all[i - 1] == of_batch ? "\u00b7" : " \u00b7";
      i = end;
      continue;
    }
    const int apart = end < all.size() ? all[end] - all[i] : 0;
    while ((apart == 1 || apart == -1) && end < all.size() && all[end] != of_batch && all[end] - all[end - 1] == apart)
      ++end;
    if (end - i < 3) end = i + 1;
    text += text.empty() ? "" : " ";
    text += std::to_string(all[i]);
    if (end - i > 1) {
      text += "\u2013";
      text += std::to_string(all[end - 1]);
    }
    i = end;
  }
  return text;
}

/// Bits `first` and on, below `end`; digits of rows have numbers up to n, those of a batch stand above them.
std::string bits_text(const Digits& digits, int first, int end, int n) {
  std::vector<int> numbers;
  for (int bit = end - 1; bit >= first; --bit) numbers.push_back(digits.at[bit] < n ? digits.at[bit] + 1 : of_batch);
  return numbers_text(numbers);
}

/// The digits of a row that no thread of a block holds: its number has them.
std::string block_text(const Layout& at, int n) {
  std::vector<int> numbers;
  for (int digit = n - 1; digit >= 0; --digit)
    if (at.registers.bit_of(digit) < 0 && at.thread.bit_of(digit) < 0) numbers.push_back(digit + 1);
  return numbers_text(numbers);
}

std::string stages_text(const PlanStep& step, bool is_first) {
  if (step.first > step.last) return is_first ? "load" : "store";
  const std::string first = std::to_string(step.first);
  return step.first == step.last ? first : first + "\u2013" + std::to_string(step.last);
}

}  // namespace

std::vector<StepWords> step_words(const Plan& plan, bool ring) {
  std::vector<StepWords> all;
  const int last_pass = plan.step[plan.steps - 1].launch;
  for (int i = 0; i < plan.steps; ++i) {
    const PlanStep& step = plan.step[i];
    const bool begins = i == 0 || plan.step[i - 1].launch != step.launch;
    const Digits& thread = step.at.thread;
    const int lanes = std::min(lane_bits, thread.count);
    StepWords words;
    words.stages = stages_text(step, i == 0);
    if (begins)
      words.by = ring && i > 0 && step.launch == last_pass ? "ring" : "memory";
    else if (!step.into.none)
      words.by = step.into.in_warp ? "warp" : "shared";
    words.block = block_text(step.at, plan.n);
    words.warp = bits_text(thread, lanes, thread.count, plan.n);
    words.lane = bits_text(thread, 0, lanes, plan.n);
    words.registers = bits_text(step.at.registers, 0, step.at.registers.count, plan.n);
    all.push_back(words);
  }
  return all;
}

void program_steps(PanelContext& panel, const Plan& plan, bool ring, int n, int stage) {
  auto& ui = panel.ui;
  const std::vector<StepWords> steps = step_words(plan, ring);
  // Tiles are launched first; their blocks' numbers have the digits above them.
  ui::quiet_text(ui,
                 plan.n < n ? fmt::format("steps of the program, of tiles of 2^{}", plan.n) : "steps of the program");
  ui::help_tooltip(ui,
                   "a row a step: the stages that it runs, how elements came to their places (warp: an exchange that "
                   "stays in each warp and needs no barrier; shared: one of the block; memory: loaded; ring: handed on "
                   "by other blocks of the launch, in the second cache), and which "
                   "digits their block, warp, lane and register have; a point is a digit of the problem's number");
  struct Column {
    const char* name;
    std::string StepWords::*of;
  };
  constexpr std::array<Column, 6> columns{{{"stages", &StepWords::stages},
                                           {"by", &StepWords::by},
                                           {"block", &StepWords::block},
                                           {"warp", &StepWords::warp},
                                           {"lane", &StepWords::lane},
                                           {"register", &StepWords::registers}}};
  std::array<float, columns.size()> widths{};
  float all = 0;
  int shown = 0;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    for (const StepWords& step : steps)
      widths[k] = std::max(widths[k], ui::text_width(ui.fonts->mono, step.*columns[k].of));
    if (widths[k] == 0) continue;
    widths[k] = std::max(widths[k], ui::text_width(ui.fonts->body, columns[k].name));
    all += widths[k];
    ++shown;
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, row = ui.px(18), least_gap = ui.px(6);
  const float gaps = static_cast<float>(std::max(1, shown - 1));
  // Where all do not fit, the digits have a row of their own.
  const bool narrow = all + least_gap * gaps > width;
  const std::size_t second_row = narrow ? 2 : columns.size();
  const float step_height = narrow ? 2 * row : row,
              gap = narrow ? ui.px(12) : std::min((width - all) / gaps, ui.px(14));
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto line = [&](float y, const ImFont* font, ImU32 colour, const auto& text_of) {
    float x = at.x;
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (k == second_row) x = at.x + ui.px(10), y += row;
      if (widths[k] == 0) continue;
      ui::draw_text(list, font, colour, {x, y}, {std::min(x + widths[k] + 1, at.x + width), y + row},
                    text_of(columns[k]));
      x += widths[k] + gap;
    }
  };
  line(at.y, ui.fonts->body, ui.theme->quiet, [](const Column& column) { return std::string(column.name); });
  const int current = plan.step_of(stage);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const float y = at.y + step_height * static_cast<float>(i + 1);
    if (static_cast<int>(i) == current)
      list->AddRectFilled({at.x - ui.px(3), y}, {at.x + width, y + step_height}, ui::fade(ui.theme->accent, .25f),
                          ui.px(3));
    line(y, ui.fonts->mono, ui.theme->text, [&](const Column& column) { return steps[i].*column.of; });
  }
  ImGui::Dummy({width, step_height * static_cast<float>(steps.size() + 1) + ui.px(4)});
}

}  // namespace warploom
