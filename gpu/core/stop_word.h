#pragma once
#include <cstdint>

#include "gpu/core/queue.h"

namespace warploom {

/// How launches that run until all work is done learn that their queue was cancelled. On the CPU pause() ends them; on
/// CUDA their blocks read this word wherever they find nothing to do, and end when it is not 0. Used by the thread of
/// the queue.
class StopWord {
 public:
  explicit StopWord(Backend backend);
  ~StopWord();
  StopWord& operator=(StopWord&&) = delete;  // neither copied nor moved

  /// For programs, read by relaxed_load: in the host's memory, so by one thread of a block, and not at every turn.
  const std::uint32_t* data() const { return word_; }

  /// Waits for everything launched so far in the queue. When the queue is cancelled meanwhile it sets the word; once
  /// the launches have ended it clears it and throws Cancelled, as what they were to do is not done.
  void wait(Queue& queue);

 private:
  Backend backend_;
  std::uint32_t* word_;
};

}  // namespace warploom
