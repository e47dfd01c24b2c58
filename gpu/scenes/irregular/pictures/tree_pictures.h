#pragma once
#include <memory>
#include <vector>

#include "gpu/pictures/picture.h"

namespace warploom {

class TreeTrack;

/// Points in their boxes, or what is near a place.
std::unique_ptr<Picture> make_tree_space(TreeTrack& track);
/// The slots of each level, or the threads of the one launch, by how many nodes they make.
std::unique_ptr<Picture> make_tree_launch(TreeTrack& track);

inline std::vector<std::unique_ptr<Picture>> tree_pictures(TreeTrack& track) {
  std::vector<std::unique_ptr<Picture>> all;
  all.push_back(make_tree_space(track));
  all.push_back(make_tree_launch(track));
  return all;
}

}  // namespace warploom
