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
/// dimension it exists in. The first is the default.
using TriangleWorks = TypeList<  //
    SimplexAutomaton,            //
    SimplexSingleWrite,          //
    DistanceMatrix,              //
    SimplexStencil,              //
    SimplexMapOnly>;

/// ... and of a tetrahedron.
using TetrahedronWorks = TypeList<  //
    SimplexAutomaton,               //
    SimplexSingleWrite,             //
    TripletEnergy,                  //
    SimplexStencil,                 //
    SimplexMapOnly>;

/// The works of a dimension.
template <int Dimensions>
using SimplexWorks = ByDimension<Dimensions, TriangleWorks, TetrahedronWorks>;

}  // namespace warploom
