#include "gpu/core/shared_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <map>
#include <mutex>

#include "gpu/core/error.h"
#if WARPLOOM_WITH_CUDA
#include <cstring>

#include "gpu/core/cuda_check.h"
#endif

namespace warploom {

namespace {

thread_local bool shared_wanted = false;

struct Known {
  std::mutex mutex;
  std::map<const std::byte*, SharedPages> by_begin;
  std::uint64_t last = 0;
  std::atomic<std::size_t> count{0};  // most programs have none, and then pay no lock
};
Known& known() {
  static auto* const all = new Known;  // buffers may be released after statics
  return *all;
}

}  // namespace

ScopedSharedPages::ScopedSharedPages(bool on) : before_(shared_wanted) { shared_wanted = before_ || on; }
ScopedSharedPages::~ScopedSharedPages() { shared_wanted = before_; }
bool ScopedSharedPages::wanted() { return shared_wanted; }

void* allocate_shared_pages(std::uint64_t bytes) {
  const int file = memfd_create("warploom", MFD_CLOEXEC);
  if (file < 0) return nullptr;
  void* memory = MAP_FAILED;
  if (ftruncate(file, static_cast<off_t>(bytes)) == 0)
    memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (memory == MAP_FAILED) {
    close(file);
    return nullptr;
  }
  Known& all = known();
  const std::lock_guard lock(all.mutex);
  const auto* begin = static_cast<std::byte*>(memory);
  all.by_begin[begin] = {file, ++all.last, static_cast<std::byte*>(memory), bytes};
  ++all.count;
  return memory;
}

void know_device_pages(void* memory, std::uint64_t bytes) {
  Known& all = known();
  const std::lock_guard lock(all.mutex);
  auto* const begin = static_cast<std::byte*>(memory);
  all.by_begin[begin] = {-1, ++all.last, begin, bytes};
  ++all.count;
}

void forget_device_pages(void* memory) noexcept {
  Known& all = known();
  if (all.count.load() == 0) return;
  const std::lock_guard lock(all.mutex);
  all.count -= all.by_begin.erase(static_cast<std::byte*>(memory));
}

ExportedPages exported_device_pages([[maybe_unused]] const void* memory) {
#if WARPLOOM_WITH_CUDA
  ExportedPages exported{};
  cudaIpcMemHandle_t handle;
  static_assert(sizeof handle == sizeof exported.handle);
  if (cudaIpcGetMemHandle(&handle, const_cast<void*>(memory)) != cudaSuccess)
    throw Error(std::string("the device's memory cannot be shared with another process: ") +
                cudaGetErrorString(cudaGetLastError()) + "; run own maps on the CPU: --backend cpu");
  std::memcpy(exported.handle, &handle, sizeof handle);
  // The driver may have cut it from a larger piece; its runtime does not say so.
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found{};
  WARPLOOM_CUDA(cudaGetDriverEntryPointByVersion("cuMemGetAddressRange", &function, 12000, cudaEnableDefault, &found));
  unsigned long long begin = 0;
  std::size_t bytes = 0;
  const auto range = reinterpret_cast<int (*)(unsigned long long*, std::size_t*, unsigned long long)>(function);
  const auto address = reinterpret_cast<unsigned long long>(memory);
  if (!range || range(&begin, &bytes, address) != 0) throw Error("the device does not say where its memory begins");
  exported.offset = address - begin;
  return exported;
#else
  throw Error("a program without CUDA has no device's memory");
#endif
}

bool release_shared_pages(void* memory) noexcept {
  Known& all = known();
  if (all.count.load() == 0) return false;
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_begin.find(static_cast<std::byte*>(memory));
  if (found == all.by_begin.end()) return false;
  munmap(memory, found->second.bytes);
  close(found->second.file);
  all.by_begin.erase(found);
  --all.count;
  return true;
}

std::optional<SharedPages> shared_pages_at(const void* memory) {
  Known& all = known();
  if (all.count.load() == 0) return std::nullopt;
  const std::lock_guard lock(all.mutex);
  const auto* at = static_cast<const std::byte*>(memory);
  auto found = all.by_begin.upper_bound(at);
  if (found == all.by_begin.begin()) return std::nullopt;
  --found;
  const SharedPages& pages = found->second;
  return at < pages.begin + pages.bytes ? std::optional(pages) : std::nullopt;
}

}  // namespace warploom
