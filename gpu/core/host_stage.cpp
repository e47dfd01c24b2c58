#include "gpu/core/host_stage.h"

#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/stopwatch.h"

namespace warploom {

HostStage::HostStage(Queue& queue, std::string kernel, std::uint64_t bytes,
                     std::function<void(Pool&, const std::atomic<bool>*)> body, std::function<void()> await)
    : queue_(queue), kernel_(std::move(kernel)), bytes_(bytes) {
  // The pool is made here: two stages of one step that came first at once would make two.
  thread_ = std::thread(
      [this, &pool = queue.host_pool(), cancel = queue.cancel, run = std::move(body), ready = std::move(await)] {
        auto begin = std::chrono::steady_clock::now();
        try {
          ready();
          begin = std::chrono::steady_clock::now();
          run(pool, cancel);
        } catch (...) {
          failure_ = std::current_exception();
        }
        took_ = std::chrono::steady_clock::now() - begin;
      });
}

HostStage::~HostStage() {
  if (thread_.joinable()) thread_.join();
}

void HostStage::wait() {
  if (!thread_.joinable()) return;
  thread_.join();
  if (failure_) std::rethrow_exception(failure_);
  if (queue_.cancel && queue_.cancel->load()) throw Cancelled();
  if (queue_.stopwatch)
    queue_.stopwatch->record(kernel_, bytes_, std::chrono::duration<double, std::milli>(took_).count());
}

}  // namespace warploom
