#pragma once
#include <imgui.h>

#include <vector>

namespace warploom::gl {

/// Keys that were pressed and let go between two frames. Dear ImGui before 1.87 reads which keys are down when a frame
/// begins, and would not see them: here they stay down for that frame.
class KeyTaps {
 public:
  /// A key has gone down, GLFW's code.
  void pressed(int key) { pressed_.push_back(key); }
  /// Before ImGui::NewFrame, after the events. True: another frame has to follow, in which what is held goes up.
  bool apply(ImGuiIO& io);

 private:
  std::vector<int> pressed_, held_;
};

}  // namespace warploom::gl
