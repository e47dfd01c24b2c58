#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

namespace warploom {

/// How the rank of an element in its bin comes about.
enum class Binning { rank, sort };

/// What the user chose of a bins scene; what is 0 is the application's usual.
struct BinSettings {
  std::string application = "nbody";
  std::string input = "demo";  ///< a name of the application's, a count, or a file
  std::uint64_t seed = 7;
  double bin = 0;          ///< side of a bin
  double cutoff = 0;       ///< beyond it an element does not reach
  double spacing = 0;      ///< of the output lattice: cutcp, blinn
  std::uint32_t grid = 0;  ///< output points per side: mri
  double blobbiness = 2;   ///< blinn's beta
  double time_step = .01;  ///< nbody
  int tile = 8, per_thread = 4;
  std::int64_t cap = -1;  ///< slots per bin of tracks that spill; -1: found by a search
  Binning binning = Binning::rank;
  std::filesystem::path folder = {};  ///< that files are relative to
};

}  // namespace warploom
