#include "viewer/gl/key_taps.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace warploom::gl {

bool KeyTaps::apply([[maybe_unused]] ImGuiIO& io) {
#if IMGUI_VERSION_NUM >= 18700
  pressed_.clear();
  return false;
#else
  const std::vector<int> before = std::exchange(held_, {});
  for (const int key : before) io.KeysDown[key] = false;
  std::vector<int> later;
  for (const int key : std::exchange(pressed_, {})) {
    if (key < 0 || key >= static_cast<int>(std::size(io.KeysDown))) continue;
    // What went up in this frame goes down in the next: in one, no reader would see that it was up.
    if (std::find(before.begin(), before.end(), key) != before.end()) {
      later.push_back(key);
    } else if (!io.KeysDown[key]) {
      io.KeysDown[key] = true;
      held_.push_back(key);
    }
  }
  pressed_ = std::move(later);
  const auto down = [&io](int left, int right) { return io.KeysDown[left] || io.KeysDown[right]; };
  io.KeyCtrl = down(GLFW_KEY_LEFT_CONTROL, GLFW_KEY_RIGHT_CONTROL);
  io.KeyShift = down(GLFW_KEY_LEFT_SHIFT, GLFW_KEY_RIGHT_SHIFT);
  io.KeyAlt = down(GLFW_KEY_LEFT_ALT, GLFW_KEY_RIGHT_ALT);
  io.KeySuper = down(GLFW_KEY_LEFT_SUPER, GLFW_KEY_RIGHT_SUPER);
  return !held_.empty() || !pressed_.empty();
#endif
}

}  // namespace warploom::gl
