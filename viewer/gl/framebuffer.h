#pragma once
#include <vector>

#include "viewer/gl/texture.h"

namespace warploom::gl {

/// A place to draw without a window: one RGBA8 colour texture. Its row 0 is the *bottom* row, as OpenGL draws.
class Framebuffer {
 public:
  /// Throws UsageError for a size that this OpenGL does not take.
  Framebuffer(int width, int height);
  ~Framebuffer();

  /// Draws go here from now on; the viewport covers all of it.
  void bind() const;
  /// What was drawn, top row first. Binds it; waits for the draws.
  std::vector<Rgba> read_pixels() const;

  int width() const { return colour_.width(); }
  int height() const { return colour_.height(); }

 private:
  Texture colour_;
  unsigned id_ = 0;
};

}  // namespace warploom::gl
