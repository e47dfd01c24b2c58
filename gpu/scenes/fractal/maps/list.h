#pragma once
#include "gpu/scenes/fractal/maps/bounding_box.h"
#include "gpu/scenes/fractal/maps/lambda_serial.h"
#include "gpu/scenes/fractal/maps/lambda_shuffle.h"
#include "gpu/scenes/fractal/maps/lambda_table.h"
#include "gpu/scenes/fractal/maps/lambda_tensor_1.h"
#include "gpu/scenes/fractal/maps/lambda_tensor_2.h"
#include "gpu/scenes/fractal/maps/lambda_tensor_3.h"
#include "gpu/scenes/fractal/maps/lambda_tensor_8bit.h"
#include "gpu/scenes/fractal/maps/ways.h"

// Every fractal map. A new one is one header, its #include, and one line here; from that line it gets its contract
// test, CPU twin, agreement test, benchmark row, menu entry, command-line name and statistics. The comment that ends
// the line names its header: CMake makes a source of every line, which includes that header and no other map's, so that
// a new map compiles alone (gpu/CMakeLists.txt).

namespace warploom {

/// Whole maps, and ways to compute lambda.
using FractalLines = TypeList<  //
    BoundingBox,                // bounding_box.h
    LambdaSerial,               // lambda_serial.h
    LambdaTable,                // lambda_table.h
    LambdaShuffle,              // lambda_shuffle.h
    TensorBlock,                // lambda_tensor_1.h
    TensorSubBlocks,            // lambda_tensor_2.h
    TensorCells,                // lambda_tensor_3.h
    TensorBytes>;               // lambda_tensor_8bit.h

namespace detail {
template <class... Lines>
constexpr auto all_fractal_maps(TypeList<Lines...>) {
  return (FractalMapsOf<Lines>{} + ...);
}
}  // namespace detail

using FractalMaps = decltype(detail::all_fractal_maps(FractalLines{}));

}  // namespace warploom
