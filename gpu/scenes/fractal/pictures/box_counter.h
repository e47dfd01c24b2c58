#pragma once
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>

#include "gpu/core/bits.h"
#include "gpu/core/buffer.h"
#include "gpu/core/device_event.h"
#include "gpu/core/launch.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/fractal/works/sliced.h"

// How many cells live in the boxes of a sliced state, level by level: what a picture takes for a box that lies under
// one pixel. Boxes of level q have k^q cells; those of equal low digits lie in as many words, a lane each.
namespace warploom {

/// Of one state, for whoever reads it.
struct BoxCounts {
  static constexpr int most_levels = 24;
  int lowest = 1, highest = 0;  ///< levels that are counted; none where the first is above the second
  std::uint32_t lanes_apart = 32;
  Divider ranges[most_levels];  ///< (level - lowest): ranges of words that a box of the level is one lane of
  std::uint64_t first[most_levels] = {};
  const std::uint32_t* counts = nullptr;  ///< level by level: (ranges, lanes)

  /// Of the box that has these top digits.
  WARPLOOM_HD std::uint32_t at(int level, std::uint32_t number) const {
    const Divider& in = ranges[level - lowest];
    const std::uint32_t lane = in.split(number);
    return counts[first[level - lowest] + std::uint64_t{number} * lanes_apart + lane];
  }
};

/// The lowest level, from words: each thread adds up its chunk of a range of words bit by bit, in counters that lie
/// across words of 32 bits [warren2012delight, section 5-1]. Launched with row_shape(ranges * chunks).
struct CountWords {
  static constexpr int planes = 20;
  const std::uint32_t* words;
  SlicedShape shape;
  std::uint32_t in_range = 1;  ///< words
  std::uint64_t ranges = 1;
  std::uint32_t* counts;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, ranges * shape.all_chunks(), [&](std::uint64_t i) {
      const std::uint64_t range = i / shape.all_chunks(), first = range * in_range;
      const auto chunk = static_cast<std::uint32_t>(i - range * shape.all_chunks());
      std::uint32_t sums[planes] = {};
      std::uint32_t at = 0;
      for (; at + 8 <= in_range; at += 8) {
        std::uint32_t held[8];
        WARPLOOM_UNROLL
        for (std::uint32_t j = 0; j < 8; ++j) held[j] = words[shape.place(first + at + j, chunk)];
        eight(sums, held);
      }
      for (; at < in_range; ++at) {
        std::uint32_t carry = words[shape.place(first + at, chunk)];
        WARPLOOM_UNROLL
        for (int p = 0; p < planes; ++p) carry = add(sums[p], carry);
      }
      std::uint32_t* to = counts + i * 32;
      for (std::uint32_t bit = 0; bit < 32; ++bit) {
        std::uint32_t count = 0;
        WARPLOOM_UNROLL
        for (int p = 0; p < planes; ++p) count |= (sums[p] >> bit & 1u) << p;
        to[bit] = count;
      }
    });
  }

 private:
  /// Adds a bit to each counter's plane; returns what it carries.
  WARPLOOM_HD static std::uint32_t add(std::uint32_t& plane, std::uint32_t more) {
    const std::uint32_t carry = plane & more;
    plane ^= more;
    return carry;
  }
  WARPLOOM_HD static std::uint32_t add(std::uint32_t& plane, std::uint32_t a, std::uint32_t b) {
    const std::uint32_t carry = (plane & a) | (plane & b) | (a & b);
    plane ^= a ^ b;
    return carry;
  }
  WARPLOOM_HD static void eight(std::uint32_t (&sums)[planes], const std::uint32_t (&held)[8]) {
    std::uint32_t twos[4];
    WARPLOOM_UNROLL
    for (std::size_t j = 0; j < 4; ++j) twos[j] = add(sums[0], held[2 * j], held[2 * j + 1]);
    const std::uint32_t fours_a = add(sums[1], twos[0], twos[1]), fours_b = add(sums[1], twos[2], twos[3]);
    std::uint32_t carry = add(sums[2], fours_a, fours_b);
    WARPLOOM_UNROLL
    for (int p = 3; p < planes; ++p) carry = add(sums[p], carry);
  }
};

/// The next level: sums over `copies` ranges that follow each other. Launched with row_shape(ranges * lanes).
struct SumBoxes {
  const std::uint32_t* from;
  std::uint32_t* to;
  std::uint32_t copies = 1;
  Divider lanes;
  std::uint64_t ranges = 1;  ///< of the result

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, ranges * lanes.divisor, [&](std::uint64_t i) {
      const std::uint64_t range = i / lanes.divisor, lane = i - range * lanes.divisor;
      std::uint32_t sum = 0;
      for (std::uint32_t j = 0; j < copies; ++j) sum += from[(range * copies + j) * lanes.divisor + lane];
      to[i] = sum;
    });
  }
};

