#pragma once
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "gpu/core/words.h"
#include "viewer/draw/painter.h"
#include "viewer/model/model.h"
#include "viewer/ui/colormaps.h"
#include "viewer/ui/layout.h"
#include "viewer/ui/plot/plot.h"
#include "viewer/ui/widgets.h"

namespace warploom {

/// What the panels keep between frames besides the model: nothing that a scene would miss.
struct PanelState {
  ui::Layout layout;
  std::vector<ui::Colormap> colormaps;
  ui::Crosshair crosshair;
  std::optional<Cell> last_painted;  ///< of the stroke under way
  int dragged_plane = -1;            ///< track, + 4 at the side; -1: none
  std::string path_text, palette_text;
  bool palette_focused = false;  ///< its field has taken the focus since it opened
  static constexpr std::size_t most_frames = 240;
  std::vector<double> frame_ms;  ///< what the last frames cost, newest last
  /// Timings as shown, looked up a few times a second.
  struct Shown {
    double at = -1;
    std::vector<KernelTiming> table;
    std::vector<std::optional<Ratio>> ratios;
  } shown;
};

/// All that a panel may read and change.
struct PanelContext {
  ui::UiContext& ui;
  Model& model;
  PanelState& state;
  std::shared_ptr<Simulation> simulation;  ///< of this frame; null before the first
  const Painter* painter = nullptr;        ///< null over a renderer that draws nothing
  std::vector<Want>* wants = nullptr;      ///< pictures this frame needs
  Queue* questions = nullptr;              ///< for what the window asks of tracks; null: nothing is asked
};

enum class PanelKind { fixed, scrolling, dialog };

/// A flat window without decoration over a rectangle; end it with ImGui::End. Dialogs are framed and lie in front.
void begin_panel(PanelContext& panel, const char* name, const ui::Rectangle& area, ImU32 ground, float padding_x,
                 float padding_y, PanelKind kind = PanelKind::fixed);

void top_bar(PanelContext& panel, const ui::Rectangle& area);
void status_bar(PanelContext& panel, const ui::Rectangle& area);
void left_panel(PanelContext& panel, const ui::Rectangle& area);
void right_panel(PanelContext& panel, const ui::Rectangle& area);
void plots_panel(PanelContext& panel, const ui::Rectangle& area);
/// One of a track's pictures: the main one, or the one at its side.
void picture_pane(PanelContext& panel, std::size_t track, const ui::Rectangle& area, bool side);
/// Which of its pictures; nullopt: it has none to show there.
std::optional<std::size_t> shown_picture(const Track& track, const ViewSettings& view, bool side);
/// The timing table over the picture, for captures.
void timing_overlay(PanelContext& panel, const ui::Rectangle& area);
/// Help, palette, path prompt, notice.
void dialogs(PanelContext& panel, ImVec2 window);

/// "A" to "D"
std::string track_letter(std::size_t track);
/// 0.0412 with as many digits as fit a column: four significant.
std::string milliseconds_text(double milliseconds);
/// Looks the timings up when what is shown is older than a quarter of a second.
void refresh_timings(PanelContext& panel);

/// Runs a command by its name.
void find_and_run(Model& model, const char* command);

/// The whole window: arrangement, panels, splitters, dialogs. Call between NewFrame and Render.
void compose(PanelContext& panel, ImVec2 window);

}  // namespace warploom
