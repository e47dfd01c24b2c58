#pragma once
#include "gpu/pictures/picture_request.h"

namespace warploom::spmv_colours {

inline constexpr ColourBy value{colour_number("value")},  ///< of the nonzero; where several share a pixel, how many
    block{colour_number("block")},                        ///< that multiplies it, in launch order
    turn{colour_number("turn")};                          ///< of its warp

}  // namespace warploom::spmv_colours
