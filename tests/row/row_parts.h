#pragma once
#include "viewer/model/scene_parts.h"

namespace warploom {

/// How often the card was drawn.
struct PairsCardState {
  int frames = 0;
};

/// A card, a plot, a colour, a kind of places, a term, a key of stats and a suite.
const SceneParts& row_parts();

}  // namespace warploom
