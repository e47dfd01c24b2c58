#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "viewer/draw/painter.h"
#include "viewer/gl/framebuffer.h"
#include "viewer/gl/imgui_renderer.h"
#include "viewer/gl/window.h"
#include "viewer/model/stored_text.h"
#include "viewer/panels/panels.h"

namespace warploom {

/// A page with one picture (panels/page.h), drawn beside the window: with an ImGui context, fonts and a painter of its
/// own. Needs the OpenGL context of the window, or of a run without one.
class PicturePage {
 public:
  /// `size` in points, of which each is two pixels; 0 x 0: as the picture needs. `synchronous`: as of Painter.
  PicturePage(Model& model, PanelState& state, interop::InteropMode mode, Queue& questions, PictureWish wish,
              gl::Size size, bool synchronous);
  PicturePage(const PicturePage&) = delete;
  PicturePage& operator=(const PicturePage&) = delete;
  ~PicturePage();

  /// False: its picture is still being painted, ask again. Throws Error where it cannot be painted.
  bool draw();
  /// Once it is drawn, what gives the file its contents: a PNG with the scene in it, or an SVG. The page may be gone by
  /// then, the model not.
  std::function<void(const EditedState&)> writer();

 private:
  void compose(PanelContext& panel, ImVec2 pixels);

  Model& model_;
  PanelState& state_;
  Queue& questions_;
  PictureWish wish_;
  gl::Size size_;
  bool synchronous_;
  ImGuiContext* before_ = ImGui::GetCurrentContext();
  gl::ImguiRenderer renderer_{nullptr};
  ImGuiContext* context_ = ImGui::GetCurrentContext();  ///< the renderer's
  Painter painter_;
  ui::Fonts fonts_;
  ui::UiContext ui_;
  std::optional<gl::Framebuffer> framebuffer_;
  std::vector<Rgba> pixels_;
  std::string svg_;
};

}  // namespace warploom
