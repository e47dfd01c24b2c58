#include "viewer/panels/plots/plots.h"

namespace warploom {

/// What each of the last frames cost, without waiting for the monitor. One slow frame in a hundred is only marked.
ui::Figure frames_figure(PanelContext& panel) {
  auto& state = panel.state;
  // A line that runs as fast as frames come cannot be read.
  auto& shown = state.plotted_frame_ms;
  const double now = ImGui::GetTime();
  if (shown.size() < 2 || state.frames_plotted_at < 0 || now - state.frames_plotted_at >= .1) {
    shown = state.frame_ms;
    state.frames_plotted_at = now;
  }
  ui::Usual usual = ui::usual(shown, .99, "ms");
  usual.axis.name = "ms";
  ui::Figure figure{.title = "frame time", .empty_words = "no frames yet"};
  figure.x = {ui::Scale::linear, 0, static_cast<double>(PanelState::most_frames), "frame", "frame"};
  figure.y = usual.axis;
  if (shown.size() > 1) figure.curves.push_back({.name = "", .colour = panel.ui.theme->accent, .y = shown});
  if (!usual.above.empty()) figure.above.push_back({usual.above, ui::above_words(usual), panel.ui.theme->accent});
  return figure;
}

}  // namespace warploom
