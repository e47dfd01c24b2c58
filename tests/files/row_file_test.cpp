#include <png.h>
#include <sys/stat.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>

#include "gpu/files/rows.h"
#include "tests/files/files.h"

namespace warploom {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Values = std::vector<double>;

const CheckRows any = [](std::uint64_t, std::uint64_t) {};

class RowFileTest : public FileTest {
 protected:
  NumberRows sound(const std::string& bytes, std::uint64_t elements = 4) {
    return read_wav_rows(write("a.wav", bytes), elements, any);
  }
  void sound_refused(const std::string& bytes, std::initializer_list<std::string_view> parts) {
    expect_parts(message_of<FileError>([&] { (void)sound(bytes); }), parts);
  }

  /// A picture of samples row by row, `bits` each, big endian, by libpng's own writer.
  std::filesystem::path picture(std::uint32_t width, std::uint32_t height, int bits, int colour, bool interlaced,
                                const std::vector<std::uint32_t>& samples, double gamma = 0) {
    const auto path = folder / "a.png";
    std::FILE* file = std::fopen(path.c_str(), "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    png_init_io(png, file);
    png_set_IHDR(png, info, width, height, bits, colour, interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (gamma > 0) png_set_gAMA(png, info, gamma);
    std::vector<png_color> palette;
    if (colour == PNG_COLOR_TYPE_PALETTE) {
      for (unsigned i = 0; i < 1u << bits; ++i) {
        const auto value = static_cast<png_byte>(i * 5);
        palette.push_back({value, value, value});
      }
      png_set_PLTE(png, info, palette.data(), static_cast<int>(palette.size()));
    }
    const std::size_t row_samples = samples.size() / height;
    Bytes packed((row_samples * static_cast<std::size_t>(bits) + 7) / 8 * height);
    std::vector<png_bytep> rows;
    for (std::size_t row = 0; row < height; ++row) {
      std::uint8_t* to = packed.data() + packed.size() / height * row;
      rows.push_back(to);
      for (std::size_t i = 0; i < row_samples; ++i)
        for (int bit = 0; bit < bits; ++bit) {
          const std::size_t at = i * static_cast<std::size_t>(bits) + static_cast<std::size_t>(bit);
          if (samples[row * row_samples + i] >> (bits - 1 - bit) & 1)
            to[at / 8] = static_cast<std::uint8_t>(to[at / 8] | 0x80 >> at % 8);
        }
    }
    png_set_rows(png, info, rows.data());
    png_write_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
    png_destroy_write_struct(&png, &info);
    std::fclose(file);
    return path;
  }
};

/// `count` samples without a pattern, of `bits` bits.
std::vector<std::uint32_t> samples_of(std::size_t count, int bits) {
  std::vector<std::uint32_t> all;
  for (std::size_t i = 0; i < count; ++i)
    all.push_back(static_cast<std::uint32_t>((i * 2654435761u) >> 7) & ((1u << bits) - 1));
  return all;
}

TEST_F(RowFileTest, GreyOfEveryDepthIsTheNumbersStored) {
  for (const bool interlaced : {false, true})
    for (const int bits : {1, 2, 4, 8, 16})
      for (const double gamma : {0., 1., 1 / 2.2}) {
        const auto samples = samples_of(19 * 11, bits);
        const NumberRows got =
            read_png_rows(picture(19, 11, bits, PNG_COLOR_TYPE_GRAY, interlaced, samples, gamma), any);
        ASSERT_EQ(got.rows, 11u);
        ASSERT_EQ(got.elements, 19u);
        for (std::size_t i = 0; i < samples.size(); ++i)
          ASSERT_DOUBLE_EQ(got.values[i], samples[i] * 255. / ((1u << bits) - 1)) << bits << " bits, sample " << i;
        EXPECT_TRUE(got.remarks.empty());
      }
}

TEST_F(RowFileTest, ColoursAreWeighedAndOpacityIsLeftOut) {
  for (const bool interlaced : {false, true})
    for (const int bits : {8, 16})
      for (const auto& [colour, channels] :
           {std::pair{PNG_COLOR_TYPE_RGB, 3u}, {PNG_COLOR_TYPE_RGB_ALPHA, 4u}, {PNG_COLOR_TYPE_GRAY_ALPHA, 2u}}) {
        const auto samples = samples_of(16 * 9 * channels, bits);
        const NumberRows got = read_png_rows(picture(16, 9, bits, colour, interlaced, samples), any);
        EXPECT_EQ(got.remarks.size(), channels == 4 ? 2u : 1u);
        for (std::size_t i = 0; i < 16 * 9; ++i) {
          const std::uint32_t* pixel = &samples[i * channels];
          double grey = channels == 2 ? pixel[0] : .299 * pixel[0] + .587 * pixel[1] + .114 * pixel[2];
          if (bits == 16) grey /= 257;
          ASSERT_NEAR(got.values[i], grey, bits == 8 ? .5 : 1e-9) << bits << " bits, pixel " << i;
          if (bits == 8) {
            ASSERT_EQ(got.values[i], std::floor(got.values[i]));
          }
        }
      }
}

TEST_F(RowFileTest, PalettesAreTheirColours) {
  for (const bool interlaced : {false, true})
    for (const int bits : {1, 2, 4}) {
      const auto samples = samples_of(8 * 8, bits);
      const NumberRows got = read_png_rows(picture(8, 8, bits, PNG_COLOR_TYPE_PALETTE, interlaced, samples), any);
      for (std::size_t i = 0; i < samples.size(); ++i) ASSERT_EQ(got.values[i], samples[i] * 5);
    }
}

TEST_F(RowFileTest, PicturesRefused) {
  const auto whole = picture(16, 16, 8, PNG_COLOR_TYPE_GRAY, false, samples_of(256, 8));
  std::ifstream in(whole, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  for (std::size_t size = 1; size < bytes.size(); size += 3)
    expect_parts(message_of<FileError>([&] { (void)read_png_rows(write("cut.png", bytes.substr(0, size)), any); }),
                 {"cut.png: "});
  // The header is asked before memory is taken.
  std::string huge = bytes;
  huge[16] = huge[20] = 1;  // 2^24 and more pixels each way; the check sum of the header is wrong then, too
  expect_parts(message_of<FileError>([&] { (void)read_png_rows(write("huge.png", huge), any); }), {"huge.png"});
  const CheckRows refuses = [](std::uint64_t rows, std::uint64_t elements) {
    throw FileError(std::to_string(rows) + " rows of " + std::to_string(elements));
  };
  expect_parts(message_of<FileError>([&] { (void)read_png_rows(whole, refuses); }), {"16 rows of 16"});
  expect_parts(message_of<FileError>([&] { (void)read_png_rows(folder, any); }), {"folder"});
  expect_parts(message_of<FileError>([&] { (void)read_png_rows(folder / "none.png", any); }), {"no such file"});
}

template <class Number>
std::string little_endian(Number value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// A WAV file of 16-bit samples whose header says these sizes.
std::string wav(const std::vector<std::int16_t>& samples, std::uint32_t data_size, std::uint32_t riff_size,
                std::uint32_t rate = 8000, const std::string& before = "", const std::string& after = "") {
  std::string data;
  for (const std::int16_t sample : samples) data += little_endian(sample);
  return "RIFF" + little_endian(riff_size) + "WAVEfmt " + little_endian(std::uint32_t{16}) +
         little_endian(std::uint16_t{1}) + little_endian(std::uint16_t{1}) + little_endian(rate) +
         little_endian(2 * rate) + little_endian(std::uint16_t{2}) + little_endian(std::uint16_t{16}) + before +
         "data" + little_endian(data_size) + data + after;
}

const std::vector<std::int16_t> eight{-7500, -6500, 3, -2, 0, 32767, -32768, 1};
const Values eight_values{-7500, -6500, 3, -2, 0, 32767, -32768, 1};

TEST_F(RowFileTest, SoundWithoutALengthEndsWithTheFile) {
  const std::string list = "LIST" + little_endian(std::uint32_t{4}) + "INFO";
  for (const std::uint32_t size : {16u, 0xffffffffu, 0x7ffff000u, 0xffff1000u, 0x80000000u, 0x7fffffffu, 0u})
    for (const std::uint32_t riff : {52u, 0u, 0xffffffffu, 0x7ffff024u})
      for (const std::string& before : {std::string(), list}) {
        const NumberRows got = sound(wav(eight, size, riff, 8000, before));
        EXPECT_EQ(got.rows, 2u) << size << " " << riff;
        EXPECT_EQ(got.values, eight_values) << size << " " << riff;
        EXPECT_TRUE(got.whole);
      }
  // A size that a recorder meant.
  for (const std::uint32_t size : {18u, 100u, 70000u, 0x10000000u})
    sound_refused(wav(eight, size, 52), {"cut off", std::to_string(size), "16"});
  // An empty chunk that others follow is one.
  sound_refused(wav({}, 0, 48, 8000, "", list), {"0 samples"});
  sound_refused(wav(eight, 16, 52, 0), {"0 samples a second"});
  sound_refused(wav({1}, 2, 38), {"1 samples", "at least 2"});
  EXPECT_EQ(sound(wav({1, 2, 3, 4, 5}, 10, 46)).remarks.size(), 1u);
}

TEST_F(RowFileTest, SoundIsAFile) {
  ASSERT_EQ(mkfifo((folder / "pipe.wav").c_str(), 0600), 0);
  for (const auto& [path, part] : {std::pair{folder / "pipe.wav", "pipe"},
                                   {folder, "folder"},
                                   {folder / "no.wav", "no such file"},
                                   {write("empty.wav", ""), "empty"}})
    expect_parts(message_of<FileError>([&] { (void)read_wav_rows(path, 4, any); }), {part});
}

}  // namespace
}  // namespace warploom
