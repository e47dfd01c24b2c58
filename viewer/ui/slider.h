#pragma once
#include <string_view>

#include "viewer/ui/context.h"

namespace warploom::ui {

/// A row with a knob on a track, dragged or clicked; `shown` stands beside it: the number and its unit. `logarithmic`:
/// equal ways are equal factors (min above 0). Returns whether `value` changed.
bool slider(UiContext& ui, std::string_view id, std::string_view label, double& value, double min, double max,
            std::string_view shown, std::string_view tooltip = {}, bool logarithmic = false);

}  // namespace warploom::ui
