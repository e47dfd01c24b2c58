#include <fmt/format.h>

#include <algorithm>

#include "gpu/scenes/butterfly/tracks/network_facet.h"
#include "viewer/panels/cards/cards.h"
#include "viewer/scenes/butterfly/cards/steps.h"
#include "viewer/scenes/butterfly/facets.h"
#include "viewer/ui/fields.h"

namespace warploom {

namespace {

/// Words in boxes, one after another, in as many lines as they take.
class Chips {
 public:
  Chips(ui::UiContext& ui, float indent)
      : ui_(ui),
        at_(ImGui::GetCursorScreenPos()),
        left_(at_.x + ui.px(indent)),
        right_(at_.x + ImGui::GetContentRegionAvail().x),
        x_(left_) {}
  void add(const std::string& text, bool is_current) {
    const ImVec2 size = ImGui::CalcTextSize(text.c_str());
    const float width = size.x + ui_.px(8);
    if (x_ > left_ && x_ + width > right_) x_ = left_, at_.y += line();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImVec2 min{x_, at_.y}, max{x_ + width, at_.y + size.y + ui_.px(4)};
    list->AddRectFilled(min, max, is_current ? ui::fade(ui_.theme->accent, .35f) : ui_.theme->raised, ui_.px(3));
    list->AddText({min.x + ui_.px(4), min.y + ui_.px(2)}, ui_.theme->text, text.c_str());
    x_ = max.x + ui_.px(3);
  }
  void finish() {
    ImGui::SetCursorScreenPos({left_ - ui_.px(0), at_.y + line()});
    ImGui::Dummy({1, 0});
  }

