#pragma once
#include "gpu/bench/suites.h"

namespace warploom::bench {

Suite simplex_suite();

}  // namespace warploom::bench
