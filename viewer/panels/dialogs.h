#pragma once
#include "viewer/panels/panels.h"

namespace warploom {

/// A raised window in the middle of the upper half, over everything; end it with ImGui::End.
ui::Rectangle begin_dialog(PanelContext& panel, const char* name, ImVec2 window, float width, float height);
std::string lower_case(std::string text);

/// What can be done or looked up by typing a part of its name: commands; scenes, maps of the active track, values and
/// parameters; words of the glossary. Only Enter or a click runs something.
void palette(PanelContext& panel, ImVec2 window);

/// The dialog that Model::path_prompt names: "open", "save", "stats", "dump". It lists a folder, completes what is
/// typed, remembers what was used, and asks before it writes over anything; the keyboard alone suffices.
void file_dialog(PanelContext& panel, ImVec2 window);

/// What a folder holds for a dialog: folders first, each name with a '/', then files that end in one of `endings`.
/// Hidden ones are left out. Empty where the folder cannot be read.
std::vector<std::string> listed(const std::filesystem::path& folder, const std::vector<std::string>& endings);

}  // namespace warploom
