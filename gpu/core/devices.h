#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "gpu/core/device.h"

namespace warploom {

/// A card of this machine.
struct DeviceInfo {
  std::string name, compute_capability;
  std::uint64_t memory = 0;
};
/// All that CUDA tells of, by number; at most `most_devices`. Asked once; no context is made.
const std::vector<DeviceInfo>& cuda_devices();

/// Throws UsageError where there are fewer than `devices`: of the CPU any number of pools stand for them.
void check_devices(Backend backend, int devices);

/// So many there are, or can be: of the CPU pools stand for any number up to most_devices.
int most_devices_there(Backend backend);

/// Whether two devices read each other's memory without the host. Pools do.
bool reach_each_other(Device one, Device other);

/// The number by which the CUDA runtime knows a device. With WARPLOOM_TEST_DEVICES=D, of tests alone, the first card
/// stands for D devices.
int cuda_ordinal(Device device);

}  // namespace warploom
