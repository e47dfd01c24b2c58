#pragma once
#include <functional>

#include "viewer/teach/script.h"

namespace warploom {

/// What a script without a window is shown in: composes a frame, so many seconds after the last.
struct Scenery {
  ui::UiContext& ui;
  PanelState& panels;
  std::function<void(float seconds)> frame;
  std::function<void(const std::string& file)> capture;           ///< of the next frame; null: nothing draws
  std::function<void(const std::string& file)> record = nullptr;  ///< begins a film, or ends it
  bool filmed = false;       ///< glides and waits take their time, and the mouse is drawn
  float seconds = 1 / 60.f;  ///< from frame to frame
};

/// Runs a script over a synchronous model, at the scenery's clock, until it ends, `quit` is asked
/// for or `stopped` answers true. Throws what ScriptPlayer throws.
void run_script(Model& model, const Script& script, Scenery& scenery, const std::function<bool()>& stopped);

/// Where relative paths of a script that the user wrote start.
ScriptReading reading_for(Model& model);

}  // namespace warploom
