#include <png.h>

#include <string>

#include "gpu/core/error.h"
#include "gpu/files/rows.h"

namespace warploom {

NumberRows read_png_rows(const std::filesystem::path& file) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  const auto fail = [&] {
    const std::string why = image.message;
    png_image_free(&image);
    throw FileError(file.string() + ": it cannot be read as a picture: " + why);
  };
  if (!png_image_begin_read_from_file(&image, file.c_str())) fail();
  image.format = PNG_FORMAT_GRAY;
  // Deflate packs no more than 1032 bytes into one, and a byte has at most 8 pixels: a header that promises more lies.
  std::error_code none;
  const double most = 8 * 1032. * static_cast<double>(std::filesystem::file_size(file, none));
  if (double(image.width) * image.height > most) {
    png_image_free(&image);
    throw FileError(file.string() + ": it is cut off: its header promises " + std::to_string(image.width) + " x " +
                    std::to_string(image.height) + " pixels");
  }
  std::vector<png_byte> grey(PNG_IMAGE_SIZE(image));
  // What is transparent lies on black.
  const png_color black{0, 0, 0};
  if (!png_image_finish_read(&image, &black, grey.data(), 0, nullptr)) fail();
  return {true, image.height, image.width, {grey.begin(), grey.end()}};
}

}  // namespace warploom
