#pragma once
#include "gpu/core/type_list.h"
#include "gpu/scenes/bins/applications/blinn.h"
#include "gpu/scenes/bins/applications/cutcp.h"
#include "gpu/scenes/bins/applications/mri.h"
#include "gpu/scenes/bins/applications/nbody.h"

namespace warploom {

/// What bins are gathered for. A new application is one header and one line here; the comment names the header: CMake
/// makes a source of the line, so that its kernels compile alone.
using BinApplications = TypeList<  //
    Nbody,                         // nbody.h
    Cutcp,                         // cutcp.h
    Mri,                           // mri.h
    Blinn>;                        // blinn.h

}  // namespace warploom
