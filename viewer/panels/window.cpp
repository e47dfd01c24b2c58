#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gpu/core/format.h"
#include "gpu/tracks/facets/described.h"
#include "gpu/tracks/facets/threads.h"
#include "viewer/model/commands.h"
#include "viewer/model/scene_parts.h"
#include "viewer/model/scene_text.h"
#include "viewer/panels/panels.h"
#include "viewer/ui/splitter.h"
#include "viewer/ui/walk.h"

namespace warploom {

KeysOf keys_of() {
  if (ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopup)) return KeysOf::list;
  return ImGui::GetIO().WantTextInput ? KeysOf::field : KeysOf::none;
}

void PanelState::add_frame(const FrameTimes& times) {
  const std::pair<std::vector<double>*, double> rows[] = {
      {&frame_ms, times.frame}, {&ui_ms, times.ui}, {&interop_ms, times.interop}};
  for (const auto& [row, value] : rows) {
    row->push_back(value);
    if (row->size() > most_frames) row->erase(row->begin());
  }
}

void find_and_run(Model& model, const char* name) {
  if (const Command* command = find_command(std::string(name))) carry_out(model, *command);
}

std::string milliseconds_text(double ms, int figures) {
  if (!(ms > 0)) return "\u2013";
  const int whole = static_cast<int>(std::floor(std::log10(ms))) + 1, room = ms < 10     ? 4
                                                                             : ms < 100  ? 3
                                                                             : ms < 1000 ? 2
                                                                                         : 1;
  return fmt::format("{:.{}f}", ms, std::clamp(figures - whole, 0, room));
}

std::string ratio_text(const Ratio& ratio) {
  if (!ratio.enough()) return fmt::format("{:.2f}\u00d7  {} only", ratio.median, counted(ratio.pairs, "step"));
  return fmt::format("{:.2f}\u00d7  [{:.2f}, {:.2f}]", ratio.median, ratio.low, ratio.high);
}

void begin_panel(PanelContext& panel, const char* name, const ui::Rectangle& area, ImU32 ground, float padding_x,
                 float padding_y, PanelKind kind) {
  ImGui::SetNextWindowPos(area.min);
  ImGui::SetNextWindowSize({area.width(), area.height()});
  const bool cleared = panel.grounds && kind != PanelKind::dialog;
  if (ground) ui::keep_free(panel.ui, area.min, area.max);
  if (cleared && ground) panel.grounds->emplace_back(area, ground);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, cleared ? 0 : ground);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {panel.ui.px(padding_x), panel.ui.px(padding_y)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, kind == PanelKind::dialog ? 1.f : 0.f);
  ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                           ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav;
  // Panels stay at the back; a dialog comes to the front when it appears, and nothing covers it from there.
  if (kind != PanelKind::dialog) flags |= ImGuiWindowFlags_NoBringToFrontOnFocus;
  // A notice, or a panel, that appears takes the keyboard from no field.
  const bool is_notice = name == std::string("notice");
  if (kind != PanelKind::dialog || is_notice) flags |= ImGuiWindowFlags_NoFocusOnAppearing;
  // Below the dialog that is in front, all else waits; only a large plot leaves the panels as they are.
  const std::string& front = panel.ui.walk.within;
  const bool waits = !front.empty() && front != std::string(name) + "/" && !is_notice;
  if (waits && (kind == PanelKind::dialog || front != "plot/"))
    flags |= ImGuiWindowFlags_NoMouseInputs | ImGuiWindowFlags_NoBringToFrontOnFocus;
  if (kind == PanelKind::fixed) flags |= ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse;
  ImGui::Begin(name, nullptr, flags);
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
}

std::vector<std::string> slow_launch_words(const PanelContext& panel, std::size_t track) {
  const auto& so_far = panel.state.slow.tracks[track];
  const auto all = counts_of(panel.simulation->track(track));
  if (!so_far || !all) return {};
  const std::string come = so_far->whole ? "all " + short_count(all->launched)
                                         : short_count(so_far->launched) + " of " + short_count(all->launched);
  const std::string useful = short_count(so_far->useful), wasted = short_count(so_far->launched - so_far->useful);
  return {come + " threads: " + useful + " useful, " + wasted + " wasted", useful + " useful, " + wasted + " wasted",
          useful + " useful"};
}

void dim_stale(const PanelContext& panel, const ui::Rectangle& area, ImU32 ground) {
  if (panel.simulation && panel.model.stale())
    ImGui::GetWindowDrawList()->AddRectFilled(area.min, area.max, ui::fade(ground, .75f));
}

