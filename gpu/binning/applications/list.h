#pragma once
#include "gpu/binning/applications/blinn.h"
#include "gpu/binning/applications/cutcp.h"
#include "gpu/binning/applications/mri.h"
#include "gpu/binning/applications/nbody.h"
#include "gpu/core/type_list.h"

namespace warploom {

/// What bins are gathered for. A new application is one header and one line here; the comment names the header: CMake
/// makes a source of the line, so that its kernels compile alone.
using BinApplications = TypeList<  //
    Nbody,                         // nbody.h
    Cutcp,                         // cutcp.h
    Mri,                           // mri.h
    Blinn>;                        // blinn.h

}  // namespace warploom
