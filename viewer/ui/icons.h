#pragma once
#include <imgui.h>

#include "viewer/ui/theme.h"

namespace warploom::ui {

/// Signs that are drawn, because no font has them all.
enum class Icon { none, play, pause, step, reset, close, add, menu, camera, check, warning, down, dot, square, pen };

/// Draws `icon` around `centre`, within a square of `size` pixels.
void draw_icon(ImDrawList* list, Icon icon, ImVec2 centre, float size, ImU32 colour);

/// The shape that says what a role's colour says: dot, triangle, cross, square.
Icon role_icon(Role role);

}  // namespace warploom::ui
