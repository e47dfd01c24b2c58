#include <fmt/format.h>

#include "gpu/scenes/butterfly/kernels/occupancy.h"
#include "gpu/scenes/butterfly/tracks/network_facet.h"
#include "viewer/panels/cards/cards.h"

namespace warploom {

/// What a block takes of a multiprocessor, and how many it holds: by the device, and by the rules of published tables.
void resources_card(PanelContext& panel, std::size_t track_index, Track&, NetworkFacet& networked) {
  const NetworkReport& network = networked.network();
  const NetworkMapping& at = network.mapping;
  if (network.places.empty() && !network.resources) return;
  auto& ui = panel.ui;
  const ui::Section section(
      ui, "resources", "Resources \u00b7 " + track_letter(*panel.simulation, track_index),
      "how many blocks a multiprocessor holds at once, limited by threads, registers or shared memory: more work per "
      "thread and fewer launches help, as long as enough warps are left to hide latency");
  if (!section) return;
  const int threads = 1 << (at.s - at.p);
  ui::key_value(ui, "threads per block", std::to_string(threads));
  ui::key_value(ui, "shared memory a block", fmt::format("{} B", network.shared_bytes));
  const auto share = [](int blocks, double occupancy) {
    return fmt::format("{} block{}, {:.0f} %", blocks, blocks == 1 ? "" : "s", 100 * occupancy);
  };
  const auto& own = network.resources;
  if (own) {
    ui::key_value(ui, "registers per thread", std::to_string(own->registers));
    if (own->local_bytes)
      ui::key_value(ui, "spilled a thread", fmt::format("{} B", own->local_bytes), ui::Role::warning);
    ui::key_value(ui, "this GPU holds", share(own->blocks, own->occupancy));
  } else {
    ui::quiet_text(ui,
                   "Blocks that a GPU's multiprocessor holds at once, register use left out: the CPU engine has none.");
  }
  for (const Multiprocessor& one : multiprocessors) {
    const Occupancy found =
        occupancy_of(one, {threads, own ? own->registers : 0, static_cast<int>(network.shared_bytes)});
    ui::key_value(ui, std::string(one.name), share(found.blocks, found.share));
    ui::help_tooltip(ui, [&] {
      return fmt::format(
          "a multiprocessor of this architecture would hold so many blocks, which is so much of its warps; {} are the "
          "limit. It has {} warps, {} blocks, {} registers and {} KiB of shared memory",
          found.limit, one.warps, one.blocks, one.registers, one.shared_bytes / 1024);
    });
  }
}

}  // namespace warploom
