#pragma once
#include <span>

#include "gpu/core/pixels.h"

namespace warploom::ui {

/// How colours are seen by people who lack one kind of cone [machado2009color], at full severity.
enum class Deficiency { none, protanopia, deuteranopia, tritanopia };
const char* name(Deficiency kind);

/// A colour as it is seen so; its opacity stays.
Rgba seen_with(Rgba colour, Deficiency kind);
/// All of a picture.
void see_with(std::span<Rgba> pixels, Deficiency kind);

/// The distance of two colours in CIE 1976 L*a*b*, under daylight (D65): from some 15 on they are told apart at a
/// glance.
double colour_distance(Rgba first, Rgba second);

}  // namespace warploom::ui
