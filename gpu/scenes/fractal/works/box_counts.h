#pragma once
#include "gpu/core/bits.h"
#include "gpu/core/group.h"
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
    each_item(group, ranges * shape.chunks, [&](std::uint64_t i) {
      const std::uint64_t range = i / shape.chunks, first = range * in_range;
      const auto chunk = static_cast<std::uint32_t>(i - range * shape.chunks);
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

}  // namespace warploom
