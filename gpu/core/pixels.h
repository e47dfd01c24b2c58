#pragma once
#include <cstdint>

#include "gpu/core/macros.h"
#ifdef __CUDACC__
#include <surface_indirect_functions.h>
#endif

namespace warploom {

/// Eight bits per channel, red lowest: the memory order of OpenGL's GL_RGBA, GL_UNSIGNED_BYTE.
using Rgba = std::uint32_t;

WARPLOOM_HD constexpr Rgba rgba(unsigned red, unsigned green, unsigned blue, unsigned alpha = 255) {
  return red | green << 8 | blue << 16 | alpha << 24;
}

/// `share` of `over`, the rest of `under`, channel by channel; share in 0..1.
WARPLOOM_HD Rgba mix(Rgba under, Rgba over, float share) {
  const auto channel = [&](int shift) {
    const float a = static_cast<float>(under >> shift & 255), b = static_cast<float>(over >> shift & 255);
    const float mixed = a + (b - a) * share + .5f;  // cut below: the nearest
    return static_cast<unsigned>(mixed);
  };
  return rgba(channel(0), channel(8), channel(16));
}

/// Where a kernel puts its picture: a CUDA surface where `surface` is set, else `pixels` (device or host memory of
/// the backend that runs the kernel), row y at pixels + y * width. Row 0 is the top of the picture.
struct PixelTarget {
  std::uint64_t surface = 0;
  Rgba* pixels = nullptr;
  int width = 0, height = 0;
  friend bool operator==(const PixelTarget&, const PixelTarget&) = default;

  WARPLOOM_HD void set(int x, int y, Rgba colour) const {
#ifdef __CUDA_ARCH__
    if (surface) {
      surf2Dwrite(colour, static_cast<cudaSurfaceObject_t>(surface), x * static_cast<int>(sizeof(Rgba)), y);
      return;
    }
#endif
    pixels[static_cast<std::int64_t>(y) * width + x] = colour;
  }
};

}  // namespace warploom
