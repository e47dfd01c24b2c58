#pragma once
#include "viewer/cli/options.h"

namespace warploom {

/// `warploom doctor`: what this machine offers, what is wrong, and one line that mends it. Always ExitCode::done.
ExitCode doctor(const Options& options);

}  // namespace warploom
