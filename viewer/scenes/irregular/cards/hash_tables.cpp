#include <fmt/format.h>

#include <functional>

#include "gpu/core/format.h"
#include "gpu/scenes/irregular/tracks/hash_report.h"
#include "viewer/panels/cards/cards.h"

namespace warploom {

namespace {

/// A row of the card: of each track a word in its colour.
void hash_row(PanelContext& panel, const char* name, const char* help,
              const std::function<std::string(const HashReport&)>& of) {
  auto& ui = panel.ui;
  std::vector<TableCell> cells;
  for (std::size_t i = 0; i < panel.simulation->size(); ++i)
    if (const auto* table = panel.simulation->track(i).facet<HashFacet>()) {
      const auto report = table->report();
      cells.push_back({report ? of(*report) : "\u2026", ui.theme->track_text[i]});
    }
  table_row(ui, name, cells, false, 104);
  ui::help_tooltip(ui, help);
}

std::string mean_or(double mean, bool there) { return there ? fmt::format("{:.3g}", mean) : "none"; }

}  // namespace

/// What the tables of all tracks take, and what it costs to build and to ask them.
void hash_card(PanelContext& panel) {
  auto& ui = panel.ui;
  const ui::Section section(ui, "hash", "Tables", "what each table stores, and what its queries cost");
  if (!section) return;
  hash_row(panel, "bytes a pair", "bytes of the whole table over its pairs; a pair alone has 8",
           [](const HashReport& of) { return fmt::format("{:.1f}", of.bytes_per_pair()); });
  hash_row(panel, "load", "pairs over slots; of chaining over heads, which may pass 1",
           [](const HashReport& of) { return fmt::format("{:.2f}", of.load()); });
  hash_row(panel, "insert", "probes or writes of a pair until it has its place, on average",
           [](const HashReport& of) { return mean_or(of.facts.probes_insert, of.facts.probes_insert > 0); });
  hash_row(panel, "hit", "probes of a query whose key is there, on average",
           [](const HashReport& of) { return mean_or(of.probes_hit, of.hits > 0); });
  hash_row(panel, "miss", "probes of a query whose key is not there, on average",
           [](const HashReport& of) { return mean_or(of.probes_miss, of.misses > 0); });
  hash_row(panel, "lanes useful", "lanes that probe while their warp waits for its longest query",
           [](const HashReport& of) { return fmt::format("{:.0f} %", 100 * of.counts.warp_efficiency()); });
  hash_row(panel, "rounds", "rounds until a bucket of two_level is built, on average",
           [](const HashReport& of) { return mean_or(of.facts.rounds, of.facts.rounds > 0); });
  hash_row(panel, "reseeded", "buckets that were built by other functions, as the first ones failed",
           [](const HashReport& of) { return grouped(of.facts.reseeded); });
  hash_row(panel, "restarts", "attempts to build the whole table before the one that did",
           [](const HashReport& of) { return grouped(of.facts.restarts); });
}

}  // namespace warploom
