#include "viewer/gl/headless_context.h"

#include <dlfcn.h>
#include <glad/egl.h>
#include <glad/gl.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/core/error.h"
#include "viewer/gl/state.h"

namespace warploom::gl {
namespace {

void* library = nullptr;  // never closed: drivers leave threads and exit handlers behind

/// A function of EGL or OpenGL by name, for glad.
GLADapiproc egl_function(const char* name) {
  if (void* found = dlsym(library, name)) return reinterpret_cast<GLADapiproc>(found);
  return eglGetProcAddress ? reinterpret_cast<GLADapiproc>(eglGetProcAddress(name)) : nullptr;
}

/// Opens libEGL and loads what can be called without a display; once one is initialised, gladLoadEGL(display,
/// egl_function) loads the rest. Returns an empty text, or why it failed.
std::string load_egl() {
  if (!library) library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
  // glad asks for extension functions through the same loader: eglGetProcAddress must be there before.
  eglGetProcAddress = reinterpret_cast<PFNEGLGETPROCADDRESSPROC>(dlsym(library, "eglGetProcAddress"));
  return gladLoadEGL(EGL_NO_DISPLAY, egl_function) ? "" : "libEGL.so.1 lacks the functions of EGL";
}

/// Whether a list of names separated by blanks holds `name`.
bool has_extension(const char* list, std::string_view name) {
  const std::string_view all = list ? list : "";
  for (std::size_t at = all.find(name); at != std::string_view::npos; at = all.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || all[at - 1] == ' ') && (end == all.size() || all[end] == ' ')) return true;
  }
  return false;
}

/// A device's rank, lower first. CUDA's device 0 is the one that the program computes on.
int rank(EGLDeviceEXT device, const char* extensions, bool prefer_nvidia) {
  const bool software = has_extension(extensions, "EGL_MESA_device_software");
  if (!prefer_nvidia) return software ? 0 : 3;
  EGLAttrib ordinal = 0;
  if (has_extension(extensions, "EGL_NV_device_cuda") &&
      eglQueryDeviceAttribEXT(device, EGL_CUDA_DEVICE_NV, &ordinal) == EGL_TRUE)
    return ordinal == 0 ? 0 : 1;
  return software ? 3 : 2;
}

EGLDisplay open_platform(EGLenum platform, void* native) {
  return eglGetPlatformDisplayEXT ? eglGetPlatformDisplayEXT(platform, native, nullptr) : EGL_NO_DISPLAY;
}

/// A place that may offer OpenGL: opening it may fail (EGL_NO_DISPLAY).
struct EglPlace {
  std::string name;
  std::function<EGLDisplay()> open;
};

/// Everything that EGL offers without a window, most wanted first (see HeadlessContext).
std::vector<EglPlace> egl_places(bool prefer_nvidia) {
  std::vector<std::pair<int, EglPlace>> ranked;
  const char* client = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  const bool enumerates =
      has_extension(client, "EGL_EXT_device_base") ||
      (has_extension(client, "EGL_EXT_device_enumeration") && has_extension(client, "EGL_EXT_device_query"));
  if (enumerates && has_extension(client, "EGL_EXT_platform_device") && eglQueryDevicesEXT && eglQueryDeviceStringEXT) {
    EGLDeviceEXT devices[32];
    EGLint count = 0;
    if (eglQueryDevicesEXT(32, devices, &count) != EGL_TRUE) count = 0;
    for (EGLint i = 0; i < count; ++i) {
      const EGLDeviceEXT device = devices[i];
      const char* extensions = eglQueryDeviceStringEXT(device, EGL_EXTENSIONS);
      ranked.push_back(
          {rank(device, extensions, prefer_nvidia),
           {"EGL device " + std::to_string(i), [device] { return open_platform(EGL_PLATFORM_DEVICE_EXT, device); }}});
    }
  }
  if (has_extension(client, "EGL_MESA_platform_surfaceless"))
    ranked.push_back(
        {prefer_nvidia ? 4 : 1,
         {"EGL surfaceless (Mesa)", [] { return open_platform(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY); }}});
  ranked.push_back({5, {"EGL default display", [] { return eglGetDisplay(EGL_DEFAULT_DISPLAY); }}});
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<EglPlace> places;
  places.reserve(ranked.size());
  for (auto& [rank, place] : ranked) places.push_back(std::move(place));
  return places;
}

std::string egl_error() {
  constexpr std::pair<EGLint, const char*> names[] = {
      {EGL_SUCCESS, "no reason given"},         {EGL_NOT_INITIALIZED, "EGL_NOT_INITIALIZED"},
      {EGL_BAD_ACCESS, "EGL_BAD_ACCESS"},       {EGL_BAD_ALLOC, "EGL_BAD_ALLOC"},
      {EGL_BAD_ATTRIBUTE, "EGL_BAD_ATTRIBUTE"}, {EGL_BAD_CONFIG, "EGL_BAD_CONFIG"},
      {EGL_BAD_DISPLAY, "EGL_BAD_DISPLAY"},     {EGL_BAD_MATCH, "EGL_BAD_MATCH"},
      {EGL_BAD_PARAMETER, "EGL_BAD_PARAMETER"}};
  const EGLint error = eglGetError();
  for (const auto& [known, name] : names)
    if (known == error) return name;
  return "EGL error " + std::to_string(error);
}

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
  // Without the last pair a driver that resets the context ends the program; not all drivers know that pair.
  EGLint wanted_context[] = {EGL_CONTEXT_MAJOR_VERSION,
                             4,
                             EGL_CONTEXT_MINOR_VERSION,
                             5,
                             EGL_CONTEXT_OPENGL_PROFILE_MASK,
                             EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                             EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY,
                             EGL_LOSE_CONTEXT_ON_RESET,
                             EGL_NONE};
  opened.context = eglCreateContext(opened.display, config, EGL_NO_CONTEXT, wanted_context);
  if (opened.context == EGL_NO_CONTEXT) {
    wanted_context[6] = EGL_NONE;
    opened.context = eglCreateContext(opened.display, config, EGL_NO_CONTEXT, wanted_context);
  }
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
