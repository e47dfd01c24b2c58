#pragma once
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace warploom {

/// A file that the user named, opened for reading.
struct InputFile {
  std::ifstream stream;
  std::uint64_t size = 0;  ///< bytes, at least one
};

/// Opens a file after the questions that every reader asks first: whether it is there, a folder, a device or a pipe
/// (which could wait for ever), readable, empty. Throws FileError naming the file; `expected` ends the refusals of what
/// can be no file of the kind: ".npy (NumPy) or .rle (Golly)".
InputFile open_input(const std::filesystem::path& file, std::string_view expected);

/// The same, whole: for kinds that are small or must be known to their end. Throws FileError.
std::string read_input(const std::filesystem::path& file, std::string_view expected);

/// The extension in small letters: ".npy".
std::string extension_of(const std::filesystem::path& file);

/// Text from a file as a message may show it: quoted, short, and without control characters.
std::string shown(std::string_view text);

/// Text without the byte order mark that some editors write first, with each line ended by '\n' whether it ended with
/// "\r\n", "\r" or "\n".
std::string with_plain_lines(std::string text);

}  // namespace warploom
