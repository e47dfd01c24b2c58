#pragma once
#include <cstddef>
#include <string>

namespace warploom {

/// One picture that is to be saved alone.
struct PictureWish {
  std::size_t track = 0;
  std::string picture;      ///< its key
  std::string file, theme;  ///< .png or .svg; "dark" or "light"
};

class Model;
/// Asks where the picture under the mouse, or the active track's main one, is to be saved.
void ask_for_picture(Model& model);

}  // namespace warploom
