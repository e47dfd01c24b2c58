#pragma once
#include <string_view>

#include "viewer/ui/context.h"

namespace warploom::ui {

/// The keyboard's way through the widgets, in the order in which they are drawn: Tab and Shift+Tab, or the arrow keys,
/// go on and back, Walk::panes goes by whole panes, Enter and Space press, Escape ends it. From a text field Tab takes
/// what was typed, and begins it. Call once a frame, after begin_frame and before any widget.
void walk(UiContext& ui);
/// Whether the widget that the walk stood at is no longer there.
bool walk_is_lost(const UiContext& ui);

/// What sliders are recorded as.
inline constexpr std::string_view slider_label = "slider";

/// What pictures are recorded as in which something can be picked: there the arrow keys move the pick.
inline constexpr std::string_view picture_label = "picture";

/// How the keyboard moves the pick of the picture of this id in this frame.
struct KeyPick {
  int across = 0, down = 0;
  bool first = false, last = false;
  bool far = false;    ///< by blocks (Shift)
  bool deep = false;   ///< up and down are along the third axis (Ctrl)
  bool takes = false;  ///< what is picked is meant (Enter)
  explicit operator bool() const { return across || down || first || last || takes; }
};
KeyPick picked_by_key(const UiContext& ui, std::string_view id);

/// By how many steps the left and right arrow keys move the slider of this id in this frame.
int stepped_by_key(const UiContext& ui, std::string_view id);

/// The keyboard presses the widget of this id under the open scopes in this frame.
bool pressed_by_key(const UiContext& ui, std::string_view id);

}  // namespace warploom::ui
