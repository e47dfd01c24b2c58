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

}  // namespace warploom::own
