#include "viewer/gl/egl_displays.h"

#include <dlfcn.h>

#include <algorithm>
#include <utility>

namespace warploom::gl {
namespace {

void* library = nullptr;  // never closed: drivers leave threads and exit handlers behind

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

}  // namespace

GLADapiproc egl_function(const char* name) {
  if (void* found = dlsym(library, name)) return reinterpret_cast<GLADapiproc>(found);
  return eglGetProcAddress ? reinterpret_cast<GLADapiproc>(eglGetProcAddress(name)) : nullptr;
}

std::string load_egl() {
  if (!library) library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return dlerror();
  // glad asks for extension functions through the same loader: eglGetProcAddress must be there before.
  eglGetProcAddress = reinterpret_cast<PFNEGLGETPROCADDRESSPROC>(dlsym(library, "eglGetProcAddress"));
  return gladLoadEGL(EGL_NO_DISPLAY, egl_function) ? "" : "libEGL.so.1 lacks the functions of EGL";
}

bool has_extension(const char* list, std::string_view name) {
  const std::string_view all = list ? list : "";
  for (std::size_t at = all.find(name); at != std::string_view::npos; at = all.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if ((at == 0 || all[at - 1] == ' ') && (end == all.size() || all[end] == ' ')) return true;
  }
  return false;
}

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

}  // namespace warploom::gl
