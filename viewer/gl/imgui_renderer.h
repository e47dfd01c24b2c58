#pragma once
#include <imgui.h>

#include <functional>

#include "viewer/gl/imgui_context.h"
#include "viewer/gl/texture.h"

namespace warploom::gl {

class Window;

/// Draws Dear ImGui with OpenGL, in a window or without one. Owns the ImGui context, which is current while it lives;
/// the OpenGL context outlives it.
class ImguiRenderer {
 public:
  /// With a window it also feeds ImGui that window's input, after the callbacks that Window has set. Throws
  /// DisplayError.
  explicit ImguiRenderer(Window* window);
  ~ImguiRenderer();

  /// Starts an ImGui frame. Without a window the frame is width x height pixels and `seconds` after the last (above 0);
  /// with one, the window says. `hold`, where it is not empty, has the last word of mouse and keys.
  void new_frame(int width, int height, float seconds, const std::function<void(ImGuiIO&)>& hold = {});
  void render();
  /// After the font atlas was built anew (another content scale).
  void reload_fonts();

 private:
  ImguiContext context_;
  Window* window_;
};

}  // namespace warploom::gl
