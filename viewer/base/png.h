#pragma once
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/pixels.h"

namespace warploom {

/// A picture with its texts. pixels: width * height, top row first. texts: keyword (1 to 79 Latin letters) and UTF-8
/// text without NUL bytes, in file order.
struct PngImage {
  int width = 0, height = 0;
  std::vector<Rgba> pixels;
  std::vector<std::pair<std::string, std::string>> texts;
};

/// A file's bytes: eight bits per channel (without alpha where all pixels are opaque), the texts as compressed iTXt
/// chunks before the picture. Throws FileError with the reason.
std::string png_bytes(const PngImage& image);
/// Writes such a file, as a whole or not at all. Throws FileError with the file and the reason.
void write_png(const std::filesystem::path& path, const PngImage& image);

/// Reads any PNG as eight bits per channel, with all its texts. Throws FileError: not a PNG, cut short, damaged.
PngImage read_png(const std::filesystem::path& path);

}  // namespace warploom
