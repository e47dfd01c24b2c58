#include "viewer/base/png.h"

#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <string_view>

#include "gpu/core/error.h"
#include "gpu/core/files.h"

namespace warploom {
namespace {

// libpng leaves by longjmp. So everything with a destructor lives in the two structs below, and the functions that call
// setjmp have only trivial locals.

/// What libpng's callbacks share: its error, the bytes read or written, the position while reading.
struct Stream {
  Stream() = default;
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  char problem[160] = "";
  std::string written;
  std::string_view to_read;
  std::size_t position = 0;
};

void on_error(png_structp png, png_const_charp message) {
  auto* stream = static_cast<Stream*>(png_get_error_ptr(png));
  std::strncpy(stream->problem, message, sizeof stream->problem - 1);
  png_longjmp(png, 1);
}
void on_warning(png_structp, png_const_charp) {}

void on_write(png_structp png, png_bytep data, size_t count) {
  try {
    static_cast<Stream*>(png_get_io_ptr(png))->written.append(reinterpret_cast<const char*>(data), count);
    return;
  } catch (const std::exception&) {
  }
  png_error(png, "out of memory");
}

void on_read(png_structp png, png_bytep data, size_t count) {
  auto* stream = static_cast<Stream*>(png_get_io_ptr(png));
  if (stream->to_read.size() - stream->position < count) png_error(png, "the file is cut short");
  std::memcpy(data, stream->to_read.data() + stream->position, count);
  stream->position += count;
}

struct Writer {
  Stream stream;
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &stream, on_error, on_warning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  std::vector<png_text> texts;
  std::vector<png_bytep> rows;
  ~Writer() { png_destroy_write_struct(&png, &info); }
};

struct Reader {
  Stream stream;
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &stream, on_error, on_warning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  PngImage image;
  std::uint64_t stored_bytes = 0;  ///< of the pixels as they were before they were packed
  std::vector<png_bytep> rows;
  ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
};

bool encode(Writer& writer, int width, int height, bool opaque) {
  png_structp png = writer.png;
  if (!png || !writer.info || setjmp(png_jmpbuf(png))) return false;
  png_set_write_fn(png, &writer.stream, on_write, nullptr);
  png_set_compression_level(png, 4);  // recordings wait for this; flat pictures gain little from more
  png_set_IHDR(png, writer.info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(height), 8,
               opaque ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  png_set_text(png, writer.info, writer.texts.data(), static_cast<int>(writer.texts.size()));
  png_write_info(png, writer.info);
  if (opaque) png_set_filler(png, 0, PNG_FILLER_AFTER);  // drops the fourth byte
  png_write_image(png, writer.rows.data());
  png_write_end(png, nullptr);
  return true;
}

/// Up to the size, so that the caller can allocate the pixels; the rows come as eight-bit RGBA.
bool decode_header(Reader& reader) {
  png_structp png = reader.png;
  if (!png || !reader.info || setjmp(png_jmpbuf(png))) return false;
  png_set_read_fn(png, &reader.stream, on_read);
  png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);  // a damaged text is an error, not a missing one
  png_set_user_limits(png, 1 << 15, 1 << 15);
  png_set_chunk_malloc_max(png, 256u << 20);  // a stored state is longer than libpng's 8 MB
  png_read_info(png, reader.info);
  reader.image.width = static_cast<int>(png_get_image_width(png, reader.info));
  reader.image.height = static_cast<int>(png_get_image_height(png, reader.info));
  reader.stored_bytes = std::uint64_t{png_get_rowbytes(png, reader.info)} * png_get_image_height(png, reader.info);
  png_set_expand(png);
  png_set_strip_16(png);
  png_set_gray_to_rgb(png);
  png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
  png_set_interlace_handling(png);
  png_read_update_info(png, reader.info);
  return true;
}

/// Whether each chunk, to the last one, ends where the file does, or before: libpng asks for the memory of a chunk
/// before it reads it.
bool holds_its_chunks(std::string_view png) {
  constexpr std::size_t signature = 8, head = 8, around = 12;  // bytes before chunks, before a chunk's data, around it
  for (std::size_t at = signature; at + head <= png.size();) {
    const std::size_t length = png_get_uint_32(reinterpret_cast<png_const_bytep>(png.data() + at)),
                      left = png.size() - at;
    if (left < around || length > left - around) return false;
    if (png.substr(at + 4, 4) == "IEND") return true;  // what follows is no part of the picture
    at += around + length;
  }
  return true;
}

bool decode_rows(Reader& reader) {
  if (setjmp(png_jmpbuf(reader.png))) return false;
  png_read_image(reader.png, reader.rows.data());
  png_read_end(reader.png, reader.info);
  return true;
}

std::vector<png_bytep> row_pointers(std::vector<Rgba>& pixels, int width, int height) {
  std::vector<png_bytep> rows(static_cast<std::size_t>(height));
  for (std::size_t y = 0; y < rows.size(); ++y)
    rows[y] = reinterpret_cast<png_bytep>(pixels.data() + y * static_cast<std::size_t>(width));
  return rows;
}

}  // namespace

std::string png_bytes(const PngImage& image) {
  const std::size_t count = static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height);
  if (image.width < 1 || image.height < 1 || image.pixels.size() != count)
    throw FileError("the picture is " + std::to_string(image.width) + " x " + std::to_string(image.height) + " with " +
                    std::to_string(image.pixels.size()) + " pixels");
  Writer writer;
  for (const auto& [key, text] : image.texts) {
    png_text entry{};
    entry.compression = PNG_ITXT_COMPRESSION_zTXt;
    entry.key = const_cast<char*>(key.c_str());  // libpng copies both and writes to neither
    entry.text = const_cast<char*>(text.c_str());
    writer.texts.push_back(entry);
  }
  // libpng takes rows without const, and does not write to them.
  writer.rows = row_pointers(const_cast<std::vector<Rgba>&>(image.pixels), image.width, image.height);
  const bool opaque =
      std::all_of(image.pixels.begin(), image.pixels.end(), [](Rgba pixel) { return pixel >> 24 == 255; });
  if (!encode(writer, image.width, image.height, opaque)) throw FileError(writer.stream.problem);
  return std::move(writer.stream.written);
}

