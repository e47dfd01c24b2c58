#include <algorithm>

#include "gpu/pictures/keyed_picture.h"
#include "gpu/pictures/wrong_cells.h"
#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/written.h"
#include "viewer/panels/panes/marks.h"

namespace warploom {
namespace {

/// Of a kind: its colour, its words, and what is free behind.
float kind_width(const ui::UiContext& ui, const KeyedPicture::Kind& kind) {
  return ui::text_width(ui.fonts->mono, kind.words) + ui.px(28);
}

/// Of a kind: its colour, with its lines over it.
void swatch(const ui::UiContext& ui, ImDrawList* list, ImVec2 min, ImVec2 max, const KeyedPicture::Kind& kind) {
  list->AddRectFilled(min, max, kind.colour);
  if (kind.hatch) ui::hatch(list, min, max, kind.hatch, ui.px(3));
  if (kind.crossed) ui::hatch(list, min, max, kind.hatch, ui.px(3), 1, true);
}

/// All kinds one below the other, at the mouse.
void all_kinds(PanelContext& panel, const std::vector<KeyedPicture::Kind>& all) {
  const auto& ui = panel.ui;
  const float row = ui.px(20), side = ui.px(10), pad = ui.px(8);
  float width = 0;
  for (const auto& kind : all) width = std::max(width, kind_width(ui, kind));
  const ImVec2 size{width + 2 * pad, row * static_cast<float>(all.size()) + 2 * pad},
      screen = ImGui::GetIO().DisplaySize, mouse = ImGui::GetIO().MousePos;
  // Above the legend, which lies at the bottom.
  const ImVec2 min{std::max(0.f, std::min(mouse.x, screen.x - size.x)), std::max(0.f, mouse.y - size.y - ui.px(16))},
      max{min.x + size.x, min.y + size.y};
  ImDrawList* list = ImGui::GetForegroundDrawList();
  list->AddRectFilled(min, max, ui.theme->raised, ui.px(4));
  list->AddRect(min, max, ui.theme->line, ui.px(4));
  float top = min.y + pad;
  for (const auto& kind : all) {
    const ImVec2 from{min.x + pad, std::floor(top + (row - side) / 2)}, to{from.x + side, from.y + side};
    swatch(ui, list, from, to, kind);
    ui::draw_text(list, ui.fonts->mono, ui.theme->text, {to.x + ui.px(6), top}, {max.x, top + row}, kind.words);
    top += row;
  }
}

/// What judging found of the own map that drives a track; nullopt: none does.
std::optional<Judgement> judgement_of(const PanelContext& panel, std::size_t track) {
  if (!panel.simulation || track >= panel.simulation->size()) return std::nullopt;
  const auto* written = panel.simulation->track(track).facet<Written>();
  if (!written) return std::nullopt;
  const OwnState own = written->own();
  return own.kind == "rule" ? std::nullopt : std::optional(own.judgement);
}

/// What pictures of cells show of a wrong own map, whatever else they show.
void add_wrong_kinds(std::vector<KeyedPicture::Kind>& to, const PanelContext& panel, const Picture& picture,
                     std::size_t track) {
  if (picture.info().space != Selection::cell) return;
  const auto add = [&](const char* words, Rgba colour, bool crossed) {
    to.push_back({words, colour, WrongCells::stroke(colour, panel.ui.theme->ground), crossed});
  };
  const auto judged = judgement_of(panel, track);
  if (!judged) {
    const auto counts = shows_visits(panel, picture) ? counts_of(panel.simulation->track(track)) : std::nullopt;
    if (counts && counts->wrong) add("missed", WrongCells::missed, false);
    return;
  }
  if (judged->missed) add("missed", WrongCells::missed, false);
  if (judged->doubled) add("twice", WrongCells::doubled, true);
}

}  // namespace

bool can_show_visits(const PanelContext& panel) {
  for (std::size_t i = 0; panel.simulation && i < panel.simulation->size(); ++i)
    if (judgement_of(panel, i)) return true;
  return false;
}

bool shows_visits(const PanelContext& panel, const Picture& picture) {
  return panel.model.view.colour_by == ColourBy::visits && picture.info().space == Selection::cell &&
         can_show_visits(panel);
}

std::vector<KeyedPicture::Kind> kinds_of(const PanelContext& panel, const Picture& picture,
                                         const PictureRequest& request, std::size_t track) {
  const auto* keyed = dynamic_cast<const KeyedPicture*>(&picture);
  auto all = keyed ? keyed->kinds(request) : std::vector<KeyedPicture::Kind>{};
  if (shows_visits(panel, picture)) {
    const auto judged = judgement_of(panel, track);
    all = {{!judged || judged->whole ? "once" : "not judged", request.palette.track}};
  }
  add_wrong_kinds(all, panel, picture, track);
  // "32 padding" would tell what is asked.
  if (panel.model.teaching.hides_figures())
    for (auto& kind : all) {
      auto word = kind.words.find_first_not_of("0123456789., ");
      if (word == std::string::npos || word == 0 || !std::isdigit(static_cast<unsigned char>(kind.words[0]))) continue;
      // "2.2 M waiting"
      if (word + 1 < kind.words.size() && kind.words[word + 1] == ' ') word += 2;
      kind.words.erase(0, word);
    }
  return all;
}

Legend short_where_narrow(const PanelContext& panel, const PictureRequest& request, const Picture& picture,
                          std::size_t track, const ui::Rectangle& area) {
  const auto& ui = panel.ui;
  if (shows_visits(panel, picture)) return {};  // there is no scale
  Legend said = picture.legend(request);
  const auto* keyed = dynamic_cast<const KeyedPicture*>(&picture);
  if (!keyed || said.high.empty()) return said;
  // The scale, and what is free around it.
  const float kinds = kinds_width(panel, picture, request, track);
  const float width = ui::text_width(ui.fonts->mono, said.low) + ui::text_width(ui.fonts->mono, said.high) +
                      ui.px(kinds > 0 ? 56 + 48 : 150) + kinds;
  if (width <= area.width()) return said;
  if (const std::string brief = keyed->brief(request); !brief.empty()) said.high = brief;
  return said;
}

float kinds_width(const PanelContext& panel, const Picture& picture, const PictureRequest& request, std::size_t track) {
  const auto& ui = panel.ui;
  const auto kinds = kinds_of(panel, picture, request, track);
  float width = kinds.empty() ? 0 : ui.px(4);
  for (const auto& kind : kinds) width += kind_width(ui, kind);
  return width;
}

bool leaves_room_for_kinds(const Picture& picture) {
  const auto* keyed = dynamic_cast<const KeyedPicture*>(&picture);
  return keyed && keyed->leaves_room();
}

float legend_kinds(PanelContext& panel, ImDrawList* list, const ui::Rectangle& area, const PictureRequest& request,
                   const Picture& picture, std::size_t track, float legend_right) {
  const auto& ui = panel.ui;
  const auto kinds = kinds_of(panel, picture, request, track);
  if (kinds.empty() || area.height() < ui.px(110)) return legend_right;
  const float height = ui.px(22), pad = ui.px(8), gap = ui.px(6), side = ui.px(10), between = ui.px(12);
  const float left = std::max(area.min.x + ui.px(12), legend_right), most = area.max.x - ui.px(12) - left;
  float width = 2 * pad - between;
  std::size_t shown = 0;
  const auto rest = [&](std::size_t behind) { return behind == 0 ? std::string() : "+" + std::to_string(behind); };
  const auto rest_width = [&](std::size_t behind) {
    return behind == 0 ? 0 : ui::text_width(ui.fonts->mono, rest(behind)) + between;
  };
  for (; shown < kinds.size(); ++shown) {
    const float next = width + kind_width(ui, kinds[shown]);
    if (next + rest_width(kinds.size() - shown - 1) > most) break;
    width = next;
  }
  const std::string left_out = rest(kinds.size() - shown);
  width += rest_width(kinds.size() - shown);
  if (width > most) return legend_right;
  const ImVec2 min{left, area.max.y - height - ui.px(8)}, max{left + width, min.y + height};
  list->AddRectFilled(min, max, ui::fade(ui.theme->ground, .85f), ui.px(3));
  ImVec2 at{min.x + pad, std::floor(min.y + (height - side) / 2)};
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string& words = kinds[i].words;
    const ImVec2 end{at.x + side, at.y + side};
    swatch(ui, list, at, end, kinds[i]);
    const float wide = ui::text_width(ui.fonts->mono, words);
    ui::draw_text(list, ui.fonts->mono, ui.theme->quiet, {end.x + gap, min.y}, {end.x + gap + wide + 1, max.y}, words);
    at.x = end.x + gap + wide + between;
  }
  if (left_out.empty()) return max.x;
  ui::draw_text(list, ui.fonts->mono, ui.theme->quiet, {at.x, min.y}, max, left_out);
  ImGui::SetCursorScreenPos(min);
  ImGui::Dummy({max.x - min.x, max.y - min.y});
  if (ui::rested_on_item(panel.ui)) all_kinds(panel, kinds);
  return max.x;
}

}  // namespace warploom
