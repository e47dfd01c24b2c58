#pragma once
#include <chrono>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
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

/// Frames of a window that draws nothing, until `done` says so; false: it never did.
inline bool frames_until(Model& model, const std::function<bool()>& done) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(120);
  while (!done()) {
    if (std::chrono::steady_clock::now() > end) return false;
    model.update();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace warploom
