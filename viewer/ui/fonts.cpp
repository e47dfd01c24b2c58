#include "viewer/ui/fonts.h"

#include <cmath>
#include <filesystem>
#include <vector>

namespace warploom::ui {
namespace {

// Code points that the interface writes. Inter and JetBrains Mono complete each other over these ranges: floor
// brackets and element-of come from JetBrains Mono, the superscript n and minus from Inter.
constexpr ImWchar glyph_ranges[] = {0x0020, 0x00ff,  // ASCII and Latin-1: × · ² ³ ½ ± µ
                                    0x0370, 0x03ff,  // Greek
                                    0x2010, 0x2027,  // dashes, quotes, …
                                    0x2030, 0x203a,  // ‰ ′
                                    0x2070, 0x209c,  // superscripts and subscripts
                                    0x2190, 0x2199,  // arrows
                                    0x21d0, 0x21d4,  // double arrows
                                    0x2200, 0x22ff,  // operators: ∈ ∑ √ ∞ ≈ ≠ ≤ ≥ ⊂
                                    0x2308, 0x230b,  // ⌈⌉⌊⌋
                                    0x2318, 0x2318,  // ⌘
                                    0x25a0, 0x25cf,  // ■ □ ▲ ▼ ● ○
                                    0x2713, 0x2717,  // ✓ ✗
                                    0x27e8, 0x27e9,  // ⟨⟩
                                    0};

// ImGui sizes a font by ascent plus descent; designers size it by its em square. Both families' ratios, from their hhea
// tables: Inter (2728 + 680) / 2816, JetBrains Mono (1020 + 300) / 1000.
constexpr float inter_ratio = 1.2102f, mono_ratio = 1.32f;

struct Face {
  std::string path;
  float ratio;
};

// A whole number of pixels: a line of text then sits on the pixel grid, and so do the rows made of it.
float pixels(float em, const Face& face, float scale) { return std::round(em * face.ratio * scale); }

ImFont* load(const Face& face, const Face& fallback, float em, float fallback_em, float scale) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  ImFontConfig config;
  config.OversampleH = scale < 1.5f ? 3 : 2;
  config.OversampleV = 1;
  config.GlyphRanges = glyph_ranges;
  if (face.path.empty()) {
    config.SizePixels = std::round(13.0f * scale);
    config.GlyphRanges = nullptr;
    return atlas.AddFontDefault(&config);
  }
  ImFont* font = atlas.AddFontFromFileTTF(face.path.c_str(), pixels(em, face, scale), &config, glyph_ranges);
  if (!fallback.path.empty()) {
    config.MergeMode = true;
    atlas.AddFontFromFileTTF(fallback.path.c_str(), pixels(fallback_em, fallback, scale), &config, glyph_ranges);
  }
  return font;
}

}  // namespace

std::string find_font(std::initializer_list<const char*> names, const std::string& first) {
  std::vector<std::string> folders{
      "/usr/share/fonts/opentype/inter",          "/usr/share/fonts/truetype/inter",
      "/usr/share/fonts/truetype/inter-font",     "/usr/share/fonts/truetype/jetbrains-mono",
      "/usr/share/fonts/opentype/jetbrains-mono", "/usr/share/fonts/inter",
      "/usr/share/fonts/jetbrains-mono",          "/usr/local/share/fonts"};
  if (!first.empty()) folders.insert(folders.begin(), first);
  for (const auto& folder : folders)
    for (const char* name : names)
      for (const char* extension : {".otf", ".ttf"}) {
        std::string path = folder + "/" + name + extension;
        std::error_code ignored;
        if (std::filesystem::is_regular_file(path, ignored)) return path;
      }
  return {};
}

Fonts load_fonts(float scale, const std::string& folder) {
  const Face regular{find_font({"Inter-Regular", "Inter-Regular-slnt=0", "Inter", "InterVariable"}, folder),
                     inter_ratio};
  const Face bold{find_font({"Inter-SemiBold", "Inter-SemiBold-slnt=0", "Inter-Medium"}, folder), inter_ratio};
  const Face mono{find_font({"JetBrainsMono-Regular", "JetBrainsMono"}, folder), mono_ratio};
  const Face& semi_bold = bold.path.empty() ? regular : bold;
  Fonts fonts;
  if (regular.path.empty()) fonts.missing = "Inter not found: install the package fonts-inter";
  if (mono.path.empty()) {
    if (!fonts.missing.empty()) fonts.missing += "; ";
    fonts.missing += "JetBrains Mono not found: install the package fonts-jetbrains-mono";
  }
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  atlas.Clear();
  atlas.Flags |= ImFontAtlasFlags_NoPowerOfTwoHeight;
  fonts.body = load(regular, mono, 13, 12, scale);
  fonts.strong = load(semi_bold, mono, 13, 12, scale);
  fonts.mono = load(mono, regular, 12, 12, scale);
  fonts.title = load(semi_bold, mono, 11, 10.5f, scale);
  fonts.lead = load(regular, mono, 15, 14, scale);
  fonts.large = load(semi_bold, mono, 17, 16, scale);
  atlas.Build();
  return fonts;
}

}  // namespace warploom::ui
