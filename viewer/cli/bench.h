#pragma once
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "gpu/bench/suites.h"
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

/// Writes the figures of papers that a run has measured, into a folder: KEY.csv with what was measured, printed and
/// promised, and KEY.png.
class FigureFiles {
 public:
  /// Makes the folder and what draws, so that nothing is measured for a folder that cannot be written. Throws
  /// FileError, DisplayError.
  explicit FigureFiles(const std::filesystem::path& folder);
  ~FigureFiles();

  /// `all`: a file of schema warploom.bench/1. Figures of which it has nothing are left out. Returns the files.
  std::vector<std::filesystem::path> write(const nlohmann::ordered_json& all);

 private:
  struct Drawing;
  std::filesystem::path folder_;
  std::unique_ptr<Drawing> drawing_;
};

}  // namespace warploom
