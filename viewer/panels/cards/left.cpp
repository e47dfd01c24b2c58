#include <fmt/format.h>

#include <algorithm>

#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/editable.h"
#include "gpu/tracks/facets/written.h"
#include "viewer/model/map_choice.h"
#include "viewer/panels/cards/cards.h"
#include "viewer/panels/dialogs.h"
#include "viewer/panels/panes/marks.h"

namespace warploom {
namespace {

/// A combo at the choice of this key, else at the first; the key that is chosen in this frame.
std::optional<std::string> chosen(ui::UiContext& ui, std::string_view id, std::string_view label,
                                  const std::vector<ui::Choice>& choices, const std::string& key,
                                  std::string_view help = {}) {
  const auto at = std::ranges::find(choices, key, &ui::Choice::key);
  int index = at == choices.end() ? 0 : static_cast<int>(at - choices.begin());
  if (!ui::combo(ui, id, label, index, choices, help)) return std::nullopt;
  return choices[static_cast<std::size_t>(index)].key;
}

/// What a track does, in a line.
std::string summary(const TrackInfo& info) {
  std::string text = info.description;
  if (!info.storage.empty()) text += " \u00b7 " + info.storage;
  if (!info.layout.empty() && text.find(info.layout) == std::string::npos) text = info.layout + " \u00b7 " + text;
  if (!info.exact) text = "inexact \u00b7 " + text;
  return text;
}

/// With its source, but only while a tooltip or a list may show it: making these words every frame is slow.
std::string joined(const TrackInfo& info) {
  const bool asked =
      ImGui::IsWindowHovered(ImGuiHoveredFlags_RootAndChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByPopup |
                             ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) ||
      ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup);
  return asked ? summary(info) + "\n" + citation_text(info.citation) : std::string();
}

void track_cards(PanelContext& panel) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  const ui::Section section(ui, "tracks", "Tracks", [] { return meaning("track") + " " + meaning("seal"); });
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(8)});
  auto tracks = model.scene().tracks();
  const std::string letters = model.scene().letters();
  const auto status = simulation ? simulation->status() : std::vector<TrackStatus>{};
  const std::size_t baseline = model.view.baseline < tracks.size() ? model.view.baseline : 0;
  std::optional<std::size_t> removed;
  for (std::size_t i = 0; i < tracks.size() && i < 4; ++i) {
    const bool known = simulation && i < status.size() && simulation->track(i).info().name == tracks[i];
    const auto& kinds = model.scene().track_kinds();
    const auto kind = std::ranges::find(kinds, kind_of_track(tracks[i]), &TrackInfo::name);
    if (kind == kinds.end()) continue;
    const auto [seal, role] =
        known ? seal_words(*simulation, i, model.runner().judging()) : std::pair{std::string(), ui::Role::neutral};
    const std::string letter(1, letters[i]);
    const std::string title = letter + "  " + full_title(*kind);
    std::string way = way_title(*kind).empty() ? kind->description : way_title(*kind);
    if (const auto at = tracks[i].find('@'); at != std::string::npos) {
      const std::string count = tracks[i].substr(at + 1);
      way = fmt::format("{} device{} \u00b7 {}", count, count == "1" ? "" : "s", way);
    }
    if (const std::string more = known && !model.teaching.hides_figures() ? written_words(model, *simulation, i) : "";
        !more.empty())
      way = fmt::format("{} \u00b7 {}", more, way);
    // The card leaves out the last parts first where it has no room.
    const std::string subtitle =
        (i == baseline ? "baseline \u00b7 " : "") + std::string(kind->exact ? "" : "inexact \u00b7 ") + way;
    const std::string about = joined(*kind);
    const auto result = ui::track_card(
        ui, letter,
        {ui.theme->tracks[i], title, subtitle, seal, role, model.active_track == i, tracks.size() > 1, about});
    if (result.removed) {
      removed = i;
      break;
    }
    if (result.clicked) model.active_track = i;
    if (known && status[i].diverged && status[i].diverged->cell) {
      const auto at = *status[i].diverged;
      const Cell cell = *at.cell;
      const std::string place = place_text(cell, simulation->track(i).dimensions());
      if (ui::link_button(ui, "jump_" + letter, fmt::format("go to {}, step {}", place, at.step), ui::Icon::warning))
        go_to_cell(panel, i, cell);
    }
    if (known && !model.teaching.hides_figures()) written_link(panel, i);
  }
  ImGui::PopStyleVar();
  if (removed) return model.remove_track(*removed);
  const auto own_map = [&ui = ui, &model = model](bool beside) {
    if (!model.scene().facet<TakesOwnMaps>()) return;
    if (beside) ImGui::SameLine(0, ui.px(14));
    if (ui::link_button(ui, "own", "own map", ui::Icon::add)) toggle_editor(model);
    ui::help_tooltip(ui, "write a map of your own in a few lines of C++, and see it run (Ctrl+E)");
  };
  if (tracks.size() >= 4) return own_map(false);
  const bool add = ui::link_button(ui, "add", "add track", ui::Icon::add);
  ui::help_tooltip(ui, "the same data and steps under one more map (L); at most four");
  own_map(true);
  if (!add) return;
  tracks.push_back(next_track(model.scene()));
  model.set_tracks(tracks);
}

