#include <fmt/format.h>

#include <algorithm>

#include "gpu/scenes/butterfly/tracks/network_facet.h"
#include "viewer/panels/cards/cards.h"

namespace warploom {

namespace {

/// A bar a bank, as high as it has different words to give at once.
void bank_bars(PanelContext& panel, const BankUse& use, unsigned most, ImU32 colour) {
  auto& ui = panel.ui;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ui.px(26),
              step = width / static_cast<float>(use.words.size());
  ImDrawList* list = ImGui::GetWindowDrawList();
  for (std::size_t bank = 0; bank < use.words.size(); ++bank) {
    const float left = at.x + step * static_cast<float>(bank);
    const ImVec2 min{left, at.y}, max{left + step - ui.px(1), at.y + height};
    list->AddRectFilled(min, max, ui.theme->raised);
    if (use.words[bank] == 0) continue;
    const float part = height * static_cast<float>(use.words[bank]) / static_cast<float>(most);
    list->AddRectFilled({min.x, max.y - std::max(ui.px(2), part)}, max,
                        use.words[bank] > 1 ? ui.theme->warning : colour);
  }
  ImGui::Dummy({width, height + ui.px(4)});
  ui::help_tooltip(ui,
                   "the 32 banks, and how many different words of each a warp's slowest read needs; words of one bank "
                   "are read one after another");
}

}  // namespace

/// What an exchange costs in the banks of shared memory, in every layout of its words.
void banks_card(PanelContext& panel, std::size_t track_index, Track&, NetworkFacet& networked) {
  const NetworkReport& network = networked.network();
  if (network.banks.empty()) return;
  auto& ui = panel.ui;
  const ui::Section section(
      ui, "banks", "Banks \u00b7 " + track_letter(track_index),
      "shared memory has 32 banks of 4 bytes: the words that lanes read from one bank come one after another");
  if (!section) return;
  // The exchange of the stage that is looked at, else the last one.
  const int wanted = stage_of_wire(panel.model.selection(), network.stages);
  int stage = network.banks.back().stage;
  for (const BankUse& use : network.banks)
    if (use.stage == wanted) stage = wanted;
  ui::key_value(ui, "exchange before stage", std::to_string(stage));
  unsigned most = 1;
  for (const BankUse& use : network.banks)
    if (use.stage == stage)
      for (const auto words : use.words) most = std::max<unsigned>(most, words);
  for (const BankUse& use : network.banks) {
    if (use.stage != stage) continue;
    const auto side = [](const Wavefronts& cost) {
      return cost.taken == cost.ideal ? short_count(cost.taken)
                                      : fmt::format("{} for {}", short_count(cost.taken), short_count(cost.ideal));
    };
    ui::key_value(ui, fmt::format("{}{}", layout_name(use.layout), use.own ? " \u00b7 own" : ""),
                  fmt::format("reads {}", side(use.cost.read)));
    ui::help_tooltip(ui, [&] {
      return fmt::format("wavefronts of a block: writes {}, reads {}", side(use.cost.write), side(use.cost.read));
    });
    bank_bars(panel, use, most, ui.theme->tracks[track_index]);
  }
}

}  // namespace warploom
