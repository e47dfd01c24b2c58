#include "viewer/panels/panes/marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/pictures/keyed_picture.h"
#include "gpu/tracks/facets/described.h"
#include "viewer/model/scene_parts.h"
#include "viewer/panels/dialogs.h"
#include "viewer/ui/walk.h"

namespace warploom {
namespace {

/// One of a track's pictures shows blocks on their way.
bool under_way(const PanelContext& panel, std::size_t track) {
  if (!(panel.model.view.solid.morph < 1)) return false;
  const Track& shown_track = panel.simulation->track(track);
  for (const bool side : {false, true})
    if (const auto shown = shown_picture(shown_track, panel.model.view, side);
        shown && morph_of(panel, *shown_track.pictures()[*shown]) < 1)
      return true;
  return false;
}

/// A tag on a pane's corner: a bar in the track's colour and a word, over whatever lies below.
void tag(PanelContext& panel, ImDrawList* list, ImVec2 at, std::string_view text, std::size_t track, float most) {
  const auto& ui = panel.ui;
  const std::string shown = ui::elide(ui.fonts->body, text, most);
  const float width = ui::text_width(ui.fonts->body, shown);
  list->AddRectFilled(at, {at.x + width + ui.px(16), at.y + ui.px(22)}, ui::fade(ui.theme->ground, .85f), ui.px(3));
  list->AddRectFilled(at, {at.x + ui.px(3), at.y + ui.px(22)}, ui.theme->tracks[track]);
  ui::draw_text(list, ui.fonts->body, ui.theme->text, {at.x + ui.px(10), at.y},
                {at.x + ui.px(16) + width, at.y + ui.px(22)}, shown);
}

/// Quiet words in the other corner. False: they have no room beyond `from_x`.
bool note(PanelContext& panel, ImDrawList* list, const ui::Rectangle& area, std::string_view text, float from_x) {
  const auto& ui = panel.ui;
  const float right = area.max.x - ui.px(12), top = area.min.y + ui.px(8);
  const float width = ui::text_width(ui.fonts->mono, text);
  if (right - width - ui.px(16) < from_x) return false;
  list->AddRectFilled({right - width - ui.px(12), top}, {right, top + ui.px(22)}, ui::fade(ui.theme->ground, .85f),
                      ui.px(3));
  ui::draw_text(list, ui.fonts->mono, ui.theme->quiet, {right - width - ui.px(6), top}, {right, top + ui.px(22)}, text);
  return true;
}

constexpr const char* about_waste =
    "A block is filled in its track's colour as far as its threads are useful. Its hatched share is threads without "
    "work: they are launched and serve no cell.";

/// Help on what is drawn here, while the mouse rests on it.
template <class Words>
void explain(PanelContext& panel, ImVec2 min, ImVec2 max, Words&& words) {
  ImGui::SetCursorScreenPos(min);
  ImGui::Dummy({max.x - min.x, max.y - min.y});
  ui::help_tooltip(panel.ui, words);
}

/// The range of a picture's values, as `request` asks for them, over all tracks that have it.
ValueRange shared_range(const PanelContext& panel, const Picture& picture, const PictureRequest& request) {
  ValueRange shared = picture.range(request);
  for (std::size_t i = 0; i < panel.simulation->size(); ++i)
    for (const Picture* other : panel.simulation->track(i).pictures())
      if (other->info().key == picture.info().key) shared = shared.with(other->range(request));
  return shared;
}

/// So that pictures know where it is.
void ask(const PanelContext& panel, std::size_t track, const Selection& selection) {
  if (selection.space == Selection::cell) return;  // which needs no look
  if (auto* described = panel.simulation->track(track).facet<Described>(); described && panel.questions)
    described->ask(*panel.questions, selection);
}

/// Warps are kinds, not amounts: one colour each, again after eight. `data` is looked up by the middle of a warp's
/// share.
void colour_warps(const PanelContext& panel, std::size_t track, Palette& palette) {
  const auto warps = SoFar::warps_of(volume(panel.simulation->track(track).launches()[0].threads));
  for (std::uint64_t i = 0; i < Palette::steps; ++i)
    palette.data[i] = warp_colours[std::min(warps - 1, i * warps / Palette::steps) % warp_colours.size()];
}

}  // namespace

Palette palette_of(const PanelContext& panel, std::size_t track) {
  Palette palette;
  // Dead cells must stand off the ground, live ones most: the map's darkest part is left out on dark, and on light it
  // runs the other way.
  const bool light = ui::contrast(panel.ui.theme->ground, IM_COL32_WHITE) < 2;
  auto& made = panel.state.data_colours;
  const auto& maps = panel.state.colormaps;
  if (made.map != panel.model.view.colormap || made.light != light || !made.steps[0]) {
    const auto named = std::ranges::find(maps, panel.model.view.colormap, &ui::Colormap::name);
    const ui::Colormap* map = named != maps.end() ? &*named : maps.empty() ? nullptr : &maps[0];
    made.map = panel.model.view.colormap;
    made.light = light;
    for (int i = 0; i < Palette::steps; ++i) {
      const double value = double(i) / (Palette::steps - 1);
      made.steps[static_cast<std::size_t>(i)] =
          map ? map->at(light ? .72 * (1 - value) : .16 + .84 * value) : rgba(255, 255, 255);
    }
  }
  std::ranges::copy(made.steps, palette.data);
  const ui::Theme& theme = *panel.ui.theme;
  palette.ground = theme.ground;
  palette.waste = ui::blend(theme.ground, theme.raised, .8f);
  palette.hatch = theme.waste;
  palette.track = theme.tracks[track];
  return palette;
}

double morph_of(const PanelContext& panel, const Picture& picture) {
  // Asked several times a picture and frame; whether blocks can fly takes a lock.
  const double morph = panel.model.view.solid.morph;
  return morph < 1 ? picture.on_its_way(morph) : 1;
}

Looking looking_at(const PanelContext& panel, const Picture& picture) {
  Looking looking{morph_of(panel, picture)};
  const SolidSettings& solid = panel.model.view.solid;
  if (!picture.info().sliced || solid.slice_axis < 0) return looking;
  looking.slice_axis = solid.slice_axis;
  looking.slice = solid.slice;
  return looking;
}

std::string on_their_way(double morph) { return fmt::format("{:.0f} % of the way to their cells", 100 * morph); }

ImVec2 mouse_place() {
  const ImVec2 corner = ImGui::GetIO().MousePos;
  return {corner.x + .5f, corner.y + .5f};
}

bool was_dragged(const ui::UiContext& ui) {
  const float most = ui.px(3);
  return ImGui::GetIO().MouseDragMaxDistanceSqr[0] > most * most;
}

gl::Viewport viewport_of(const ui::Rectangle& area) {
  const ImVec2 scale = ImGui::GetIO().DisplayFramebufferScale;
  const auto at = [](float value, float by) { return static_cast<int>(std::lround(value * (by > 0 ? by : 1))); };
  const int x = at(area.min.x, scale.x), y = at(area.min.y, scale.y);
  return {x, y, at(area.max.x, scale.x) - x, at(area.max.y, scale.y) - y};
}

float legend(PanelContext& panel, ImDrawList* list, const ui::Rectangle& area, const PictureRequest& request,
             const Picture& picture, std::size_t track) {
  const auto& ui = panel.ui;
  const Legend said = short_where_narrow(panel, request, picture, track, area);
  if (said.low.empty() && said.high.empty()) return area.min.x;
  const bool launches = said.two && picture.info().space == Selection::thread;
  const ColourName* colour = find_colour(request.colour_by);
  const float height = ui.px(22), pad = ui.px(8), gap = ui.px(6), swatch = ui.px(10);
  const auto wide = [&](const std::string& word) { return ui::text_width(ui.fonts->mono, word); };
  float bar = said.two ? 2 * swatch + 3 * gap : ui.px(96);
  // Short where the names of single colours need the room.
  const float kinds = kinds_width(panel, picture, request, track);
  if (kinds > 0 && !said.two)
    bar = std::clamp(area.width() - ui.px(56) - wide(said.low) - wide(said.high) - kinds, ui.px(48), bar);
  const float others = wide(said.high) + bar + 2 * gap + 2 * pad;
  // From long to short: the first that has room.
  std::vector<std::string> ways{said.low};
  if (launches) ways = {"hatched: threads without work", "without work", said.low};
  const auto* keyed = dynamic_cast<const KeyedPicture*>(&picture);
  if (colour && request.colour_by != ColourBy::state && (!keyed || keyed->kinds(request).empty()))
    ways.insert(ways.begin(), std::string(colour->title) + ": " + said.low);
  const auto fits = [&](float beside) {
    return std::ranges::find_if(
        ways, [&](const std::string& way) { return wide(way) + others + beside + ui.px(24) <= area.width(); });
  };
  auto low = fits(kinds > 0 ? kinds + ui.px(16) : 0);
  if (low == ways.end()) low = fits(0);
  if (low == ways.end() || area.height() < ui.px(110)) return area.min.x;
  const ImVec2 min{area.min.x + ui.px(12), area.max.y - height - ui.px(8)},
      max{min.x + wide(*low) + others, min.y + height};
  list->AddRectFilled(min, max, ui::fade(ui.theme->ground, .85f), ui.px(3));
  const float middle = std::floor((min.y + max.y) / 2);
  float x = min.x + pad;
  const auto say = [&](const std::string& word) {
    ui::draw_text(list, ui.fonts->mono, ui.theme->quiet, {x, min.y}, {x + wide(word) + 1, max.y}, word);
    x += wide(word) + gap;
  };
  const auto box = [&](ImU32 fill, bool hatched) {
    const ImVec2 from{x, middle - swatch / 2}, to{x + swatch, middle + swatch / 2};
    list->AddRectFilled(from, to, fill);
    if (hatched) ui::hatch(list, from, to, request.palette.hatch, ui.px(3));
    x += swatch + gap;
  };
  if (said.two) {
    // Launches are in the track's colour, or hatched; cells in the ends of the colour map.
    box(launches ? request.palette.waste : request.palette.at(0), launches);
    say(*low);
    x += gap;
    box(launches ? ui.theme->tracks[track] : request.palette.at(1), false);
  } else {
    say(*low);
    for (int i = 0; i < Palette::steps; ++i) {
      const float share = static_cast<float>(i) / Palette::steps, next = static_cast<float>(i + 1) / Palette::steps;
      list->AddRectFilled({std::floor(x + bar * share), middle - swatch / 2},
                          {std::ceil(x + bar * next), middle + swatch / 2},
                          request.palette.at(said.first + (1 - said.first) * share));
    }
    x += bar + gap;
  }
  say(said.high);
  explain(panel, min, max, [&]() -> std::string {
    std::string words = picture.info().space == Selection::thread ? about_waste : "";
    if (colour && !launches) words += (words.empty() ? "colours: " : " Colours: ") + std::string(colour->help);
    return words;
  });
  return max.x;
}

void draw_pin(PanelContext& panel, ImDrawList* list, const ui::Rectangle& area, ImVec2 at, const Pin& pin,
              std::vector<ui::Rectangle>& notes) {
  const auto& ui = panel.ui;
  const std::string& words = pin.words;
  if (at.x < area.min.x || at.y < area.min.y || at.x > area.max.x || at.y > area.max.y) return;
  panel.state.places_in_view.push_back(pin.at);
  const bool marked = std::ranges::any_of(
      panel.model.teaching.marks, [&](const Marked& mark) { return mark.path.empty() && mark.place == pin.at; });
  // What a tour points at has its ring; a note of the user's has a dot.
  const ImU32 colour = marked ? ui.theme->accent : ui.theme->warning;
  const float round = ui.px(marked ? 9.f : 5.f);
  list->AddCircle(at, round, ui.theme->ground, 24, ui.px(4));
  list->AddCircle(at, round, colour, 24, ui.px(2));
  if (words.empty()) return;
  const float width = std::min(ui::text_width(ui.fonts->body, words) + ui.px(16), area.width() - ui.px(8)),
              height = ui.px(24), margin = ui.px(4);
  // Up and to the right, where there is room; the arrow comes from the nearer end.
  const float low_x =
      std::clamp(at.x + ui.px(28), area.min.x + margin, std::max(area.min.x + margin, area.max.x - width - margin));
  // Below the strip of the title.
  const float first = area.min.y + ui.px(34), step = height + margin;
  float low_y = at.y - ui.px(52) > first ? at.y - ui.px(52) : at.y + ui.px(28);
  const auto covers = [&](const ui::Rectangle& other) {
    return low_x < other.max.x && other.min.x < low_x + width && low_y < other.max.y && other.min.y < low_y + height;
  };
  // Down from there, and on from the top.
  for (float gone = 0; gone < area.height() && std::ranges::any_of(notes, covers); gone += step)
    low_y = low_y + step + height > area.max.y ? first : low_y + step;
  const ImVec2 low{low_x, low_y}, high{low_x + width, low_y + height};
  notes.push_back({low, high});
  const ImVec2 from{std::clamp(at.x, low.x, high.x), low_y > at.y ? low.y : high.y};
  list->AddLine(from, at, ui.theme->ground, ui.px(4));
  list->AddLine(from, at, colour, ui.px(1.5f));
  list->AddRectFilled(low, high, ui.theme->raised, ui.px(3));
  list->AddRect(low, high, colour, ui.px(3));
  ui::draw_text(list, ui.fonts->body, ui.theme->text, {low.x + ui.px(8), low.y}, {high.x - ui.px(8) + 1, high.y},
                words);
}

std::vector<std::pair<Outline, Pin>> pins_of(const PanelContext& panel, const Picture& picture, std::size_t track) {
  std::vector<std::pair<Outline, Pin>> all;
  std::vector<Pin> pins = panel.model.view.pins;
  for (const Marked& mark : panel.model.teaching.marks)
    if (mark.path.empty()) pins.push_back({mark.place, mark.words});
  for (const Pin& pin : pins) {
    const PictureInfo& info = picture.info();
    const bool shows = pin.at.space == info.space || pin.at.space == info.also;
    if (!shows || (pin.at.of_a_track() && pin.at.track != track)) continue;
    ask(panel, track, pin.at);
    const auto marks = picture.marks(panel.model.selected_in(track, pin.at), looking_at(panel, picture));
    if (!marks.empty() && marks.back().kind != Outline::Kind::word)
      all.emplace_back(marks.back(), Pin{pin.at, !pin.at.of_a_track() && track > 0 ? std::string() : pin.words});
  }
  return all;
}

/// A place that is asked for is not told by what lights up in another picture.
bool would_tell(const PanelContext& panel, const Picture& picture, const Selection& place) {
  const Teaching& teaching = panel.model.teaching;
  const bool asked = teaching.hides_figures() && teaching.strip.asked.kind == AskedQuestion::Kind::place;
  return asked && place.space != picture.info().space;
}

std::vector<Outline> marks_of(const PanelContext& panel, const Picture& picture, std::size_t track) {
  const Looking looking = looking_at(panel, picture);
  if (would_tell(panel, picture, panel.model.selection())) return {};
  ask(panel, track, panel.model.selection());
  auto marks = picture.marks(panel.model.selected_in(track, panel.model.selection()), looking);
  if (const auto& so_far = panel.state.slow.tracks[track]; so_far && so_far->last) {
    const Selection last{Selection::thread, {}, track, *so_far->last};
    for (Outline mark : picture.marks(panel.model.selected_in(track, last), looking)) {
      mark.word.clear();
      if (mark.kind == Outline::Kind::block) marks.push_back(mark);
    }
  }
  return marks;
}

const Selection* kept_pick(const Model& model) {
  const bool other = !model.picked.empty() && !model.hover.empty() && !(model.picked == model.hover);
  return other ? &model.picked : nullptr;
}

std::vector<Outline> kept_marks_of(const PanelContext& panel, const Picture& picture, std::size_t track) {
  const Selection* kept = kept_pick(panel.model);
  if (!kept || would_tell(panel, picture, *kept)) return {};
  ask(panel, track, *kept);
  return picture.marks(panel.model.selected_in(track, *kept), looking_at(panel, picture));
}

PictureRequest request_for(const PanelContext& panel, const Pane& pane, const Picture& picture, bool single) {
  PictureRequest request;
  request.palette = palette_of(panel, pane.track);
  const auto& colours = picture.info().colours;
  const bool visits = shows_visits(panel, picture);
  // By launch order pictures paint all cells, not live ones alone.
  const ColourBy wanted = visits ? ColourBy::launch_order : panel.model.view.colour_by;
  const auto has = [&](ColourBy by) { return std::find(colours.begin(), colours.end(), by) != colours.end(); };
  const ColourBy own = colours.empty() ? ColourBy::state : colours.front();
  request.colour_by = has(wanted) ? wanted : own;
  // Blocks on their way are followed by their colour, in the grid they come from too: there is none of their state.
  const bool plane = picture.info().shape == PictureInfo::Shape::plane;
  if (under_way(panel, pane.track) && (plane || request.colour_by == ColourBy::state) && has(ColourBy::launch_order))
    request.colour_by = ColourBy::launch_order;
  request.solid.morph = morph_of(panel, picture);
  request.solid.waste = panel.model.view.solid.waste;
  if (const Looking looking = looking_at(panel, picture); plane) {
    request.solid.slice_axis = looking.slice_axis;
    request.solid.slice = looking.slice;
  }
  // Of a picture of the state these colours are of launches, and no values of it.
  constexpr ColourBy of_launches[] = {ColourBy::launch_order, ColourBy::warp, ColourBy::layer, ColourBy::waste,
                                      ColourBy::address};
  if (own != ColourBy::state || std::ranges::find(of_launches, request.colour_by) == std::end(of_launches))
    request.values = shared_range(panel, picture, request);
  if (visits) std::ranges::fill(request.palette.data, request.palette.track);
  if (request.colour_by == ColourBy::warp && single) colour_warps(panel, pane.track, request.palette);
  request.so_far.warps = panel.state.slow.warps;
  const PictureInfo& info = picture.info();
  if (const Selection& selected = panel.model.selection();
      info.focuses && !selected.empty() && (selected.space == info.space || selected.space == info.also))
    request.focus = {true, selected.at, selected.space != info.space};
  return request;
}

void hover(PanelContext& panel, const Pane& pane, Picture& picture, const PictureRequest& request, double x, double y) {
  Selection found = picture.at(panel.questions, request, x, y);
  if (found.empty()) return;
  if (found.of_a_track()) found.track = pane.track;
  panel.model.hover = found;
}

void title(PanelContext& panel, ImDrawList* list, const Pane& pane, const Picture& picture,
           const std::vector<std::string>& words) {
  auto& ui = panel.ui;
  ui::keep_free(ui, pane.area.min, {pane.area.max.x, pane.area.min.y + ui.px(30)});
  const std::string letter = track_letter(*panel.simulation, pane.track) + "  ",
                    heading = panel.model.teaching.hides_figures() ? "" : picture.heading();
  std::string text = letter + (heading.empty() ? full_title(panel.simulation->track(pane.track).info()) : heading);
  // What the picture is called, too, where there is room.
  if (const std::string named = letter + picture.info().title + ": " + heading;
      !heading.empty() && ui::text_width(ui.fonts->body, named) < pane.area.width() - ui.px(40))
    text = named;
  // Else as much of it as has room, in whole parts: of a track's name the first ones.
  const auto too_long = [&] { return ui::text_width(ui.fonts->body, text) > pane.area.width() - ui.px(40); };
  for (const char* at : {", ", " of "})
    if (const auto end = text.find(at); !heading.empty() && end != std::string::npos && too_long()) text.resize(end);
  for (auto end = text.rfind(", "); end != std::string::npos && too_long(); end = text.rfind(", ")) text.resize(end);
  const ui::Rectangle& top = pane.area;
  const ImVec2 corner{top.min.x + ui.px(12), top.min.y + ui.px(8)};
  // All of what the tag may have no room for, and what such a picture is.
  explain(panel, corner, {corner.x + std::min(top.width() - ui.px(24), ui.px(160)), corner.y + ui.px(22)}, [&] {
    const TrackInfo& track = panel.simulation->track(pane.track).info();
    const PictureInfo& info = picture.info();
    const std::string& about = meaning(lower_case(info.title));
    std::string all = letter + full_title(track) + "\n" + info.title + (heading.empty() ? "" : ": " + heading);
    if (!about.empty()) all += "\n" + about;
    if (info.space == Selection::thread) all += std::string(" ") + about_waste;
    return all;
  });
  // What changes is worth more than what the pane is called: where there are ways to say it, one of them is.
  std::vector<std::string> titles{text};
  if (words.size() > 1) titles.push_back(track_letter(*panel.simulation, pane.track));
  const bool hidden = panel.model.teaching.hides_figures();
  for (const auto& shown : titles)
    for (const auto& one : words)
      if (!hidden && note(panel, list, top, one, top.min.x + ui.px(40) + ui::text_width(ui.fonts->body, shown)))
        return tag(panel, list, corner, shown, pane.track, top.width() - ui.px(24));
  tag(panel, list, corner, text, pane.track, top.width() - ui.px(24));
}

std::pair<bool, bool> mouse_area(PanelContext& panel, const char* id, const ui::Rectangle& area) {
  ImGui::SetCursorScreenPos(area.min);
  ImGui::InvisibleButton(id, {std::max(1.f, area.width()), std::max(1.f, area.height())});
  ui::record(panel.ui, id, ui::picture_label, area.min, area.max);
  return {ImGui::IsItemHovered(), ImGui::IsItemActive()};
}

}  // namespace warploom