/// The active track's map, as a menu: swapped in mid-run.
void map_menu(PanelContext& panel) {
  auto& model = panel.model;
  const std::size_t active = std::min(model.active_track, model.scene().tracks().size() - 1);
  const auto choices = map_choices(model.scene());
  const std::string& name = model.scene().tracks()[active];
  const auto use = [&](const std::string& wanted) {
    auto tracks = model.scene().tracks();
    tracks[active] = on_same_devices(wanted, tracks[active]);
    model.set_tracks(tracks);
  };
  std::vector<ui::Choice> maps, ways;
  int map = 0, way = 0;
  for (const MapChoice& choice : choices) {
    for (std::size_t i = 0; i < choice.ways.size(); ++i) {
      if (choice.ways[i]->name != kind_of_track(name)) continue;
      map = static_cast<int>(maps.size());
      way = static_cast<int>(i);
    }
    // A map cannot be had where none of its ways can.
    std::string refusal;
    for (const TrackInfo* one : choice.ways)
      if (refusal = unavailable(model.scene(), model.runner().backend(), on_same_devices(one->name, name));
          refusal.empty())
        break;
    maps.push_back({choice.ways[0]->name, choice.ways[0]->title, joined(*choice.ways[0]), refusal});
  }
  const MapChoice& own = choices[static_cast<std::size_t>(map)];
  for (const TrackInfo* one : own.ways)
    ways.push_back({one->name, way_title(*one).empty() ? one->storage : way_title(*one), joined(*one),
                    unavailable(model.scene(), model.runner().backend(), on_same_devices(one->name, name))});
  if (ui::combo(panel.ui, "map", "Map of " + model.scene().letter(active), map, maps,
                "swapped in mid-run: state and step stay"))
    use(choices[static_cast<std::size_t>(map)].like(*own.ways[static_cast<std::size_t>(way)]).name);
  if (ways.size() > 1 && ui::combo(panel.ui, "way", "Variant", way, ways, model.scene().parts().variants))
    use(ways[static_cast<std::size_t>(way)].key);
}

