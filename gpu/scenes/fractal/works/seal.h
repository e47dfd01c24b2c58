#pragma once
#include <utility>
#include <vector>

#include "gpu/core/bits.h"
#include "gpu/core/buffer.h"
#include "gpu/core/group.h"
#include "gpu/core/hash.h"
#include "gpu/core/launch.h"
#include "gpu/core/mersenne.h"
#include "gpu/core/rounded.h"
#include "gpu/core/type_list.h"
#include "gpu/core/unroll.h"
#include "gpu/scenes/fractal/works/sliced.h"

// The seal of fractals, p = 2^61 - 1: a cell has lane l, place i in its block of k^G words, and block T, as SlicedShape
// has them, whatever the storage. The seal is
//
//   sum over live cells of 2^(l mod 32) V(i) Z(l div 32) U(T)   modulo p,
//   V(i) = key_hash(0x56, i) >> 10,  Z(w) = key_hash(0x5A, w) mod p,  U(T) = key_hash(0x55, T) mod p,
//
// and the number of live cells beside it. Every storage computes it where it lies; any order gives the same.
namespace warploom {

struct SealKeys {
  WARPLOOM_HD static constexpr std::uint64_t of_word(std::uint32_t i) { return key_hash(0x56, i) >> 10; }
  WARPLOOM_HD static constexpr std::uint64_t of_chunk(std::uint32_t chunk) { return folded_61(key_hash(0x5A, chunk)); }
  WARPLOOM_HD static constexpr std::uint64_t of_block(std::uint64_t block) { return folded_61(key_hash(0x55, block)); }
};

/// V(i) in its halves, of 27 bits each: a word times a half is one instruction.
struct SealKey {
  static constexpr int half = 27;
  std::uint32_t low = 0, high = 0;
  SealKey() = default;
  WARPLOOM_HD_FLAT constexpr explicit SealKey(std::uint64_t key)
      : low(static_cast<std::uint32_t>(key & ((1u << half) - 1))), high(static_cast<std::uint32_t>(key >> half)) {}
};

/// Of the words of a register block, for kernels that go through them one after the other.
struct SealKeyTable {
  SealKey of_word[64] = {};
  SealKeyTable() {
    for (std::uint32_t i = 0; i < 64; ++i) of_word[i] = SealKey(SealKeys::of_word(i));
  }
};

/// What threads add up: parts of the seal that cannot overflow, and live cells. Of two such sets one is added to while
/// the kernel clears the other, for the next.
struct SealSlots {
  static constexpr std::uint64_t slots = 1024, words_apart = 4, words_in_all = slots * words_apart;
  std::uint64_t* words = nullptr;  ///< [slots][words_apart], zero before: low 32 bits, the others, live cells
  std::uint64_t* cleared = nullptr;
  std::uint64_t blocks = 1;  ///< of the launch

  /// A device sums both in one number: what is above 32 bits of 32 parts below 2^61, and live cells.
  static constexpr int live_from = 34;

