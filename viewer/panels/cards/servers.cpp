#include <fmt/format.h>

#include <array>
#include <atomic>
#include <memory>

#include "gpu/tracks/facets/written.h"
#include "viewer/panels/cards/cards.h"

namespace warploom {
namespace {

constexpr std::size_t most_tracks = 4, most_shown = 4;
constexpr const char* reading_servers = "the threads that serve a cell";

/// Who serves a cell of a track, asked for beside the window.
struct AskedServers {
  struct Answer {
    Written::Servers servers;
    bool there = false;
    std::atomic<bool> given_up{false};
  };
  std::uint64_t simulation = 0;
  Cell cell;
  std::shared_ptr<Answer> answer;  ///< null: nothing was asked yet
  ~AskedServers() { give_up(); }
  void give_up() const {
    if (answer) answer->given_up = true;
  }
};

/// Asks, and says what is known by now.
Written::Servers servers_of(PanelContext& panel, std::size_t track, Cell cell, bool kept) {
  auto* written = panel.simulation->track(track).facet<Written>();
  auto& asked = panel.state.own<std::array<std::array<AskedServers, most_tracks>, 2>>()[kept][track];
  const std::uint64_t simulation = panel.simulation->id();
  const auto asked_now = [&] {
    return asked.answer && !asked.answer->given_up && asked.simulation == simulation && asked.cell == cell;
  };
  if (!asked_now()) {
    asked.give_up();
    if (!panel.model.reading(reading_servers)) {
      asked.simulation = simulation;
      asked.cell = cell;
      asked.answer = std::make_shared<AskedServers::Answer>();
      panel.model.read_later(
          [held = panel.simulation, written, cell, answer = asked.answer] {
            try {
              answer->servers = written->servers(cell, most_shown, answer->given_up);
            } catch (const std::exception&) {
              // Given up, or there is no memory for it: the row above says enough.
            }
          },
          [answer = asked.answer] { answer->there = true; }, reading_servers);
    }
  }
  return asked_now() && asked.answer->there ? asked.answer->servers : Written::Servers{};
}

}  // namespace

bool owner_is_looked_for(PanelContext& panel, std::size_t track, Cell cell, bool kept) {
  auto* written = panel.simulation->track(track).facet<Written>();
  if (!written || track >= most_tracks || !written->owner_is_unknown(cell)) return false;
  // The map's process is asked for every thread meanwhile, and steps wait: not for each cell that the pointer is on.
  constexpr double longest_for_hover = 20;
  if (kept || written->own().judgement.milliseconds < longest_for_hover) (void)servers_of(panel, track, cell, kept);
  return true;
}

void server_rows(PanelContext& panel, std::size_t track, Cell cell, bool kept) {
  auto* written = panel.simulation->track(track).facet<Written>();
  if (!written || track >= most_tracks || !written->doubled(cell)) return;
  const Written::Servers servers = servers_of(panel, track, cell, kept);
  auto& ui = panel.ui;
  const std::string words =
      servers.count ? fmt::format("served {} times", grouped(servers.count)) : "served more than once";
  table_row(ui, "", {{words, ui.theme->warning}}, false, 66);
  const Track& of = panel.simulation->track(track);
  const int dimensions = of.dimensions();
  for (const Owner& who : servers.first)
    whole_row(ui, of.launches().size() > 1 ? fmt::format("launch {}", who.launch + 1) : "",
              {{"block " + place_text(who.block, dimensions), ui.theme->quiet},
               {"thread " + place_text(who.thread, dimensions), ui.theme->quiet}},
              true, 66);
  if (servers.count > servers.first.size())
    table_row(ui, "", {{fmt::format("and {} more", grouped(servers.count - servers.first.size())), ui.theme->quiet}},
              true, 66);
}

}  // namespace warploom
