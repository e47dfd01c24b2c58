#include "viewer/gl/headless_context.h"

#include <glad/egl.h>
#include <glad/gl.h>

#include "gpu/core/error.h"
#include "viewer/gl/debug.h"
#include "viewer/gl/egl_displays.h"

namespace warploom::gl {
namespace {

struct Opened {
  EGLDisplay display = EGL_NO_DISPLAY;
  EGLContext context = EGL_NO_CONTEXT;
  EGLSurface surface = EGL_NO_SURFACE;
};

void close(const Opened& opened) {
  eglMakeCurrent(opened.display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  if (opened.surface != EGL_NO_SURFACE) eglDestroySurface(opened.display, opened.surface);
  if (opened.context != EGL_NO_CONTEXT) eglDestroyContext(opened.display, opened.context);
  eglTerminate(opened.display);
}

/// Makes OpenGL 4.5 core current on an initialised display. Returns an empty text, or which step failed and why.
std::string make_current(Opened& opened) {
  if (!gladLoadEGL(opened.display, egl_function) || !eglBindAPI || !eglBindAPI(EGL_OPENGL_API))
    return "no desktop OpenGL";
  const bool surfaceless = has_extension(eglQueryString(opened.display, EGL_EXTENSIONS), "EGL_KHR_surfaceless_context");
  const EGLint wanted[] = {EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_SURFACE_TYPE, surfaceless ? 0 : EGL_PBUFFER_BIT,
                           EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (!eglChooseConfig(opened.display, wanted, &config, 1, &count) || count < 1) return "no OpenGL configuration";
  const EGLint version[] = {
      EGL_CONTEXT_MAJOR_VERSION,           4,       EGL_CONTEXT_MINOR_VERSION, 5, EGL_CONTEXT_OPENGL_PROFILE_MASK,
      EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
  opened.context = eglCreateContext(opened.display, config, EGL_NO_CONTEXT, version);
  if (opened.context == EGL_NO_CONTEXT) return "no OpenGL 4.5 core (" + egl_error() + ")";
  if (!surfaceless) {
    const EGLint one_pixel[] = {EGL_WIDTH, 1, EGL_HEIGHT, 1, EGL_NONE};
    opened.surface = eglCreatePbufferSurface(opened.display, config, one_pixel);
    if (opened.surface == EGL_NO_SURFACE) return "no off-screen surface (" + egl_error() + ")";
  }
  if (!eglMakeCurrent(opened.display, opened.surface, opened.surface, opened.context))
    return "the context cannot be used (" + egl_error() + ")";
  if (gladLoadGL(egl_function) < GLAD_MAKE_VERSION(4, 5)) return "OpenGL is older than 4.5";
  return {};
}

}  // namespace

HeadlessContext::HeadlessContext(bool prefer_nvidia) {
  std::string tried;
  const auto refuse = [&] {
    throw DisplayError("no OpenGL 4.5 without a display. Tried: " + tried +
                       ". Remedy: sudo apt-get install libegl1 libegl-mesa0 libgl1-mesa-dri");
  };
  if (const std::string problem = load_egl(); !problem.empty()) {
    tried = problem;
    refuse();
  }
  for (const EglPlace& place : egl_places(prefer_nvidia)) {
    Opened opened;
    opened.display = place.open();
    std::string problem;
    if (opened.display == EGL_NO_DISPLAY || !eglInitialize(opened.display, nullptr, nullptr)) {
      problem = "cannot be opened (" + egl_error() + ")";
    } else if (problem = make_current(opened); problem.empty()) {
      display_ = opened.display;
      context_ = opened.context;
      surface_ = opened.surface;
      platform_ = place.name;
      return;
    } else {
      close(opened);
    }
    tried += (tried.empty() ? "" : "; ") + place.name + ": " + problem;
  }
  refuse();
}

HeadlessContext::~HeadlessContext() { close({display_, context_, surface_}); }

std::string HeadlessContext::description() const {
  const char* egl_version = eglQueryString(display_, EGL_VERSION);
  return platform_ + ", EGL " + (egl_version ? egl_version : "?") + ": " + renderer() + ", OpenGL " + version();
}

}  // namespace warploom::gl
