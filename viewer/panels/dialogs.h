#pragma once
#include "viewer/panels/panels.h"

namespace warploom {

/// A raised window over the middle of the pictures, with what is behind dimmed; end it with ImGui::End. It is as wide
/// as they have room for, but `least` design pixels at least.
ui::Rectangle begin_dialog(PanelContext& panel, const char* name, ImVec2 window, float width, float height,
                           float least = 520, bool dims = true);
/// A field that filters while it is typed into; what it holds, in lower case. `focus`: it has the keyboard when its
/// dialog opens.
std::string search_field(PanelContext& panel, PanelState::Search& search, const char* hint, bool focus = true);

/// The keys that apply now, in groups, with a field that filters them.
void help(PanelContext& panel, ImVec2 window);
/// The terms of the glossary, each with all of its text, and a field that filters them.
void glossary_window(PanelContext& panel, ImVec2 window);

/// The tours there are; a click begins one.
void tours_window(PanelContext& panel, ImVec2 window);

std::string lower_case(std::string text);
/// The ground of the row of a list that begins here: lit where it is `chosen`, a little where the mouse is.
void row_ground(const ui::UiContext& ui, bool chosen);

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
