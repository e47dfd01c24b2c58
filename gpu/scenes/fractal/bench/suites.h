#pragma once
#include "gpu/bench/suites.h"

namespace warploom::bench {

Suite fractal_suite();
Suite figures_suite();

}  // namespace warploom::bench
