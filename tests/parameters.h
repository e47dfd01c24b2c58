#pragma once
#include <stdexcept>
#include <string>

#include "viewer/model/scene.h"

namespace warploom {

inline Parameter parameter(Scene& scene, const std::string& key) {
  for (auto& p : scene.parameters())
    if (p.key == key) return p;
  throw std::out_of_range(key);
}

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace warploom