void parameter_widget(PanelContext& panel, const Parameter& parameter) {
  auto& ui = panel.ui;
  auto& model = panel.model;
  const Value value = parameter.get();
  const std::string& key = parameter.key;
  const std::string &title = parameter.title, &help = parameter.help, hint = parameter.consequence();
  // A field of a copy of the value, which is set when the field changed it.
  const auto edit = [&](auto copy, auto&& field) {
    if (field(copy)) model.set(key, copy);
  };
  std::optional<ui::Automatic> automatic;
  if (const auto& stands = parameter.automatic) {
    const auto* whole = std::get_if<std::int64_t>(&*stands);
    automatic = {whole ? static_cast<double>(*whole) : std::get<double>(*stands), parameter.words(*stands)};
  }
  const ui::Automatic* const or_auto = automatic ? &*automatic : nullptr;
  switch (parameter.kind) {
    case Parameter::Kind::integer:
      if (auto legal = parameter.legal(); !legal.empty()) {
        const auto now = std::get<std::int64_t>(value);
        const auto stands = parameter.automatic ? std::get<std::int64_t>(*parameter.automatic) : now;
        if (!std::ranges::count(legal, stands)) legal.insert(legal.begin(), stands);
        std::vector<ui::Choice> sides;
        sides.reserve(legal.size());
        for (const auto side : legal)
          sides.push_back(
              {std::to_string(side), parameter.words(side) + (side == now && !hint.empty() ? " " + hint : "")});
        if (const auto side = chosen(ui, key, title, sides, std::to_string(now), help))
          model.set(key, static_cast<std::int64_t>(std::stoll(*side)));
      } else {
        edit(std::get<std::int64_t>(value), [&](std::int64_t& number) {
          return ui::integer(ui, key, title, number, std::int64_t(parameter.minimum), std::int64_t(parameter.maximum),
                             hint, help, or_auto);
        });
      }
      break;
    case Parameter::Kind::natural:
      edit(std::get<std::uint64_t>(value),
           [&](std::uint64_t& number) { return ui::unsigned_64(ui, key, title, number, hint, help); });
      break;
    case Parameter::Kind::real:
      edit(std::get<double>(value), [&](double& number) {
        return ui::real(ui, key, title, number, parameter.minimum, parameter.maximum, .01, hint, help, or_auto);
      });
      break;
    case Parameter::Kind::choice: {
      std::vector<ui::Choice> choices;
      for (const auto& choice : parameter.choices) choices.push_back({choice.key, choice.title, choice.help});
      if (const auto picked = chosen(ui, key, title, choices, std::get<std::string>(value), help))
        model.set(key, *picked);
      break;
    }
    case Parameter::Kind::text:
    case Parameter::Kind::path:
      edit(std::get<std::string>(value), [&](std::string& words) {
        return ui::text(ui, key, title, words,
                        parameter.kind == Parameter::Kind::text ? ""
                        : hint.empty()                          ? "random"
                                                                : hint,
                        help);
      });
      break;
    case Parameter::Kind::list:
      break;  // tracks have cards of their own
  }
}

/// Blocks on their way from where they are launched.
void flight_section(PanelContext& panel, bool solids) {
  auto& ui = panel.ui;
  SolidSettings& solid = panel.model.view.solid;
  if (ui::slider(ui, "morph", "Morph", solid.morph, 0, 1, fmt::format("{:.1f} %", 100 * solid.morph),
                 "0 %: blocks where they are launched; 100 %: where they work (M)"))
    panel.model.morph_towards = -1;
  if (solids || solid.morph < 1)
    ui::toggle(ui, "waste", "Wasted blocks", solid.waste, "hatched, where the launch grid has them (W)");
}

void slice_section(PanelContext& panel, const char* none, const char* help, const char* depth) {
  auto& ui = panel.ui;
  SolidSettings& solid = panel.model.view.solid;
  const std::vector<ui::Choice> axes{{none, none}, {"x", "x"}, {"y", "y"}, {"z", "z"}};
  int axis = solid.slice_axis + 1;
  if (ui::combo(ui, "slice_axis", "Slice", axis, axes, help)) solid.slice_axis = axis - 1;
  if (solid.slice_axis >= 0)
    ui::slider(ui, "slice", depth, solid.slice, 0, 1, fmt::format("{:.0f} %", 100 * solid.slice));
}

void solid_section(PanelContext& panel) {
  auto& ui = panel.ui;
  SolidSettings& solid = panel.model.view.solid;
  ui::slider(ui, "explode", "Explode", solid.explode, 1, 4, fmt::format("{:.1f}\u00d7", solid.explode),
             "distance between blocks, relative to their size");
  slice_section(panel, "none", "a plane cuts off the near part of this axis (X)", "Cut off");
}

