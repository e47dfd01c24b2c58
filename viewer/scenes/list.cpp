#include "viewer/model/scene.h"

namespace warploom {

// A new scene is its folders, and a line here and below.
std::unique_ptr<Scene> make_fractal_scene();
std::unique_ptr<Scene> make_simplex_scene();
std::unique_ptr<Scene> make_bins_scene();
std::unique_ptr<Scene> make_butterfly_scene();
std::unique_ptr<Scene> make_irregular_scene();

std::vector<std::unique_ptr<Scene>> make_scenes() {
  std::vector<std::unique_ptr<Scene>> scenes;
  scenes.push_back(make_fractal_scene());
  scenes.push_back(make_simplex_scene());
  scenes.push_back(make_bins_scene());
  scenes.push_back(make_butterfly_scene());
  scenes.push_back(make_irregular_scene());
  return scenes;
}

}  // namespace warploom
