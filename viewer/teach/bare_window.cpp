#include "viewer/teach/bare_window.h"

#include "viewer/base/paths.h"

namespace warploom {

BareWindow::BareWindow(Model& model, ImVec2 size, float scale) : model_(model), size_(size) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = size;
  io.BackendFlags |= ImGuiBackendFlags_RendererHasVtxOffset;  // as the real renderer: lists may pass 65536 vertices
  ui.theme = &ui::theme(model.view.theme == "light" ? ui::ThemeName::light : ui::ThemeName::dark);
  ui::apply(*ui.theme, scale);
  fonts_ = ui::load_fonts(scale);
  io.FontDefault = fonts_.body;
  unsigned char* pixels = nullptr;
  int width = 0, height = 0;
  io.Fonts->GetTexDataAsAlpha8(&pixels, &width, &height);
  ui.fonts = &fonts_;
  ui.scale = scale;
  ui.recording = true;
  state.colormaps = ui::load_colormaps(data_folder() / "assets" / "colormaps");
}

void BareWindow::frame(float seconds) {
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = size_;
  io.DeltaTime = seconds;
  model_.update();
  ImGui::NewFrame();
  wants.clear();
  PanelContext panel{ui, model_, state, model_.scene_simulation(), nullptr, &wants, questions};
  compose(panel, size_);
  ImGui::Render();
}

}  // namespace warploom
