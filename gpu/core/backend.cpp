#include "gpu/core/backend.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <sstream>
#include <thread>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/probe.h"
#if WARPLOOM_WITH_CUDA
#include "gpu/core/cuda_check.h"
#endif

namespace warploom {

std::string_view name(Backend backend) { return backend == Backend::cuda ? "cuda" : "cpu"; }

namespace {

CudaStatus probe() {
  CudaStatus status;
#if WARPLOOM_WITH_CUDA
  status.built = true;
  const auto version = [](int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); };
  int runtime = 0, driver = 0, count = 0;
  cudaRuntimeGetVersion(&runtime);
  status.runtime = version(runtime);
  cudaDriverGetVersion(&driver);
  status.driver = driver ? version(driver) : "";
  const cudaError_t found = cudaGetDeviceCount(&count);
  if (found != cudaSuccess || count == 0) {
    (void)cudaGetLastError();
    const bool no_driver = driver == 0;
    status.problem = no_driver                    ? "no NVIDIA driver is loaded"
                     : found == cudaErrorNoDevice ? "the driver sees no NVIDIA device"
                     : found == cudaErrorInsufficientDriver
                         ? "the driver speaks CUDA " + status.driver + ", this program needs " + status.runtime
                         : std::string(cudaGetErrorString(found));
    status.remedy = no_driver ? "sudo apt install nvidia-driver   # from Debian's non-free component, then restart"
                              : "nvidia-smi   # shows what the driver sees";
    return status;
  }
  cudaDeviceProp properties{};
  if (cudaGetDeviceProperties(&properties, 0) == cudaSuccess) {
    status.device_name = properties.name;
    status.compute_capability = std::to_string(properties.major) + "." + std::to_string(properties.minor);
    status.memory_bytes = properties.totalGlobalMem;
    status.l2_bytes = static_cast<std::uint64_t>(properties.l2CacheSize);
    status.multiprocessors = properties.multiProcessorCount;
  }
  std::ifstream file("/proc/driver/nvidia/version");
  std::string line;
  if (std::getline(file, line)) {
    // "NVRM version: NVIDIA UNIX ... Kernel Module for x86_64  580.159.04  Release Build ...": the first word with
    // dots.
    std::istringstream words(line);
    for (std::string word; words >> word;)
      if (std::count(word.begin(), word.end(), '.') >= 1 && std::isdigit(static_cast<unsigned char>(word[0]))) {
        status.driver = word;
        break;
      }
  }
  try {
    run_probe_kernel();
    status.usable = true;
  } catch (const Error& error) {
    status.problem = std::string("a test kernel did not run: ") + error.what();
    status.remedy = "cmake --preset cuda -DCMAKE_CUDA_ARCHITECTURES=native && cmake --build --preset cuda";
  }
#else
  status.problem = "this program was built without a CUDA compiler";
  status.remedy = "sudo apt install nvidia-cuda-toolkit   # or NVIDIA's own package, then scripts/run.sh";
#endif
  return status;
}

}  // namespace

const CudaStatus& cuda_status() {
  static const CudaStatus status = probe();
  return status;
}

Backend choose_backend(std::string_view wanted) {
  const std::vector<std::string> names{"auto", "cuda", "cpu"};
  if (std::find(names.begin(), names.end(), wanted) == names.end())
    throw UsageError(unknown_message("backend", wanted, names));
  if (wanted == "cpu") return Backend::cpu;
  if (cuda_status().usable) return Backend::cuda;
  if (wanted == "cuda")
    throw CudaUnavailable("--backend cuda: " + cuda_status().problem +
                          "; use --backend cpu, or: " + cuda_status().remedy);
  return Backend::cpu;
}

std::uint64_t free_bytes([[maybe_unused]] Backend backend) {
#if WARPLOOM_WITH_CUDA
  if (backend == Backend::cuda) {
    std::size_t available = 0, total = 0;
    WARPLOOM_CUDA(cudaMemGetInfo(&available, &total));
    return available;
  }
#endif
  std::uint64_t available = std::numeric_limits<std::uint64_t>::max();
  std::ifstream meminfo("/proc/meminfo");
  for (std::string key; meminfo >> key;) {
    std::uint64_t kibibytes = 0;
    if (key == "MemAvailable:" && meminfo >> kibibytes) available = kibibytes * 1024;
    meminfo.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  available = std::min(available, free_in_container());
  // The user may allow less where others share the machine.
  if (const char* wish = std::getenv("WARPLOOM_MEMORY_MIB"))
    available = std::min<std::uint64_t>(available, std::strtoull(wish, nullptr, 10) << 20);
  return available;
}

std::uint64_t free_in_container(const std::string& folder) {
  constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
  std::ifstream limit_file(folder + "/memory.max"), used_file(folder + "/memory.current");
  std::uint64_t limit = 0, used = 0;
  if (!(limit_file >> limit) || !(used_file >> used)) return no_limit;  // "max" is no number
  std::ifstream statistics(folder + "/memory.stat");
  std::uint64_t bytes = 0;
  for (std::string key; statistics >> key >> bytes;)
    if (key == "inactive_file") used -= std::min(used, bytes);
  return limit > used ? limit - used : 0;
}

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

unsigned cpu_threads() { return std::max(1u, std::thread::hardware_concurrency()); }

}  // namespace warploom