/// The track with most pictures: no other has a picture that it lacks.
const Track& richest(const Simulation& simulation) {
  std::size_t most = 0;
  for (std::size_t i = 1; i < simulation.size(); ++i)
    if (simulation.track(i).pictures().size() > simulation.track(most).pictures().size()) most = i;
  return simulation.track(most);
}

/// Which pictures are shown, where tracks have more than two.
void picture_menus(PanelContext& panel) {
  auto& view = panel.model.view;
  if (!panel.simulation || richest(*panel.simulation).pictures().size() < 3) return;
  const Track& track = richest(*panel.simulation);
  for (const bool side : {false, true}) {
    std::vector<ui::Choice> choices;
    const auto shown = shown_picture(track, view, side), taken = shown_picture(track, view, false);
    for (std::size_t i = 0; i < track.pictures().size(); ++i)
      if (const PictureInfo& info = track.pictures()[i]->info(); !side || taken != i)
        choices.push_back({info.key, info.title});
    const std::string own = shown ? track.pictures()[*shown]->info().key : "";
    if (const auto key =
            chosen(panel.ui, side ? "side_picture" : "main_picture", side ? "Side picture" : "Picture", choices, own,
                   side ? "the smaller picture of every track, below or beside the main one"
                        : "the main picture of every track"))
      view.pictures[side] = *key;
  }
}

void view_section(PanelContext& panel) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  const ui::Section section(ui, "view", "View", "how the pictures are drawn; nothing here changes what is computed");
  picture_menus(panel);
  std::vector<ui::Choice> colours;
  int by = 0;
  std::vector<ColourBy> modes{model.view.colour_by};  // until there are tracks to ask
  if (simulation)
    if (const auto shown = shown_picture(richest(*simulation), model.view, false))
      modes = richest(*simulation).pictures()[*shown]->info().colours;
  if (!modes.empty() && can_show_visits(panel) && !std::ranges::count(modes, ColourBy::visits))
    modes.push_back(ColourBy::visits);
  for (const ColourBy mode : modes)
    if (const ColourName* name = find_colour(mode)) {
      if (mode == model.view.colour_by) by = static_cast<int>(colours.size());
      colours.push_back({name->key, name->title, name->help});
    }
  if (modes.empty())
    ui::key_value(ui, "Colour by", "fixed");
  else if (ui::combo(ui, "colour_by", "Colour by", by, colours,
                     "what the colours of the data space mean; the legend in its corner labels both ends"))
    model.view.colour_by = modes[static_cast<std::size_t>(by)];
  else if (simulation && !std::ranges::count(modes, model.view.colour_by) && model.view.colour_by != ColourBy::visits)
    model.view.colour_by = modes[0];
  std::vector<ui::Choice> names;
  for (const auto& map : state.colormaps) names.push_back({map.name, map.name});
  if (const auto name = chosen(ui, "colormap", "Colour map", names, model.view.colormap,
                               "colours of quantities, from low to high; all can be read without telling hues apart"))
    model.view.colormap = *name;
  ui::toggle(ui, "linked", "Link cameras", model.view.linked, "zoom and pan all tracks together");
  ui::toggle(
      ui, "one_scale", "One launch scale", model.view.one_scale,
      "draws the launch grids of all tracks to one scale, so that areas can be compared; off: each fills its pane");
  if (simulation && Model::most_warps(*simulation) > 0)
    if (ui::slider(ui, "launched", "Launched", model.view.launched, 0, 1,
                   fmt::format("{:.1f} %", 100 * model.view.launched),
                   "slow launch: how much of the largest launch has started, the same number of warps in every track; "
                   "the rest is dimmed (G; Shift+G: one warp forward)"))
      model.launching = false;
  const bool solids = simulation && shows(*simulation, PictureInfo::Shape::solid);
  if (simulation && flies(*simulation)) flight_section(panel, solids);
  if (solids) {
    solid_section(panel);
    return;
  }
  if (simulation && slices(*simulation))
    slice_section(panel, "all", "shows a single layer along this axis instead of all layers at once (X)", "At");
  if (simulation && !any_offers<Editable>(*simulation)) return;
  const std::vector<ui::Choice> tools{{"look", "look", "drag pans, click selects"},
                                      {"draw", "paint", "drag to set cells alive (P)"},
                                      {"erase", "erase", "drag to clear cells (E)"}};
  int tool = static_cast<int>(model.tool);
  if (ui::combo(ui, "tool", "Mouse", tool, tools, "what dragging over the data space does"))
    model.tool = static_cast<Model::Tool>(tool);
}

}  // namespace

