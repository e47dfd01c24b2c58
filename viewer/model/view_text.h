#pragma once
#include <toml++/toml.h>

#include "viewer/model/model.h"

namespace warploom {

/// [view] of a scene text: how the scene is looked at, keys in a fixed order. `solids`: it shows such.
toml::table written_view(const ViewSettings& view, const Selection& picked, Scene& scene, bool solids);

/// Takes what a [view] says, with the letters of the scene's tracks. Throws UsageError with the key, or with the
/// nearest known one; `view`, `picked` and the letters may be changed in part then.
void read_view(const toml::table& table, ViewSettings& view, Selection& picked, Scene& scene);

}  // namespace warploom
