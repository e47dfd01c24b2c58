#pragma once
#include <chrono>

namespace warploom {

/// How long `body` takes by the host's clock.
template <class Body>
double milliseconds_of(Body&& body) {
  const auto begin = std::chrono::steady_clock::now();
  body();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace warploom
