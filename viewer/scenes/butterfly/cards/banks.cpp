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
  const ui::Section section(ui, "banks", "Banks \u00b7 " + track_letter(*panel.simulation, track_index),
                            "shared memory has 32 banks of 4 bytes: words that the lanes of a warp read from one bank "
                            "come one after another, which is a bank conflict. Below, what one exchange costs in each "
                            "layout of its words, or in the one that a plan has");
  if (!section) return;
  // The exchange of the stage that is looked at, else the last one.
  const int wanted = stage_of_wire(panel.model.selection(), network);
  int stage = network.banks.back().stage;
  for (const BankUse& use : network.banks)
    if (use.stage == wanted) stage = wanted;
  if (stage > network.stages)
    ui::key_value(ui, "exchange", "behind the last stage");
  else
    ui::key_value(ui, "exchange before stage", std::to_string(stage));
  unsigned most = 1;
  for (const BankUse& use : network.banks)
    if (use.stage == stage)
      for (const auto words : use.words) most = std::max<unsigned>(most, words);
  for (const BankUse& use : network.banks) {
    if (use.stage != stage) continue;
    const Wavefronts &read = use.cost.read, &write = use.cost.write;
    ui::key_value(ui, fmt::format("{}{}", layout_name(use.layout), use.own ? " \u00b7 used" : ""),
                  read.taken == read.ideal
                      ? fmt::format("{} reads", short_count(read.taken))
                      : fmt::format("{} reads, not {}", short_count(read.taken), short_count(read.ideal)));
    ui::help_tooltip(ui, [&] {
      return fmt::format(
          "a block's reads from shared memory take {} wavefronts, {} without bank conflicts; its writes {}, {} without",
          short_count(read.taken), short_count(read.ideal), short_count(write.taken), short_count(write.ideal));
    });
    bank_bars(panel, use, most, ui.theme->tracks[track_index]);
  }
}

}  // namespace warploom
