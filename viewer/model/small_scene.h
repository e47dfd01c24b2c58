#pragma once
#include <set>
#include <string>

namespace warploom {

class Model;

// A scene may have a small version, that can be counted by eye: assets/first/KEY.toml, a scene text. Its values that
// are the parameters' own defaults are conditions: without them there is no small version.

/// Gives the scene its small values; builds nothing. False: it has none, or one of `given` is among them.
bool begin_small(Model& model, const std::set<std::string>& given = {});
/// Gives the scene its own defaults where it has its small values; resolves and builds nothing.
void end_small(Model& model);

enum class SceneSize { none, small, full };
/// `none`: there is no small version of what is shown. Values between the two are small.
SceneSize scene_size(Model& model);
/// The other size, as one step of undo.
void change_size(Model& model);

}  // namespace warploom
