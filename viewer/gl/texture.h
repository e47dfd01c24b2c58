#pragma once
#include <span>
#include <vector>

#include "gpu/core/pixels.h"

namespace warploom::gl {

enum class Filter { nearest, linear };

/// A picture on the OpenGL side: RGBA8, one level, immutable storage. Row 0 is the picture's top row, so v runs down.
/// Needs the context it was made in, at its destruction too. Moved-from and default-made textures are empty (id 0).
class Texture {
 public:
  Texture() = default;
  /// Contents undefined. Throws UsageError for a size that this OpenGL does not take, Error out of memory.
  Texture(int width, int height, Filter filter = Filter::nearest);
  Texture(Texture&& other) noexcept;
  Texture& operator=(Texture&& other) noexcept;
  ~Texture();

  /// New storage under a new id where the size differs; contents are then undefined. The filter stays.
  void resize(int width, int height);
  /// The whole picture: width() * height() pixels, top row first. Copies before it returns.
  void upload(std::span<const Rgba> pixels);
  /// A rectangle of it, tightly packed.
  void upload(int x, int y, int width, int height, std::span<const Rgba> pixels);
  /// The whole picture, top row first. Waits for the draws before it.
  std::vector<Rgba> download() const;

  void set_filter(Filter filter);
  unsigned id() const { return id_; }
  int width() const { return width_; }
  int height() const { return height_; }

 private:
  unsigned id_ = 0;
  int width_ = 0, height_ = 0;
  Filter filter_ = Filter::nearest;
};

}  // namespace warploom::gl
