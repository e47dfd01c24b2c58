#pragma once
#include <imgui.h>
#include <imgui_internal.h>

#include <algorithm>
#include <utility>

// Dear ImGui renamed a few symbols between 1.86 (Debian 12) and 1.90 (Debian 13). They are bridged here and nowhere
// else; what 1.87 does by itself with keys that are tapped, viewer/gl/key_taps.h does before.

namespace warploom::ui {

/// Whether a named key went down in this frame, or is held long enough to repeat. Before 1.87 a named key was an index
/// into a map that the backend fills, and the map has -1 where the backend knows no such key.
inline bool key_pressed(ImGuiKey key, bool repeat = true) {
#if IMGUI_VERSION_NUM >= 18700
  return ImGui::IsKeyPressed(key, repeat);
#else
  const int index = ImGui::GetKeyIndex(key);
  return index >= 0 && ImGui::IsKeyPressed(index, repeat);
#endif
}

/// Either Enter key; held, it is pressed once: what it answers may ask the next question.
inline bool enter_pressed() {
#if IMGUI_VERSION_NUM >= 18700
  return key_pressed(ImGuiKey_Enter, false) || key_pressed(ImGuiKey_KeypadEnter, false);
#else
  return key_pressed(ImGuiKey_Enter, false) || key_pressed(ImGuiKey_KeyPadEnter, false);
#endif
}

/// Whether any key went down in this frame.
inline bool any_key_pressed() {
#if IMGUI_VERSION_NUM >= 18700
  for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_GamepadStart; ++key)
    if (ImGui::IsKeyPressed(static_cast<ImGuiKey>(key), false)) return true;
  return false;
#else
  return std::ranges::count(ImGui::GetIO().KeysDownDuration, 0.f) > 0;
#endif
}

/// While one lives with Ctrl held, Enter is not pressed for ImGui: in a field of several lines it would end the typing.
class IgnoresCtrlEnter {
 public:
  IgnoresCtrlEnter() {
    if (ImGui::GetIO().KeyCtrl) swap();
    held_ = ImGui::GetIO().KeyCtrl;
  }
  ~IgnoresCtrlEnter() {
    if (held_) swap();
  }
  IgnoresCtrlEnter& operator=(IgnoresCtrlEnter&&) = delete;  // neither copied nor moved

 private:
  void swap() {
#if IMGUI_VERSION_NUM >= 18700
    const ImGuiKey keys[] = {ImGuiKey_Enter, ImGuiKey_KeypadEnter};
    for (int i = 0; i < 2; ++i) std::swap(ImGui::GetKeyData(keys[i])->DownDuration, kept_[i]);
#else
    const ImGuiKey keys[] = {ImGuiKey_Enter, ImGuiKey_KeyPadEnter};
    for (int i = 0; i < 2; ++i)
      if (const int index = ImGui::GetKeyIndex(keys[i]); index >= 0)
        std::swap(ImGui::GetIO().KeysDownDuration[index], kept_[i]);
#endif
  }
  float kept_[2] = {-1, -1};
  bool held_ = false;
};

/// Makes the text field of this id, which is drawn next, take the keyboard: what SetKeyboardFocusHere does not do of a
/// field of several lines in a window that the keyboard does not walk.
inline void activate_text(ImGuiID id) {
#if IMGUI_VERSION_NUM >= 18900
  ImGui::GetCurrentContext()->NavActivateId = id;
  ImGui::GetCurrentContext()->NavActivateFlags = ImGuiActivateFlags_PreferInput;
#else
  ImGui::GetCurrentContext()->NavActivateInputId = id;
#endif
}

/// Forgets what a text field would undo: it does not know of what callbacks change.
inline void forget_undo(ImGuiInputTextState& field) {
  auto& undo = field.Stb.undostate;
  undo.undo_point = 0;
  undo.redo_point = IM_ARRAYSIZE(undo.undo_rec);
  undo.undo_char_point = 0;
  undo.redo_char_point = IM_ARRAYSIZE(undo.undo_char);
}

/// Moves a row of a list by the arrow keys; from -1, none, Down comes to the first. Whether it moved.
inline bool move_row(int& row, int count) {
  if (count == 0) return false;
  const int by = key_pressed(ImGuiKey_DownArrow) - key_pressed(ImGuiKey_UpArrow);
  const int next = row + by < 0 ? 0 : row + by >= count ? count - 1 : row + by;
  if (by == 0 || next == row) return false;
  row = next;
  return true;
}

/// Puts the mouse somewhere, as a test or a script does. From 1.87 on input is a queue of events.
inline void move_mouse(ImGuiIO& io, ImVec2 position) {
#if IMGUI_VERSION_NUM >= 18700
  io.AddMousePosEvent(position.x, position.y);
#else
  io.MousePos = position;
#endif
}

/// Presses or releases a mouse button, as a test or a script does.
inline void press_mouse(ImGuiIO& io, int button, bool down) {
#if IMGUI_VERSION_NUM >= 18700
  io.AddMouseButtonEvent(button, down);
#else
  io.MouseDown[button] = down;
#endif
}

}  // namespace warploom::ui
