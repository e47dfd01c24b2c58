#pragma once
#include "gpu/scenes/simplex/maps/bounding_box.h"
#include "gpu/scenes/simplex/maps/h_tetrahedron.h"
#include "gpu/scenes/simplex/maps/h_triangle.h"
#include "gpu/scenes/simplex/maps/rectangle.h"
#include "gpu/scenes/simplex/maps/recursive.h"
#include "gpu/scenes/simplex/maps/root_exact.h"
#include "gpu/scenes/simplex/maps/root_fp32.h"
#include "gpu/scenes/simplex/maps/root_fp64.h"
#include "gpu/scenes/simplex/maps/root_rsqrt.h"
#include "gpu/scenes/simplex/maps/stride_walk.h"
#include "gpu/scenes/simplex/maps/table.h"

// A new map is one header, its #include, and one line in each list of its dimensions. The line gives it its contract
// test, CPU twin, agreement test, benchmark row, menu entry, command-line name and statistics. The comment that ends
// the line names the header: CMake makes a source of every line, which includes no other map, so that a new map
// compiles alone.

namespace warploom {

using TriangleMaps = TypeList<                 //
    SimplexMap<BoxPlacing<2>>,                 // bounding_box.h
    SimplexMap<RootPlacing<ExactRoot, 2>>,     // root_exact.h
    SimplexMap<RectanglePlacing>,              // rectangle.h
    SimplexMap<RecursivePlacing>,              // recursive.h
    SimplexMap<HTrianglePlacing>,              // h_triangle.h
    SimplexMap<TablePlacing<2>>,               // table.h
    SimplexMap<StrideWalkPlacing<2>>,          // stride_walk.h
    SimplexMap<RootPlacing<SingleRoot, 2>>,    // root_fp32.h
    SimplexMap<RootPlacing<InverseRoot, 2>>>;  // root_rsqrt.h

using TetrahedronMaps = TypeList<             //
    SimplexMap<BoxPlacing<3>>,                // bounding_box.h
    SimplexMap<RootPlacing<ExactRoot, 3>>,    // root_exact.h
    SimplexMap<HTetrahedronPlacing>,          // h_tetrahedron.h
    SimplexMap<TablePlacing<3>>,              // table.h
    SimplexMap<StrideWalkPlacing<3>>,         // stride_walk.h
    SimplexMap<RootPlacing<SingleRoot, 3>>,   // root_fp32.h
    SimplexMap<RootPlacing<DoubleRoot, 3>>>;  // root_fp64.h

template <int Dimensions>
using SimplexMaps = ByDimension<Dimensions, TriangleMaps, TetrahedronMaps>;

}  // namespace warploom
