#include <sndfile.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gpu/core/error.h"
#include "gpu/files/input.h"
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

/// A file of sound as the library reads it: the sizes that a recorder could not know are those of what is there.
class SoundFile {
 public:
  explicit SoundFile(const std::filesystem::path& file) : name_(file), input_(open_input(file, ".wav")) {
    look_at_chunks();
    input_.stream.clear();
    input_.stream.seekg(0);
    sound_ = {sf_open_virtual(&reading, SFM_READ, &info, this), sf_close};
    if (!sound_) throw refuse(std::string("it cannot be read as sound: ") + sf_strerror(nullptr));
    // The library knows other files by what they hold, with headers that promise what they like.
    constexpr std::array kinds{SF_FORMAT_WAV, SF_FORMAT_WAVEX, SF_FORMAT_RF64, SF_FORMAT_W64};
    if (std::ranges::count(kinds, info.format & SF_FORMAT_TYPEMASK) == 0) throw refuse("it is sound, but no .wav file");
    // No coding of these has less than a bit for a sample.
    if (static_cast<std::uint64_t>(info.frames) > 8 * input_.size)
      throw refuse("it is cut off: " + std::to_string(info.frames) + " samples are promised");
  }
  SoundFile& operator=(SoundFile&&) = delete;  // neither copied nor moved
  FileError refuse(const std::string& why) const { return FileError(name_.string() + ": " + why); }
  SNDFILE* sound() const { return sound_.get(); }

  SF_INFO info{};

 private:
  struct Chunk {
    char name[4];
    std::uint32_t bytes;
    /// With its head and padding: more than 32 bits hold.
    std::uint64_t whole() const { return 8 + std::uint64_t{bytes} + bytes % 2; }
  };

  std::optional<Chunk> chunk_at(std::uint64_t at) {
    Chunk chunk{};
    input_.stream.clear();
    input_.stream.seekg(static_cast<std::streamoff>(at));
    if (!input_.stream.read(reinterpret_cast<char*>(&chunk), sizeof chunk)) return {};
    return chunk;
  }
  static bool is(const Chunk& chunk, std::string_view name) { return std::string_view(chunk.name, 4) == name; }

  /// Finds the chunk of samples. Throws FileError where the file ends before the sound that its header promises, which
  /// the library takes as it comes, and where there is no rate.
  void look_at_chunks() {
    const auto riff = chunk_at(0);
    if (!riff || !is(*riff, "RIFF")) return;
    std::uint64_t at = 12;
    for (std::optional<Chunk> chunk; (chunk = chunk_at(at)); at += chunk->whole()) {
      if (is(*chunk, "fmt ")) {
        std::uint32_t rate = 0;
        input_.stream.seekg(static_cast<std::streamoff>(at + 12));
        if (input_.stream.read(reinterpret_cast<char*>(&rate), sizeof rate) && rate == 0)
          throw refuse("its header says 0 samples a second");
      }
      if (!is(*chunk, "data")) continue;
      const std::uint64_t held = input_.size - at - 8;
      // What recorders write that cannot know the size: SoX 0x7ffff000, FFmpeg 0xffff1000, others 2^31, 2^32 - 1 or 0.
      const bool unknown = (chunk->bytes >= 0x7ffff000 && chunk->bytes > held) ||
                           (chunk->bytes == 0 && held > 0 && !ends_in_chunks(at + 8));
      if (chunk->bytes > held && !unknown)
        throw refuse("it is cut off: its header promises " + std::to_string(chunk->bytes) + " bytes of sound, it has " +
                     std::to_string(held));
      if (unknown && held < 0xffffffff) size_at_ = at + 4, size_ = static_cast<std::uint32_t>(held);
      return;
    }
  }
  /// Whether what stands from here on are whole chunks up to the file's end: then an empty chunk of samples is one.
  bool ends_in_chunks(std::uint64_t at) {
    for (std::optional<Chunk> chunk; at < input_.size; at += chunk->whole())
      if (!(chunk = chunk_at(at))) return false;
    return at == input_.size;
  }

