#pragma once
#include <array>
#include <atomic>
#include <cstdint>

#include "gpu/core/backend.h"

namespace warploom {

/// What runs kernels: an NVIDIA card by its number, or a pool of CPU threads, of which any number may stand for cards.
struct Device {
  Backend backend = Backend::cpu;
  int number = 0;
  bool operator==(const Device&) const = default;
};
inline constexpr int most_devices = 16;

/// While one lives, what the calling thread allocates, makes and launches is of this device; nested, of the innermost.
class OnDevice {
 public:
  /// It is there: a Queue was made on it, which tells where it is not.
  explicit OnDevice(Device device) noexcept : before_(current(device.backend)), changes_(before_ != device) {
    if (changes_) choose(device);
  }
  ~OnDevice() {
    if (changes_) choose(before_);
  }
  OnDevice& operator=(OnDevice&&) = delete;  // neither copied nor moved

  /// Of the calling thread: the first one, until another is chosen.
  static Device current(Backend backend) noexcept { return {backend, numbers_[static_cast<std::size_t>(backend)]}; }

 private:
  static void choose(Device device) noexcept;
  static inline thread_local std::array<int, 2> numbers_{};  ///< by backend
  Device before_;
  bool changes_;
};

/// A number that is asked of each device once, and kept. Any thread; who asks first at the same time asks twice.
class AskedOfDevice {
 public:
  /// ask() -> std::uint64_t, below the largest one.
  template <class Ask>
  std::uint64_t get(Device device, Ask&& ask) {
    std::atomic<std::uint64_t>& known = known_[static_cast<std::size_t>(device.number)];
    std::uint64_t one_more = known.load(std::memory_order_relaxed);
    if (one_more == 0) known.store(one_more = ask() + 1, std::memory_order_relaxed);
    return one_more - 1;
  }

 private:
  std::array<std::atomic<std::uint64_t>, most_devices> known_{};  ///< one more than it is; 0: not asked yet
};

}  // namespace warploom
