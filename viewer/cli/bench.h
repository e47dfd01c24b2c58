#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gpu/bench/suites.h"
#include "viewer/cli/options.h"

namespace warploom {

/// `warploom bench`: runs suites, prints a table on stdout, writes JSON or CSV. Verification failed when a figure's
/// result was wrong. Throws UsageError with the nearest suite, key or fractal; Cancelled after Ctrl+C.
ExitCode run_bench(const Options& options);

/// Figures with their environment, schema warploom.bench/1. Numbers that do not apply are null.
nlohmann::ordered_json bench_json(const bench::Bench& bench, const std::vector<std::string>& suites,
                                  const std::vector<bench::Figure>& figures);

/// The same, one row a figure.
std::string bench_csv(const nlohmann::ordered_json& all);

}  // namespace warploom
