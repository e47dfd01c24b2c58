#pragma once
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "gpu/bench/suites.h"

namespace warploom {

/// A table on stdout: columns as wide as their widest cell; the note, last, as it is.
void print_bench(const std::vector<bench::Figure>& figures);

/// What a file of `bench --stats` holds: figures as JSON, and the parts they are of.
struct BenchFile {
  std::vector<std::string> suites, parts;
  std::vector<nlohmann::ordered_json> figures;
};
void add_part(BenchFile& file, const std::string& part, std::span<const bench::Figure> figures);
bool all_verified(const BenchFile& file);
/// Reads the file of an earlier run, from any machine. Throws FileError if it is missing or another kind of file.
nlohmann::ordered_json read_bench_json(const std::string& path);
/// The file of an earlier run; empty if there is none. Throws FileError for another kind of file or another machine.
BenchFile read_bench_file(const std::string& path, Backend backend);

/// A file with its environment, schema warploom.bench/1, and the suites that are measured now. Numbers that do not
/// apply are null.
nlohmann::ordered_json bench_json(const bench::Bench& bench, const std::vector<std::string>& suites,
                                  const BenchFile& file);

/// The same, one row a figure.
std::string bench_csv(const nlohmann::ordered_json& all);

}  // namespace warploom
