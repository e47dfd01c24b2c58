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