std::pair<std::string, ui::Role> seal_words(const Simulation& simulation, std::size_t track, bool judging_goes_on) {
  const TrackStatus status = simulation.status()[track];
  const auto& check = status.check;
  if (const auto* written = simulation.track(track).facet<Written>()) {
    const OwnState own = written->own();
    const Judgement& judged = own.judgement;
    if (own.fault) return {own.fault->kind == "time" ? "no end" : "fell", ui::Role::bad};
    if (own.judging())
      return {fmt::format("{} {:.0f} %", judging_goes_on ? "judging" : "judged to", 100 * judged.share),
              ui::Role::neutral};
    if (judged.missed) return {"misses " + counted(judged.missed, "cell"), ui::Role::bad};
    if (judged.doubled) return {counted(judged.doubled, "cell") + " twice", ui::Role::bad};
    if (judged.refused) return {"writes outside", ui::Role::bad};
    if (judged.whole && simulation.steps() == 0) return {"right", ui::Role::good};
  }
  if (!status.agrees) {
    if (check && check->singular)
      return {fmt::format("zero pivot {}, {}", check->singular->x, check->singular->y), ui::Role::bad};
    if (check && !check->holds()) return {fmt::format("off by {:.1e}", check->error), ui::Role::bad};
    return {status.diverged ? fmt::format("broken at {}", status.diverged->step) : "broken", ui::Role::bad};
  }
  // A state that is right although blocks of its map went elsewhere is right by luck.
  const auto counts = counts_of(simulation.track(track));
  if (counts && counts->wrong) return {counted(counts->wrong, "block") + " mis-mapped", ui::Role::warning};
  // Before the first step all states are the start state, whatever the maps do.
  if (simulation.steps() == 0) return {"not run yet", ui::Role::neutral};
  if (!status.sealed && !check) return {"not judged", ui::Role::neutral};  // that was cancelled
  if (check && check->bound == 0) return {"exact", ui::Role::good};
  if (check) return {fmt::format("within {:.1e}", check->bound), ui::Role::good};
  return {simulation.size() == 1 ? "alone" : "sealed", ui::Role::good};
}

void left_panel(PanelContext& panel, const ui::Rectangle& area) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  const ui::Scope scope(ui, "scene");
  begin_panel(panel, "left", area, ui.theme->panel, 14, 4, PanelKind::scrolling);
  // Of tracks that are being made the panes tell; here it would push the field that was just typed in.
  if (const auto progress = model.runner().progress();
      !progress.what.empty() && progress.fraction >= 0 && !model.building())
    if (ui::progress(ui, "cancel", progress.what, progress.fraction)) model.cancel();
  track_cards(panel);
  map_menu(panel);
  const float cards_top = ImGui::GetCursorScreenPos().y;
  if (simulation) draw_cards(panel, Card::Panel::left);
  dim_stale(panel, {{area.min.x, cards_top}, {area.max.x, ImGui::GetCursorScreenPos().y}}, ui.theme->panel);
  std::string section;
  for (const auto& parameter : model.scene().parameters()) {
    if (parameter.kind == Parameter::Kind::list || !parameter.applies().empty()) continue;
    if (parameter.section != section) {
      ui::section_title(ui, section = parameter.section);
      ui::help_tooltip(ui, meaning(lower_case(section)));
    }
    parameter_widget(panel, parameter);
  }
  std::int64_t steps = static_cast<std::int64_t>(model.steps_per_frame);
  if (ui::integer(ui, "steps_per_frame", "Steps", steps, 1, 100000, {},
                  "steps per frame, between two pictures while playing"))
    model.steps_per_frame = static_cast<std::uint64_t>(steps);
  view_section(panel);
  ImGui::End();
}

}  // namespace warploom
