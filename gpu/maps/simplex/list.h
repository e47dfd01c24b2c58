#pragma once
#include <type_traits>

#include "gpu/maps/simplex/bounding_box.h"
#include "gpu/maps/simplex/h_tetrahedron.h"
#include "gpu/maps/simplex/h_triangle.h"
#include "gpu/maps/simplex/rectangle.h"
#include "gpu/maps/simplex/recursive.h"
#include "gpu/maps/simplex/root_exact.h"
#include "gpu/maps/simplex/root_fp32.h"
#include "gpu/maps/simplex/root_fp64.h"
#include "gpu/maps/simplex/root_rsqrt.h"
#include "gpu/maps/simplex/stride_walk.h"
#include "gpu/maps/simplex/table.h"

// Every simplex map. A new one is one header and one line here, in each list of a dimension it exists in; from that
// line it gets its contract test, CPU twin, agreement test, benchmark row, menu entry, command-line name and
// statistics.

namespace warploom {

using TriangleMaps = TypeList<               //
    SimplexMap<BoxPlacing<2>>,               //
    SimplexMap<RootPlacing<ExactRoot, 2>>,   //
    SimplexMap<RectanglePlacing>,            //
    SimplexMap<RecursivePlacing>,            //
    SimplexMap<HTrianglePlacing>,            //
    SimplexMap<TablePlacing<2>>,             //
    SimplexMap<StrideWalkPlacing<2>>,        //
    SimplexMap<RootPlacing<SingleRoot, 2>>,  //
    SimplexMap<RootPlacing<InverseRoot, 2>>>;

using TetrahedronMaps = TypeList<            //
    SimplexMap<BoxPlacing<3>>,               //
    SimplexMap<RootPlacing<ExactRoot, 3>>,   //
    SimplexMap<HTetrahedronPlacing>,         //
    SimplexMap<TablePlacing<3>>,             //
    SimplexMap<StrideWalkPlacing<3>>,        //
    SimplexMap<RootPlacing<SingleRoot, 3>>,  //
    SimplexMap<RootPlacing<DoubleRoot, 3>>>;

/// The maps of a dimension.
template <int Dimensions>
using SimplexMaps = std::conditional_t<Dimensions == 2, TriangleMaps, TetrahedronMaps>;

}  // namespace warploom
