#pragma once
#include "gpu/bench/suites.h"

namespace warploom::bench {

Suite butterfly_suite();

}  // namespace warploom::bench
