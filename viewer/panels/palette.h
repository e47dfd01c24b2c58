#pragma once
#include "viewer/panels/panels.h"

namespace warploom {

/// A raised window in the middle of the upper half, over everything; end it with ImGui::End.
ui::Rectangle begin_dialog(PanelContext& panel, const char* name, ImVec2 window, float width, float height);
std::string lower_case(std::string text);

/// What can be done or looked up by typing a part of its name: commands; scenes, maps of the active track, values and
/// parameters; words of the glossary. Only Enter or a click runs something.
void palette(PanelContext& panel, ImVec2 window);

}  // namespace warploom
