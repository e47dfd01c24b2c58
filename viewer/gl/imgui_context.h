#pragma once
#include <imgui.h>

namespace warploom::gl {

/// A Dear ImGui context of its own, current while it lives; what was current before is so again. Contexts end in the
/// reverse order of their making.
class ImguiContext {
 public:
  ImguiContext() : before_(ImGui::GetCurrentContext()), context_(ImGui::CreateContext()) {
    ImGui::SetCurrentContext(context_);  // CreateContext leaves an earlier one current
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // nothing is written to the working folder unasked
    io.LogFilename = nullptr;
#if IMGUI_VERSION_NUM < 18700
    // Keys are known by their names until a window's backend has codes of its own.
    for (int key = 0; key < ImGuiKey_COUNT; ++key) io.KeyMap[key] = key;
#endif
  }
  ~ImguiContext() {
    ImGui::DestroyContext(context_);
    ImGui::SetCurrentContext(before_);
  }
  ImguiContext(const ImguiContext&) = delete;
  ImguiContext& operator=(const ImguiContext&) = delete;

 private:
  ImGuiContext* before_;
  ImGuiContext* context_;
};

}  // namespace warploom::gl
