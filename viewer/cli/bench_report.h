#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "gpu/bench/suites.h"

namespace warploom {

/// A table on stdout: columns as wide as their widest cell; the note, last, as it is.
void print_bench(const std::vector<bench::Figure>& figures);

/// Figures with their environment, schema warploom.bench/1. Numbers that do not apply are null.
nlohmann::ordered_json bench_json(const bench::Bench& bench, const std::vector<std::string>& suites,
                                  const std::vector<bench::Figure>& figures);

/// The same, one row a figure.
std::string bench_csv(const nlohmann::ordered_json& all);

}  // namespace warploom
