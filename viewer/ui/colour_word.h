#pragma once
#include <string_view>

#include "gpu/core/pixels.h"

namespace warploom::ui {

/// What a colour is called, "dark blue": the nearest of some twenty.
std::string_view colour_word(Rgba colour);

}  // namespace warploom::ui
