#pragma once
#include "gpu/core/type_list.h"
#include "gpu/scenes/fractal/works/block_geometry.h"

namespace warploom {

/// Masks whose sliced steps are compiled for them: those of assets/fractals. A new one is a line, of which CMake makes
/// a source (the comment that ends it names the source); every other mask is served by kernels that know it at run
/// time.
using CompileTimeMasks = TypeList<          //
    MaskBits<2, 2, 0b11'01>,                // sierpinski_gasket
    MaskBits<3, 3, 0b111'101'111>,          // sierpinski_carpet
    MaskBits<3, 3, 0b010'111'010>,          // vicsek
    MaskBits<3, 3, 0b101'010'101>,          // x_fractal
    MaskBits<3, 3, 0b101'111'101>,          // h_fractal
    MaskBits<3, 1, 0b101>,                  // cantor_set
    MaskBits<4, 4, 0b1001'1111'1111'1001>,  // candy
    MaskBits<3, 2, 0b111'010>,              // chandelier
    MaskBits<3, 3, 0b111'101'101>>;         // empty_bottles

}  // namespace warploom
