#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace warploom {

/// Where kernels run. Both run the same maps and works over the same grid.
enum class Backend { cpu, cuda };

std::string_view name(Backend backend);

/// What the CUDA runtime says of this machine. Never throws: `problem` says what is wrong, `remedy` one thing to do.
struct CudaStatus {
  bool built = false;   ///< this program was built with a CUDA compiler
  bool usable = false;  ///< a kernel of this program ran on the device
  std::string device_name, compute_capability, driver, runtime, problem, remedy;
  std::uint64_t memory_bytes = 0, l2_bytes = 0;
  int multiprocessors = 0;
};

/// Probed once, on the first call (creates the CUDA context where there is one); later calls are free.
const CudaStatus& cuda_status();

/// `auto` takes CUDA where a device works. Throws UsageError for an unknown name, CudaUnavailable for `cuda` without.
Backend choose_backend(std::string_view name);

/// Bytes that a new allocation could get now: memory of the device that the calling thread is on, or the host's
/// available memory, of which WARPLOOM_MEMORY_MIB may allow less.
std::uint64_t free_bytes(Backend backend);

/// Bytes that a container leaves to its programs, by the files of its cgroup (version 2) in `folder`: the page cache
/// that the kernel gives back when asked is not counted as used. The largest number where there is no limit.
std::uint64_t free_in_container(const std::string& folder = "/sys/fs/cgroup");

/// The processor's name and the number of hardware threads, for environments of figures.
std::string cpu_name();
unsigned cpu_threads();

}  // namespace warploom