void write_png(const std::filesystem::path& path, const PngImage& image) {
  std::string bytes;
  try {
    bytes = png_bytes(image);
  } catch (const FileError& error) {
    throw FileError("cannot write " + path.string() + ": " + error.what());
  }
  write_atomically(path, bytes);
}

PngImage read_png(const std::filesystem::path& path) {
  const std::string bytes = read_file(path);
  if (bytes.size() < 8 || png_sig_cmp(reinterpret_cast<png_const_bytep>(bytes.data()), 0, 8) != 0)
    throw FileError("cannot read " + path.string() + ": it is not a PNG file");
  if (!holds_its_chunks(bytes)) throw FileError("cannot read " + path.string() + ": the file is cut short");
  Reader reader;
  reader.stream.to_read = bytes;
  const auto refuse = [&] { throw FileError("cannot read " + path.string() + ": " + reader.stream.problem); };
  if (!decode_header(reader)) refuse();
  PngImage& image = reader.image;
  // Deflate packs no more than 1032 bytes into one: a header that promises more lies, and gets no memory.
  if (reader.stored_bytes > 1032 * std::uint64_t{bytes.size()})
    throw FileError("cannot read " + path.string() + ": it is cut off: its header promises " +
                    std::to_string(image.width) + " x " + std::to_string(image.height) + " pixels");
  image.pixels.resize(static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height));
  reader.rows = row_pointers(image.pixels, image.width, image.height);
  if (!decode_rows(reader)) refuse();
  png_textp texts = nullptr;
  const int count = png_get_text(reader.png, reader.info, &texts, nullptr);
  for (int i = 0; i < count; ++i) image.texts.emplace_back(texts[i].key, texts[i].text ? texts[i].text : "");
  return std::move(image);
}

}  // namespace warploom
