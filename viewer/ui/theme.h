#pragma once
#include <imgui.h>

#include <array>
#include <string>

namespace warploom::ui {

/// `paper` is the light one on white.
enum class ThemeName { dark, light, paper };

/// What a coloured thing says. Wherever a role is shown, a shape or a word says the same.
enum class Role { neutral, good, warning, bad };

/// Colours by what they are for, never by hue.
struct Theme {
  ThemeName name;
  ImU32 ground;                     ///< behind the pictures, the deepest surface
  ImU32 panel;                      ///< every panel
  ImU32 raised;                     ///< fields, buttons, cards
  ImU32 line;                       ///< one-pixel lines
  ImU32 text;                       ///< words and numbers
  ImU32 quiet;                      ///< labels and units that step back
  ImU32 good;                       ///< a kept seal, a working path
  ImU32 warning;                    ///< a figure that something spoils
  ImU32 bad;                        ///< an error, a broken seal
  ImU32 accent;                     ///< the main action, the chosen tab, the keyboard's focus
  ImU32 selection;                  ///< the outline around what is selected in a picture
  ImU32 waste;                      ///< hatching of threads that work for nothing
  std::array<ImU32, 4> tracks;      ///< fills and curves of the tracks (Okabe and Ito; darker in the light theme)
  std::array<ImU32, 4> track_text;  ///< the same hues where they colour words: at least 4.5 : 1 on `panel`
};

/// `letters`: the letter of each track, which it has its colour by. The window's thread.
const Theme& theme(ThemeName name, const std::string& letters = "ABCD");

/// Sets ImGui's style: flat, one-pixel lines, controls 22 high in rows of 26, all times `scale`.
void apply(const Theme& theme, float scale);

ImU32 role_colour(const Theme& theme, Role role);

/// `colour` with its opacity multiplied by `alpha` in 0..1.
ImU32 fade(ImU32 colour, float alpha);

/// `share` of `over`, the rest of `under`, opaque.
ImU32 blend(ImU32 under, ImU32 over, float share);

/// Contrast ratio of two opaque colours by WCAG 2.1, 1 to 21.
float contrast(ImU32 first, ImU32 second);

}  // namespace warploom::ui
