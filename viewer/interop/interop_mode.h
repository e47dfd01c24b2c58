#pragma once
#include <string>
#include <string_view>

#include "gpu/core/backend.h"

namespace warploom::interop {

/// How a picture gets from where it is computed to where it is drawn.
enum class InteropMode {
  gl,      ///< kernels write the OpenGL texture itself
  staged,  ///< device memory to pinned host memory to texture
  upload,  ///< the CPU backend's memory to texture
  none     ///< no OpenGL: computed only
};

std::string_view name(InteropMode mode);

/// Throws UsageError with the valid names. `auto` is none of them.
InteropMode parse_interop_mode(std::string_view text);

/// What was found, why, and where a better mode exists one line to paste that mends it (else empty).
struct Probe {
  InteropMode mode = InteropMode::none;
  std::string reason, remedy;
};

/// Tries the modes with a real round trip of one pixel, twice: write, give to OpenGL, read back, compare. `wanted` is
/// auto or a mode. The OpenGL context, if there is one, must be current, and the CUDA device chosen.
/// auto: the first mode that works. Throws UsageError for an unknown name or a mode that the backend does not have,
/// DisplayError for a forced mode that does not work here.
Probe probe(Backend backend, std::string_view wanted);

}  // namespace warploom::interop
