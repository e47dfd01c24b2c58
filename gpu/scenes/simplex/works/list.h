#pragma once
#include "gpu/core/type_list.h"
#include "gpu/scenes/simplex/works/automaton.h"
#include "gpu/scenes/simplex/works/distance_matrix.h"
#include "gpu/scenes/simplex/works/map_only.h"
#include "gpu/scenes/simplex/works/single_write.h"
#include "gpu/scenes/simplex/works/stencil.h"
#include "gpu/scenes/simplex/works/triplet_energy.h"

namespace warploom {

/// What the simplex scene can do at a cell of a triangle. A new work is one header and one line in each list of a
/// dimension it exists in; the comment that ends the line names the header, of which CMake makes a source with the
/// work's kernels whose threads serve several cells (coarse.h). The first is the default.
using TriangleWorks = TypeList<  //
    SimplexAutomaton,            // automaton.h
    SimplexSingleWrite,          // single_write.h
    DistanceMatrix,              // distance_matrix.h
    SimplexStencil,              // stencil.h
    SimplexMapOnly>;             // map_only.h

/// ... and of a tetrahedron.
using TetrahedronWorks = TypeList<  //
    SimplexAutomaton,               // automaton.h
    SimplexSingleWrite,             // single_write.h
    TripletEnergy,                  // triplet_energy.h
    SimplexStencil,                 // stencil.h
    SimplexMapOnly>;                // map_only.h

/// The works of a dimension.
template <int Dimensions>
using SimplexWorks = ByDimension<Dimensions, TriangleWorks, TetrahedronWorks>;

}  // namespace warploom
