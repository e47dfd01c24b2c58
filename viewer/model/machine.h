#pragma once
#include <atomic>
#include <string>

namespace warploom {

/// One frame's cost, in milliseconds.
struct FrameTimes {
  double frame = 0, ui = 0, interop = 0;
};

/// What the status bar says of the machine.
struct Machine {
  std::string device, interop = "none", interop_reason, gl_renderer;
  bool vsync = false, headless = false;
  /// Bytes a second that a copy of large data reads and writes, once it was measured; 0: not yet. Any thread.
  std::atomic<double> copy_ceiling{0};
  /// Nanoseconds that starting a block of a launch takes, measured with it; 0: not yet. Any thread.
  std::atomic<double> block_ns{0};
};

}  // namespace warploom
