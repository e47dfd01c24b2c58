#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "viewer/ui/code_field.h"

namespace warploom::ui {

/// Where code is drawn, in pixels of the screen.
struct CodePlace {
  ImVec2 corner;     ///< of the line numbers
  ImVec2 low, high;  ///< of the text
  ImVec2 begin;      ///< where the first line begins, which may be out of view
  float line_height, letter;
};

/// The line, from 0 on, that a byte is in, and where that begins.
std::pair<int, std::size_t> line_of(std::string_view text, std::size_t at);
/// Where a line begins, from 0 on; the end of the text: it has no such line.
std::size_t begin_of(std::string_view text, int line);
/// How wide the column of line numbers is.
float code_gutter(std::string_view text, float letter);
/// Line numbers, coloured code, errors and values, of the lines that are in view.
void paint_code(UiContext& ui, ImDrawList& list, const CodePlace& place, const std::string& text, CodeField& field,
                const std::vector<std::string_view>& words);

}  // namespace warploom::ui
