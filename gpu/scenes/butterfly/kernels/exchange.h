#pragma once
#include <vector>

#include "gpu/scenes/butterfly/kernels/plan.h"

// An exchange through shared memory before a stage: every thread writes what others need, and reads what it needs. The
// word of an element is that of its old place: thread + 2^l item, l: log2 of the threads of the block.
namespace warploom {

enum class WordLayout {
  plain,
  padded,    ///< one word more every 128 bytes
  swizzled,  ///< low bits of the address are mixed with those that readers' lanes differ in
  planned    ///< as a plan has them (Words)
};

inline const char* layout_name(WordLayout layout) {
  constexpr const char* names[] = {"plain", "padded", "swizzled", "by plan"};
  return names[static_cast<int>(layout)];
}

/// Where words lie, in bytes from the exchange's first one.
struct ExchangeWords {
  int threads = 0;     ///< l
  int word_bytes = 8;  ///< 4, 8 or 16
  WordLayout layout = WordLayout::plain;
  // Of swizzled words: address bit `to` is mixed with bit `from`.
  int mixed = 0;
  int bank_digits = 4;  ///< log2 of the words in 128 bytes
  struct Mix {
    int from, to;
  } mix[5] = {};

  WARPLOOM_HD std::uint32_t word(std::uint32_t thread, std::uint32_t item) const {
    std::uint32_t at = thread | item << threads;
    for (int i = 0; i < mixed; ++i) at ^= (at >> mix[i].from & 1) << mix[i].to;
    return at;
  }
  /// Every bit of a place touches bits of its word alone: words of two places of different bits are joined by ^.
  /// Its place counts the words that are left out, too.
  WARPLOOM_HD std::uint32_t slot(std::uint32_t word_number) const {
    return layout == WordLayout::padded ? word_number + (word_number >> bank_digits) : word_number;
  }
  WARPLOOM_HD std::uint32_t byte(std::uint32_t thread, std::uint32_t item) const {
    return slot(word(thread, item)) * static_cast<std::uint32_t>(word_bytes);
  }
  /// That the words of a block take.
  std::uint32_t bytes(int s) const {
    const auto size = static_cast<std::uint32_t>(word_bytes), words = 1u << s;
    return (layout == WordLayout::padded ? words + words / (128 / size) : words) * size;
  }
};

/// What one access of a warp costs: it goes in phases of 128 / word bytes lanes, and a phase takes as many wavefronts
/// as any of the 32 banks has different 4-byte words to give. `ideal`: phases with a live lane.
struct Wavefronts {
  std::uint64_t taken = 0, ideal = 0;
  Wavefronts& operator+=(const Wavefronts& more) {
    taken += more.taken;
    ideal += more.ideal;
    return *this;
  }
};
inline constexpr std::uint32_t dead_lane = ~0u;
/// `bytes`: where each lane's word begins, or dead_lane.
Wavefronts wavefronts_of(const std::vector<std::uint32_t>& bytes, int word_bytes);

/// Words of an exchange in blocks of 2^l threads: where the bits of a reader's thread lie among the address bits
/// decides which are mixed. Source: the house's design; no bank has a conflict then.
inline ExchangeWords exchange_words(const Crossing& crossing, int l, int word_bytes, WordLayout layout) {
  ExchangeWords words;
  words.threads = l;
  words.word_bytes = word_bytes;
  words.layout = layout;
  words.bank_digits = floor_log2(128 / static_cast<std::uint32_t>(word_bytes));
  if (layout != WordLayout::swizzled) return words;
  const int low = words.bank_digits;  // q: address bits that name a bank
  // Of each low bit of the reader's thread, the address bit that it touches.
  std::vector<int> touched;
  for (int k = 0; k < low && k < words.threads; ++k) {
    const int digit = crossing.to.thread.at[k], before = crossing.from.thread.bit_of(digit);
    touched.push_back(before >= 0 ? before : words.threads + crossing.from.registers.bit_of(digit));
  }
  std::vector<bool> taken(static_cast<std::size_t>(low), false);
  for (const int bit : touched)
    if (bit < low) taken[static_cast<std::size_t>(bit)] = true;
  std::size_t free = 0;
  for (const int from : touched) {
    if (from < low) continue;
    while (free < taken.size() && taken[free]) ++free;
    if (free == taken.size()) break;
    words.mix[words.mixed++] = {from, static_cast<int>(free++)};
  }
  return words;
}

/// Of one full block: what its warps write before a stage, and read.
struct ExchangeCost {
  Wavefronts write, read;
};

}  // namespace warploom
