#include "viewer/panels/page.h"

#include <algorithm>
#include <cmath>

#include "gpu/files/input.h"
#include "gpu/pictures/plane_layout.h"
#include "viewer/panels/dialogs.h"
#include "viewer/panels/panes/marks.h"
#include "viewer/ui/plot/axis.h"

namespace warploom {
namespace {

constexpr float page_margin = 28, page_head = 94, page_axis_room = 44, page_below_axis = 22, page_legend_height = 30,
                page_line_height = 19;

Pane pane_of(const PanelContext& panel, const PictureWish& wish) {
  if (!panel.simulation) throw Error("the tracks are being made: there is no picture yet");
  check_picture(*panel.simulation, wish);
  const Track& track = panel.simulation->track(wish.track);
  const auto& pictures = track.pictures();
  const auto at = std::ranges::find(pictures, wish.picture, [](const Picture* p) { return p->info().key; });
  const auto index = static_cast<std::size_t>(at - pictures.begin());
  return {wish.track, index, shown_picture(track, panel.model.view, true) == index, {}, true};
}

/// The names of a plane's axes; empty: its places are not counted along them.
std::array<std::string, 2> axis_names(const PanelContext& panel, const Picture& picture) {
  const PictureInfo& info = picture.info();
  if (info.space == Selection::thread || info.space == Selection::block) return {info.space + " x", info.space + " y"};
  const int slice = panel.model.view.solid.slice_axis;
  if (info.sliced) return {slice == 0 ? "y" : "x", slice == 0 || slice == 1 ? "z" : "y"};
  if (info.space == Selection::cell) return {"x", "y"};
  return {};
}

/// Numbers along the lower and the left edge of a plane, within the part in view.
void plane_axes(PanelContext& panel, const Pane& pane, const Picture& picture) {
  const auto& ui = panel.ui;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const Plane plane = plane_of(panel, pane, picture);
  const ImVec2 first = plane.screen(0, 0), last = plane.screen(plane.width, plane.height);
  const ui::Rectangle box{{std::max(first.x, pane.area.min.x), std::max(first.y, pane.area.min.y)},
                          {std::min(last.x, pane.area.max.x), std::min(last.y, pane.area.max.y)}};
  const float line = ui.px(1), tick = ui.px(4), half = ui.fonts->mono->FontSize / 2, room = ui.px(40);
  list->AddRect({box.min.x - line, box.min.y - line}, {box.max.x + line, box.max.y + line}, ui.theme->line, 0, 0, line);
  const auto [across, down] = axis_names(panel, picture);
  if (across.empty()) return;
  const auto say = [&](float x, float y, const std::string& words, ui::Align align) {
    const float left = align == ui::Align::right ? x - 4 * room : align == ui::Align::left ? x : x - 2 * room;
    ui::draw_text(list, ui.fonts->mono, ui.theme->quiet, {left, y - half}, {left + 4 * room, y + half}, words, align);
  };
  const auto ticks_of = [&](double low, double high, float pixels) {
    ui::Axis axis;
    axis.min = low;
    axis.max = high;
    auto all = ui::ticks(axis, std::clamp(static_cast<int>(pixels / ui.px(64)), 2, 10));
    std::erase_if(all,
                  [](const ui::Tick& t) { return t.value < 0 || t.value != std::floor(t.value); });  // places are whole
    return all;
  };
  const float under = box.max.y + tick + half + ui.px(2),
              name_from = box.max.x - ui::text_width(ui.fonts->mono, across);
  const Index3 origin = origin_of(picture);
  for (const auto& t : ticks_of(plane.cell_x(box.min.x) - origin.x, plane.cell_x(box.max.x) - origin.x, box.width())) {
    const float x = plane.screen(t.value + origin.x, 0).x, wide = ui::text_width(ui.fonts->mono, t.label) / 2;
    list->AddLine({x, box.max.y}, {x, box.max.y + tick}, ui.theme->quiet, line);
    if (x + wide + ui.px(8) < name_from) say(x, under, t.label, ui::Align::centre);
  }
  say(box.max.x, under, across, ui::Align::right);
  const float beside = box.min.x - tick - ui.px(4);
  for (const auto& t : ticks_of(plane.cell_y(box.min.y) - origin.y, plane.cell_y(box.max.y) - origin.y, box.height())) {
    const float y = plane.screen(0, t.value + origin.y).y;
    list->AddLine({box.min.x - tick, y}, {box.min.x, y}, ui.theme->quiet, line);
    if (y + 3 * half < box.max.y) say(beside, y, t.label, ui::Align::right);
  }
  say(beside, box.max.y - half, down, ui::Align::right);
}

}  // namespace

const ui::Theme& page_theme(const std::string& name) {
  return ui::theme(name == "light" ? ui::ThemeName::paper : ui::ThemeName::dark);
}

void check_picture(const Simulation& simulation, const PictureWish& wish) {
  if (wish.track >= simulation.size()) {
    std::vector<std::string> known;
    for (std::size_t i = 0; i < simulation.size(); ++i) known.push_back(track_letter(simulation, i));
    throw UsageError("there is no track " + track_letter(simulation, wish.track) + ", but " + join(known));
  }
  const auto keys = texts_of(simulation.track(wish.track).pictures(), [](const Picture* p) { return p->info().key; });
  if (!std::ranges::count(keys, wish.picture)) throw UsageError(unknown_message("picture", wish.picture, keys));
}

void check_picture_name(const std::string& file) {
  const std::string extension = extension_of(file);
  if (extension != ".png" && extension != ".svg")
    throw UsageError("picture " + file + ": " + unknown_message("extension", extension, {".png", ".svg"}));
}

ImVec2 page_size(const PanelContext& panel, const PictureWish& wish) {
  const Pane pane = pane_of(panel, wish);
  const Picture& picture = *panel.simulation->track(pane.track).pictures()[pane.picture];
  const bool plane = picture.info().shape == PictureInfo::Shape::plane;
  const auto sides = picture.extent(looking_at(panel, picture));
  constexpr float width = 800, across = width - 2 * page_margin - page_axis_room;
  const double down = plane ? across * sides[1] * picture.info().tall / std::max(1., sides[0]) : .85 * across;
  return {width, std::ceil(std::clamp(static_cast<float>(down), 200.f, across)) + page_head + page_below_axis +
                     page_legend_height + 3 * page_line_height + page_margin};
}

void page(PanelContext& panel, const PictureWish& wish, ImVec2 size) {
  auto& ui = panel.ui;
  ui::begin_frame(ui);
  ui.theme = &ui::theme(ui.theme->name, panel.model.shown_scene().letters());
  refresh_shown(panel);
  Pane pane = pane_of(panel, wish);
  const Track& track = panel.simulation->track(pane.track);
  Picture& picture = *track.pictures()[pane.picture];
  begin_panel(panel, "page", {{0, 0}, size}, 0, 0, 0);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float left = ui.px(page_margin), right = size.x - ui.px(page_margin), line = ui.px(page_line_height);
  float y = ui.px(20);
  const auto say = [&](const ImFont* font, ImU32 colour, float from, const std::string& words) {
    ui::draw_text(list, font, colour, {from, y}, {right, y + line}, words);
  };
  // ---- where all of it is: from the foot up, the picture last -------------------------------------------------------
  std::vector<std::string> lines;
  for (const std::string& words : verdicts(panel)) {
    const std::string wrapped = ui::wrapped(ui.fonts->body, words, right - left);
    for (std::size_t from = 0; from <= wrapped.size();) {
      const std::size_t end = std::min(wrapped.find('\n', from), wrapped.size());
      lines.push_back(wrapped.substr(from, end - from));
      from = end + 1;
    }
  }
  const float foot = size.y - ui.px(page_margin) - line * static_cast<float>(lines.size());
  const bool plane = picture.info().shape == PictureInfo::Shape::plane;
  const float low = foot - ui.px(page_legend_height) - (plane ? ui.px(page_below_axis) : 0);
  const std::string down = plane ? axis_names(panel, picture)[1] : std::string();
  const float room =
      down.empty() ? 0 : std::max(ui.px(page_axis_room), ui::text_width(ui.fonts->mono, down) + ui.px(10));
  pane.area = {{left + room, ui.px(page_head)}, {right, std::max(low, ui.px(page_head) + 16)}};
  // ---- what it is, and of what ------------------------------------------------------------------------------------
  list->AddRectFilled({left, y}, {left + ui.px(3), y + line}, ui.theme->tracks[pane.track]);
  say(ui.fonts->strong, ui.theme->text, left + ui.px(12),
      track_letter(*panel.simulation, pane.track) + "  " + full_title(track.info()));
  y += line;
  const std::string heading = picture.heading(),
                    caption =
                        plane ? caption_of(picture, plane_request(panel, pane, picture, plane_of(panel, pane, picture)))
                              : picture.caption();
  const std::string& name = picture.info().title;
  std::string what = name + (heading.empty() ? "" : ": " + heading);
  if (const auto slow = slow_launch_words(panel, pane.track); pane.side && !slow.empty())
    what += "  \u00b7  " + slow[0];
  else if (heading.empty() && lower_case(caption).starts_with(lower_case(name)))  // "data space 32 x 32"
    what += caption.substr(name.size());
  else if (!caption.empty())
    what += "  \u00b7  " + caption;
  say(ui.fonts->body, ui.theme->text, left + ui.px(12), what);
  y += line;
  say(ui.fonts->body, ui.theme->quiet, left + ui.px(12), caption_words(panel));
  y = foot;
  for (const std::string& words : lines) {
    say(ui.fonts->body, ui.theme->text, left, words);
    y += line;
  }
  // ---- the picture ------------------------------------------------------------------------------------------------
  (plane ? plane_drawing : solid_drawing)(panel, pane, picture);
  if (plane) plane_axes(panel, pane, picture);
  // As a pane has it in its lower left corner.
  legend(panel, list, {{left - ui.px(12), 0}, {right, foot}}, request_for(panel, pane, picture), picture, pane.track);
  ImGui::End();
}

}  // namespace warploom
