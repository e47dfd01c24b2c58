#pragma once
#include "gpu/core/type_list.h"
#include "gpu/scenes/irregular/tasks/applications/mandelbrot.h"
#include "gpu/scenes/irregular/tasks/applications/octree.h"
#include "gpu/scenes/irregular/tasks/applications/random_tree.h"

namespace warploom {

/// What tasks do. A new application is one header and one line here; the comment names the header: CMake makes a source
/// of the line, so that its kernels compile alone.
using TaskApplications = TypeList<  //
    Mandelbrot,                     // mandelbrot.h
    RandomTree,                     // random_tree.h
    Octree>;                        // octree.h

}  // namespace warploom
