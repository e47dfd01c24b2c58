#pragma once
#include "gpu/core/streamed.h"
#include "gpu/scenes/butterfly/tuned/fft_long.h"
#include "gpu/scenes/butterfly/tuned/ring.h"

namespace warploom {

/// Two passes of transforms in one launch, of tiles of as many elements. Of rows longer than a chunk the lowest digits
/// lie in the ring, with those of the second pass's riders above them.
template <class First_, class Second_>
struct TunedRing {
  using First = First_;
  using Second = Second_;
  static_assert(First::plan.p == Second::plan.p && First::plan.l == Second::plan.l);
  using FirstPass = TunedPass<First>;
  using SecondPass = TunedPass<Second>;
  static constexpr unsigned exact_threads = FirstPass::exact_threads, most_threads = exact_threads,
                            least_blocks = FirstPass::least_blocks;
  static constexpr std::uint64_t threads_per_chunk = 1024;
  static constexpr int tile_digits = FirstPass::tile;

  FirstPass first;
  SecondPass second;
  RingShape ring;
  RingBoard board;
  Complex* values;      ///< of the ring
  std::uint64_t tiles;  ///< that each pass has

  std::uint64_t tickets() const { return 2 * (tiles + ring.lag); }
  std::uint64_t dynamic_shared_bytes() const { return word_bytes() + sizeof(std::uint64_t); }

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    auto words = group.template dynamic_tile<Complex>(most_words());
    auto taken = group.template dynamic_tile<std::uint64_t>(1, word_bytes());
    group.once([&] { taken[0] = atomic_fetch_add(board.ticket, std::uint64_t{1}); });
    group.barrier();
    const std::uint64_t number = taken[0] / 2;
    if (taken[0] % 2 == 0) {
      if (number < tiles) make(group, words, number);
    } else if (number >= ring.lag && number - ring.lag < tiles) {
      take(group, words, number - ring.lag);
    }
  }

 private:
  WARPLOOM_HD static constexpr std::uint32_t most_words() {
    constexpr std::uint32_t own = shared_words(First::plan), other = shared_words(Second::plan);
    return own > other ? own : other;
  }
  WARPLOOM_HD static constexpr std::uint64_t word_bytes() { return std::uint64_t{most_words()} * sizeof(Complex); }
  WARPLOOM_HD int digits_of_tiles() const { return ring.chunk - tile_digits; }
  WARPLOOM_HD Complex* slot(std::uint64_t chunk) const { return values + (chunk % ring.slots << ring.chunk); }

  template <class Group, class Words>
  WARPLOOM_HD void make(Group& group, Words& words, std::uint64_t tile) const {
    // Within its chunk a tile has columns, and, where a chunk is of several rows of this pass, one of those.
    const std::uint64_t chunk = tile >> digits_of_tiles(), in_chunk = tile & (ring.tiles_of_chunk() - 1),
                        columns = in_chunk & ((std::uint64_t{1} << first.between()) - 1),
                        row = in_chunk >> first.between();
    const int rows = digits_of_tiles() - first.between(), between_chunks = first.pass.n - ring.chunk;
    const std::uint64_t of_row = chunk & ((std::uint64_t{1} << between_chunks) - 1),
                        outer = ((chunk >> between_chunks << rows | row) << between_chunks) | of_row;
    typename FirstPass::template Own<Group> own;
    first.load(group, own, first.in + (columns << FirstPass::riders) + (outer << first.pass.high()), first.pass.n,
               [](const Complex* from) { return fetch_streamed(from); });
    // While it arrives: what was in the slot must have been read. The barriers of exchanges tell all threads.
    group.once([&] {
      if (chunk >= ring.slots) RingBoard::wait(group, board.taken + (chunk - ring.slots), ring.tiles_of_chunk());
    });
    first.run(group, own, words, columns, [] {});
    first.store(group, own, slot(chunk) + (columns << FirstPass::riders) + (row << first.pass.high()),
                [](Complex* to, const Complex& value) { *to = value; });
    group.barrier();
    group.once([&] { release_add(board.made + chunk, 1); });
  }

  template <class Group, class Words>
  WARPLOOM_HD void take(Group& group, Words& words, std::uint64_t tile) const {
    const std::uint64_t chunk = tile >> digits_of_tiles(), in_chunk = tile & (ring.tiles_of_chunk() - 1);
    group.once([&] { RingBoard::wait(group, board.made + chunk, ring.tiles_of_chunk()); });
    group.barrier();
    typename SecondPass::template Own<Group> own;
    second.load(group, own, slot(chunk) + (in_chunk << SecondPass::digits), ring.chunk,
                [](const Complex* from) { return fetch_past_l1(from); });
    second.run(group, own, words, tile, [&] { group.once([&] { release_add(board.taken + chunk, 1); }); });
    second.store(group, own, second.out + second.first_out(tile),
                 [](Complex* to, const Complex& value) { store_streamed(to, value); });
  }
};

/// The rings that there are, for their kernels: the last two passes of rows of 2^15, 2^16 and from 2^22 on, and, of
/// larger tiles, of those of 2^17 to 2^20.
using FftRings = TypeList<TunedRing<PassOf<passes::Columns8>, PassOf<passes::Rows7>>,
                          TunedRing<PassOf<passes::Columns8>, PassOf<passes::Rows8>>,
                          TunedRing<PassOf<passes::Columns7>, PassOf<passes::Rows7>>>;
using WideFftRings = TypeList<TunedRing<PassOf<passes::Columns9>, PassOf<passes::MoreRows8>>,
                              TunedRing<PassOf<passes::Columns9>, PassOf<passes::Rows9>>,
                              TunedRing<PassOf<passes::Columns10>, PassOf<passes::Rows9>>,
                              TunedRing<PassOf<passes::Columns10>, PassOf<passes::Rows10>>>;

}  // namespace warploom
