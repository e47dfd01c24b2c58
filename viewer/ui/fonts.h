#pragma once
#include <imgui.h>

#include <initializer_list>
#include <string>

namespace warploom::ui {

/// The six cuts of type that the program uses. None is null after load_fonts.
struct Fonts {
  ImFont* body = nullptr;    ///< Inter 13: words
  ImFont* strong = nullptr;  ///< Inter 13 semi-bold: names
  ImFont* mono = nullptr;    ///< JetBrains Mono 12: numbers; its figures are all of one width
  ImFont* title = nullptr;   ///< Inter 11 semi-bold: section titles
  ImFont* lead = nullptr;    ///< Inter 15: the words of tours in wide windows
  ImFont* large = nullptr;   ///< Inter 17 semi-bold: the verdict
  std::string missing;       ///< empty, or which family was not found and which package brings it
};

/// Fills the atlas of the current ImGui context. Afterwards the renderer has to upload the atlas anew.
/// A family that is not installed is replaced by ImGui's built-in font, and `missing` says so.
/// Files in `folder` come before the system's.
Fonts load_fonts(float scale, const std::string& folder = {});

/// The first font file of one of these names: in the folder `first`, then in the system's; empty: there is none.
std::string find_font(std::initializer_list<const char*> names, const std::string& first);

}  // namespace warploom::ui