  /// part(thread) is below the prime, and live(thread), below 2^25, goes with it; of every thread of the group.
  template <class Group, class PerThread>
  WARPLOOM_HD void add(Group& group, PerThread& part, PerThread& live) const {
    const std::uint64_t first = group.block_number() * group.size(), all = blocks * group.size();
    typename Group::template PerThread<std::uint64_t> low, high;
    group.each([&](const Thread& thread) {
      for (std::uint64_t i = first + thread.index; i < words_in_all; i += all) cleared[i] = 0;
      low[thread] = part[thread] & 0xffffffffu;
      high[thread] = part[thread] >> 32;
      if constexpr (on_device()) high[thread] |= live[thread] << live_from;
    });
    const auto to = [&](unsigned warp) { return words + (group.block_number() * 8 + warp) % slots * words_apart; };
    group.each_warp_sum(low, [&](unsigned warp, std::uint64_t sum) { atomic_add(to(warp), sum); });
    if constexpr (on_device()) {
      group.each_warp_sum(high, [&](unsigned warp, std::uint64_t sum) {
        atomic_add(to(warp) + 1, sum & ((std::uint64_t{1} << live_from) - 1));
        atomic_add(to(warp) + 2, sum >> live_from);
      });
    } else {
      group.each_warp_sum(high, [&](unsigned warp, std::uint64_t sum) { atomic_add(to(warp) + 1, sum); });
      group.each_warp_sum(live, [&](unsigned warp, std::uint64_t sum) { atomic_add(to(warp) + 2, sum); });
    }
  }
  struct Total {
    std::uint64_t seal = 0, live = 0;
    friend bool operator==(const Total&, const Total&) = default;
  };
  static Total total(const std::vector<std::uint64_t>& words) {
    Total total;
    for (std::size_t i = 0; i < words.size(); i += words_apart) {
      total.seal = folded_61(total.seal + folded_61(words[i]));
      total.seal = folded_61(total.seal + product_61(folded_61(words[i + 1]), std::uint64_t{1} << 32));
      total.live += words[i + 2];
    }
    return total;
  }
};

/// Two sets of slots, of which each kernel that seals clears the other; kept: allocating on a device waits for all its
/// work.
class SealSets {
 public:
  explicit SealSets(Backend backend) : words_(backend, 2 * SealSlots::words_in_all) {}
  std::uint64_t bytes() const { return words_.bytes(); }
  /// The one that is added to next.
  std::uint64_t number() const { return set_; }

  /// Before a launch that adds up a seal, ...
  void clear(Queue& queue) {
    // What was launched and not waited for may have been given up.
    if (!std::exchange(clear_, false)) words_.zero(queue);
  }
  /// ... where it is added up, ...
  SealSlots slots(const LaunchShape& shape) const {
    std::uint64_t* const sets[] = {words_.data(), words_.data() + SealSlots::words_in_all};
    return {sets[set_], sets[1 - set_], shape.block_count()};
  }
  /// ... and after it: the next one is added up elsewhere.
  void turn() { set_ = 1 - set_; }
  /// What was added up last. Waits.
  SealSlots::Total total(Queue& queue) {
    std::vector<std::uint64_t> words(SealSlots::words_in_all);
    download_bytes(queue, words.data(), words_.data() + (1 - set_) * SealSlots::words_in_all,
                   words.size() * sizeof(std::uint64_t));
    clear_ = true;  // the kernel ran to its end
    return SealSlots::total(words);
  }

 private:
  Buffer<std::uint64_t> words_;
  std::uint64_t set_ = 0;
  bool clear_ = false;
};

/// The part of the seal that words of a register block in one chunk are.
struct SealOfWords {
  std::uint64_t low = 0, high = 0;  ///< of at most 32 words at a time: their products fit no more
  std::uint32_t live = 0;

