#pragma once
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "gpu/core/answer.h"
#include "gpu/core/buffer.h"
#include "gpu/scenes/bins/kernels/look.h"

namespace warploom {

/// What was found out of the places that are looked at, the last few of them. Any thread.
class BinLooks {
 public:
  /// `launch(count, answer)` launches into `queue` what counts and tells it. Where `version` differs what is found may,
  /// too. A place that is new is waited for; what was found of others is brought up to date without, and not all the
  /// time where it takes long.
  template <class Launch>
  void ask(Queue& queue, const LookedAt& looked, std::uint64_t version, Launch&& launch) {
    const std::lock_guard lock(mutex_);
    Look& look = place_of(queue, looked);
    look.used = Clock::now();
    if (look.waits && !look.answer->there()) return;
    take(look);
    const auto now = Clock::now();
    if (look.found && (look.version == version || now - look.asked < 20 * look.took)) return;
    look.count.zero(queue);
    launch(look.count.data(), look.answer->data());
    look.answer->asked(queue);
    look.asked = now;
    look.version = version;
    look.waits = true;
    if (!look.found || queue.backend() == Backend::cpu) take(look);
  }
  /// None: it was not asked for.
  std::optional<LookFound> found(const LookedAt& looked) const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Look {
    LookedAt looked;
    std::uint64_t version = 0;
    bool waits = false;
    Clock::time_point asked{}, used{};
    Clock::duration took{};
    Buffer<std::uint64_t> count;
    std::unique_ptr<Answer<LookFound>> answer;
    std::optional<LookFound> found;
  };
  /// The one of it, else the one not asked for longest, emptied.
  Look& place_of(Queue& queue, const LookedAt& looked);
  static void take(Look& look);

  static constexpr std::size_t most = 64;  ///< under the mouse, picked, and pinned
  mutable std::mutex mutex_;
  std::vector<std::unique_ptr<Look>> looks_;
};

}  // namespace warploom
