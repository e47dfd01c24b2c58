#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gpu/tracks/facets/explained.h"
#include "gpu/tracks/facets/shape.h"
#include "gpu/tracks/facets/threads.h"
#include "viewer/model/cell_look.h"
#include "viewer/model/scene_text.h"
#include "viewer/panels/cards/cards.h"

namespace warploom {
namespace {

/// What a thread does: its map may send it to a cell that is not its own. One that serves several comes to the first.
std::string how_it_works(const Track& track, const Owner& who, const std::optional<Target>& target, bool of_cell) {
  const auto& threads = track.need<Threads>();
  // That it wrote the cell is how the thread of a kernel is known.
  if (!knows_targets(track)) return of_cell ? "useful" : "";
  // A thread that serves several cells is of use where one is there, wherever it was pointed at.
  if (const auto served = threads.served(who); served.places > 1) return served.cells ? "useful" : "wasted";
  if (!target || !target->useful) return "wasted";
  const auto found = threads.target(who);
  Owner first;
  const bool own =
      found && found->useful && (found->cell == target->cell || (threads.owner(found->cell, first) && first == who));
  return own ? "useful" : "mis-mapped";
}

/// What the cell holds: its value, or dead or alive with what the rule makes of it.
void value_rows(PanelContext& panel, std::size_t at, Cell cell, bool kept) {
  auto& ui = panel.ui;
  const Track& track = panel.simulation->track(at);
  auto& looked = kept ? panel.state.looked_at_kept : panel.state.looked;
  const std::uint64_t simulation = panel.simulation->id(), version = track.version();
  const bool same = looked.simulation == simulation && looked.track == at && looked.cell == cell && looked.at >= 0;
  const double now = ImGui::GetTime(), pause = panel.model.playing ? .1 : 0;
  if (!same || (looked.version != version && now >= looked.at + pause))
    looked = {simulation, version, at, cell, now, look_at(*panel.questions, track, cell)};
  const auto& look = looked.look;
  if (!look) return;
  const auto word = [](bool alive) { return alive ? "alive" : "dead"; };
  const std::string value = look->two ? word(look->value != 0) : fmt::format("{:.6g}", look->value);
  table_row(ui, look->next ? "value, next" : "value",
            {{look->next ? value + " \u2192 " + word(*look->next) : value, ui.theme->text}}, false, 90);
  ui::help_tooltip(
      ui,
      "the cell's value; after the arrow, its value after the next step; updated ten times per second while it plays");
  if (!look->next) return;
  table_row(ui, "neighbours", {{fmt::format("{} of {} alive", look->alive, look->neighbours), ui.theme->quiet}}, true,
            90);
  ui::help_tooltip(ui, "the neighbours that the rule counts, and how many of them are alive");
}

/// How many threads of a block have work, counted once for as long as it is looked at.
struct BlockSum {
  std::uint64_t simulation = 0;
  std::size_t track = 0;
  Owner who;
  std::uint64_t useful = 0, threads = 0;
};

/// "block (3, 2): 288 of 512 threads useful": what a picture of a block shows, before one of its threads is told.
void block_row(PanelContext& panel, const Selection& selection, bool kept) {
  if (selection.track >= panel.simulation->size()) return;
  const Track& track = panel.simulation->track(selection.track);
  const auto* threads = track.facet<Threads>();
  if (!threads || !threads->launched(selection.owner) || !knows_targets(track)) return;
  auto& sum = panel.state.own<std::array<BlockSum, 2>>()[kept];
  Owner who = selection.owner;
  who.thread = {};
  who.item = 0;
  if (sum.threads == 0 || sum.simulation != panel.simulation->id() || sum.track != selection.track || sum.who != who) {
    const Index3 block = track.launches()[static_cast<std::size_t>(who.launch)].threads;
    sum = {panel.simulation->id(), selection.track, who, 0, volume(block)};
    Owner one = who;
    for (std::uint64_t i = 0; i < sum.threads; ++i) {
      one.thread = unfold(i, block);
      sum.useful += threads->served(one).cells > 0;
    }
  }
  ui::key_value(panel.ui, "block " + place_text(who.block, track.dimensions()),
                fmt::format("{} of {} threads useful", grouped(sum.useful), grouped(sum.threads)));
  ui::help_tooltip(panel.ui, [] { return meaning("useful") + " " + meaning("block"); });
}

constexpr const char* about_inspector =
    "what is under the mouse, or else was clicked, in every track; while both are there, what was clicked stands below "
    "under Picked; value, address and formula are those of the active track";

/// The card's title; whether the card is open.
bool titled(ui::UiContext& ui, const std::string& words) {
  const bool open = ui::folding_title(ui, words);
  ui::help_tooltip(ui, about_inspector);
  return open;
}

/// What every track tells of a selection in a space of the scene's own.
void own_space(PanelContext& panel, const Selection& selection, const std::string& heading) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  const SelectionSpace* space = find_space(selection.space);
  const std::string words = space && space->title ? space->title(selection.at)
                            : space && space->numbered
                                ? fmt::format("{} {}", selection.space, selection.at.x)
                                : selection.space + " " + place_text(selection.at, simulation->track(0).dimensions());
  if (!titled(ui, heading + " \u00b7 " + words)) return;
  for (std::size_t i = 0; i < simulation->size(); ++i) {
    auto* described = simulation->track(i).facet<Described>();
    if (described && questions) described->ask(*questions, selection);
    const auto rows = described ? described->describe(selection) : std::vector<std::pair<std::string, std::string>>{};
    if (rows.empty())
      table_row(ui, "track " + track_letter(*panel.simulation, i), {{"has none", ui.theme->quiet}}, true);
    bool first = true;
    for (const auto& [word, value] : rows) {
      const std::string label = first ? track_letter(*panel.simulation, i) + "  " + word : "   " + word;
      whole_row(ui, label, {{value, first ? ui.theme->track_text[i] : ui.theme->quiet}}, !first, 90);
      ui::term_tooltip(ui, word);
      first = false;
    }
  }
}

/// Which thread of each track serves a cell, from where, and what it holds; answers that of the active track.
std::optional<Owner> cell_rows(PanelContext& panel, const Selection& selection, const std::string& heading, bool kept) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  const auto target = model.target_of(selection);
  const std::string what = selection.space == Selection::cell
                               ? "cell"
                               : "thread of " + track_letter(*panel.simulation, selection.track) + " \u2192";
  if (!titled(ui, heading + " \u00b7 " + what +
                      (target ? " " + place_text(target->cell, simulation->track(0).dimensions()) : "")))
    return std::nullopt;
  if (selection.of_a_track()) block_row(panel, selection, kept);
  if (target && !target->useful) ui::key_value(ui, "cell", "empty: outside the domain", ui::Role::warning);
  const auto quiet_row = [&ui = ui](std::string_view label, std::initializer_list<std::string> texts,
                                    float first_share = 0) {
    std::vector<TableCell> cells;
    for (const auto& text : texts) cells.push_back({text, ui.theme->quiet});
    table_row(ui, label, cells, true, 66, first_share);
  };
  std::optional<Owner> formula_owner;
  const std::size_t formula_track = std::min(model.active_track, simulation->size() - 1);
  for (std::size_t i = 0; i < simulation->size(); ++i) {
    const Track& track = simulation->track(i);
    const auto who = model.owner_in(i, selection);
    if (!who) {
      const bool looked_for = target && target->useful && owner_is_looked_for(panel, i, target->cell, kept);
      quiet_row("owner " + track_letter(*panel.simulation, i), {!looked_for ? "none"
                                                                : kept      ? "is looked for"
                                                                            : "not kept"});
      ui::help_tooltip(ui, looked_for
                               ? "with so many cells the thread of each is not recorded; pick the cell to find it"
                               : "this track launches no thread for it");
      continue;
    }
    if (i == formula_track) formula_owner = who;
    const int dimensions = track.dimensions();
    whole_row(ui, "owner " + track_letter(*panel.simulation, i),
              {{"block " + place_text(who->block, dimensions), ui.theme->track_text[i]},
               {"thread " + place_text(who->thread, dimensions), ui.theme->track_text[i]}},
              false, 66);
    ui::help_tooltip(ui, [] { return meaning("block") + " " + meaning("thread"); });
    if (track.launches().size() > 1 || who->turn > 0)
      quiet_row(
          "",
          {fmt::format("launch {} of {}", who->launch + 1, track.launches().size()), fmt::format("turn {}", who->turn)},
          .68f);
    const auto linear = linear_index(who->thread, track.launches()[0].threads);
    const std::string lane = fmt::format("warp {}, lane {}", linear / warp_size, linear % warp_size),
                      how = how_it_works(track, *who, target, selection.space == Selection::cell);
    if (how == "mis-mapped")  // too long for the column
      whole_row(ui, "", {{lane, ui.theme->quiet}, {how, ui.theme->quiet}}, true, 66);
    else
      quiet_row("", {lane, how}, .68f);
    ui::help_tooltip(ui, [] { return meaning("warp") + " " + meaning("lane"); });
    const auto* shaped = track.facet<ShapeFacet>();
    if (const ThreadBox box = shaped ? shaped->shape().box : ThreadBox{}; box.cells() > 1) {
      // Those past the box lie before the first whole sector of their row (gpu/scenes/simplex/maps/cell_shares.h).
      const bool early = who->item >= box.cells();
      quiet_row(
          "",
          {fmt::format("{} {}", early ? "early" : "item", who->item % box.cells()),
           fmt::format("of {} \u00d7 {}", box.x, box.y) + (dimensions > 2 ? fmt::format(" \u00d7 {}", box.z) : "")},
          .5f);
      ui::help_tooltip(ui, [early] { return meaning("item") + (early ? " " + meaning("early item") : ""); });
      if (const auto served = track.need<Threads>().served(*who); served.cells < served.places)
        quiet_row("", {fmt::format("{} of its {} cells are there", served.cells, served.places)});
    }
    if (target && target->useful) server_rows(panel, i, target->cell, kept);
  }
  if (target && target->useful && questions) value_rows(panel, formula_track, target->cell, kept);
  if (const auto* threads = simulation->track(formula_track).facet<Threads>(); threads && target && target->useful) {
    const std::uint64_t address = threads->address(target->cell);
    table_row(ui, "address",
              {{fmt::format("0x{:05x}", address), ui.theme->track_text[formula_track]},
               {fmt::format("sector {}", address / 32), ui.theme->track_text[formula_track]}},
              false, 66);
    ui::help_tooltip(ui, [&] {
      return "in the memory of track " + track_letter(*panel.simulation, formula_track) + ", the active one. " +
             meaning("address") + " " + meaning("sector");
    });
    quiet_row("", {fmt::format("line {}", address / 128), fmt::format("byte {}", address % 32)});
    ui::help_tooltip(ui, meaning("line"));
  }
  if (auto* described = simulation->track(formula_track).facet<Described>(); described && target) {
    const Selection cell{Selection::cell, target->cell, 0, {}};
    if (questions) described->ask(*questions, cell);
    for (const auto& [word, value] : described->describe(cell))
      whole_row(ui, word, {{value, ui.theme->text}}, false, 66);
  }
  return formula_owner;
}

