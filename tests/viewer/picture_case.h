#pragma once
#include <algorithm>
#include <functional>
#include <ostream>
#include <set>

#include "viewer/app/app.h"

namespace warploom {

using Arrange = std::function<void(Model&, PanelState&)>;

/// One picture: what it shows, and how large.
struct Case {
  std::string name;
  Arrange arrange;
  int width = 1600, height = 900;
  float scale = 1;
  std::uint64_t steps = 12;
  bool whole = true;  ///< false: only the pictures and plots are compared
};

inline std::ostream& operator<<(std::ostream& out, const Case& what) { return out << what.name; }

inline void give(Model& model, const std::vector<std::string>& assignments) {
  std::set<std::string> given;
  for (const auto& assignment : assignments) set_parameter(model.scene(), assignment, given);
  const auto parameters = model.scene().parameters();
  const bool blocks = std::any_of(parameters.begin(), parameters.end(), [](const auto& p) { return p.key == "block"; });
  if (blocks && !given.contains("block")) set_parameter(model.scene(), "block=0", given);
  if (blocks) given.erase("block");
  model.scene().resolve(given, model.folder);
}

/// A scene with these parameters, and what else is arranged.
inline Arrange arranged(const char* scene, const std::vector<std::string>& assignments,
                        const std::function<void(Model&)>& more = {}) {
  return [=](Model& model, PanelState&) {
    select_scene(model, scene);
    give(model, assignments);
    if (more) more(model);
  };
}
/// A picture of 1280 x 720 after so many steps, of which only the pictures and plots are compared.
inline Case part_of(const char* name, const Arrange& arrange, std::uint64_t steps = 1) {
  return {name, arrange, 1280, 720, 1, steps, false};
}

inline void pick(Model& model, Cell cell) {
  model.picked.space = Selection::cell;
  model.picked.at = cell;
}

inline void look_at(Model& model, double x, double y, double zoom) {
  for (auto& plane : model.view.data) plane = {x, y, zoom};
}

}  // namespace warploom
