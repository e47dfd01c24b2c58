#pragma once
#include "gpu/bench/suites.h"

namespace warploom::bench {

Suite irregular_suite();

}  // namespace warploom::bench
