#pragma once
#include <string_view>

#include "viewer/ui/context.h"
#include "viewer/ui/icons.h"

namespace warploom::ui {

/// Buttons are 26 high. `width` in design pixels; 0: as wide as the label needs.
bool button(UiContext& ui, std::string_view id, std::string_view label, Icon icon = Icon::none, float width = 0);

bool primary_button(UiContext& ui, std::string_view id, std::string_view label, Icon icon = Icon::none,
                    float width = 0);

/// A square button with a sign only; `label` is its tooltip and its name for tests.
bool icon_button(UiContext& ui, std::string_view id, Icon icon, std::string_view label);

/// Words without a frame that act when clicked, as "+ add track". `width` in pixels; 0: as wide as the words.
bool link_button(UiContext& ui, std::string_view id, std::string_view label, Icon icon = Icon::none, float width = 0);

/// A quiet line that shows or hides what follows it.
void fold(UiContext& ui, std::string_view id, std::string_view label, bool& open);

/// One of several views, `height` design pixels high; the chosen one is underlined.
bool tab(UiContext& ui, std::string_view id, std::string_view label, bool selected, float height = 40);
float tab_width(const UiContext& ui, std::string_view label);

/// An outlined word in its role's colour, with the role's shape, 20 high. Stays on the line: add SameLine for more.
void badge(UiContext& ui, std::string_view text, Role role, std::string_view tooltip = {});

float badge_width(const UiContext& ui, std::string_view text);

}  // namespace warploom::ui
