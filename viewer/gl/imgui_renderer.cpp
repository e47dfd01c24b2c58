#include "viewer/gl/imgui_renderer.h"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#include "gpu/core/error.h"
#include "viewer/gl/window.h"

namespace warploom::gl {

ImguiRenderer::ImguiRenderer(Window* window) : window_(window) {
  if (window_) ImGui_ImplGlfw_InitForOpenGL(window_->handle(), true);
  if (ImGui_ImplOpenGL3_Init("#version 450 core")) return;
  if (window_) ImGui_ImplGlfw_Shutdown();
  throw DisplayError("Dear ImGui found no OpenGL functions: install libgl1 (sudo apt-get install libgl1)");
}

ImguiRenderer::~ImguiRenderer() {
  ImGui_ImplOpenGL3_Shutdown();
  if (window_) ImGui_ImplGlfw_Shutdown();
}

void ImguiRenderer::new_frame(int width, int height, float seconds, const std::function<void(ImGuiIO&)>& hold) {
  ImGui_ImplOpenGL3_NewFrame();
  if (window_) {
    ImGui_ImplGlfw_NewFrame();
    if (window_->taps.apply(ImGui::GetIO()) && window_->on_any_event) window_->on_any_event();
  } else {
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(static_cast<float>(width), static_cast<float>(height));
    io.DeltaTime = seconds;
  }
  if (hold) hold(ImGui::GetIO());
  ImGui::NewFrame();
}

void ImguiRenderer::render() { ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData()); }

void ImguiRenderer::reload_fonts() {
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
}

}  // namespace warploom::gl
