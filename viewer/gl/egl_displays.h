#pragma once
#include <glad/egl.h>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace warploom::gl {

/// Opens libEGL and loads what can be called without a display; once one is initialised, gladLoadEGL(display,
/// egl_function) loads the rest. Returns an empty text, or why it failed.
std::string load_egl();

/// A function of EGL or OpenGL by name, for glad.
GLADapiproc egl_function(const char* name);

/// Whether a list of names separated by blanks holds `name`.
bool has_extension(const char* list, std::string_view name);

/// A place that may offer OpenGL: opening it may fail (EGL_NO_DISPLAY).
struct EglPlace {
  std::string name;
  std::function<EGLDisplay()> open;
};

/// Everything that EGL offers without a window, most wanted first (see HeadlessContext).
std::vector<EglPlace> egl_places(bool prefer_nvidia);

/// The name of EGL's last error.
std::string egl_error();

}  // namespace warploom::gl
