#pragma once
#include <imgui.h>

#include <string>
#include <string_view>

namespace warploom::ui {

/// `text` in characters that the font has: what it lacks is spelled in ASCII, lambda for a letter, -> for an arrow, x
/// for a times sign. With the program's own fonts it is `text` itself.
std::string spelled(const ImFont* font, std::string_view text);

}  // namespace warploom::ui
