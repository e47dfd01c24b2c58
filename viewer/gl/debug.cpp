#include "viewer/gl/debug.h"

#include <glad/gl.h>

#include <utility>

#include "gpu/core/error.h"

namespace warploom::gl {
namespace {

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

}  // namespace

bool has_context() { return !text(GL_VERSION).empty(); }

void check_errors(std::string_view what) {
  std::string names;
  // A lost context reports its loss for ever: hence a limit.
  for (int i = 0; i < 8; ++i) {
    const GLenum error = glGetError();
    if (error == GL_NO_ERROR) break;
    names += (names.empty() ? "" : ", ") + error_name(error);
  }
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

}  // namespace warploom::gl
