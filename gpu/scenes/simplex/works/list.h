#pragma once
#include "gpu/core/type_list.h"
#include "gpu/scenes/simplex/works/automaton.h"
#include "gpu/scenes/simplex/works/distance_matrix.h"
#include "gpu/scenes/simplex/works/map_only.h"
#include "gpu/scenes/simplex/works/single_write.h"
#include "gpu/scenes/simplex/works/stencil.h"
#include "gpu/scenes/simplex/works/triplet_energy.h"

namespace warploom {

/// The works of a triangle; the first is the default. A new work is one header and one line in each list of its
/// dimensions. The comment that ends the line names the header: CMake makes a source of it, with the work's kernels
/// whose threads serve several cells (coarse.h).
using TriangleWorks = TypeList<  //
    SimplexAutomaton,            // automaton.h
    SimplexSingleWrite,          // single_write.h
    DistanceMatrix,              // distance_matrix.h
    SimplexStencil,              // stencil.h
    SimplexMapOnly>;             // map_only.h

using TetrahedronWorks = TypeList<  //
    SimplexAutomaton,               // automaton.h
    SimplexSingleWrite,             // single_write.h
    TripletEnergy,                  // triplet_energy.h
    SimplexStencil,                 // stencil.h
    SimplexMapOnly>;                // map_only.h

template <int Dimensions>
using SimplexWorks = ByDimension<Dimensions, TriangleWorks, TetrahedronWorks>;

}  // namespace warploom
