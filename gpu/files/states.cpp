#include "gpu/files/states.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "gpu/core/error.h"
#include "gpu/files/npy_header.h"

namespace warploom {

namespace {

std::string read_all(const std::filesystem::path& file) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(file, none)) throw FileError(file.string() + ": no such file");
  std::ifstream in(file, std::ios::binary);
  std::string all(std::istreambuf_iterator<char>(in), {});
  if (!in) throw FileError(file.string() + ": cannot be read");
  return all;
}

StateFile read_npy(const std::filesystem::path& file, const std::string& bytes) {
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

StateFile read_rle(const std::filesystem::path& file, const std::string& text) {
  StateFile state;
  state.centred = true;
  std::istringstream lines(text);
  std::string line;
  std::uint64_t x = 0, y = 0, run = 0;
  int number = 0;
  bool header = false;
  const auto refuse = [&](const std::string& why) -> FileError {
    return FileError(file.string() + ":" + std::to_string(number) + ": " + why);
  };
  while (std::getline(lines, line)) {
    ++number;
    if (line.empty() || line[0] == '#') continue;
    if (!header) {
      unsigned long width = 0, height = 0;
      if (std::sscanf(line.c_str(), " x = %lu , y = %lu", &width, &height) != 2)
        throw refuse("expected a header 'x = WIDTH, y = HEIGHT[, rule = B3/S23]'");
      if (width == 0 || height == 0 || width > 0x7fffffff || height > 0x7fffffff || width * height > 1ul << 32)
        throw refuse("a pattern of " + std::to_string(width) + " x " + std::to_string(height) +
                     " cells cannot be loaded");
      state.width = static_cast<std::uint32_t>(width);
      state.height = static_cast<std::uint32_t>(height);
      state.cells.assign(width * height, 0);
      if (const auto at = line.find("rule"); at != std::string::npos) {
        std::string rule = line.substr(line.find('=', at) + 1);
        rule.erase(std::remove_if(rule.begin(), rule.end(), [](unsigned char c) { return std::isspace(c); }),
                   rule.end());
        state.rule = rule.substr(0, rule.find(':'));  // ":T32,32" names a torus; outside is dead here
      }
      header = true;
      continue;
    }
    for (const char c : line) {
      if (std::isspace(static_cast<unsigned char>(c))) continue;
      if (std::isdigit(static_cast<unsigned char>(c))) {
        run = run * 10 + static_cast<std::uint64_t>(c - '0');
        if (run > 0x7fffffff) throw refuse("a run of more than 2^31 cells");
        continue;
      }
      const std::uint64_t times = run ? run : 1;
      run = 0;
      if (c == '!') return state;
      if (c == '$') {
        y += times;
        x = 0;
      } else if (c == 'b' || c == '.') {
        x += times;
      } else if (c == 'o' || c == 'A') {
        if (x + times > state.width || y >= state.height)
          throw refuse("live cells past the " + std::to_string(state.width) + " x " + std::to_string(state.height) +
                       " of its header");
        std::memset(state.cells.data() + y * state.width + x, 1, times);
        x += times;
      } else {
        throw refuse(std::string("character '") + c + "'; expected digits, b, o, $ or !");
      }
    }
  }
  if (!header) throw refuse("no header 'x = WIDTH, y = HEIGHT' found");
  throw refuse("it ends without '!'");
}

}  // namespace

StateFile read_state(const std::filesystem::path& file) {
  const std::string bytes = read_all(file);
  const std::string kind = file.extension().string();
  if (kind == ".npy") return read_npy(file, bytes);
  if (kind == ".rle") return read_rle(file, bytes);
  throw FileError(file.string() + ": a state is a .npy (NumPy) or .rle (Golly) file");
}

void write_npy(const std::filesystem::path& file, const std::string& dtype, const std::vector<std::uint64_t>& shape,
               const void* data, std::uint64_t bytes) {
  std::string axes;
  for (const auto size : shape) axes += std::to_string(size) + ",";
  std::string header = "{'descr': '" + dtype + "', 'fortran_order': False, 'shape': (" + axes + "), }";
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  const auto part = std::filesystem::path(file.string() + ".part");
  {
    std::ofstream out(part, std::ios::binary);
    const auto length = static_cast<std::uint16_t>(header.size());
    out.write("\x93NUMPY\x01\x00", 8);
    out.put(static_cast<char>(length & 255)).put(static_cast<char>(length >> 8));
    out << header;
    out.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
    if (!out.flush()) {
      std::error_code none;
      std::filesystem::remove(part, none);
      throw FileError(file.string() + ": cannot be written");
    }
  }
  std::error_code failed;
  std::filesystem::rename(part, file, failed);
  if (failed) {
    std::error_code none;
    std::filesystem::remove(part, none);
    throw FileError(file.string() + ": cannot be written: " + failed.message());
  }
}

}  // namespace warploom
