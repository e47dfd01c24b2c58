#pragma once
#include "viewer/app/app.h"

namespace warploom {

/// Puts a program in this one's place that shows the saved session and draws in software, after gl::ContextLost. A
/// device whose driver resets contexts may go on doing so; a rasteriser in software does not. Returns where that
/// program cannot be started, or where this one was started so.
void draw_anew(const Options& options);

/// In a program that was started so: tells it, beside what the notice says and offers. Once its window has a context.
void tell_of_lost_context(Model& model);

}  // namespace warploom
