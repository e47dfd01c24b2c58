#pragma once
#include "gpu/core/type_list.h"
#include "gpu/scenes/irregular/hash/bucketed.h"
#include "gpu/scenes/irregular/hash/chaining.h"
#include "gpu/scenes/irregular/hash/open_addressing.h"
#include "gpu/scenes/irregular/hash/sorted.h"
#include "gpu/scenes/irregular/hash/two_level.h"

namespace warploom {

// A new table is one header and one line here; the comment names its kernels' source, which CMake makes of the line.
using HashTables = TypeList<  //
    TwoLevel,                 // two_level.h
    LinearProbing,            // linear
    DoubleHashing,            // double
    Chaining,                 // chaining.h
    Bucketed,                 // bucketed.h
    SortedArray>;             // sorted.h

}  // namespace warploom
