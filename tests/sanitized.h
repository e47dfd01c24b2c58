#pragma once

namespace warploom {

/// Sanitizers cost an order of magnitude, and check value by value: smaller inputs show the same there.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace warploom