 private:
  float line() const { return ImGui::GetTextLineHeight() + ui_.px(7); }
  ui::UiContext& ui_;
  ImVec2 at_;
  float left_, right_, x_;
};

/// The digits of one part of a place, the highest bit first: `first` and on, of so many bits.
void part_row(ui::UiContext& ui, const char* label, const char* help, const std::vector<DigitPlace>& places,
              DigitPlace::Of of, int first, int bits, const NetworkStage& paired) {
  if (bits <= 0) return;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddText({at.x, at.y + ui.px(2)}, ui.theme->quiet, label);
  Chips chips(ui, 76);
  for (int bit = first + bits - 1; bit >= first; --bit) {
    std::string digit = "\u00b7";  // another problem's
    bool is_paired = false;
    for (std::size_t d = 0; d < places.size(); ++d)
      if (places[d].of == of && places[d].bit == bit) {
        const int number = static_cast<int>(d) + 1;
        digit = fmt::format("t{}", number);
        is_paired = paired.high != 0 && number <= paired.high && number >= paired.low;
      }
    chips.add(digit, is_paired);
  }
  chips.finish();
  ImGui::SetCursorScreenPos({at.x, ImGui::GetCursorScreenPos().y});
  ui::help_tooltip(ui, help);
}

/// Which digits the parts of a place have when a stage runs.
void place_rows(ui::UiContext& ui, const NetworkReport& network, int stage) {
  const NetworkMapping& at = network.mapping;
  const auto& places = network.places[static_cast<std::size_t>(stage)];
  const NetworkStage paired =
      stage == 0 ? NetworkStage{} : network.by_stage[static_cast<std::size_t>(stage - 1)].digits;
  const int threads = at.s - at.p, lanes = std::min(5, threads);
  const auto devices = std::ranges::count(places, DigitPlace::Of::device, &DigitPlace::of);
  part_row(ui, "device", "bits of the number of the device that has the element", places, DigitPlace::Of::device, 0,
           static_cast<int>(devices), paired);
  part_row(ui, "warp", "bits of the number of the warp in its block; a point is a digit of the problem's number",
           places, DigitPlace::Of::thread, lanes, threads - lanes, paired);
  part_row(ui, "lane", "bits of the number of the thread in its warp", places, DigitPlace::Of::thread, 0, lanes,
           paired);
  part_row(ui, "register", "bits of the number of the register: what a thread pairs alone", places,
           DigitPlace::Of::registers, 0, at.p, paired);
}

std::string digits_text(const std::vector<int>& all) {
  std::string text;
  for (const int digit : all) text += (text.empty() ? "" : " ") + std::to_string(digit);
  return text;
}

/// As typed, and the parameter's value that it was typed over.
struct TypedOperators {
  std::string typed, typed_over;
};

/// A string of the user's own: what becomes of the digits, or what is wrong with it, under the character.
void own_string(PanelContext& panel) {
  auto& ui = panel.ui;
  const auto* strings = panel.model.scene().facet<OperatorStrings>();
  if (!strings || !strings->read_operators({})) return;
  auto& [typed, typed_over] = panel.state.own<TypedOperators>();
  if (typed_over != strings->operators()) typed = typed_over = strings->operators();
  ui::quiet_text(ui, "a string of your own");
  const float left = ImGui::GetCursorScreenPos().x;
  const bool entered = ui::wide_text(ui, "own", "operators", typed, "G^2(6,1) R(n,1)");
  const auto read = *strings->read_operators(typed);
  if (entered && read.mistake.empty()) panel.model.set("operators", typed);
  if (typed.empty()) return;
  if (read.mistake.empty()) {
    ui::key_value(ui, "digits", digits_text(read.digits));
    ui::key_value(ui, "an FFT", read.is_fft ? "yes" : "no");
    return;
  }
  const std::string before = typed.substr(0, std::min(typed.size(), static_cast<std::size_t>(read.character - 1)));
  const float x = left + ImGui::GetStyle().FramePadding.x + ui::text_width(ui.fonts->mono, before);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddTriangleFilled({x, at.y + ui.px(6)}, {x + ui.px(7), at.y + ui.px(6)},
                                                {x + ui.px(3.5f), at.y}, ui.theme->bad);
  ImGui::Dummy({1, ui.px(6)});
  ui::quiet_text(ui, fmt::format("character {}: {}", read.character, read.mistake));
}

}  // namespace

/// Where the digits of an element's number are when a stage runs, and the string of operators that moves them.
void mapping_card(PanelContext& panel, std::size_t track_index, Track&, NetworkFacet& networked) {
  const NetworkReport& network = networked.network();
  if (network.places.empty() && !network.tuned) return;
  auto& ui = panel.ui;
  const ui::Section section(
      ui, "mapping", "Mapping \u00b7 " + track_letter(*panel.simulation, track_index),
      "the number of an element has digits t1, the lowest, to tn: they name the register, the lane, the "
      "warp and the problem that hold it; [ and ] go from stage to stage");
  if (!section) return;
  const int stage = stage_of_wire(panel.model.selection(), network);
  const NetworkMapping& at = network.mapping;
  ui::key_value(
      ui, "stage",
      stage == 0 ? fmt::format("0 of {}, as loaded", network.stages) : fmt::format("{} of {}", stage, network.stages));
  ui::key_value(ui, "n, p, s", fmt::format("{}, {}, {}", at.n, at.p, at.s));
  if (!network.places.empty()) place_rows(ui, network, stage);
  if (network.tuned) program_steps(panel, *network.tuned, network.ring.bytes != 0, at.n, stage);
  if (network.operator_steps.empty()) return;
  ui::quiet_text(ui, "operators, from left to right");
  Chips chips(ui, 0);
  const OperatorStep* before = nullptr;
  const OperatorStep* last = nullptr;
  for (const OperatorStep& step : network.operator_steps) {
    const bool is_current = stage > 0 && step.window == paired_stage_group(network, stage);
    if (is_current) last = &step;
    if (!is_current && !last) before = &step;
    chips.add(step.text, is_current);
  }
  chips.finish();
  if (last) {
    if (before) ui::key_value(ui, "digits before", digits_text(before->digits));
    ui::key_value(ui, "after", digits_text(last->digits));
  }
  own_string(panel);
}

}  // namespace warploom
