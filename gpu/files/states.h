#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gpu/core/types.h"

namespace warploom {

/// A loaded state: height x width values of 0 and 1, row-major.
struct StateFile {
  std::uint32_t width = 0, height = 0;
  std::vector<std::uint8_t> cells;
  std::optional<std::string> rule;  ///< where the file names one
  bool centred = false;             ///< placed in the middle of a larger domain (RLE), else it must fit exactly (NumPy)
  std::string bounded_grid{};       ///< of its rule, "T8,8"; empty: the plane
  std::vector<std::string> remarks{};  ///< what a reader of the file should know, a line each
};

/// A kind of file that holds a state: one file states_NAME.cpp that defines `StateReader NAME_states()`, and one line
/// in states.cpp.
struct StateReader {
  std::string extension, title;  ///< ".npy", "NumPy"
  /// Reads the bytes of `file` for a domain of `extent`. Throws FileError naming it and what was expected; sizes that a
  /// header promises are checked before memory is taken for them.
  StateFile (*read)(const std::filesystem::path& file, const std::string& bytes, const Index3& extent);
};
const std::vector<StateReader>& state_readers();
/// "NumPy (.npy) or Golly (.rle)"
std::string state_file_kinds();
/// By the extension; null: no state.
const StateReader* find_state_reader(const std::filesystem::path& file);

/// A state by the extension of its file, in small or capital letters: NumPy (uint8 or bool, two axes, C or Fortran
/// order, values 0 and 1) or Golly's run-length format. `extent`: of the domain it is for. Throws FileError naming the
/// file and what was expected.
StateFile read_state(const std::filesystem::path& file, const Index3& extent);

}  // namespace warploom
