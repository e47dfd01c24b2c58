#pragma once
#include <span>
#include <vector>

#include "gpu/core/pixels.h"

namespace warploom::gl {

/// A picture on the OpenGL side: RGBA8, one level, immutable storage. Row 0 is the picture's top row, so v runs down.
/// Needs the context it was made in, at its destruction too.
class Texture {
 public:
  /// Contents undefined. Throws UsageError for a size that this OpenGL does not take, Error out of memory.
  Texture(int width, int height);
  Texture(const Texture&) = delete;
  Texture& operator=(const Texture&) = delete;
  ~Texture();

  /// The whole picture: width() * height() pixels, top row first. Copies before it returns.
  void upload(std::span<const Rgba> pixels);
  /// The whole picture, top row first. Waits for the draws before it.
  std::vector<Rgba> download() const;

  unsigned id() const { return id_; }
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  unsigned id_ = 0;
  int width_, height_;
};

}  // namespace warploom::gl