/// How the map of a track finds a thread's cell, line by line.
void formula_rows(PanelContext& panel, std::size_t track, const Owner& who) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  const auto* explained = simulation->track(track).facet<Explained>();
  if (!explained) return;
  const Formula formula = explained->formula(who);
  if (formula.steps.empty()) return;
  const int at = std::min(model.formula_level, int(formula.steps.size()) - 1);
  model.formula_level = std::max(0, at);
  ui::section_title(ui, fmt::format("{} {}, step {} of {}", track_letter(*panel.simulation, track), formula.title,
                                    at + 1, formula.steps.size()));
  ui::help_tooltip(ui, "how the map finds it, line by line with its numbers; [ and ] step through them");
  for (std::size_t i = 0; i < formula.steps.size(); ++i) {
    const bool current = int(i) == at;
    if (current) {
      const ImVec2 corner = ImGui::GetCursorScreenPos();
      ImGui::GetWindowDrawList()->AddRectFilled(
          {corner.x - ui.px(6), corner.y},
          {corner.x + ImGui::GetContentRegionAvail().x + ui.px(6), corner.y + ui.px(22)},
          ui::fade(ui.theme->accent, .16f));
    }
    const auto& step = formula.steps[i];
    const ImU32 colour = current ? ui.theme->text : ui.theme->quiet;
    const float room = ImGui::GetContentRegionAvail().x - ui.px(36);
    // What is too long for its column has a row of its own.
    const bool wide = ui::text_width(ui.fonts->mono, step.how) > room * .62f - ui.px(4) ||
                      ui::text_width(ui.fonts->mono, step.result) > room * .38f - ui.px(4);
    if (!wide) {
      table_row(ui, step.what, {{step.how, colour}, {step.result, colour}}, !current, 36, .62f);
      continue;
    }
    whole_row(ui, step.what, {{step.how, colour}}, !current, 36);
    whole_row(ui, "", {{step.result, colour}}, !current, 36);
  }
  ui::key_value(ui, formula.result.what, formula.result.result);
}

}  // namespace

