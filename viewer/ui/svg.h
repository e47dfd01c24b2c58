#pragma once
#include <imgui.h>

#include <string>
#include <string_view>
#include <vector>

#include "viewer/ui/fonts.h"

namespace warploom::ui {

std::string svg_escaped(std::string_view text);
/// "#rrggbb"
std::string svg_colour(ImU32 colour);

/// A line of text that was drawn: in which list, before which of its triangles, and within which rectangle.
struct WrittenText {
  const ImDrawList* list;
  int index;    ///< of the list's indices, when it was drawn
  ImVec4 clip;  ///< left, top, right, bottom
  const ImFont* font;
  ImU32 colour;
  ImVec2 at;  ///< its upper left corner
  float width;
  std::string text;
};

/// While it lives, draw_text in the current ImGui context keeps its text here and draws no glyphs.
class KeptText {
 public:
  KeptText() { ImGui::GetIO().UserData = this; }
  ~KeptText() { ImGui::GetIO().UserData = nullptr; }
  KeptText(const KeptText&) = delete;
  KeptText& operator=(const KeptText&) = delete;
  /// Of the current context; null: glyphs are drawn as usual.
  static KeptText* current() { return static_cast<KeptText*>(ImGui::GetIO().UserData); }

  std::vector<WrittenText> lines;
};

/// A picture made of pixels, below all shapes.
struct SvgRaster {
  ImVec2 min, max;
  std::string png;  ///< the file's bytes
};

/// What ImGui drew in a frame, as SVG 1.1 of `size` pixels, shown at 1/scale of it: shapes as paths, `text` as text.
/// The frame must have been drawn without anti-aliasing (its fringes would become shapes) and without glyphs or
/// textures.
std::string to_svg(const ImDrawData& drawn, const KeptText& text, const Fonts& fonts, ImVec2 size, float scale,
                   ImU32 ground, const std::vector<SvgRaster>& rasters, std::string_view title);

}  // namespace warploom::ui
