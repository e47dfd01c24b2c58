#include "viewer/gl/state.h"

#include <glad/gl.h>

#include <algorithm>
#include <utility>

namespace warploom::gl {
namespace {

bool lost = false;

std::string text(GLenum name) {
  if (!glad_glGetString) return {};
  const auto* value = reinterpret_cast<const char*>(glGetString(name));
  return value ? value : "";
}

std::string error_name(GLenum error) {
  constexpr std::pair<GLenum, const char*> names[] = {
      {GL_INVALID_ENUM, "GL_INVALID_ENUM"},
      {GL_INVALID_VALUE, "GL_INVALID_VALUE"},
      {GL_INVALID_OPERATION, "GL_INVALID_OPERATION"},
      {GL_INVALID_FRAMEBUFFER_OPERATION, "GL_INVALID_FRAMEBUFFER_OPERATION"},
      {GL_OUT_OF_MEMORY, "GL_OUT_OF_MEMORY"},
      {GL_CONTEXT_LOST, "GL_CONTEXT_LOST"}};
  for (const auto& [known, name] : names)
    if (known == error) return name;
  return "OpenGL error " + std::to_string(error);
}

void fill(Rgba colour) {
  const auto channel = [&](int shift) { return static_cast<float>(colour >> shift & 255) / 255.f; };
  glClearColor(channel(0), channel(8), channel(16), channel(24));
  glClear(GL_COLOR_BUFFER_BIT);
}

}  // namespace

bool has_context() { return !text(GL_VERSION).empty(); }

bool is_lost() {
  // A driver may tell it once.
  if (glad_glGetGraphicsResetStatus && glGetGraphicsResetStatus() != GL_NO_ERROR) lost = true;
  return lost;
}

ContextLost::ContextLost()
    : Error(
          "the graphics driver reset the drawing context, as it does after a fault on the device, of this program or "
          "another: nothing can be drawn in it any more. Remedy: start again, or draw in software: "
          "LIBGL_ALWAYS_SOFTWARE=1 __GLX_VENDOR_LIBRARY_NAME=mesa") {}

void check_errors(std::string_view what) {
  if (is_lost()) throw ContextLost();
  std::string names;
  // A lost context reports its loss for ever: hence a limit.
  for (int i = 0; i < 8; ++i) {
    const GLenum error = glGetError();
    if (error == GL_NO_ERROR) break;
    names += (names.empty() ? "" : ", ") + error_name(error);
    lost = lost || error == GL_CONTEXT_LOST;
  }
  if (lost) throw ContextLost();
  if (!names.empty()) throw Error("OpenGL failed at " + std::string(what) + ": " + names);
}

std::string renderer() { return text(GL_RENDERER); }
std::string version() { return text(GL_VERSION); }
std::string vendor() { return text(GL_VENDOR); }

bool is_software() {
  const std::string name = renderer();
  for (const char* software : {"llvmpipe", "softpipe", "swrast", "Software Rasterizer"})
    if (name.find(software) != std::string::npos) return true;
  return false;
}

void clear(Rgba colour) {
  glDisable(GL_SCISSOR_TEST);
  glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  fill(colour);
}

void clear(Rgba colour, int x, int y, int width, int height) {
  if (width <= 0 || height <= 0) return;
  glEnable(GL_SCISSOR_TEST);
  glScissor(x, y, width, height);
  fill(colour);
  glDisable(GL_SCISSOR_TEST);
}

void set_viewport(int x, int y, int width, int height) { glViewport(x, y, width, height); }

void bind_window_framebuffer(int width, int height) {
  glBindFramebuffer(GL_FRAMEBUFFER, 0);
  glViewport(0, 0, width, height);
}

void finish() { glFinish(); }

std::vector<Rgba> read_pixels(int width, int height) {
  const auto row = static_cast<std::size_t>(width);
  std::vector<Rgba> pixels(row * static_cast<std::size_t>(height));
  glPixelStorei(GL_PACK_ALIGNMENT, 4);
  glPixelStorei(GL_PACK_ROW_LENGTH, 0);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
  check_errors("reading pixels back");
  for (std::size_t top = 0, bottom = pixels.size() / (row ? row : 1); top + 1 < bottom; ++top) {
    --bottom;  // OpenGL's first row is the lowest
    const auto begin = pixels.begin() + static_cast<std::ptrdiff_t>(top * row);
    std::swap_ranges(begin, begin + width, pixels.begin() + static_cast<std::ptrdiff_t>(bottom * row));
  }
  return pixels;
}

}  // namespace warploom::gl