  /// The file's bytes, with the sizes that are known by now.
  sf_count_t read(char* to, sf_count_t count) {
    const auto from = static_cast<std::uint64_t>(tell());
    input_.stream.read(to, count);
    const auto taken = static_cast<std::uint64_t>(input_.stream.gcount());
    input_.stream.clear();
    if (size_at_) {
      overlay(to, from, taken, 4, static_cast<std::uint32_t>(input_.size - 8));
      overlay(to, from, taken, size_at_, size_);
    }
    return static_cast<sf_count_t>(taken);
  }
  static void overlay(char* bytes, std::uint64_t from, std::uint64_t count, std::uint64_t at, std::uint32_t value) {
    for (std::uint64_t i = 0; i < sizeof value; ++i)
      if (at + i >= from && at + i < from + count) bytes[at + i - from] = static_cast<char>(value >> 8 * i);
  }
  sf_count_t tell() { return static_cast<sf_count_t>(input_.stream.tellg()); }
  static SoundFile& of(void* self) { return *static_cast<SoundFile*>(self); }

  static SF_VIRTUAL_IO reading;
  std::filesystem::path name_;
  InputFile input_;
  std::uint64_t size_at_ = 0;  ///< where the size of the samples stands that is told anew; 0: none
  std::uint32_t size_ = 0;
  std::unique_ptr<SNDFILE, int (*)(SNDFILE*)> sound_{nullptr, sf_close};
};

SF_VIRTUAL_IO SoundFile::reading{
    [](void* self) { return static_cast<sf_count_t>(of(self).input_.size); },
    [](sf_count_t offset, int whence, void* self) {
      const auto from = whence == SEEK_SET ? std::ios::beg : whence == SEEK_CUR ? std::ios::cur : std::ios::end;
      of(self).input_.stream.seekg(offset, from);
      return of(self).tell();
    },
    [](void* to, sf_count_t count, void* self) { return of(self).read(static_cast<char*>(to), count); }, nullptr,
    [](void* self) { return of(self).tell(); }};

}  // namespace

NumberRows read_wav_rows(const std::filesystem::path& file, std::uint64_t elements, const CheckRows& check) {
  SoundFile sound(file);
  const auto frames = static_cast<std::uint64_t>(sound.info.frames);
  NumberRows read;
  read.rows = frames / elements;
  read.elements = elements;
  if (read.rows == 0)
    throw sound.refuse("it has " + std::to_string(frames) + " samples, and a row has " + std::to_string(elements) +
                       (frames < 2
                            ? ", at least 2"
                            : "; the nearest that are a power of two are " + std::to_string(std::bit_floor(frames)) +
                                  " and " + std::to_string(std::bit_ceil(frames + 1)) + ": give n as its log2"));
  check(read.rows, elements);
  if (const std::uint64_t left = frames % elements)
    read.remarks.push_back("the last " + std::to_string(left) + " of " + std::to_string(frames) + " samples left out");
  const double steps = steps_of(sound.info.format);
  const auto channels = static_cast<std::size_t>(sound.info.channels);
  // The average of several channels is no whole number.
  read.whole = steps > 0 && channels == 1;
  read.values.resize(read.rows * elements);
  std::vector<double> chunk(channels << 12);
  for (std::size_t done = 0; done < read.values.size();) {
    const auto wanted = static_cast<sf_count_t>(std::min<std::size_t>(read.values.size() - done, 1u << 12));
    if (sf_readf_double(sound.sound(), chunk.data(), wanted) != wanted)
      throw sound.refuse("it is cut off: " + std::to_string(frames) + " samples are promised");
    for (sf_count_t i = 0; i < wanted; ++i, ++done) {
      double sum = 0;
      for (std::size_t c = 0; c < channels; ++c) sum += chunk[static_cast<std::size_t>(i) * channels + c];
      read.values[done] = sum * (steps > 0 ? steps : 1) / static_cast<double>(channels);
    }
  }
  return read;
}

}  // namespace warploom
