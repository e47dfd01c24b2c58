#pragma once
#include <toml++/toml.h>

#include <nlohmann/json.hpp>
#include <string>

#include "viewer/model/model.h"

namespace warploom {

/// [view] of a scene text: how the scene is looked at, keys in a fixed order. `solids`: it shows such.
toml::table written_view(const ViewSettings& view, const Selection& picked, Scene& scene, bool solids);

/// Takes what a [view] says, with the letters of the scene's tracks. Throws UsageError with the key, or with the
/// nearest known one; `view`, `picked` and the letters may be changed in part then.
void read_view(const toml::table& table, ViewSettings& view, Selection& picked, Scene& scene);
/// The same of some keys alone: all others stay as they are.
void read_view_keys(const toml::table& table, ViewSettings& view, Selection& picked, Scene& scene);
/// Throws UsageError with the nearest key where [view] has none of this name.
void check_view_key(const std::string& key);
/// What a key of [view] has now, the usual value where a text would leave it out; null: there is no such key.
nlohmann::ordered_json view_value(const ViewSettings& view, const Selection& picked, Scene& scene,
                                  const std::string& key);

}  // namespace warploom
