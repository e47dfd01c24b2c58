#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/core/pixels.h"

namespace warploom::gl {

/// Whether an OpenGL context is current in this thread and its functions are loaded.
bool has_context();

/// The driver reset the context, after a fault on the device that may be another program's: what was drawn with it is
/// gone, and nothing can be drawn with it any more.
struct ContextLost : Error {
  ContextLost();
};

/// Whether that happened. It stays so: the program has no other context.
bool is_lost();

/// Throws ContextLost, or Error naming every OpenGL error since the last call, and `what` was being done. Waits for
/// nothing.
void check_errors(std::string_view what);

/// What the context says of itself; empty without a context.
std::string renderer();
std::string version();
std::string vendor();

/// Whether the processor rasterises (llvmpipe, softpipe, swrast).
bool is_software();

void clear(Rgba colour);
/// Only a rectangle, from its lower left corner. A rasteriser in software fills it many times faster than it draws one.
void clear(Rgba colour, int x, int y, int width, int height);

/// Pixels, counted from the bottom left as OpenGL does.
void set_viewport(int x, int y, int width, int height);

/// Draws go to the window itself from here on, the viewport covers it.
void bind_window_framebuffer(int width, int height);

void finish();

/// What the bound framebuffer shows: width * height pixels from its bottom left corner, top row first. Waits.
std::vector<Rgba> read_pixels(int width, int height);

}  // namespace warploom::gl
