#include "gpu/core/devices.h"

#include <algorithm>
#include <cstdlib>

#include "gpu/core/error.h"
#if WARPLOOM_WITH_CUDA
#include <cuda_runtime.h>
#endif

namespace warploom {

namespace {

/// How many devices the first card stands for; 0: each is itself.
int stood_for() {
  static const int count = [] {
    const char* wish = std::getenv("WARPLOOM_TEST_DEVICES");
    return wish ? std::clamp(std::atoi(wish), 0, most_devices) : 0;
  }();
  return count;
}

std::vector<DeviceInfo> ask_cuda() {
  std::vector<DeviceInfo> all;
#if WARPLOOM_WITH_CUDA
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    (void)cudaGetLastError();
    return all;
  }
  for (int i = 0; i < std::min(count, most_devices); ++i) {
    cudaDeviceProp of{};
    if (cudaGetDeviceProperties(&of, i) != cudaSuccess) {
      (void)cudaGetLastError();
      break;
    }
    all.push_back({of.name, std::to_string(of.major) + "." + std::to_string(of.minor), of.totalGlobalMem});
  }
#endif
  if (const int wish = stood_for(); wish && !all.empty()) all.assign(static_cast<std::size_t>(wish), all.front());
  return all;
}

}  // namespace

const std::vector<DeviceInfo>& cuda_devices() {
  static const std::vector<DeviceInfo> all = ask_cuda();
  return all;
}

void check_devices(Backend backend, int devices) {
  if (backend == Backend::cpu || devices <= 1) return;
  const auto& there = cuda_devices();
  if (static_cast<std::size_t>(devices) <= there.size()) return;
  std::string names, fits = "1";
  for (std::size_t i = 0; i < there.size(); ++i) names += (i ? ", " : " (") + std::to_string(i) + " " + there[i].name;
  for (std::size_t d = 2; d <= there.size(); d *= 2) fits += (2 * d > there.size() ? " or " : ", ") + std::to_string(d);
  throw UsageError("devices=" + std::to_string(devices) + ": this machine has " + std::to_string(there.size()) +
                   " CUDA device" + (there.size() == 1 ? "" : "s") + names + (names.empty() ? "" : ")") + "; " + fits +
                   ", or --backend cpu, where pools stand for them");
}

int most_devices_there(Backend backend) {
  return backend == Backend::cpu ? most_devices : static_cast<int>(cuda_devices().size());
}

bool reach_each_other(Device one, Device other) {
  if (one.backend == Backend::cpu || cuda_ordinal(one) == cuda_ordinal(other)) return true;
  int reaches = 0;
#if WARPLOOM_WITH_CUDA
  if (cudaDeviceCanAccessPeer(&reaches, cuda_ordinal(one), cuda_ordinal(other)) != cudaSuccess) {
    (void)cudaGetLastError();
    reaches = 0;
  }
#endif
  return reaches != 0;
}

int cuda_ordinal(Device device) { return stood_for() ? 0 : device.number; }

}  // namespace warploom
