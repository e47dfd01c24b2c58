#pragma once
#include <cstdint>

namespace warploom {

// Pools that stand for devices share one memory: a kernel that reaches into another device's would find what it looks
// for, where cards without a direct link would fail. With WARPLOOM_CHECK_TEAMS=1, which tests set, teams of pools run
// their devices one after the other, and while one runs the buffers of all others cannot be touched: the program ends
// there and then, and says which kernel of which device reached where. The first device's buffers are everybody's: rows
// and states lie there.

/// Whether teams are checked. Asked once.
bool teams_are_checked();

/// A buffer of the CPU engine that was made on a device; whole pages of its own.
void know_device_buffer(void* memory, std::uint64_t bytes, int device);
void forget_device_buffer(void* memory) noexcept;

/// While it lives, buffers of other devices than this one and the first cannot be touched. One at a time.
class OnlyOwnBuffers {
 public:
  /// `kernel`: what runs; told of a fault.
  OnlyOwnBuffers(int device, const char* kernel);
  ~OnlyOwnBuffers();
  OnlyOwnBuffers& operator=(OnlyOwnBuffers&&) = delete;  // neither copied nor moved
};

}  // namespace warploom
