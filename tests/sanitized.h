#pragma once

namespace warploom {

/// Sanitizers cost an order of magnitude, and check value by value: smaller inputs show the same there. The build says
/// so, because GCC and Clang define different macros.
#ifdef WARPLOOM_SANITIZED
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace warploom
