#include <sndfile.h>

#include <algorithm>
#include <bit>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "gpu/core/error.h"
#include "gpu/files/rows.h"

namespace warploom {

namespace {

/// What a whole number of the file is in the library's floats: 1 is the first that does not fit.
double steps_of(int format) {
  switch (format & SF_FORMAT_SUBMASK) {
    case SF_FORMAT_PCM_S8:
    case SF_FORMAT_PCM_U8:
      return 128;
    case SF_FORMAT_PCM_16:
      return 32768;
    default:
      return 0;
  }
}

/// Whether the file ends before the sound that its header promises: the library takes what there is.
bool is_cut_off(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::error_code none;
  const std::uint64_t size = std::filesystem::file_size(file, none);
  char name[4];
  std::uint32_t bytes = 0;
  const auto chunk = [&] {
    return in.read(name, sizeof name) && in.read(reinterpret_cast<char*>(&bytes), sizeof bytes);
  };
  if (!chunk() || std::string_view(name, 4) != "RIFF") return false;
  in.seekg(12);
  while (chunk()) {
    const auto at = static_cast<std::uint64_t>(in.tellg());
    constexpr std::uint32_t unknown = 0xffffffff;  // of sound that was written as it came
    if (std::string_view(name, 4) == "data") return bytes != unknown && bytes > size - at;
    in.seekg(static_cast<std::streamoff>(at + bytes + bytes % 2));
  }
  return false;
}

}  // namespace

NumberRows read_wav_rows(const std::filesystem::path& file, std::uint64_t elements) {
  SF_INFO info{};
  const std::unique_ptr<SNDFILE, int (*)(SNDFILE*)> sound(sf_open(file.c_str(), SFM_READ, &info), sf_close);
  if (!sound) throw FileError(file.string() + ": it cannot be read as sound: " + sf_strerror(nullptr));
  const auto frames = static_cast<std::uint64_t>(info.frames);
  if (is_cut_off(file)) throw FileError(file.string() + ": it is cut off: its header promises more sound than it has");
  NumberRows read;
  read.rows = frames / elements;
  read.elements = elements;
  if (read.rows == 0)
    throw FileError(file.string() + ": it has " + std::to_string(frames) + " samples, and a row has " +
                    std::to_string(elements) + "; the nearest that are a power of two are " +
                    std::to_string(std::bit_floor(std::max<std::uint64_t>(frames, 2))) + " and " +
                    std::to_string(std::bit_ceil(std::max<std::uint64_t>(frames + 1, 3))) + ": give n as its log2");
  const double steps = steps_of(info.format);
  const auto channels = static_cast<std::size_t>(info.channels);
  // The average of several channels is no whole number.
  read.whole = steps > 0 && channels == 1;
  read.values.resize(read.rows * elements);
  std::vector<double> chunk(channels << 12);
  for (std::size_t done = 0; done < read.values.size();) {
    const auto wanted = static_cast<sf_count_t>(std::min<std::size_t>(read.values.size() - done, 1u << 12));
    if (sf_readf_double(sound.get(), chunk.data(), wanted) != wanted)
      throw FileError(file.string() + ": it is cut off: " + std::to_string(frames) + " samples are promised");
    for (sf_count_t i = 0; i < wanted; ++i, ++done) {
      double sum = 0;
      for (std::size_t c = 0; c < channels; ++c) sum += chunk[static_cast<std::size_t>(i) * channels + c];
      read.values[done] = sum * (steps > 0 ? steps : 1) / static_cast<double>(channels);
    }
  }
  return read;
}

}  // namespace warploom
