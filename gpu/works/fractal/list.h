#pragma once
#include "gpu/core/type_list.h"
#include "gpu/works/fractal/life.h"
#include "gpu/works/fractal/map_only.h"
#include "gpu/works/fractal/reduction.h"
#include "gpu/works/fractal/single_write.h"

namespace warploom {

/// What the fractal scene can do at a cell. A new work is one header and two lines: its include, and its type. The
/// first is the default.
using FractalWorks = TypeList<  //
    Life,                       //
    SingleWrite,                //
    Reduction,                  //
    MapOnly>;

}  // namespace warploom
