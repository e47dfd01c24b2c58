#pragma once
#include <string_view>

#include "viewer/ui/context.h"
#include "viewer/ui/layout.h"

namespace warploom::ui {

enum class SplitAxis { horizontal, vertical };  ///< which way the handle moves

/// A line that can be dragged across `edge`, a rectangle without width or height. Returns by how many pixels the mouse
/// asks it to move.
float splitter(UiContext& ui, std::string_view id, SplitAxis axis, const Rectangle& edge);

/// The lines between the window's parts, and the splitters on them. Changes `layout`; returns whether it did.
/// Has its own windows over the edges: call it after the panels, which need ImGuiWindowFlags_NoBringToFrontOnFocus.
bool splitters(UiContext& ui, Layout& layout, const Arrangement& parts);

}  // namespace warploom::ui
