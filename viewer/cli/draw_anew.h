#pragma once
#include <string>

#include "viewer/app/app.h"

namespace warploom {

/// Puts a program in this one's place that shows the saved session and draws in software, after gl::ContextLost. A
/// device whose driver resets contexts may go on doing so; a rasteriser in software does not. Returns only where it
/// cannot be started, or this program is one such.
void draw_anew(const Options& options);

/// In a program that was started so, what to tell the user, once; else empty.
std::string told_of_lost_context();

}  // namespace warploom
