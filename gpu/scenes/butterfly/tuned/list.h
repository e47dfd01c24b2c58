#pragma once
#include "gpu/core/type_list.h"
#include "gpu/scenes/butterfly/tuned/fft_plans.h"

namespace warploom {

// Tracks of transforms with plans; the comment names their kernels' source, which CMake makes of the line.
using TunedFfts = TypeList<  //
    IndexDigitPlans,         // index_digit
    Radix4Plans,             // radix4
    Radix8Plans,             // radix8
    Radix16Plans>;           // radix16

}  // namespace warploom
