#pragma once
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace warploom {

/// Rows of numbers from a file of sound or of a picture.
struct NumberRows {
  bool whole = false;  ///< they may be taken as whole numbers, rounded to the nearest
  std::uint64_t rows = 0, elements = 0;
  std::vector<double> values;          ///< (rows, elements)
  std::vector<std::string> remarks{};  ///< what was left out, a line each
};

/// Asked with the numbers of rows and of their elements before memory is taken for them; throws to refuse.
using CheckRows = std::function<void(std::uint64_t rows, std::uint64_t elements)>;

/// Sound (.wav), its channels averaged, cut into rows of `elements` samples; what is left at the end is not taken.
/// Where the header does not know how long the sound is, as of one that was recorded into a pipe, the end of the file
/// ends it. Samples of 16 bits and fewer are as they stand, whole numbers where there is one channel; others within -1
/// and 1. Throws FileError.
NumberRows read_wav_rows(const std::filesystem::path& file, std::uint64_t elements, const CheckRows& check);

/// The rows of a picture (.png) as grey from 0 to 255: numbers as they are stored, without any correction for a screen.
/// Grey of 16 bits is divided by 257. Colours are weighed .299, .587 and .114, and rounded where they have 8 bits;
/// opacity is left out. Throws FileError.
NumberRows read_png_rows(const std::filesystem::path& file, const CheckRows& check);

}  // namespace warploom
