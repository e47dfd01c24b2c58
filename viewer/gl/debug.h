#pragma once
#include <string>
#include <string_view>

namespace warploom::gl {

/// Whether an OpenGL context is current in this thread and its functions are loaded.
bool has_context();

/// Throws Error naming every OpenGL error since the last call, and `what` was being done. Waits for nothing.
void check_errors(std::string_view what);

/// What the context says of itself; empty without a context.
std::string renderer();
std::string version();
std::string vendor();

/// Whether the processor rasterises (llvmpipe, softpipe, swrast).
bool is_software();

}  // namespace warploom::gl