/// Which thread serves the selection, from where, and how the active track's map finds it; or what a track tells of it.
void inspector_card(PanelContext& panel) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  const bool serves = any_offers<Threads>(*simulation);
  if (!serves && !any_offers<Described>(*simulation)) return;
  const ui::Scope scope(ui, "inspector");
  if (model.stale()) {
    if (titled(ui, "Inspector")) ui::quiet_text(ui, model.coming());
    return;
  }
  const Selection& selection = model.selection();
  if (selection.empty()) {
    if (!titled(ui, "Inspector")) return;
    ui::quiet_text(
        ui, serves ? "Hover a cell or a thread: which thread serves it, from where, and how the map finds it. Click to "
                     "keep it."
                   : "Hover a picture: what lies there, what holds it, and what it was made of. Click to keep it.");
    return;
  }
  const auto rows = [&](const Selection& of, const std::string& heading, bool kept) -> std::optional<Owner> {
    if (of.space == Selection::cell || of.of_a_track()) return cell_rows(panel, of, heading, kept);
    own_space(panel, of, heading);
    return std::nullopt;
  };
  const auto who = rows(selection, "Inspector", false);
  if (const Selection* kept = kept_pick(model)) {
    const ui::Scope apart(ui, "picked");
    rows(*kept, "Picked", true);
  }
  if (who) formula_rows(panel, std::min(model.active_track, simulation->size() - 1), *who);
}

}  // namespace warploom
