#include "gpu/core/stop_word.h"

#include <chrono>
#include <thread>

#include "gpu/core/atomic.h"
#include "gpu/core/buffer.h"
#include "gpu/core/device_event.h"
#include "gpu/core/error.h"

namespace warploom {

StopWord::StopWord(Backend backend)
    : backend_(backend), word_(static_cast<std::uint32_t*>(allocate_shared_bytes(backend, sizeof(std::uint32_t)))) {
  *word_ = 0;
}

StopWord::~StopWord() { release_shared_bytes(backend_, word_); }

void StopWord::wait(Queue& queue) {
  const auto cancelled = [&] { return queue.cancel && queue.cancel->load(std::memory_order_relaxed); };
  if (queue.backend() == Backend::cuda && queue.cancel) {
    DeviceEvent end(Backend::cuda);
    end.set(queue);
    const auto begin = std::chrono::steady_clock::now();
    while (!end.passed()) {
      if (cancelled()) relaxed_store(word_, 1u);
      // A sleep takes longer than a short launch, and would be billed to what launches one after another.
      if (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(1))
        std::this_thread::yield();
      else
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  }
  const bool stopped = cancelled();
  queue.wait();
  relaxed_store(word_, 0u);
  if (stopped) throw Cancelled();
}

}  // namespace warploom
