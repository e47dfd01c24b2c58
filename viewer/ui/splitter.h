#pragma once
#include "viewer/ui/context.h"
#include "viewer/ui/layout.h"

namespace warploom::ui {

/// The lines between the window's parts, and the splitters on them. Changes `layout`; returns whether it did.
/// Has its own windows over the edges: call it after the panels, which need ImGuiWindowFlags_NoBringToFrontOnFocus.
bool splitters(UiContext& ui, Layout& layout, const Arrangement& parts);
/// Where there is none: what opens meanwhile still lies above those that come later.
void no_splitters();

}  // namespace warploom::ui
