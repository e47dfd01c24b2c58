#pragma once
#include "viewer/cli/options.h"

namespace warploom {

/// `warploom list`: a topic as a table or as JSON, on stdout. Throws UsageError with the nearest topic.
ExitCode list(const Options& options);

}  // namespace warploom
