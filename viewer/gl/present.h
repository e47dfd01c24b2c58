#pragma once
#include "viewer/gl/texture.h"

namespace warploom::gl {

enum class Filter { nearest, linear };

/// A rectangle of the framebuffer in pixels; (x, y) is its top left corner, counted from the framebuffer's top left.
struct Viewport {
  int x = 0, y = 0, width = 0, height = 0;
};

/// The part of the picture that fills the viewport: its top left corner and its size, in pictures. The default is the
/// whole picture; {.5f, .5f, .5f, .5f} its lower right quarter, twice as large.
struct PicturePart {
  float x = 0, y = 0, width = 1, height = 1;
};

/// Draws a picture into a rectangle: a frame's picture as it is, or an old one shifted and zoomed while its successor
/// is being computed.
class Presenter {
 public:
  /// Throws FileError if a shader cannot be read, Error with the file and the compiler's words if it does not compile
  /// or link.
  Presenter();
  Presenter(const Presenter&) = delete;
  Presenter& operator=(const Presenter&) = delete;
  ~Presenter();

  /// Draws into the bound framebuffer of `framebuffer_height` pixels; what lies outside the picture shows `ground`.
  /// Opaque; leaves the viewport set to the rectangle, and blending, depth, culling and scissor switched off.
  void draw(const Texture& picture, const Viewport& viewport, int framebuffer_height, const PicturePart& part = {},
            Rgba ground = rgba(0, 0, 0), Filter filter = Filter::nearest);

 private:
  unsigned program_;
  unsigned vertex_array_ = 0;  ///< without attributes: a core context draws only with one bound
  unsigned samplers_[2] = {};  ///< by Filter; a sampler leaves the texture's own settings as they are
};

}  // namespace warploom::gl
