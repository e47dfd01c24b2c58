#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace warploom {

/// A loaded state: height x width values of 0 and 1, row-major. `rule` is set when the file names one.
struct StateFile {
  std::uint32_t width = 0, height = 0;
  std::vector<std::uint8_t> cells;
  std::optional<std::string> rule;
  bool centred = false;  ///< placed in the middle of a larger domain (RLE), else it must fit exactly (NumPy)
};

/// NumPy (.npy: uint8 or bool, two axes, C or Fortran order, values 0 and 1) or Golly's run-length format (.rle).
/// Throws FileError naming the file and what was expected.
StateFile read_state(const std::filesystem::path& file);

/// An array for NumPy: `dtype` as NumPy spells it ("|u1", "<i4"). Written whole or not at all. Throws FileError.
void write_npy(const std::filesystem::path& file, const std::string& dtype, const std::vector<std::uint64_t>& shape,
               const void* data, std::uint64_t bytes);

}  // namespace warploom
