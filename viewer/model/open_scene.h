#pragma once
#include <string>

#include "viewer/model/model.h"

namespace warploom {

/// A run of more steps is not run again when nobody asked for it: it would be no way to start, or to come back.
inline constexpr std::uint64_t most_replayed_steps = 4000;

/// Shows another scene as it was left: its parameters, step, painted state, selection and cameras; at its defaults
/// where it was never shown. What the scene that is left was is kept as its scene text, in `Model::left`.
void show_scene(Model& model, const std::string& key);

}  // namespace warploom
