#pragma once
#include "gpu/pictures/picture_request.h"

namespace warploom::bin_colours {

inline constexpr ColourBy depth{colour_number("depth")},  ///< elements of all bins that lie behind each other
    deepest{colour_number("deepest")},                    ///< elements of the deepest of them
    hits{colour_number("hits")},                          ///< elements in reach of an output
    load{colour_number("load")},                          ///< pairs that a block tests
    time{colour_number("time")};                          ///< how long a block takes

}  // namespace warploom::bin_colours
