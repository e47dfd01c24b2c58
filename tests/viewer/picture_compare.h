#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "viewer/base/png.h"

namespace warploom {

/// Set by --update-goldens.
inline bool update_goldens = false;

/// How far two pictures are apart, over red, green and blue, 0..255.
struct Difference {
  int most = 0;
  double mean = 0;
  std::size_t places = 0;  ///< pixels that differ by more than 24
};

inline int channel(Rgba colour, int index) { return static_cast<int>(colour >> (8 * index) & 255u); }

inline Difference difference(const PngImage& a, const PngImage& b, PngImage* picture = nullptr) {
  Difference d;
  double sum = 0;
  if (picture) *picture = {a.width, a.height, std::vector<Rgba>(a.pixels.size(), 0xff000000u), {}};
  for (std::size_t i = 0; i < a.pixels.size(); ++i) {
    int here = 0;
    for (int c = 0; c < 3; ++c) {
      const int apart = std::abs(channel(a.pixels[i], c) - channel(b.pixels[i], c));
      here = std::max(here, apart);
      sum += apart;
    }
    d.most = std::max(d.most, here);
    d.places += here > 24;
    // A dimmed copy of the picture, and what differs in red.
    if (picture)
      picture->pixels[i] = here > 4 ? 0xff000000u | static_cast<Rgba>(std::min(255, 96 + 2 * here))
                                    : 0xff000000u | (a.pixels[i] >> 2 & 0x3f3f3fu);
  }
  d.mean = sum / (3. * static_cast<double>(std::max<std::size_t>(1, a.pixels.size())));
  return d;
}

/// Half the size: the mean of four pixels.
inline PngImage halved(const PngImage& image) {
  PngImage half{image.width / 2, image.height / 2, {}, {}};
  for (int y = 0; y < half.height; ++y)
    for (int x = 0; x < half.width; ++x) {
      Rgba colour = 0xff000000u;
      for (int c = 0; c < 3; ++c) {
        int sum = 2;
        for (int k = 0; k < 4; ++k)
          sum += channel(image.pixels[static_cast<std::size_t>(2 * y + k / 2) * static_cast<std::size_t>(image.width) +
                                      static_cast<std::size_t>(2 * x + k % 2)],
                         c);
        colour |= static_cast<Rgba>(sum / 4) << (8 * c);
      }
      half.pixels.push_back(colour);
    }
  return half;
}

/// Columns x0 to x1 and rows y0 to y1.
inline PngImage cut(const PngImage& image, int x0, int y0, int x1, int y1) {
  PngImage part{x1 - x0, y1 - y0, {}, {}};
  for (int y = y0; y < y1; ++y) {
    const auto row = image.pixels.begin() + static_cast<std::ptrdiff_t>(y) * image.width;
    part.pixels.insert(part.pixels.end(), row + x0, row + x1);
  }
  return part;
}

/// Compares a picture with its golden, or blesses it. Letters may be rasterised a little differently by another
/// FreeType or Mesa: a mean of half a level and one pixel in two thousand are allowed.
inline void expect_golden(const std::string& name, const PngImage& picture) {
  constexpr double most_mean = 0.5, most_share = 1. / 2000;
  const std::filesystem::path golden =
      std::filesystem::path(WARPLOOM_SOURCE_DIR) / "tests" / "goldens" / (name + ".png");
  if (update_goldens) {
    std::filesystem::create_directories(golden.parent_path());
    write_png(golden, picture);
    return;
  }
  const std::filesystem::path folder = std::filesystem::current_path() / "picture-differences";
  const auto keep = [&](const std::string& what, const PngImage& image) {
    std::filesystem::create_directories(folder);
    write_png(folder / (name + what), image);
    return (folder / (name + what)).string();
  };
  if (!std::filesystem::exists(golden)) {
    ADD_FAILURE() << golden << " is missing; what was drawn: " << keep("-drawn.png", picture)
                  << "; bless it with --update-goldens";
    return;
  }
  const PngImage expected = read_png(golden);
  ASSERT_EQ(expected.width, picture.width) << name;
  ASSERT_EQ(expected.height, picture.height) << name;
  PngImage marked;
  const Difference apart = difference(expected, picture, &marked);
  if (apart.mean <= most_mean &&
      static_cast<double>(apart.places) <= most_share * static_cast<double>(picture.pixels.size()))
    return;
  keep("-drawn.png", picture);
  ADD_FAILURE() << name << ": max difference " << apart.most << ", mean " << apart.mean << " (at most " << most_mean
                << "), " << apart.places << " pixels apart by more than 24 (at most one in " << 1 / most_share
                << "); see " << keep("-difference.png", marked);
}

}  // namespace warploom
