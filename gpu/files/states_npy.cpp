#include <sstream>

#include "gpu/core/error.h"
#include "gpu/files/npy.h"
#include "gpu/files/states.h"

namespace warploom {

namespace {

StateFile read_npy(const std::filesystem::path& file, const std::string& bytes, const Index3&) {
  const auto refuse = [&](const std::string& why) -> FileError { return FileError(file.string() + ": " + why); };
  std::istringstream in(bytes.substr(0, 12 + 65535));
  const NpyHeader header = read_npy_header(in, bytes.size(), file);
  if (header.dtype != "|u1" && header.dtype != "|b1" && header.dtype != "u1" && header.dtype != "b1")
    throw refuse("values of type '" + header.dtype + "'; expected uint8 or bool");
  const auto& shape = header.shape;
  if (shape.size() != 2)
    throw refuse("an array of " + std::to_string(shape.size()) + " axes; expected 2: rows, columns");
  if (shape[0] == 0 || shape[1] == 0 || shape[0] > 0x7fffffff || shape[1] > 0x7fffffff)
    throw refuse("a shape of " + std::to_string(shape[0]) + " x " + std::to_string(shape[1]) + " holds no state");
  const std::uint64_t count = shape[0] * shape[1];
  if (bytes.size() - header.data_start != count)
    throw refuse("it holds " + std::to_string(bytes.size() - header.data_start) + " bytes of data; expected " +
                 std::to_string(count));
  StateFile state{static_cast<std::uint32_t>(shape[1]), static_cast<std::uint32_t>(shape[0]), {}, {}, false};
  state.cells.resize(count);
  const auto* data = reinterpret_cast<const std::uint8_t*>(bytes.data()) + header.data_start;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t row = i / shape[1], column = i % shape[1];
    const std::uint8_t value = data[header.fortran ? column * shape[0] + row : i];
    if (value > 1)
      throw refuse("row " + std::to_string(row) + ", column " + std::to_string(column) + " holds " +
                   std::to_string(value) + "; expected 0 or 1");
    state.cells[i] = value;
  }
  return state;
}

}  // namespace

StateReader npy_states() { return {".npy", "NumPy", read_npy}; }

}  // namespace warploom
