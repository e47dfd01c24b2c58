#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gpu/scenes/butterfly/pictures/network_values.h"
#include "gpu/scenes/butterfly/tracks/network_facet.h"
#include "viewer/panels/cards/cards.h"

namespace warploom {

namespace {

std::array<std::uint64_t, edge_kinds> edges_of(const NetworkReport& network) {
  std::array<std::uint64_t, edge_kinds> all{};
  for (const StageReport& stage : network.by_stage)
    for (std::size_t k = 0; k < all.size(); ++k) all[k] += stage.edges[k];
  return all;
}

/// A row of the card: of each track a word in its colour.
void track_row(PanelContext& panel, const char* name, const char* help,
               const std::function<std::string(const NetworkReport&)>& of) {
  auto& ui = panel.ui;
  std::vector<TableCell> cells;
  for (std::size_t i = 0; i < panel.simulation->size(); ++i)
    if (const auto* networked = panel.simulation->track(i).facet<NetworkFacet>())
      cells.push_back({of(networked->network()), ui.theme->track_text[i]});
  table_row(ui, name, cells, false, 104);
  ui::help_tooltip(ui, help);
}

}  // namespace

/// How the networks of all tracks compare: what they do, and what their exchanges cost.
void network_card(PanelContext& panel) {
  auto& ui = panel.ui;
  const ui::Section section(ui, "network", "Network",
                            "what each track executes per problem, and what a full block pays for its exchanges");
  if (!section) return;
  const auto number = [](std::uint64_t value) { return short_count(value); };
  track_row(
      panel, "program",
      "tuned: its digits were placed when it was compiled; general: it runs any mapping, and finds places as it runs",
      [](const NetworkReport& n) { return std::string(n.tuned ? "tuned" : "general"); });
  track_row(panel, "stages", "columns of nodes, one after the other: the depth of the network",
            [](const NetworkReport& n) { return std::to_string(n.stages); });
  track_row(panel, "operators", "nodes of one problem: each combines a few elements",
            [&](const NetworkReport& n) { return number(n.operators); });
  track_row(panel, "launches", "kernels launched in a step",
            [&](const NetworkReport& n) { return number(n.launches); });
  track_row(panel, "exchanges",
            "times that data cross between threads by way of shared memory, of a block's words or of its warp's own",
            [&](const NetworkReport& n) { return number(n.exchanges); });
  track_row(
      panel, "barriers",
      "where all threads of a block wait: 2K - 1 for K exchanges; of tuned programs what stays in a warp needs none",
      [&](const NetworkReport& n) { return number(n.barriers()); });
  track_row(panel, "shared", "bytes of shared memory per block", [](const NetworkReport& n) {
    return n.shared_bytes ? bytes_text(double(n.shared_bytes)) : std::string("0");
  });
  // Of rows that several launches share no stages are told.
  const auto told = [&number](const NetworkReport& n, std::uint64_t value) {
    return n.by_stage.empty() ? std::string("-") : number(value);
  };
  const auto wavefronts = [](const NetworkReport& n) {
    Wavefronts all;
    for (const StageReport& stage : n.by_stage) all += stage.cost.write, all += stage.cost.read;
    return all;
  };
  track_row(panel, "wavefronts", "accesses of warps to shared memory that a block's exchanges take",
            [&](const NetworkReport& n) { return told(n, wavefronts(n).taken); });
  track_row(panel, "conflict-free", "wavefronts that they would take without bank conflicts",
            [&](const NetworkReport& n) { return told(n, wavefronts(n).ideal); });
  bool shared_out = false;
  for (std::size_t i = 0; i < panel.simulation->size(); ++i)
    if (const auto* networked = panel.simulation->track(i).facet<NetworkFacet>())
      shared_out = shared_out || networked->network().devices > 1;
  if (shared_out) {
    const auto or_none = [&number](const std::optional<std::uint64_t>& value) {
      return value ? number(*value) : std::string("-");
    };
    track_row(panel, "link values", "values of a problem that other devices need, each sent once a stage",
              [&](const NetworkReport& n) { return or_none(n.values); });
    track_row(panel, "link stages", "stages before which values cross between devices",
              [&](const NetworkReport& n) { return or_none(n.link_exchanges); });
  }
  ui::quiet_text(ui, "edges, by the path of their data");
  ui::help_tooltip(ui, "an edge brings an operand to a node; the pictures draw each kind in its colour and stroke");
  for (std::size_t kind = 0; kind < edge_kinds; ++kind) {
    bool any = kind == 0;
    for (std::size_t i = 0; i < panel.simulation->size(); ++i)
      if (const auto* networked = panel.simulation->track(i).facet<NetworkFacet>())
        any = any || edges_of(networked->network())[kind] > 0;
    if (!any) continue;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    track_row(panel, ("     " + std::string(words_of_edges[kind].key)).c_str(),
              "register: in its thread; shuffle: in its warp; shared: in its block; global: through memory; link: from "
              "another device; ring: through a ring that stays in the second cache",
              [&](const NetworkReport& n) { return told(n, edges_of(n)[kind]); });
    // As the picture draws them.
    const float y = at.y + ui.px(11), dash = words_of_edges[kind].dash;
    for (int i = 0; static_cast<float>(i) * dash * 1.5f < 18; ++i) {
      const float x = static_cast<float>(i) * dash * 1.5f;
      ImGui::GetWindowDrawList()->AddLine({at.x + ui.px(x), y}, {at.x + ui.px(std::min(18.f, x + dash)), y},
                                          edge_colour(static_cast<EdgeKind>(kind)), ui.px(2));
    }
  }
}

}  // namespace warploom
