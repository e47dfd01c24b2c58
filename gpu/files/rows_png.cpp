#include <png.h>

#include <array>
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <memory>
#include <string>

#include "gpu/core/error.h"
#include "gpu/files/input.h"
#include "gpu/files/rows.h"

namespace warploom {

namespace {

/// One picture through libpng's full interface. The library leaves a call that fails by longjmp, past destructors: so
/// each such call stands in a function that holds nothing to destroy, and says whether it came to its end.
class PngFile {
 public:
  explicit PngFile(const std::filesystem::path& path) : file_(std::fopen(path.c_str(), "rb"), std::fclose) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, this, keep_message, [](png_structp, png_const_charp) {});
    info_ = png_ ? png_create_info_struct(png_) : nullptr;
  }
  PngFile& operator=(PngFile&&) = delete;  // neither copied nor moved
  ~PngFile() { png_destroy_read_struct(&png_, &info_, nullptr); }

  bool read_header() {
    if (!file_ || !info_ || setjmp(png_jmpbuf(png_))) return false;
    png_init_io(png_, file_.get());
    // What is neither size, palette, opacity nor pixels is passed over: libpng would ask for as much memory as it says
    // that it takes.
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
    png_read_info(png_, info_);
    return true;
  }
  /// Asks for grey or colours of 8 or 16 bits, without opacity and without any change of values.
  bool expand() {
    if (setjmp(png_jmpbuf(png_))) return false;
    if (png_get_color_type(png_, info_) == PNG_COLOR_TYPE_PALETTE) png_set_palette_to_rgb(png_);
    if (png_get_bit_depth(png_, info_) < 8) png_set_expand_gray_1_2_4_to_8(png_);
    png_set_strip_alpha(png_);
    png_set_interlace_handling(png_);
    png_read_update_info(png_, info_);
    return true;
  }
  /// `rows`: one of row_bytes() each.
  bool read_rows(png_bytepp rows) {
    if (setjmp(png_jmpbuf(png_))) return false;
    png_read_image(png_, rows);
    png_read_end(png_, nullptr);
    return true;
  }

  std::uint64_t width() const { return png_get_image_width(png_, info_); }
  std::uint64_t height() const { return png_get_image_height(png_, info_); }
  std::uint64_t row_bytes() const { return png_get_rowbytes(png_, info_); }
  int channels() const { return png_get_channels(png_, info_); }
  int bits() const { return png_get_bit_depth(png_, info_); }
  bool has_opacity() const {
    return (png_get_color_type(png_, info_) & PNG_COLOR_MASK_ALPHA) || png_get_valid(png_, info_, PNG_INFO_tRNS);
  }
  const std::string& message() const { return message_; }

 private:
  static void keep_message(png_structp png, png_const_charp text) {
    static_cast<PngFile*>(png_get_error_ptr(png))->message_ = text;
    png_longjmp(png, 1);
  }

  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::string message_ = "libpng has no memory";
};

}  // namespace

NumberRows read_png_rows(const std::filesystem::path& file, const CheckRows& check) {
  const std::uint64_t size = open_input(file, ".png").size;
  const auto refuse = [&](const std::string& why) { return FileError(file.string() + ": " + why); };
  PngFile png(file);
  const auto failed = [&] { return refuse("it cannot be read as a picture: " + png.message()); };
  if (!png.read_header()) throw failed();
  const std::uint64_t width = png.width(), height = png.height();
  const std::string extent = std::to_string(width) + " x " + std::to_string(height) + " pixels";
  // Deflate packs no more than 1032 bytes into one, and a byte has at most 8 pixels: a header that promises more lies.
  if (double(width) * double(height) > 8 * 1032. * double(size))
    throw refuse("it is cut off: its header promises " + extent);
  check(height, width);
  NumberRows read{true, height, width, {}, {}};
  if (png.has_opacity()) read.remarks.push_back("opacity left out");
  if (!png.expand()) throw failed();
  const auto channels = static_cast<std::uint64_t>(png.channels()), bytes = static_cast<std::uint64_t>(png.bits()) / 8;
  if (channels >= 3) read.remarks.push_back("colours taken as .299 red + .587 green + .114 blue");
  std::vector<png_byte> pixels(png.row_bytes() * height);
  std::vector<png_bytep> rows(height);
  for (std::uint64_t row = 0; row < height; ++row) rows[row] = pixels.data() + row * png.row_bytes();
  if (!png.read_rows(rows.data())) throw failed();
  read.values.resize(width * height);
  for (std::uint64_t row = 0; row < height; ++row)
    for (std::uint64_t column = 0; column < width; ++column) {
      const png_byte* pixel = rows[row] + column * channels * bytes;
      const auto value = [&](std::uint64_t channel) {
        const png_byte* at = pixel + channel * bytes;
        return bytes == 1 ? at[0] : at[0] << 8 | at[1];
      };
      double grey = value(0);
      if (channels >= 3) {
        const int weighed = 299 * value(0) + 587 * value(1) + 114 * value(2), rounded = (weighed + 500) / 1000;
        grey = bytes == 1 ? rounded : weighed / 1000.;
      }
      read.values[row * width + column] = bytes == 1 ? grey : grey / 257;
    }
  return read;
}

}  // namespace warploom
