#pragma once
#include "gpu/maps/rule.h"
#include "gpu/own/arguments.h"
#include "gpu/scenes/fractal/maps/domain.h"

namespace warploom::own {

/// Of own maps of fractals.
struct FractalArguments : Arguments {
  FractalDomain domain;
  int block_digits = 0;
  Rule rule;
};

#ifdef WARPLOOM_OWN_CONSTANTS
/// The same for each run of this source: its compiler knows every number of it.
struct FractalConstants {
  FractalDomain domain;
  int block_digits = 0;
  constexpr FractalConstants() { WARPLOOM_OWN_CONSTANTS((*this)) }
};
inline constexpr FractalConstants fractal_constants;
WARPLOOM_HD const FractalDomain& domain_of_run(const FractalArguments&) { return fractal_constants.domain; }
WARPLOOM_HD int digits_of_run(const FractalArguments&) { return fractal_constants.block_digits; }
#else
WARPLOOM_HD const FractalDomain& domain_of_run(const FractalArguments& with) { return with.domain; }
WARPLOOM_HD int digits_of_run(const FractalArguments& with) { return with.block_digits; }
#endif

}  // namespace warploom::own