  WARPLOOM_HD_FLAT void add(std::uint32_t word, const SealKey& key) {
    low += std::uint64_t{word} * key.low;
    high += std::uint64_t{word} * key.high;
    live += bit_count(word);
  }
  /// Word i of its block: its key is a constant.
  template <int i>
  WARPLOOM_HD_FLAT void add(Number<i>, std::uint32_t word) {
    constexpr SealKey key(SealKeys::of_word(i));
    add(word, key);
  }
  WARPLOOM_HD_FLAT void fold() {
    low = folded_61(low);
    high = folded_61(high);
  }
  /// Words of one chunk, so many chunks apart.
  WARPLOOM_HD_FLAT void add_block(const std::uint32_t* words, std::uint64_t apart, std::uint32_t count,
                                  const SealKey* keys) {
    for (std::uint32_t begin = 0; begin < count; begin += 32) {
      const std::uint32_t end = begin + 32 < count ? begin + 32 : count;
      WARPLOOM_UNROLL_SOME  // several words are under way at once
          for (std::uint32_t i = begin; i < end; ++i) add(words[i * apart], keys[i]);
      fold();
    }
  }
  /// Z(chunk) U(block): what the sum of V(i) is multiplied by.
  WARPLOOM_HD static std::uint64_t weight(std::uint32_t chunk, std::uint64_t block) {
    return product_61(SealKeys::of_chunk(chunk), SealKeys::of_block(block));
  }
  /// Below the prime.
  WARPLOOM_HD std::uint64_t part(std::uint64_t weight) const {
    return product_61(folded_61(folded_61(low) + times_power_61(folded_61(high), SealKey::half)), weight);
  }
  WARPLOOM_HD std::uint64_t part(std::uint32_t chunk, std::uint64_t block) const { return part(weight(chunk, block)); }
};

/// add_block by what the processor has for it.
void seal_block_on_cpu(const std::uint32_t* words, std::uint64_t apart, std::uint32_t count, const SealKey* keys,
                       SealOfWords& seal);

/// What a step adds up of the words it writes: nothing, or the seal.
struct NoSeal {
  static constexpr bool seals = false;
};
struct WithSeal {
  static constexpr bool seals = true;
  SealSlots to;
};
/// body(sealing): with the seal where there are slots for it.
template <class Body>
void with_sealing(const SealSlots* slots, Body&& body) {
  if (slots)
    body(WithSeal{*slots});
  else
    body(NoSeal{});
}

/// Places of a register block's cells, and their keys.
struct SealPlaces {
  std::uint64_t key[64] = {};
  Index2 at[64] = {};
  std::uint32_t count = 0;
  SealPlaces() = default;
  SealPlaces(const FractalDomain& domain, const SlicedShape& shape) : count(shape.in_block) {
    for (std::uint32_t i = 0; i < count; ++i) {
      key[i] = SealKeys::of_word(i);
      at[i] = domain.member_digits(i, 0, shape.block_digits);
    }
  }
};

/// Of a storage of cells: a thread the cells of a block in one lane. Launched with launch_shape().
template <class Storage>
struct SealCells {
  FractalDomain domain;
  SlicedShape shape;
  SealPlaces places;
  Storage state;
  SealSlots to;

  std::uint64_t items() const { return shape.blocks() * shape.lanes; }
  LaunchShape launch_shape() const { return row_shape(items()); }
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<std::uint64_t> part, live;
    group.each([&](const Thread& thread) { part[thread] = live[thread] = 0; });
    const std::uint64_t first = group.block_number() * group.size(), blocks = shape.blocks();
    group.each([&](const Thread& thread) {
      const std::uint64_t item = first + thread.index;
      if (item >= blocks * shape.lanes) return;
      const std::uint64_t lane = item / blocks, block = item - lane * blocks;
      const Index2 base = domain.member_digits(block, shape.block_digits, shape.base_digits - shape.block_digits) +
                          domain.member_digits(lane, shape.base_digits, domain.level - shape.base_digits);
      std::uint64_t sum = 0, count = 0;
      const auto add = [&](std::uint32_t i, std::uint64_t alive) {
        sum += alive * places.key[i];
        count += alive;
      };
      bool done = false;
      if constexpr (requires { state.has_boxes_of(0); })
        if (state.has_boxes_of(shape.block_digits)) {
          done = true;
          const std::uint8_t* box = state.data + state.address({base.x, base.y, 0});
          WARPLOOM_UNROLL_SOME  // several cells are under way at once
              for (std::uint32_t i = 0; i < places.count; ++i)
                  add(i, box[places.at[i].y * state.pitch + places.at[i].x]);
        }
      for (std::uint32_t i = 0; !done && i < places.count; ++i) {
        const Index2 at = base + places.at[i];
        add(i, state.load({at.x, at.y, 0}));
      }
      if (!count) return;
      const auto of_lane = static_cast<std::uint32_t>(lane);
      sum = times_power_61(folded_61(sum), static_cast<int>(of_lane % 32));
      part[thread] = product_61(product_61(sum, SealKeys::of_chunk(of_lane / 32)), SealKeys::of_block(block));
      live[thread] = count;
    });
    to.add(group, part, live);
  }
};

