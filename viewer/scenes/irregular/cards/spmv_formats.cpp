#include <fmt/format.h>

#include <functional>

#include "gpu/scenes/irregular/tracks/spmv_track.h"
#include "viewer/panels/cards/cards.h"

namespace warploom {

namespace {

/// In four columns numbers have six letters of room.
std::string brief(double value) {
  if (value < 10) return fmt::format("{:.2f}", value);
  if (value < 1e3) return fmt::format("{:.3g}", value);
  if (value < 1e6) return fmt::format("{:.3g} k", value / 1e3);
  return fmt::format("{:.3g} M", value / 1e6);
}

}  // namespace

/// What each track stores for a nonzero, and how its lanes are used: the price beside what it buys.
void spmv_formats_card(PanelContext& panel) {
  auto& ui = panel.ui;
  std::vector<const SpmvTrack*> tracks;
  for (std::size_t i = 0; i < panel.simulation->size(); ++i)
    tracks.push_back(dynamic_cast<const SpmvTrack*>(&panel.simulation->track(i)));
  if (!tracks[0]) return;
  const ui::Section section(ui, "formats", "Formats",
                            "what each track stores, and how many of the lanes of its warps have something to do");
  if (!section) return;
  const auto row = [&](const char* label, const char* help, const std::function<std::string(const SpmvTrack&)>& of) {
    std::vector<TableCell> cells;
    for (std::size_t i = 0; i < tracks.size(); ++i)
      cells.push_back({tracks[i]->layout() ? of(*tracks[i]) : "\u2013", ui.theme->track_text[i]});
    table_row(ui, label, cells, false, 92);
    ui::help_tooltip(ui, help);
  };
  const auto share = [](double part, double all) {
    return all > 0 ? fmt::format("{:.3g}", 100 * part / all) : "\u2013";
  };
  row("B/nonzero", "bytes of all arrays of the format, for each nonzero", [](const SpmvTrack& track) {
    const auto nonzeros = static_cast<double>(track.matrix().nonzeros());
    return nonzeros > 0 ? fmt::format("{:.3g}", track.layout()->bytes() / nonzeros) : "\u2013";
  });
  row("padding, %", "elements as stored that hold no nonzero", [&](const SpmvTrack& track) {
    const auto stored = static_cast<double>(track.layout()->stored());
    return share(stored - static_cast<double>(track.matrix().nonzeros()), stored);
  });
  row("useful, %", "of the lanes of all warps in all turns, those that multiply a nonzero",
      [&](const SpmvTrack& track) {
        const Counts& counts = track.layout()->counts();
        return share(static_cast<double>(counts.useful), static_cast<double>(counts.launched));
      });
  row("turns", "of all warps: a warp takes turns until its last lane is done",
      [](const SpmvTrack& track) { return brief(static_cast<double>(track.layout()->turns())); });
  row("setup, ms", "making the format from CSR, once, when the track is built; no step is billed for it",
      [](const SpmvTrack& track) { return brief(track.setup_ms()); });
}

}  // namespace warploom