namespace {

/// Looks the timings up when what is shown is older than a quarter of a second.
void refresh_timings(PanelContext& panel) {
  auto& shown = panel.state.shown;
  if (panel.model.times.interop > 0) shown.interop = panel.model.times.interop;
  const double now = ImGui::GetTime();
  if (!panel.simulation) return;
  const std::size_t baseline = panel.model.baseline_of(*panel.simulation);
  shown.waits = shown.at >= 0 && now - shown.at < .25 && shown.ratios.size() == panel.simulation->size() &&
                shown.baseline == baseline;
  if (shown.waits) return;
  shown.at = now;
  shown.baseline = baseline;
  shown.table = panel.simulation->timings().table();
  shown.ratios.clear();
  for (std::size_t i = 0; i < panel.simulation->size(); ++i)
    shown.ratios.push_back(panel.simulation->ratio_to_baseline(i, baseline));
}

/// Counts what the slow launch did where it is further than it was.
void refresh_slow_launch(PanelContext& panel) {
  auto& slow = panel.state.slow;
  if (!panel.simulation) return;
  const std::uint64_t warps = panel.model.launched_warps(*panel.simulation);
  if (slow.simulation == panel.simulation->id() && slow.warps == warps) return;
  slow = {panel.simulation->id(), warps, {}};
  if (warps == SoFar::everything || !panel.questions) return;
  for (std::size_t i = 0; i < panel.simulation->size(); ++i)
    if (const auto* counted = panel.simulation->track(i).facet<Counted>())
      slow.tracks[i] = counted->counts_so_far(*panel.questions, warps);
}

/// What was picked may lie outside after a change of domain or tracks.
void forget_lost_pick(PanelContext& panel) {
  Selection& picked = panel.model.picked;
  // Not known yet of tracks that are being built.
  if (!panel.simulation || picked.empty() || panel.model.building()) return;
  bool kept = true;
  if (picked.space == Selection::cell) {
    const Index3 extent = panel.simulation->track(0).extent();
    kept = picked.at.x < extent.x && picked.at.y < extent.y && picked.at.z < extent.z;
  } else if (picked.of_a_track()) {
    const auto* threads =
        picked.track < panel.simulation->size() ? panel.simulation->track(picked.track).facet<Threads>() : nullptr;
    kept = threads && threads->launched(picked.owner);
  } else if (panel.questions) {  // of a space that a scene has alone: as long as a picture knows it
    kept = false;
    for (std::size_t i = 0; i < panel.simulation->size(); ++i) {
      if (auto* described = panel.simulation->track(i).facet<Described>()) {
        described->ask(*panel.questions, picked);
        kept = kept || !described->describe(picked).empty();
      }
      for (const Picture* picture : panel.simulation->track(i).pictures())
        kept = kept || !picture->marks(panel.model.selected_in(i, picked)).empty();
    }
  }
  if (kept) return;
  const std::string words =
      selection_text(picked, panel.model.scene().letters()) + ": no track shows it; nothing is picked now";
  picked = {};
  if (panel.model.notice.empty()) panel.model.tell(words);
}

/// The strip of a notice, so that it covers nothing: plots give it room, so that pictures stay where they are; where
/// there are none, or too low ones, all that stands above the foot.
ui::Rectangle keep_notice_free(const PanelContext& panel, const ui::Layout& layout, ImVec2 window, int tracks,
                               ui::Shown shown, ui::Arrangement& at, ui::Rectangle& plots) {
  plots = at.plots;
  const float in_plots = notice_height(panel, plots.width()), least_plots = panel.ui.px(72);
  if (!plots.empty() && plots.height() - in_plots >= least_plots) {
    plots.min.y += in_plots;
    return {at.plots.min, {plots.max.x, plots.min.y}};
  }
  const float height = notice_height(panel, window.x);
  if (height <= 0) return {};
  shown.foot += height;
  at = ui::arrange(layout, window, tracks, shown, panel.ui.scale);
  plots = at.plots;
  const float top = at.foot.min.y;
  at.foot.min.y = std::min(top + height, at.foot.max.y);
  return {{0, top}, {window.x, at.foot.min.y}};
}

}  // namespace

void refresh_shown(PanelContext& panel) {
  refresh_timings(panel);
  refresh_slow_launch(panel);
}

