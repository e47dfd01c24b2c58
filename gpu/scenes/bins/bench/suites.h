#pragma once
#include "gpu/bench/suites.h"

namespace warploom::bench {

Suite binning_suite();

}  // namespace warploom::bench
