#include "viewer/interop/interop_mode.h"

#include <array>
#include <optional>

#include "gpu/core/error.h"
#include "viewer/gl/state.h"
#include "viewer/interop/cuda_image.h"
#include "viewer/interop/cuda_memory.h"
#include "viewer/interop/surface.h"

namespace warploom::interop {
namespace {

constexpr std::array<std::string_view, 4> names{"gl", "staged", "upload", "none"};

constexpr const char* nvidia_remedy =
    "export __NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia "
    "__EGL_VENDOR_LIBRARY_FILENAMES=/usr/share/glvnd/egl_vendor.d/10_nvidia.json";
constexpr const char* no_context = "no OpenGL context";

std::string hexadecimal(Rgba colour) {
  std::string text = "0x";
  for (int shift = 28; shift >= 0; shift -= 4) text += "0123456789abcdef"[colour >> shift & 15];
  return text;
}

/// Throws Error if a pixel does not arrive. Twice, because the second mapping uses what the first one made.
void round_trip(InteropMode mode) {
  if (mode == InteropMode::gl) CudaImage::require_shared_device();
  Surface surface(mode, 1, 1);
  Surface* const surfaces[] = {&surface};
  for (const Rgba written : {rgba(18, 52, 86), rgba(200, 150, 100)}) {
    FrameWrite frame(surfaces, nullptr);
    if (mode == InteropMode::upload)
      frame.target(0).set(0, 0, written);
    else
      copy_to(frame.target(0), {&written, 1}, nullptr);
    frame.finish();
    const Rgba read = surface.read().at(0);
    if (read != written) throw Error("wrote " + hexadecimal(written) + ", OpenGL reads " + hexadecimal(read));
  }
  gl::check_errors("the round trip of one pixel");
}

/// Why a mode does not work; nothing if it does.
std::optional<std::string> failure(InteropMode mode) {
  if (!gl::has_context()) return no_context;
  try {
    round_trip(mode);
    return std::nullopt;
  } catch (const gl::ContextLost&) {
    throw;  // which no other mode would mend
  } catch (const Error& error) {
    forget_error();
    return error.what();
  }
}

void refuse_foreign(Backend backend, InteropMode mode) {
  if (backend == Backend::cpu && (mode == InteropMode::gl || mode == InteropMode::staged))
    throw UsageError("--interop " + std::string(name(mode)) +
                     " needs the CUDA backend; the CPU backend's mode is upload");
  if (backend == Backend::cuda && mode == InteropMode::upload)
    throw UsageError("--interop upload is the CPU backend's mode; the CUDA backend has gl and staged");
}

Probe forced(InteropMode mode) {
  if (mode == InteropMode::none) return {mode, "asked for", ""};
  if (const auto problem = failure(mode))
    throw DisplayError("--interop " + std::string(name(mode)) + " does not work here: " + *problem + ". Remedy: " +
                       (mode == InteropMode::gl && *problem != no_context ? nvidia_remedy : "--interop auto"));
  return {mode, "asked for; a pixel made the round trip", ""};
}

}  // namespace

std::string_view name(InteropMode mode) { return names[static_cast<std::size_t>(mode)]; }

InteropMode parse_interop_mode(std::string_view text) {
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i] == text) return static_cast<InteropMode>(i);
  throw UsageError("unknown interop \"" + std::string(text) + "\": auto, gl, staged, upload or none");
}

Probe probe(Backend backend, std::string_view wanted) {
  if (wanted != "auto") {
    const InteropMode mode = parse_interop_mode(wanted);
    refuse_foreign(backend, mode);
    return forced(mode);
  }
  if (!gl::has_context()) return {InteropMode::none, no_context, ""};
  if (backend == Backend::cpu) {
    if (const auto problem = failure(InteropMode::upload)) return {InteropMode::none, "upload: " + *problem, ""};
    return {InteropMode::upload, "the CPU backend computes in host memory", ""};
  }
  const auto gl_problem = failure(InteropMode::gl);
  if (!gl_problem) return {InteropMode::gl, "a pixel made the round trip through a texture that CUDA wrote", ""};
  const auto staged_problem = failure(InteropMode::staged);
  if (!staged_problem) return {InteropMode::staged, "gl: " + *gl_problem, nvidia_remedy};
  return {InteropMode::none, "gl: " + *gl_problem + "; staged: " + *staged_problem, nvidia_remedy};
}

}  // namespace warploom::interop
