#pragma once
#include <memory>

#include "gpu/pictures/picture.h"

namespace warploom {

class TasksTrack;

std::unique_ptr<Picture> make_chart_picture(TasksTrack& track);
/// What tasks make: for applications that make an image, and for the octree.
std::unique_ptr<Picture> make_image_picture(TasksTrack& track);
std::unique_ptr<Picture> make_ranges_picture(TasksTrack& track);

}  // namespace warploom
