#pragma once
#include <functional>
#include <string>

#include "viewer/model/scene_text.h"

namespace warploom {

/// Longer runs are replayed only on request: they would delay the start, or the return to a scene.
inline constexpr std::uint64_t most_replayed_steps = 4000;

/// Shows another scene as it was left: its parameters, step, painted state, selection and cameras; at its defaults
/// where it was never shown. What the scene that is left was is kept as its scene text, in `Model::left`. Where its
/// state must be read first, this happens in a later frame: the window does not wait for it. So does open_scene.
void show_scene(Model& model, const std::string& key);

/// Opens what `read` reads, and tells `what`, or the warning that comes with it. A step of undo; where it is of another
/// scene, the one that is left is kept, too. Throws what `read` throws, and nothing is changed. `read` may run after
/// the caller returned.
void open_scene(Model& model, const std::string& what, std::function<LoadedScene()> read);

}  // namespace warploom
