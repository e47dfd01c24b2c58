#pragma once
#include "gpu/core/error.h"
#include "viewer/base/say.h"
#include "viewer/base/stop_signals.h"

namespace warploom {

/// What a command answers that a signal ended before it wrote anything; says so.
inline ExitCode stopped(const StopSignals& stop) {
  say("stopped: nothing is written");
  return static_cast<ExitCode>(128 + stop.number());
}

}  // namespace warploom
