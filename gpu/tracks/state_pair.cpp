#include "gpu/tracks/state_pair.h"

#include <algorithm>

#include "gpu/core/backend.h"
#include "gpu/core/shared_pages.h"

namespace warploom {

StatePair::StatePair(Queue& queue, std::uint64_t bytes, bool single) : single_(single) {
  states_[0].buffer = Buffer<std::uint8_t>(queue.backend(), bytes);
  if (!single) states_[1].buffer = Buffer<std::uint8_t>(queue.backend(), bytes);
  if (queue.backend() == Backend::cpu) return;  // its memory comes zeroed, its launches are done when they return
  for (std::size_t i = 0; i < (single ? 1u : 2u); ++i) states_[i].buffer.zero(queue);
  if (single) states_[0].written.emplace(queue.backend()).set(queue);
}

StatePair::Reader::Reader(StatePair& pair, Queue& queue, bool waits) : pair_(pair), queue_(queue) {
  // The finished state may not change between asking which it is and holding it.
  const std::shared_lock front(pair.front_mutex_);
  index_ = pair.front_;
  State& state = pair.states_[index_];
  lock_ = waits ? std::shared_lock(state.mutex) : std::shared_lock(state.mutex, std::try_to_lock);
  if (state.written && lock_) state.written->hold(queue);
}

StatePair::Reader::~Reader() {
  if (queue_.backend() == Backend::cpu || !lock_) return;
  State& state = pair_.states_[index_];
  const std::lock_guard lock(state.read_mutex);
  const auto known = std::find_if(state.reads.begin(), state.reads.end(),
                                  [&](const auto& read) { return read.stream == queue_.stream(); });
  try {
    if (known != state.reads.end())
      known->done.set(queue_);
    else
      state.reads.emplace_back(State::ReadIn{queue_.stream(), DeviceEvent(queue_.backend())}).done.set(queue_);
  } catch (const std::exception&) {
    // No event to be had: the reads themselves are waited for, and a device that fails says so at the next launch.
    try {
      queue_.wait();
    } catch (const std::exception&) {
    }
  }
}

StatePair::Writer::Writer(StatePair& pair, Queue& queue, std::size_t index)
    : pair_(pair), queue_(queue), index_(index) {
  State& state = pair.states_[index_];
  lock_ = std::unique_lock(state.mutex);
  state.serial = ++pair.last_serial_;
  const std::lock_guard reads(state.read_mutex);
  for (const auto& read : state.reads) read.done.hold(queue);
}

StatePair::Writer::~Writer() {
  if (auto& written = pair_.states_[index_].written) written->set(queue_);
}

void StatePair::flip(bool to_spare) {
  if (single_) return;
  const std::unique_lock lock(front_mutex_);
  front_ = to_spare ? spare() : next();
}

bool StatePair::make_spare(Queue& queue) {
  if (single_ || count_ == 3) return !single_;
  // A tenth is left to others.
  if (static_cast<double>(one_bytes()) > .9 * static_cast<double>(free_bytes(queue.backend()))) return false;
  {
    const ScopedSharedPages as_the_others(shared_pages_at(states_[0].buffer.data()).has_value());
    states_[2].buffer = Buffer<std::uint8_t>(queue.backend(), one_bytes());
  }
  if (queue.backend() != Backend::cpu) states_[2].buffer.zero(queue);
  count_ = 3;
  return true;
}

}  // namespace warploom
