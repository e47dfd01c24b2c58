#pragma once
#include <functional>

#include "gpu/core/pixels.h"
#include "viewer/interop/interop_mode.h"

namespace warploom::interop {

/// Medians, in milliseconds per frame.
struct PresentTimes {
  double present_ms = 0;       ///< map, write, unmap, and the triangle that shows it
  double bare_interop_ms = 0;  ///< map, write, unmap alone: what no way through this mode can avoid
  double clear_ms = 0;         ///< map, write, unmap, and a clear of the framebuffer: what touching every pixel costs
  int samples = 0;
};

/// Fills the whole target on the backend of the mode, in the order of `stream` where that is CUDA.
using Write = std::function<void(PixelTarget target, void* stream)>;

/// Times both kinds of frame in turn, in one run, each from idle to idle (the stream's end, then OpenGL's), after
/// a warm-up. The framebuffer is as large as the picture. gl: the bare frame registers its own texture and calls CUDA
/// directly, without Surface and FrameWrite. Needs a current OpenGL context; leaves another framebuffer bound.
/// Throws Error on the mode `none`, and as CUDA and OpenGL fail.
PresentTimes measure_present(InteropMode mode, const Write& write, void* stream = nullptr, int width = 1920,
                             int height = 1080, int samples = 300);

}  // namespace warploom::interop
