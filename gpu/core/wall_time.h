#pragma once
#include <chrono>

namespace warploom {

/// By the host's clock.
inline double milliseconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

/// How long `body` takes.
template <class Body>
double milliseconds_of(Body&& body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  return milliseconds_since(begin);
}

}  // namespace warploom
