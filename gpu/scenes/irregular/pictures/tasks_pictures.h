#pragma once
#include <memory>
#include <vector>

#include "gpu/pictures/picture.h"

namespace warploom {

class TasksTrack;

/// The pictures of tasks: the chart, and what is made where there is something to see.
std::vector<std::unique_ptr<Picture>> tasks_pictures(TasksTrack& track);

}  // namespace warploom
