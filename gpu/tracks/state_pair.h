#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <shared_mutex>

#include "gpu/core/buffer.h"

namespace warploom {

/// Two states of a track: the finished one, that pictures read, and the one a step writes. They change places when the
/// step is done, so that a picture never waits for a step and a step never tears a picture.
class StatePair {
 public:
  /// `single`: one state that every step writes anew; finished and written are the same.
  StatePair(Queue& queue, std::uint64_t bytes, bool single = false);
  ~StatePair();
  StatePair(const StatePair&) = delete;
  StatePair& operator=(const StatePair&) = delete;

  /// Holds the finished state still. Launches that read it go into `queue` while the object lives.
  class Reader {
   public:
    Reader(StatePair& pair, Queue& queue);
    ~Reader();
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    const std::uint8_t* data() const { return pair_.buffers_[index_].data(); }

   private:
    StatePair& pair_;
    Queue& queue_;
    std::shared_lock<std::shared_mutex> lock_;
    int index_;
  };

  /// Holds one of the two states for writing; waits for its readers, on the host or in the queue.
  class Writer {
   public:
    Writer(StatePair& pair, Queue& queue, bool finished_state);
    std::uint8_t* data() const { return pair_.buffers_[index_].data(); }

   private:
    StatePair& pair_;
    std::unique_lock<std::shared_mutex> lock_;
    int index_;
  };

  /// The state that steps read: only the thread that steps may call this.
  const std::uint8_t* finished() const { return buffers_[front_].data(); }
  std::uint8_t* finished_for_setup() const { return buffers_[front_].data(); }

  /// The written state becomes the finished one. The step must be complete on the device.
  void flip();
  void zero(Queue& queue);
  /// Of one state, and of both.
  std::uint64_t one_bytes() const { return buffers_[0].bytes(); }
  std::uint64_t bytes() const { return buffers_[0].bytes() + buffers_[1].bytes(); }

 private:
  friend class Reader;
  friend class Writer;
  std::array<Buffer<std::uint8_t>, 2> buffers_;
  std::array<std::shared_mutex, 2> mutexes_;
  std::array<void*, 2> read_done_{};  ///< CUDA events: the last picture that reads this state
  bool single_ = false;
  std::shared_mutex front_mutex_;
  std::atomic<int> front_{0};
};

}  // namespace warploom
