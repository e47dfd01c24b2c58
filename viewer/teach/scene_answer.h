#pragma once
#include "viewer/teach/puzzle.h"

namespace warploom {

/// The answer that a scene is: its values of what is free, and of its tracks the one that is not the reference, or the
/// last. `strict`: what is not free has to be as the puzzle has it. Throws UsageError.
Settings answer_of(Scene& scene, const Puzzle& puzzle, bool strict);

}  // namespace warploom
