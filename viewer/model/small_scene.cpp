#include "viewer/model/small_scene.h"

#include <toml++/toml.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "gpu/core/files.h"
#include "viewer/base/paths.h"
#include "viewer/model/model.h"

namespace warploom {

namespace {

using Values = std::vector<std::pair<std::string, Value>>;

Values read_values(Scene& scene) {
  const auto file = data_folder() / "assets" / "first" / (std::string(scene.key()) + ".toml");
  std::error_code missing;
  if (!std::filesystem::exists(file, missing)) return {};
  Values all;
  const auto table = toml::parse(read_file(file), file.string());
  for (const auto& parameter : scene.parameters())
    if (const auto* node = table["parameters"][parameter.key].node()) {
      std::ostringstream number;
      number << toml::node_view<const toml::node>(node);
      all.emplace_back(parameter.key, parameter.parse(node->value<std::string>().value_or(number.str())));
    }
  return all;
}

/// Read once: the window asks in every frame. The window's thread.
const Values& small_values(Scene& scene) {
  static std::map<std::string, Values> known;
  const auto at = known.find(scene.key());
  return at != known.end() ? at->second : known[scene.key()] = read_values(scene);
}

/// body(parameter, value): of each small value with its parameter.
template <class Body>
void each_small(Scene& scene, Body&& body) {
  const Values& values = small_values(scene);
  if (values.empty()) return;
  for (const auto& parameter : scene.parameters())
    for (const auto& [key, value] : values)
      if (key == parameter.key) body(parameter, value);
}

}  // namespace

bool begin_small(Model& model, const std::set<std::string>& given) {
  auto next = model.scene().copy();
  std::set<std::string> set;
  bool asked = false;
  each_small(*next, [&](const Parameter& parameter, const Value& value) {
    asked = asked || given.contains(parameter.key);
    parameter.set(value);
    set.insert(parameter.key);
  });
  if (set.empty() || asked) return false;
  next->resolve(set, model.folder);
  model.replace_scene(std::move(next));
  return true;
}

void end_small(Model& model) {
  each_small(model.scene(), [](const Parameter& parameter, const Value& value) {
    if (parameter.get() == value) parameter.set(parameter.preset);
  });
}

SceneSize scene_size(Model& model) {
  bool any = false, holds = true, full = true;
  each_small(model.scene(), [&](const Parameter& parameter, const Value& value) {
    any = true;
    (value == parameter.preset ? holds : full) &= parameter.get() == parameter.preset;
  });
  return !any || !holds ? SceneSize::none : full ? SceneSize::full : SceneSize::small;
}

void change_size(Model& model) {
  const bool small = scene_size(model) == SceneSize::full;
  Values wanted;
  each_small(model.scene(), [&](const Parameter& parameter, const Value& value) {
    wanted.emplace_back(parameter.key, small ? value : parameter.preset);
  });
  if (model.set(wanted) && model.notice.empty())
    model.tell(small ? "the small scene; F brings the full size back" : "the full size; F brings the small scene back");
}

}  // namespace warploom
