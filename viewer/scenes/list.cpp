#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "viewer/model/scene.h"

namespace warploom {

// A new scene is its folders, and a line here and below.
std::unique_ptr<Scene> make_fractal_scene();
std::unique_ptr<Scene> make_simplex_scene();
std::unique_ptr<Scene> make_bins_scene();
std::unique_ptr<Scene> make_butterfly_scene();

std::vector<std::unique_ptr<Scene>> make_scenes() {
  std::vector<std::unique_ptr<Scene>> scenes;
  scenes.push_back(make_fractal_scene());
  scenes.push_back(make_simplex_scene());
  scenes.push_back(make_bins_scene());
  scenes.push_back(make_butterfly_scene());
  return scenes;
}

void set_parameter(Scene& scene, const std::string& assignment, std::set<std::string>& given) {
  const auto equals = assignment.find('=');
  const auto parameters = scene.parameters();
  const auto known = texts_of(parameters, &Parameter::key);
  if (equals == std::string::npos || equals == 0)
    throw UsageError("--set " + assignment + ": expected KEY=VALUE, with KEY one of " + join(known));
  const std::string key = assignment.substr(0, equals);
  for (const auto& parameter : parameters)
    if (parameter.called(key)) {
      parameter.set(parameter.parse(assignment.substr(equals + 1)));
      given.insert(parameter.key);
      return;
    }
  throw UsageError(unknown_message("parameter", key, known));
}

}  // namespace warploom
