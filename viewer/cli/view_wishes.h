#pragma once
#include <string>

#include "viewer/app/app.h"
#include "viewer/gl/window.h"

namespace warploom {

/// What commands ask of the window itself: its size, and the clipboard.
void serve_wishes(Model& model, gl::Window& window);
/// Captures the frame just drawn; `alone`: only the large plot.
void capture_frame(App& app, Model& model, const std::string& file, bool alone, gl::Size size);

}  // namespace warploom
