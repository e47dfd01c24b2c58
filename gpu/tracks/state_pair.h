#pragma once
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <vector>

#include "gpu/core/buffer.h"
#include "gpu/core/device_event.h"

namespace warploom {

/// Two states of a track: the finished one, that pictures read, and the one a step or a new start writes. They change
/// places when it is whole, so that a picture never waits for a step and a step never tears a picture. A third, the
/// spare, is there once several steps are taken before one is shown: they go from the one unseen state to the other.
/// Readers may come from any thread; Writers, `finished` and `flip` belong to the thread that steps.
class StatePair {
 public:
  /// `single`: one state that every step writes anew; finished and written are the same.
  StatePair(Queue& queue, std::uint64_t bytes, bool single = false);
  StatePair& operator=(StatePair&&) = delete;  // neither copied nor moved

  /// Holds the finished state still. Launches that read it go into `queue` while the object lives; a single state's
  /// wait there for what its last Writer launched.
  class Reader {
   public:
    Reader(StatePair& pair, Queue& queue) : Reader(pair, queue, true) {}
    /// For the window, which may not wait: held only where no Writer has it now, else false and nothing may be read.
    Reader(StatePair& pair, Queue& queue, std::try_to_lock_t) : Reader(pair, queue, false) {}
    explicit operator bool() const { return lock_.owns_lock(); }
    ~Reader();
    Reader& operator=(Reader&&) = delete;  // neither copied nor moved
    const std::uint8_t* data() const { return pair_.states_[index_].buffer.data(); }
    /// Which of the two it is, for what lies in pairs beside them.
    std::size_t index() const { return index_; }
    /// Changes with what the finished state holds; from 1.
    std::uint64_t serial() const { return pair_.states_[index_].serial; }

   private:
    Reader(StatePair& pair, Queue& queue, bool waits);
    StatePair& pair_;
    Queue& queue_;
    std::shared_lock<std::shared_mutex> lock_;
    std::size_t index_;
  };

  /// Holds one of the two states for writing; waits for its readers, on the host or in the queue. Launches that write
  /// go into `queue` while the object lives.
  class Writers;
  class Writer {
   public:
    Writer(StatePair& pair, Queue& queue, bool finished_state)
        : Writer(pair, queue, finished_state || pair.single_ ? pair.front_.load() : pair.next()) {}
    ~Writer();
    Writer& operator=(Writer&&) = delete;  // neither copied nor moved
    std::uint8_t* data() const { return pair_.states_[index_].buffer.data(); }

   private:
    friend class Writers;
    Writer(StatePair& pair, Queue& queue, std::size_t index);
    StatePair& pair_;
    Queue& queue_;
    std::unique_lock<std::shared_mutex> lock_;
    std::size_t index_;
  };

  /// Holds the written state and the spare one. Both change places with the finished one, so they are always locked in
  /// the order they lie in: two locks taken in an order that turns could wait for each other.
  class Writers {
   public:
    Writers(StatePair& pair, Queue& queue)
        : low_(pair, queue, std::min(pair.next(), pair.spare())),
          high_(pair, queue, std::max(pair.next(), pair.spare())),
          next_is_low_(pair.next() < pair.spare()) {}
    std::uint8_t* next() const { return (next_is_low_ ? low_ : high_).data(); }
    std::uint8_t* spare() const { return (next_is_low_ ? high_ : low_).data(); }

   private:
    Writer low_, high_;
    bool next_is_low_;
  };

  /// The state that steps read: only the thread that steps may call this.
  const std::uint8_t* finished() const { return states_[front_].buffer.data(); }
  bool single() const { return single_; }

  /// The written state becomes the finished one, or the spare one does. It must be complete on the device.
  void flip(bool to_spare = false);
  /// Makes the spare state unless it is there. False: there is no memory for it.
  bool make_spare(Queue& queue);
  bool has_spare() const { return count_ == 3; }
  /// Which of its states the finished one is: the others change places with it.
  std::size_t front() const { return front_; }
  /// Of one state, and of all.
  std::uint64_t one_bytes() const { return states_[0].buffer.bytes(); }
  std::uint64_t bytes() const {
    std::uint64_t all = 0;
    for (const auto& state : states_) all += state.buffer.bytes();
    return all;
  }

 private:
  friend class Reader;
  friend class Writer;
  struct State {
    Buffer<std::uint8_t> buffer;
    std::shared_mutex mutex;
    std::uint64_t serial = 1;  ///< written under the whole lock
    /// Where in each queue its last reader stands: a queue says nothing of another one's readers.
    struct ReadIn {
      void* stream;
      DeviceEvent done;
    };
    std::mutex read_mutex;
    std::vector<ReadIn> reads;  ///< on CUDA alone
    /// Of a single state, on CUDA: nothing waits for a step there before others read what it writes. Set under the
    /// whole lock, held on under the shared one.
    std::optional<DeviceEvent> written;
  };
  std::size_t next() const { return (front_ + 1) % count_; }
  std::size_t spare() const { return (front_ + 2) % count_; }
  std::array<State, 3> states_;
  std::size_t count_ = 2;
  bool single_ = false;
  std::uint64_t last_serial_ = 1;
  std::shared_mutex front_mutex_;
  std::atomic<std::size_t> front_{0};
};

}  // namespace warploom
