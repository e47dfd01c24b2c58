#pragma once
#include <stdexcept>
#include <string>
#include <vector>

#include "viewer/model/model.h"

namespace warploom {

inline Parameter parameter(Scene& scene, const std::string& key) {
  for (auto& p : scene.parameters())
    if (p.key == key) return p;
  throw std::out_of_range(key);
}

/// Draws three cells of the running state by hand.
inline void paint_three(Model& model) {
  model.runner().change(
      [](Queue& queue, Simulation& tracks) {
        tracks.write_cells(queue, std::vector<Cell>{{0, 0, 0}, {0, 5, 0}, {0, 15, 0}}, 1);
      },
      "painted");
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace warploom
