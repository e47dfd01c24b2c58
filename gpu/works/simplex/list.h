#pragma once
#include "gpu/core/type_list.h"
#include "gpu/works/simplex/automaton.h"
#include "gpu/works/simplex/distance_matrix.h"
#include "gpu/works/simplex/map_only.h"
#include "gpu/works/simplex/single_write.h"
#include "gpu/works/simplex/stencil.h"
#include "gpu/works/simplex/triplet_energy.h"

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
