#include "gpu/bench/link_times.h"

#include <algorithm>

#include "gpu/core/buffer.h"
#include "gpu/core/hash.h"
#include "gpu/core/stopwatch.h"

namespace warploom::bench {

namespace {

/// What each device has of an exchange: a block for every device, and one of every device.
struct Blocks {
  Buffer<std::uint64_t> sent, received;
};

std::uint64_t word_of(std::uint64_t seed, int from, int to, std::uint64_t i) {
  return key_hash(seed + static_cast<std::uint64_t>(from) * most_devices + static_cast<std::uint64_t>(to), i);
}

class Exchange {
 public:
  Exchange(Team& team, std::uint64_t bytes, std::uint64_t seed)
      : team_(team), words_(bytes / sizeof(std::uint64_t)), seed_(seed) {
    const int devices = team.size();
    for (int own = 0; own < devices; ++own) {
      Queue& queue = team.queue(own);
      const OnDevice here(queue.device());
      std::vector<std::uint64_t> words;
      words.reserve(words_ * static_cast<std::uint64_t>(devices));
      for (int to = 0; to < devices; ++to)
        for (std::uint64_t i = 0; i < words_; ++i) words.push_back(word_of(seed, own, to, i));
      Blocks& blocks = blocks_.emplace_back();
      blocks.sent = Buffer<std::uint64_t>(queue, words);
      blocks.received = Buffer<std::uint64_t>(queue.backend(), words.size());
      for (int to = 0; to < devices; ++to)
        if (to != own)
          plan_.transfers.push_back(
              {own, to, static_cast<std::uint64_t>(to) * bytes, static_cast<std::uint64_t>(own) * bytes, bytes});
    }
    for (const Blocks& one : blocks_) {
      from_.push_back(one.sent.data());
      to_.push_back(one.received.data());
    }
  }

  /// Microseconds of the device that took longest.
  double run(Queue& queue) {
    Team::Step step(team_, queue);
    step.exchange("link", plan_, from_, to_);
    double longest = 0;
    for (const TeamSpan& span : step.finish()) longest = std::max(longest, span.end_us - span.begin_us);
    return longest;
  }
  bool arrives(Queue& queue) {
    for (int own = 0; own < team_.size(); ++own) {
      const Blocks& blocks = blocks_[static_cast<std::size_t>(own)];
      fill_with_ones(team_.queue(own), blocks.received.data(), blocks.received.bytes());
      team_.queue(own).wait();
    }
    (void)run(queue);
    for (int own = 0; own < team_.size(); ++own) {
      const auto found = blocks_[static_cast<std::size_t>(own)].received.download(team_.queue(own));
      for (int from = 0; from < team_.size(); ++from)
        for (std::uint64_t i = 0; from != own && i < words_; ++i)
          if (found[static_cast<std::uint64_t>(from) * words_ + i] != word_of(seed_, from, own, i)) return false;
    }
    return true;
  }

 private:
  Team& team_;
  std::uint64_t words_, seed_;
  std::vector<Blocks> blocks_;
  LinkPlan plan_;
  std::vector<const void*> from_;
  std::vector<void*> to_;
};

}  // namespace

LinkTimes time_exchange(Queue& queue, Team& team, std::uint64_t bytes, std::size_t samples, std::uint64_t seed) {
  Exchange exchange(team, bytes, seed);
  LinkTimes times;
  times.verified = exchange.arrives(queue);
  for (std::size_t i = 0; times.verified && i < samples; ++i) times.microseconds.push_back(exchange.run(queue));
  times.verified = times.verified && exchange.arrives(queue);
  if (!times.verified) times.microseconds.clear();
  return times;
}

std::vector<double> time_joins(Queue& queue, Team& team, std::size_t samples) {
  std::vector<double> all;
  for (std::size_t i = 0; i < samples + 2; ++i) {
    const double ms = milliseconds_of([&] {
      Team::Step step(team, queue);
      step.each("nothing", [](int, Queue&) {});
      (void)step.finish();
    });
    if (i >= 2) all.push_back(1e3 * ms);  // the first ones wake threads
  }
  return all;
}

}  // namespace warploom::bench
