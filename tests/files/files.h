#pragma once
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "gpu/core/error.h"

namespace warploom {

/// A NumPy file by the format's definition, of a header or of what stands in it.
inline std::string npy_with(const std::string& header, std::string_view data, int version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += static_cast<char>(version);
  bytes += '\0';
  for (std::size_t i = 0; i < (version == 1 ? 2u : 4u); ++i) bytes += static_cast<char>(header.size() >> 8 * i & 255);
  return bytes + header + std::string(data);
}
inline std::string npy(const std::string& dtype, const std::string& order, const std::string& shape,
                       std::string_view data, int version = 1) {
  return npy_with("{'descr': '" + dtype + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }      \n", data,
                  version);
}

/// A folder of its own, gone with the test.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "warploom-test-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw std::runtime_error("no temporary folder");
    path = pattern;
  }
  ~TemporaryFolder() {
    std::error_code none;
    std::filesystem::remove_all(path, none);
  }
  std::string operator/(const std::string& name) const { return (path / name).string(); }
  std::filesystem::path path;
};

/// A test with such a folder.
class FileTest : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    std::ofstream(folder / name, std::ios::binary) << bytes;
    return folder / name;
  }

  const TemporaryFolder temporary;
  const std::filesystem::path& folder = temporary.path;
};

/// The message of the Error that body() throws; a failure where it throws another exception or none.
template <class Thrown, class Body>
std::string message_of(Body&& body) {
  try {
    body();
  } catch (const Thrown& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another exception: " << error.what();
    return error.what();
  }
  ADD_FAILURE() << "no exception";
  return {};
}

inline void expect_parts(const std::string& text, std::initializer_list<std::string_view> parts) {
  for (const auto part : parts) EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in: " << text;
}

}  // namespace warploom
