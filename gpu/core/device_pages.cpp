#include "gpu/core/device_pages.h"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

namespace warploom {

namespace {

struct Pages {
  std::uint64_t bytes = 0;
  int device = 0;
};

std::mutex turn;   // one device at a time, of all teams
std::mutex mutex;  // of known()
std::map<std::uintptr_t, Pages>& known() {
  static std::map<std::uintptr_t, Pages> all;
  return all;
}

// What the handler of a fault reads, without a lock, like known(): the program ends there, right or garbled.
std::atomic<int> running_device{-1};
std::atomic<const char*> running_kernel{nullptr};

std::uint64_t whole_pages(std::uint64_t bytes) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return (bytes + page - 1) / page * page;
}

/// A fault at any other address comes again under the usual handler, which ends the program.
void tell_fault(int number, siginfo_t* info, void*) {
  const auto at = reinterpret_cast<std::uintptr_t>(info->si_addr);
  if (running_device >= 0)
    for (const auto& [first, pages] : known())
      if (at >= first && at - first < whole_pages(pages.bytes) && pages.device != running_device) {
        std::array<char, 256> words{};
        const int length = std::snprintf(
            words.data(), words.size(),
            "warploom: kernel %s of device %d reached into memory of device %d, byte %llu of a buffer of %llu\n",
            running_kernel.load(), running_device.load(), pages.device, static_cast<unsigned long long>(at - first),
            static_cast<unsigned long long>(pages.bytes));
        if (length > 0) (void)!write(STDERR_FILENO, words.data(), static_cast<std::size_t>(length));
        _exit(70);
      }
  struct sigaction usual {};
  usual.sa_handler = SIG_DFL;
  sigaction(number, &usual, nullptr);
}

void protect(int device, int how) {
  const std::lock_guard lock(mutex);
  for (const auto& [first, pages] : known())
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    if (pages.device != device) (void)mprotect(reinterpret_cast<void*>(first), whole_pages(pages.bytes), how);
}

}  // namespace

bool teams_are_checked() {
  static const bool checked = [] {
    const char* wish = std::getenv("WARPLOOM_CHECK_TEAMS");
    if (!wish || std::strcmp(wish, "1") != 0) return false;
    struct sigaction fault {};
    fault.sa_sigaction = tell_fault;
    fault.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &fault, nullptr);
    sigaction(SIGBUS, &fault, nullptr);
    return true;
  }();
  return checked;
}

void know_device_buffer(void* memory, std::uint64_t bytes, int device) {
  if (device == 0 || !teams_are_checked()) return;
  const std::lock_guard lock(mutex);
  known()[reinterpret_cast<std::uintptr_t>(memory)] = {bytes, device};
}

void forget_device_buffer(void* memory) noexcept {
  if (!teams_are_checked()) return;
  const std::lock_guard lock(mutex);
  known().erase(reinterpret_cast<std::uintptr_t>(memory));
}

OnlyOwnBuffers::OnlyOwnBuffers(int device, const char* kernel) {
  turn.lock();
  running_kernel = kernel;
  running_device = device;
  protect(device, PROT_NONE);
}

OnlyOwnBuffers::~OnlyOwnBuffers() {
  protect(running_device, PROT_READ | PROT_WRITE);
  running_device = -1;
  turn.unlock();
}

}  // namespace warploom