/// Of a sliced state: a thread the words of a block in one chunk. `words`: how many those are, where that is known when
/// this is compiled: then all are under way at once, and keys are constants; else 0. Launched with launch_shape().
template <int words = 0>
struct SealWords {
  static constexpr unsigned most_threads = 128, least_blocks = 8;
  static constexpr bool begins_early = true, rows_of_warps = true;

  Sliced state;
  SealKeyTable keys;
  SealSlots to;

  std::uint64_t items() const { return state.shape.blocks() * state.shape.chunks; }
  /// Small blocks, so that those of a small state are shared out evenly.
  LaunchShape launch_shape() const {
    LaunchShape shape = row_shape(items());
    for (; shape.threads.x > most_threads; shape.threads.x /= 2) shape.blocks.x *= 2;
    return shape;
  }
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    const SlicedShape& shape = state.shape;
    const std::uint64_t first = group.block_number() * group.size(), all = shape.blocks() * shape.chunks;
    const std::uint32_t apart = shape.blocks_in_tile * shape.chunks;
    typename Group::template PerThread<std::uint64_t> part, live;
    // What a state does not say is found out while the launch before ends.
    typename Group::template PerThread<std::uint64_t> from, weight;
    group.each([&](const Thread& thread) {
      part[thread] = live[thread] = 0;
      const std::uint64_t item = first + thread.index;
      if (item >= all) return;
      const std::uint64_t block =
          item >> 32 ? item / shape.chunks : shape.by_chunks.quotient(static_cast<std::uint32_t>(item));
      const auto chunk = static_cast<std::uint32_t>(item - block * shape.chunks);
      from[thread] = shape.place_in(block, 0, chunk);
      weight[thread] = SealOfWords::weight(shape.first_chunk + chunk, block);
    });
    group.after_previous();
    group.each([&](const Thread& thread) {
      if (first + thread.index >= all) return;
      const std::uint32_t* const first_word = state.words + from[thread];
      SealOfWords seal;
      if constexpr (on_device() && words > 0)
        add_known(std::make_integer_sequence<int, words>{}, first_word, apart, seal);
      else if constexpr (on_device())
        seal.add_block(first_word, apart, shape.in_block, keys.of_word);
      else
        seal_block_on_cpu(first_word, apart, shape.in_block, keys.of_word, seal);
      if (!seal.live) return;
      part[thread] = seal.part(weight[thread]);
      live[thread] = seal.live;
    });
    group.next_may_begin();
    to.add(group, part, live);
  }

 private:
  template <int... i>
  WARPLOOM_HD_FLAT static void add_known(std::integer_sequence<int, i...>, const std::uint32_t* from,
                                         std::uint32_t apart, SealOfWords& seal) {
    static_assert(words <= 32, "sums of more do not fit");
    const std::uint32_t held[] = {from[static_cast<std::size_t>(i * apart)]...};
    (seal.add(Number<i>{}, held[i]), ...);
    seal.fold();
  }
};

/// body(program) of the one that fits the state: those of the shipped masks are known when this is compiled.
template <class Body>
void with_seal_words(const Sliced& state, Body&& body) {
  bool done = false;
  const auto take = [&]<int words>(std::integer_sequence<int, words>) {
    if (done || (words && state.shape.in_block != static_cast<std::uint32_t>(words))) return;
    done = true;
    body(SealWords<words>{state, {}, {}});
  };
  [&]<int... words>(std::integer_sequence<int, words...>) { (take(std::integer_sequence<int, words>{}), ...); }
  (std::integer_sequence<int, 7, 8, 12, 16, 25, 27, 32, 0>{});
}

}  // namespace warploom
