#include "viewer/ui/theme.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "gpu/core/pixels.h"

namespace warploom::ui {
namespace {

/// 0xRRGGBB as everyone writes it, to ImGui's packing.
constexpr ImU32 hex(std::uint32_t rgb) { return IM_COL32(rgb >> 16 & 255, rgb >> 8 & 255, rgb & 255, 255); }

constexpr std::array<ImU32, 4> okabe_ito{hex(0xe69f00), hex(0x56b4e9), hex(0x009e73), hex(0xcc79a7)};

constexpr Theme dark{.name = ThemeName::dark,
                     .ground = hex(0x0e1116),
                     .panel = hex(0x151920),
                     .raised = hex(0x1c222b),
                     .line = hex(0x28303b),
                     .text = hex(0xd8dee7),
                     .quiet = hex(0x8a94a4),
                     .good = hex(0x4cc38a),
                     .warning = hex(0xf0b429),
                     .bad = hex(0xf2555a),  // #e5484d of the drawing reaches only 4.4 : 1 on `raised`
                     .accent = hex(0x6cb2f2),
                     .selection = hex(0xffffff),
                     .waste = hex(0x566070),
                     .tracks = okabe_ito,
                     .track_text = okabe_ito};

// Light surfaces need darker colours. The tracks keep their hues: at least 3 : 1 for fills and curves, 4.5 : 1 for
// words.
constexpr Theme light{.name = ThemeName::light,
                      .ground = hex(0xe9edf2),
                      .panel = hex(0xf8f9fb),
                      .raised = hex(0xffffff),
                      .line = hex(0xcfd6df),
                      .text = hex(0x1b222c),
                      .quiet = hex(0x5a6575),
                      .good = hex(0x0f7a4b),
                      .warning = hex(0x8f5f00),
                      .bad = hex(0xc02038),
                      .accent = hex(0x1668b8),
                      .selection = hex(0x10151c),
                      .waste = hex(0x6b7788),
                      .tracks = {hex(0xba7700), hex(0x2d8bd4), hex(0x008152), hex(0xa96299)},
                      .track_text = {hex(0x8a5b00), hex(0x0f6a9f), hex(0x007454), hex(0x9e4378)}};

constexpr Theme paper = [] {
  Theme theme = light;
  theme.name = ThemeName::paper;
  theme.ground = theme.panel = IM_COL32_WHITE;
  return theme;
}();

float luminance(ImU32 colour) {
  const auto linear = [&](int shift) {
    const float value = static_cast<float>(colour >> shift & 255) / 255.0f;
    return value <= 0.04045f ? value / 12.92f : std::pow((value + 0.055f) / 1.055f, 2.4f);
  };
  return 0.2126f * linear(IM_COL32_R_SHIFT) + 0.7152f * linear(IM_COL32_G_SHIFT) + 0.0722f * linear(IM_COL32_B_SHIFT);
}

void set_colours(ImGuiStyle& style, const Theme& theme) {
  const auto set = [&](ImGuiCol slot, ImU32 colour) { style.Colors[slot] = ImGui::ColorConvertU32ToFloat4(colour); };
  set(ImGuiCol_Text, theme.text);
  set(ImGuiCol_TextDisabled, theme.quiet);
  set(ImGuiCol_TextSelectedBg, fade(theme.accent, 0.35f));
  set(ImGuiCol_WindowBg, theme.panel);
  set(ImGuiCol_ChildBg, IM_COL32_BLACK_TRANS);
  set(ImGuiCol_PopupBg, theme.raised);
  set(ImGuiCol_Border, theme.line);
  set(ImGuiCol_BorderShadow, IM_COL32_BLACK_TRANS);
  for (ImGuiCol slot : {ImGuiCol_FrameBg, ImGuiCol_Button}) set(slot, theme.raised);
  for (ImGuiCol slot : {ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive, ImGuiCol_ButtonHovered, ImGuiCol_ButtonActive,
                        ImGuiCol_HeaderHovered})
    set(slot, blend(theme.raised, theme.text, 0.06f));
  set(ImGuiCol_Header, blend(theme.raised, theme.accent, 0.16f));
  set(ImGuiCol_HeaderActive, blend(theme.raised, theme.accent, 0.24f));
  set(ImGuiCol_NavHighlight, theme.accent);
  set(ImGuiCol_ScrollbarBg, IM_COL32_BLACK_TRANS);
  set(ImGuiCol_ScrollbarGrab, theme.line);
  for (ImGuiCol slot : {ImGuiCol_ScrollbarGrabHovered, ImGuiCol_ScrollbarGrabActive}) set(slot, theme.quiet);
}

}  // namespace

const Theme& theme(ThemeName name, const std::string& letters) {
  const Theme& plain = name == ThemeName::dark ? dark : name == ThemeName::light ? light : paper;
  if (letters == "ABCD") return plain;
  static std::map<std::pair<ThemeName, std::string>, Theme> all;
  const auto [at, fresh] = all.try_emplace({name, letters}, plain);
  for (std::size_t i = 0; fresh && i < letters.size(); ++i) {
    const auto letter = static_cast<std::size_t>(letters[i] - 'A');
    at->second.tracks[i] = plain.tracks[letter];
    at->second.track_text[i] = plain.track_text[letter];
  }
  return at->second;
}

void apply(const Theme& theme, float scale) {
  ImGuiStyle style;
  style.WindowPadding = {14, 12};
  style.FramePadding = {8, 3};  // 16 for the line of text and 2 x 3 make a control of 22
  style.ItemSpacing = {8, 4};   // 22 and 4 make the row of 26
  style.ItemInnerSpacing = {8, 4};
  style.CellPadding = {4, 3};
  style.IndentSpacing = 12;
  style.ScrollbarSize = 10;
  style.GrabMinSize = 12;
  style.WindowRounding = style.ChildRounding = style.TabRounding = 0;
  style.FrameRounding = style.GrabRounding = style.ScrollbarRounding = 3;
  style.PopupRounding = 4;
  style.ScaleAllSizes(scale);
  // Lines stay one pixel at scale 1 and whole pixels above.
  const float line = std::max(1.0f, std::floor(scale));
  style.WindowBorderSize = style.ChildBorderSize = 0;
  style.FrameBorderSize = style.PopupBorderSize = line;
  set_colours(style, theme);
  ImGui::GetStyle() = style;
}

ImU32 role_colour(const Theme& theme, Role role) {
  const ImU32 by_role[] = {theme.quiet, theme.good, theme.warning, theme.bad};
  return by_role[static_cast<int>(role)];
}

ImU32 fade(ImU32 colour, float alpha) {
  const auto opacity = static_cast<float>(colour >> IM_COL32_A_SHIFT & 255) * std::clamp(alpha, 0.0f, 1.0f);
  return (colour & ~IM_COL32_A_MASK) | static_cast<ImU32>(std::lround(opacity)) << IM_COL32_A_SHIFT;
}

ImU32 blend(ImU32 under, ImU32 over, float share) {
  static_assert(IM_COL32_R_SHIFT == 0 && IM_COL32_G_SHIFT == 8 && IM_COL32_B_SHIFT == 16 && IM_COL32_A_SHIFT == 24,
                "an ImU32 is laid out as an Rgba");
  return mix(under, over, share);
}

float contrast(ImU32 first, ImU32 second) {
  const float a = luminance(first), b = luminance(second);
  return (std::max(a, b) + 0.05f) / (std::min(a, b) + 0.05f);
}

}  // namespace warploom::ui
