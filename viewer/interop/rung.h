#pragma once
#include <string>
#include <string_view>

#include "gpu/core/backend.h"

namespace warploom::interop {

/// How a picture gets from where it is computed to where it is drawn.
enum class Rung {
  gl,      ///< kernels write the OpenGL texture itself
  staged,  ///< device memory to pinned host memory to texture
  upload,  ///< the CPU backend's memory to texture
  none     ///< no OpenGL: computed only
};

std::string_view name(Rung rung);

/// Throws UsageError with the valid names. `auto` is none of them.
Rung parse_rung(std::string_view text);

/// What was found, why, and where a better rung exists one line to paste that mends it (else empty).
struct Probe {
  Rung rung = Rung::none;
  std::string reason, remedy;
};

/// Tries the rungs with a real round trip of one pixel, twice: write, give to OpenGL, read back, compare. `wanted` is
/// auto or a rung. The OpenGL context, if there is one, must be current, and the CUDA device chosen.
/// auto: the first rung that works. Throws UsageError for an unknown name or a rung that the backend does not have,
/// DisplayError for a forced rung that does not work here.
Probe probe(Backend backend, std::string_view wanted);

}  // namespace warploom::interop
