#include "viewer/gl/texture.h"

#include <glad/gl.h>

#include <string>

#include "gpu/core/error.h"
#include "viewer/gl/state.h"

namespace warploom::gl {
namespace {

std::size_t area(int width, int height) { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }

}  // namespace

Texture::Texture(int width, int height) : width_(width), height_(height) {
  GLint most = 0;
  glGetIntegerv(GL_MAX_TEXTURE_SIZE, &most);
  if (width < 1 || height < 1 || width > most || height > most)
    throw UsageError("a picture of " + std::to_string(width) + " x " + std::to_string(height) +
                     " pixels: this OpenGL takes 1 to " + std::to_string(most) + " a side");
  glCreateTextures(GL_TEXTURE_2D, 1, &id_);
  glTextureStorage2D(id_, 1, GL_RGBA8, width, height);
  try {
    check_errors("making a texture of " + std::to_string(width) + " x " + std::to_string(height));
  } catch (...) {  // no destructor runs for an object that was never made
    glDeleteTextures(1, &id_);
    throw;
  }
  glTextureParameteri(id_, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTextureParameteri(id_, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  glTextureParameteri(id_, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
  glTextureParameteri(id_, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
}

Texture::~Texture() { glDeleteTextures(1, &id_); }

void Texture::upload(std::span<const Rgba> pixels) {
  if (pixels.size() < area(width_, height_))
    throw Error("a texture upload of " + std::to_string(area(width_, height_)) + " pixels was given " +
                std::to_string(pixels.size()));
  glPixelStorei(GL_UNPACK_ALIGNMENT, 4);
  glPixelStorei(GL_UNPACK_ROW_LENGTH, 0);
  glTextureSubImage2D(id_, 0, 0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
}

std::vector<Rgba> Texture::download() const {
  std::vector<Rgba> pixels(area(width_, height_));
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glPixelStorei(GL_PACK_ROW_LENGTH, 0);
  glGetTextureImage(id_, 0, GL_RGBA, GL_UNSIGNED_BYTE, static_cast<GLsizei>(pixels.size() * sizeof(Rgba)),
                    pixels.data());
  check_errors("reading a texture back");
  return pixels;
}

}  // namespace warploom::gl
