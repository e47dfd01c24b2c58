#pragma once
#include <cstdint>

#include "gpu/scenes/butterfly/butterfly.h"

namespace warploom {

/// What rows of output are judged by, in double, by definitions that know no network.
struct ButterflyJudge {
  const char* kind;  ///< as Verdict::kind
  double bound;
};
ButterflyJudge butterfly_judge(const ButterflySettings& settings);

/// The smallest normal float. Errors are relative to what a value could be, or to this where that is smaller: below it
/// floats lie evenly, 2^-149 apart, and have no relative accuracy.
inline constexpr double least_scale = 0x1p-126;

/// How far a row of output is from right, by the kind of its judge; infinity where it is nowhere near.
double row_error(const ButterflySettings& settings, const std::uint8_t* input, const std::uint8_t* output);
/// Of a scan along both axes: of all rows together.
double plane_error(const ButterflySettings& settings, const std::uint8_t* input, const std::uint8_t* output);

}  // namespace warploom