void compose(PanelContext& panel, ImVec2 window) {
  ui::begin_frame(panel.ui);
  scroll_to_marks(panel);
  panel.state.places_in_view.clear();
  panel.ui.theme = &ui::theme(panel.ui.theme->name, panel.model.shown_scene().letters());
  panel.ui.meaning = [](std::string_view label) { return meaning_of_label(label); };
  panel.ui.walk.on = panel.model.walking;
  panel.ui.walk.panes = std::exchange(panel.model.walk_panes, 0);
  panel.ui.walk.within = dialog_path(panel.model);
  ui::walk(panel.ui);
  if (std::exchange(panel.model.key_taken, false)) panel.ui.walk.press = false;
  // A walk that stands nowhere must not keep Enter from a tour.
  if (panel.model.teaching.strip.open && ui::walk_is_lost(panel.ui)) {
    panel.ui.walk.on = false;
    panel.ui.walk.at.clear();  // F6 begins anew
  }
  panel.model.walking = panel.ui.walk.on;
  panel.model.show(panel.simulation);
  refresh_timings(panel);
  const bool panels = panel.model.view.panels;
  const int tracks = panel.simulation ? static_cast<int>(panel.simulation->size()) : 1;
  ui::Shown shown{panels, panels, panels, panels, panels};
  const bool presentation = panel.model.view.presentation && panel.simulation;
  const bool words = panel.model.teaching.words_open;
  shown.editor = panels && (panel.model.editing.open || panel.model.view.source || words);
  ui::Layout layout = panel.state.layout;
  if (presentation) shown = {.frame = false, .left = false, .right = false, .plots = false};
  const bool words_below =
      panel.simulation && (presentation || panel.model.view.overlay || !panel.model.teaching.said.empty());
  const bool welcome = panel.model.teaching.welcome && !panel.model.teaching.strip.open;
  if (welcome) shown = {.left = false, .right = false, .grid = false, .plots = false};
  const float strip_of_tour = strip_height(panel);
  if (strip_of_tour > 0) shown.plots = false;
  shown.foot = strip_of_tour + (words_below ? panel.state.caption_height : 0);
  const bool worded = panel.simulation && (panels || presentation) && !welcome;
  if (panel.simulation) {
    const Track& first = panel.simulation->track(0);
    const auto side = shown_picture(first, panel.model.view, true);
    shown.grid = shown.grid && side;
    // Threads against cells is the lesson there.
    const auto main = shown_picture(first, panel.model.view, false);
    shown.large_grids = side && main && first.pictures()[*side]->info().space == Selection::thread &&
                        first.pictures()[*main]->info().space == Selection::cell;
  }
  if (presentation && !shown.large_grids)
    layout.grid_height = std::max(layout.grid_height, window.y / panel.ui.scale * .34f);
  if (panel.model.teaching.hides_figures()) panel.model.plot_open = -1;
  panel.model.advance(ImGui::GetIO().DeltaTime);
  refresh_slow_launch(panel);
  if (worded) {
    const float width = ui::arrange(layout, window, tracks, shown, panel.ui.scale).centre.width();
    shown.head = panel.state.head_height = verdict_height(panel, width);
  }
  ui::Arrangement at = ui::arrange(layout, window, tracks, shown, panel.ui.scale);
  ui::Rectangle plots;
  const ui::Rectangle strip = keep_notice_free(panel, layout, window, tracks, shown, at, plots);
  panel.state.centre = at.centre;
  const ImVec2 moved = ImGui::GetIO().MouseDelta;
  if (moved.x != 0 || moved.y != 0) panel.model.teaching.hover = {};
  panel.model.hover = panel.model.teaching.hover;
  panel.model.pointed.reset();
  panel.state.side_areas = {};
  for (std::size_t i = 0; i < panel.state.side_areas.size() && i < at.grid.size(); ++i)
    panel.state.side_areas[i] = at.grid[i];
  forget_lost_pick(panel);
  if (worded && !at.head.empty()) verdict_bar(panel, at.head);
  if (welcome) welcome_page(panel, at.centre);
  for (const PanePass pass : {PanePass::mouse, PanePass::drawing})
    for (std::size_t track = 0; !welcome && track < static_cast<std::size_t>(tracks); ++track) {
      if (!at.data[track].empty()) picture_pane(panel, track, at.data[track], false, pass);
      if (!at.grid[track].empty()) picture_pane(panel, track, at.grid[track], true, pass);
    }
  panel.model.plots_shown = 0;
  if (!plots.empty()) plots_panel(panel, plots);
  if (!at.left.empty()) left_panel(panel, at.left);
  if (at.editor.empty() || panel.model.view.source || words) panel.model.editing.has_focus = false;
  if (!at.editor.empty())
    (words ? words_panel : panel.model.view.source ? source_panel : editor_panel)(panel, at.editor);
  if (!at.right.empty()) right_panel(panel, at.right);
  if (!at.top.empty()) top_bar(panel, at.top);
  if (!at.status.empty()) status_bar(panel, at.status);
  panel.state.strip_area = {};
  if (strip_of_tour > 0) {
    ui::Rectangle area = at.foot;
    area.min.y = at.foot.max.y = at.foot.max.y - strip_of_tour;
    tour_strip(panel, area);
  }
  if (words_below) captions(panel, at.foot);
  if (panels && !presentation && !welcome)
    ui::splitters(panel.ui, panel.state.layout, at);
  else
    ui::no_splitters();
  if (!panel.ui.refused.empty()) panel.model.tell(std::exchange(panel.ui.refused, {}), true);
  dialogs(panel, window, strip);
  draw_rings(panel);
  ui::draw_tooltip(panel.ui);
  panel.model.show(nullptr);
}

}  // namespace warploom
