#include "viewer/app/thumbnails.h"

#include <algorithm>
#include <chrono>
#include <exception>

namespace warploom {

namespace {

constexpr int widest = 240, highest = 180;

}  // namespace

PngImage made_small(const PngImage& of) {
  const int by = std::max({1, (of.width + widest - 1) / widest, (of.height + highest - 1) / highest});
  PngImage to{of.width / by, of.height / by, {}, {}};
  to.pixels.reserve(static_cast<std::size_t>(to.width) * static_cast<std::size_t>(to.height));
  for (int y = 0; y < to.height; ++y)
    for (int x = 0; x < to.width; ++x) {
      unsigned sums[3] = {};
      for (int j = 0; j < by; ++j)
        for (int i = 0; i < by; ++i) {
          const Rgba one = of.pixels[static_cast<std::size_t>(y * by + j) * static_cast<std::size_t>(of.width) +
                                     static_cast<std::size_t>(x * by + i)];
          for (int c = 0; c < 3; ++c) sums[c] += one >> 8 * c & 255u;
        }
      const auto area = static_cast<unsigned>(by * by);
      to.pixels.push_back(
          rgba(static_cast<int>(sums[0] / area), static_cast<int>(sums[1] / area), static_cast<int>(sums[2] / area)));
    }
  return to;
}

std::optional<ui::SmallPicture> Thumbnails::of(const std::string& file) {
  auto [at, is_new] = entries_.try_emplace(file);
  Entry& entry = at->second;
  constexpr int most_at_once = 2;  // the others are asked for again in the next frame
  if (is_new && reading_ >= most_at_once) {
    entries_.erase(at);
    return std::nullopt;
  }
  if (is_new) {
    entry.read = std::async(at_once_ ? std::launch::deferred : std::launch::async,
                            [file] { return made_small(read_png(file)); });
    ++reading_;
  }
  if (entry.read.valid() && (at_once_ || entry.read.wait_for(std::chrono::seconds(0)) == std::future_status::ready)) {
    --reading_;
    try {
      const PngImage image = entry.read.get();
      if (image.width > 0 && image.height > 0) {
        entry.texture = std::make_unique<gl::Texture>(image.width, image.height);
        entry.texture->upload(image.pixels);
      }
    } catch (const std::exception&) {
      // Its place stays empty.
    }
  }
  if (!entry.texture) return std::nullopt;
  return ui::SmallPicture{entry.texture->id(), static_cast<float>(entry.texture->width()),
                          static_cast<float>(entry.texture->height())};
}

}  // namespace warploom
