#pragma once
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

namespace warploom {

/// Builds that check which thread calls what: debug builds, and those with sanitizers, which define NDEBUG.
#if defined(WARPLOOM_CHECK_THREADS) || !defined(NDEBUG)
inline constexpr bool threads_checked = true;
#else
inline constexpr bool threads_checked = false;
#endif

/// The one thread that may call some functions of an object: the first that does.
class ThreadOwner {
 public:
  /// Aborts with the function's name where another thread owns it; nothing in builds that do not check.
  void check(const char* function) const {
    if constexpr (threads_checked) {
      std::thread::id none{};
      const std::thread::id self = std::this_thread::get_id();
      if (owner_.compare_exchange_strong(none, self) || none == self) return;
      std::fprintf(stderr, "%s: called from a thread that does not own it\n", function);
      std::abort();
    }
  }

 private:
  mutable std::atomic<std::thread::id> owner_{};
};

}  // namespace warploom
