#pragma once
#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>
#include <vector>

namespace warploom {

/// What stands before the values of a NumPy file.
struct NpyHeader {
  std::string dtype;     ///< as NumPy spells it, "<f4"; of an array of records the whole list, "[('x', '<f4')]"
  bool fortran = false;  ///< the first axis runs fastest
  std::vector<std::uint64_t> shape;
  std::uint64_t data_start = 0;  ///< bytes before the first value
};

/// Reads the header of a NumPy file of `size` bytes from its start and leaves `in` at the first value. Whether the
/// values fit what the header promises is the caller's to check. Throws FileError naming `file`.
NpyHeader read_npy_header(std::istream& in, std::uint64_t size, const std::filesystem::path& file);

/// An array for NumPy: `dtype` as NumPy spells it ("|u1", "<i4"). Written whole or not at all. Throws FileError.
void write_npy(const std::filesystem::path& file, const std::string& dtype, const std::vector<std::uint64_t>& shape,
               const void* data, std::uint64_t bytes);

}  // namespace warploom
