#pragma once
#include <string>
#include <vector>

#include "viewer/gl/imgui_context.h"
#include "viewer/panels/panels.h"

namespace warploom {

/// The panels of a model over a renderer that draws nothing: for scripts without a window, and for tests.
class BareWindow {
 public:
  BareWindow(Model& model, ImVec2 size, float scale = 1);
  BareWindow(const BareWindow&) = delete;
  BareWindow& operator=(const BareWindow&) = delete;

  /// One frame as the window makes it, so long after the last: update, then compose.
  void frame(float seconds = 1 / 60.f);
  void frames(int count) {
    for (int i = 0; i < count; ++i) frame();
  }
  void resize(ImVec2 size) {
    size_ = size;
    frames(2);
  }
  ImVec2 size() const { return size_; }

  gl::ImguiContext context;  // first: the rest needs it
  ui::UiContext ui;
  PanelState state;
  std::vector<Want> wants;
  Queue* questions = nullptr;  ///< for what the window asks of tracks; null: it asks nothing

 private:
  Model& model_;
  ImVec2 size_;
  ui::Fonts fonts_;
};

}  // namespace warploom
