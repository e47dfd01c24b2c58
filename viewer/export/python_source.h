#pragma once
#include <cstdint>
#include <string>

#include "gpu/tracks/facets/exported.h"

namespace warploom {

/// What an exported source runs.
struct ExportedRun {
  std::uint64_t steps, seed;
  double density;
  std::string start_file, points_file;  ///< beside it; empty: there is none
};

/// Most bytes of a table that a Python file holds.
inline constexpr double most_table_bytes = 1e6;

/// A track as a Python file that compiles its kernels itself, by CuPy. `what`: its first words. Empty: its table is too
/// large.
std::string python_source(const ExportParts& parts, const ExportedRun& run, const std::string& what,
                          const std::string& file);

}  // namespace warploom
