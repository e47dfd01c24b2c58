#pragma once
#include <string>
#include <vector>

#include "gpu/core/error.h"

namespace warploom {

/// What `warploom bench` is given, as typed.
struct BenchOptions {
  std::vector<std::string> suites, set;
  std::string backend = "auto", stats, out;
  int samples = 0;      ///< 0: not given
  bool resume = false;  ///< parts that `stats` has are left out
  bool draw = false;    ///< nothing is measured: `out` shows what `stats` has
};

/// Runs suites, prints a table on stdout, writes JSON or CSV. Verification failed when a figure's result was wrong.
/// Throws UsageError with the nearest suite, key or value; Cancelled after Ctrl+C.
ExitCode run_bench(const BenchOptions& options);

}  // namespace warploom