/// Counts boxes of a sliced state for pictures that show many cells per pixel, once for each state that is shown. Of
/// any thread.
class BoxCounter {
 public:
  BoxCounter(const FractalDomain& domain, const SlicedShape& shape) : domain_(domain), shape_(shape) {
    int lowest = 0;
    std::uint64_t in_range = 1, boxes = domain.cells();
    while (lowest < shape.base_digits && (in_range < least_words || boxes > most_boxes)) {
      in_range *= domain.copies;
      boxes /= domain.copies;
      ++lowest;
    }
    view_.lowest = lowest;
    view_.highest = lowest - 1;
    if (lowest == 0 || in_range < least_words || in_range >= std::uint64_t{1} << CountWords::planes) return;
    in_range_ = static_cast<std::uint32_t>(in_range);
    view_.lanes_apart = shape.all_chunks() * 32;
    std::uint64_t ranges = shape.words / in_range;
    for (int level = lowest; level <= shape.base_digits && level - lowest < BoxCounts::most_levels; ++level) {
      view_.ranges[level - lowest] = Divider(static_cast<std::uint32_t>(ranges));
      view_.first[level - lowest] = words_;
      words_ += ranges * view_.lanes_apart;
      view_.highest = level;
      ranges /= domain.copies;
    }
  }

  /// Whether a picture of so many cells per pixel has boxes to count.
  bool helps(double cells_x, double cells_y) const {
    return view_.highest >= view_.lowest && cells_x >= domain_.power_x[view_.lowest].divisor &&
           cells_y >= domain_.power_y[view_.lowest].divisor;
  }

  /// Holds the counts of one state still: launches that read them go into `queue` while the object lives.
  class Reader {
   public:
    /// `serial` names the state, whose words are held still for as long. Throws Error where there is no memory.
    Reader(BoxCounter& counter, Queue& queue, const std::uint32_t* words, std::uint64_t serial)
        : lock_(counter.mutex_), counter_(counter), queue_(queue) {
      if (counter.used_)
        counter.used_->hold(queue);
      else
        counter.used_.emplace(queue.backend());  // here, as it may throw
      if (counter.serial_ == serial) return;
      counter.serial_ = 0;
      counter.count(queue, words);
      counter.serial_ = serial;
    }
    ~Reader() { counter_.used_->set(queue_); }
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    const BoxCounts& counts() const { return counter_.view_; }

   private:
    std::lock_guard<std::mutex> lock_;
    BoxCounter& counter_;
    Queue& queue_;
  };

  /// The levels that are counted; none where the first is above the second.
  int lowest() const { return view_.lowest; }
  int highest() const { return view_.highest; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  /// Of the lowest level: so many words a range, that few counts are kept of many words; and so many boxes at most.
  static constexpr std::uint64_t least_words = 200, most_boxes = 1 << 24;

  void count(Queue& queue, const std::uint32_t* words) {
    if (counts_.size() == 0) {
      counts_ = Buffer<std::uint32_t>(queue.backend(), words_);
      view_.counts = counts_.data();
      bytes_ = counts_.bytes();
    }
    const CountWords lowest{words, shape_, in_range_, shape_.words / in_range_, counts_.data()};
    launch("fractal.boxes", queue, row_shape(lowest.ranges * shape_.all_chunks()), lowest);
    for (int i = 1; i <= view_.highest - view_.lowest; ++i) {
      const SumBoxes sums{counts_.data() + view_.first[i - 1], counts_.data() + view_.first[i], domain_.copies,
                          Divider(view_.lanes_apart), view_.ranges[i].divisor};
      launch("fractal.boxes", queue, row_shape(sums.ranges * view_.lanes_apart), sums);
    }
  }

  FractalDomain domain_;
  SlicedShape shape_;
  std::uint32_t in_range_ = 1;  ///< words of a range of the lowest level
  std::mutex mutex_;
  BoxCounts view_;
  std::uint64_t words_ = 0;  ///< of all counts
  Buffer<std::uint32_t> counts_;
  std::uint64_t serial_ = 0;         ///< of the state that is counted; 0: none
  std::optional<DeviceEvent> used_;  ///< where its last user stands: another queue waits for it
  std::atomic<std::uint64_t> bytes_{0};
};

}  // namespace warploom
