#pragma once
#include <cstdint>
#include <filesystem>
#include <vector>

namespace warploom {

/// Rows of numbers from a file of sound or of a picture.
struct NumberRows {
  bool whole = false;  ///< they are whole numbers, as they stand in the file
  std::uint64_t rows = 0, elements = 0;
  std::vector<double> values;  ///< (rows, elements)
};

/// Sound (.wav), its channels averaged, cut into rows of `elements` samples; what is left at the end is not taken.
/// Samples of 16 bits and fewer are as they stand, whole numbers where there is one channel; others within -1 and 1.
/// Throws FileError.
NumberRows read_wav_rows(const std::filesystem::path& file, std::uint64_t elements);

/// The rows of a picture (.png), as grey from 0 to 255. Throws FileError.
NumberRows read_png_rows(const std::filesystem::path& file);

}  // namespace warploom
