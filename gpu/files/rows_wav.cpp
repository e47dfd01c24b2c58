#include <sndfile.h>

#include <memory>
#include <string>

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

}  // namespace

NumberRows read_wav_rows(const std::filesystem::path& file, std::uint64_t elements) {
  SF_INFO info{};
  const std::unique_ptr<SNDFILE, int (*)(SNDFILE*)> sound(sf_open(file.c_str(), SFM_READ, &info), sf_close);
  if (!sound) throw FileError(file.string() + ": it cannot be read as sound: " + sf_strerror(nullptr));
  const auto frames = static_cast<std::uint64_t>(info.frames);
  NumberRows read;
  read.rows = frames / elements;
  read.elements = elements;
  if (read.rows == 0)
    throw FileError(file.string() + ": it has " + std::to_string(frames) + " samples; a row has " +
                    std::to_string(elements));
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
      read.values[done] = read.whole ? sum * steps : sum / static_cast<double>(channels);
    }
  }
  return read;
}

}  // namespace warploom
