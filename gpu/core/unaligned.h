#pragma once
#include <cstdint>
#include <cstring>

#include "gpu/core/macros.h"
#include "gpu/core/pack.h"

namespace warploom {

/// Four bytes that begin anywhere in a backend's memory (buffer.h), of which `count` are asked for, all of them or
/// fewer: what the others are does not count. None: zeros, and nothing is read. A device reads the words of four bytes
/// that hold them. `all`: five or none are there.
template <bool all = false>
WARPLOOM_HD std::uint32_t four_bytes_at(const std::uint8_t* from, std::int32_t count) {
#ifdef __CUDA_ARCH__
  const auto address = reinterpret_cast<std::uintptr_t>(from);
  const auto* const words = reinterpret_cast<const std::uint32_t*>(address & ~std::uintptr_t{3});
  const auto past = static_cast<std::int32_t>(address & 3);
  const std::uint32_t low = load_pack_or_zero<1>(words, count > 0)[0],
                      high = load_pack_or_zero<1>(words + 1, count > 0 && (all || past + count > 4))[0];
  return __funnelshift_r(low, high, 8 * static_cast<unsigned>(past));
#else
  std::uint32_t four = 0;
  if (count >= 4)
    std::memcpy(&four, from, sizeof(four));
  else if (count > 0)
    std::memcpy(&four, from, static_cast<std::size_t>(count));
  return four;
#endif
}

}  // namespace warploom
