#include "gpu/scenes/fractal/works/sliced_on_cpu.h"

#include <algorithm>
#include <cstring>

#include "gpu/scenes/fractal/works/block_rule.h"
#include "gpu/scenes/fractal/works/gasket.h"

namespace warploom {

namespace {

/// A word of the gasket: its eight chunks.
using Wide = std::uint32_t __attribute__((vector_size(32)));
static_assert(sizeof(Wide) == sizeof(std::uint32_t) * gasket_tiles::chunks);

// By GCC alone: another compiler wants the target of what is inlined named at each function.
#if defined(__x86_64__) && !defined(__clang__)
/// The same on processors with an instruction for any function of three words: those with AVX-512 VL.
struct WideTernary {
  static constexpr bool ternary = true;
  Wide all;
  WideTernary() = default;
  [[gnu::always_inline]] explicit WideTernary(const Wide& words) : all(words) {}
  [[gnu::always_inline]] friend WideTernary operator&(const WideTernary& a, const WideTernary& b) {
    return WideTernary(a.all & b.all);
  }
  [[gnu::always_inline]] friend WideTernary operator|(const WideTernary& a, const WideTernary& b) {
    return WideTernary(a.all | b.all);
  }
  [[gnu::always_inline]] friend WideTernary operator^(const WideTernary& a, const WideTernary& b) {
    return WideTernary(a.all ^ b.all);
  }
  [[gnu::always_inline]] friend WideTernary operator~(const WideTernary& a) { return WideTernary(~a.all); }
  [[gnu::always_inline]] friend WideTernary operator&(const WideTernary& a, std::uint32_t b) {
    return WideTernary(a.all & b);
  }
};
template <unsigned table>
[[gnu::always_inline]] inline WideTernary logic_3(const WideTernary& a, const WideTernary& b, const WideTernary& c) {
  Wide to = a.all;
  asm("vpternlogd %3, %2, %1, %0" : "+v"(to) : "v"(b.all), "v"(c.all), "i"(table));
  return WideTernary(to);
}
#endif

/// Of the 27 tiles of a tile of tiles: where the words beside each lie, from its own first word, in words. All of it
/// repeats, but for what lies beyond the corners of the whole.
struct Inner {
  struct Beside {
    std::int32_t apart = 0;
    bool there = false;
  } beside[gasket_tiles::words][gasket_tiles::slots];
};
constexpr Inner inner = [] {
  Inner found;
  for (std::uint32_t member = 0; member < gasket_tiles::words; ++member)
    for (int i = 0; i < gasket_tiles::slots; ++i) {
      const auto slot = gasket_tiles::slot(i);
      const auto met = gasket_tiles::meeting(member, slot.corner, gasket_tiles::block_digits);
      if (met.there && met.digit == slot.digit)
        found.beside[member][i] = {
            static_cast<std::int32_t>((static_cast<std::int64_t>(met.other) - member) * gasket_tiles::words +
                                      slot.word),
            true};
    }
  return found;
}();

template <class Word, class Logic>
[[gnu::always_inline]] inline void step(const SlicedStates& states, const Logic& logic, std::uint32_t first,
                                        std::uint32_t last) {
  const auto tiles = static_cast<std::uint32_t>(states.shape.tiles()), middle = (tiles - 1) / 2;
  const int digits = states.shape.base_digits - gasket_tiles::block_digits;
  static constexpr std::uint32_t zeros[gasket_tiles::chunks] = {};
  std::uint32_t bits[gasket_tiles::chunks];
  for (std::uint32_t chunk = 0; chunk < gasket_tiles::chunks; ++chunk) bits[chunk] = states.shape.valid(chunk);
  Word valid;
  std::memcpy(&valid, bits, sizeof valid);
  std::uint32_t member = first % gasket_tiles::words;
  for (std::uint32_t tile = first; tile < last; ++tile, member = member + 1 == gasket_tiles::words ? 0 : member + 1) {
    const std::uint32_t* const in = states.in + std::uint64_t{tile} * gasket_tiles::words * gasket_tiles::chunks;
    Word own[gasket_tiles::words], around[gasket_tiles::slots];
    for (std::uint32_t i = 0; i < gasket_tiles::words; ++i)
      std::memcpy(&own[i], in + static_cast<std::size_t>(i * gasket_tiles::chunks), sizeof own[i]);
    for (int i = 0; i < gasket_tiles::slots; ++i) {
      const auto& beside = inner.beside[member][i];
      const std::uint32_t* from = beside.there ? in + std::ptrdiff_t{beside.apart} * gasket_tiles::chunks : zeros;
      std::memcpy(&around[gasket_tiles::slot_of_geometry(gasket_tiles::slot(i))], from, sizeof *around);
    }
    if (member % (gasket_tiles::words / 2) == 0) {
      if (tile == 0 || tile == middle || tile == tiles - 1) continue;
      const std::uint32_t corner = member / (gasket_tiles::words / 2);
      const auto met = gasket_tiles::meeting(tile, corner, digits);
      for (int i = 0; i < gasket_tiles::slots; ++i) {
        const auto slot = gasket_tiles::slot(i);
        if (slot.corner == corner && met.there && met.digit == slot.digit)
          std::memcpy(&around[gasket_tiles::slot_of_geometry(slot)],
                      states.in + (std::uint64_t{met.other} * gasket_tiles::words + slot.word) * gasket_tiles::chunks,
                      sizeof *around);
      }
    }
    std::uint32_t* const out = states.out + std::uint64_t{tile} * gasket_tiles::words * gasket_tiles::chunks;
    BlockRule<GasketGeometry, Logic>::each_next(
        logic, own, around, [&](auto i, const Word& next) __attribute__((always_inline)) {
          const Word kept = next & valid;
          std::memcpy(out + i * gasket_tiles::chunks, &kept, sizeof kept);
        });
  }
}

/// Bits of other lanes in the places that a step over a corner brings them to; `lanes`: which those are.
void permute(const SlicedStates& states, std::uint32_t corner, std::uint32_t digit, std::uint32_t* words,
             std::uint32_t* lanes) {
  const auto tiles = static_cast<std::uint32_t>(states.shape.tiles());
  const std::uint32_t* const from =
      states.in + std::uint64_t{digit} * ((tiles - 1) / 2) * gasket_tiles::words * gasket_tiles::chunks;
  std::fill_n(words, gasket_tiles::words * gasket_tiles::chunks, 0u);
  std::fill_n(lanes, gasket_tiles::chunks, 0u);
  for (std::uint32_t lane = 0; lane < gasket_tiles::lanes; ++lane) {
    const auto met = gasket_tiles::meeting(lane, corner, gasket_tiles::lane_digits);
    if (!met.there || met.digit != digit) continue;
    lanes[lane / 32] |= 1u << lane % 32;
    for (std::uint32_t i = 0; i < gasket_tiles::words; ++i)
      words[i * gasket_tiles::chunks + lane / 32] |=
          (from[i * gasket_tiles::chunks + met.other / 32] >> met.other % 32 & 1u) << lane % 32;
  }
}

/// Who shares the words beside each of the members of a tile of tiles: 27 tiles, and two at each corner.
struct Members {
  static constexpr std::uint32_t own = gasket_tiles::words, all = own + 6, outside = all;
  /// (member, slot)
  std::uint8_t source[all][gasket_tiles::slots];
  constexpr Members() : source() {
    for (std::uint32_t member = 0; member < all; ++member)
      for (int i = 0; i < gasket_tiles::slots; ++i) {
        source[member][i] = outside;
        if (member >= own) continue;
        const auto slot = gasket_tiles::slot(i);
        const auto met = gasket_tiles::meeting(member, slot.corner, gasket_tiles::block_digits);
        if (met.there && met.digit == slot.digit) source[member][i] = static_cast<std::uint8_t>(met.other);
      }
  }
  /// Corner `corner` of the whole meets member `other` with this digit.
  void meet(std::uint32_t corner, std::uint32_t digit, std::uint32_t other) {
    for (int i = 0; i < gasket_tiles::slots; ++i) {
      const auto slot = gasket_tiles::slot(i);
      if (slot.corner == corner && slot.digit == digit)
        source[static_cast<std::size_t>(corner * (own / 2))][i] = static_cast<std::uint8_t>(other);
      if (slot.corner == digit && slot.digit == corner)
        source[other][i] = static_cast<std::uint8_t>(corner * (own / 2));
    }
  }
};
constexpr Members usual_members;

template <class Word, class Logic>
[[gnu::always_inline]] inline void step_seven(const SlicedStates& states, const Logic& logic,
                                              std::uint32_t outer_tile) {
  constexpr std::uint32_t words = gasket_tiles::words, chunks = gasket_tiles::chunks, own = Members::own;
  const int digits = states.shape.base_digits - 2 * gasket_tiles::block_digits;
  Members members = usual_members;
  Word cells[Members::all][words], shown[Members::all], corners[Members::all + 1][gasket_tiles::corner_words], valid;
  std::uint32_t bits[chunks];
  for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) bits[chunk] = states.shape.valid(chunk);
  std::memcpy(&valid, bits, sizeof valid);
  const auto first_of = [&](std::uint32_t tile) { return states.in + std::uint64_t{tile} * words * chunks; };
  std::memcpy(cells, first_of(outer_tile * own), sizeof cells[0] * own);
  std::uint32_t used = own;
  const auto take = [&](std::uint32_t corner, std::uint32_t digit, const void* from) {
    std::memcpy(cells[used], from, sizeof cells[0]);
    std::memcpy(&shown[used], bits, sizeof valid);
    members.meet(corner, digit, used++);
  };
  for (std::uint32_t corner = 0; corner < 3; ++corner) {
    const auto out = gasket_tiles::meeting(outer_tile, corner, digits);
    if (out.there) {
      take(corner, out.digit, first_of(out.other * own + out.digit * (own / 2)));
      continue;
    }
    for (std::uint32_t digit = 0; digit < 3; ++digit) {
      if (digit == corner) continue;
      std::uint32_t permuted[words * chunks], lanes[chunks];
      permute(states, corner, digit, permuted, lanes);
      take(corner, digit, permuted);
      std::memcpy(&shown[used - 1], lanes, sizeof valid);
    }
  }
  std::memset(corners[Members::outside], 0, sizeof corners[0]);
  for (int turn = 0; turn < 7; ++turn) {
    for (std::uint32_t member = 0; member < used; ++member)
      for (std::uint32_t i = 0; i < gasket_tiles::corner_words; ++i) {
        const Word& word = cells[member][gasket_tiles::corner_word(i)];
        corners[member][i] = member < own ? word : word & shown[member];
      }
    for (std::uint32_t member = 0; member < used; ++member) {
      Word before[words], around[gasket_tiles::slots];
      std::memcpy(before, cells[member], sizeof before);
      for (int i = 0; i < gasket_tiles::slots; ++i) {
        const auto slot = gasket_tiles::slot(i);
        around[gasket_tiles::slot_of_geometry(slot)] =
            corners[members.source[member][i]][gasket_tiles::place_of(slot.word)];
      }
      Word* const after = cells[member];
      BlockRule<GasketGeometry, Logic>::each_next(
          logic, before,
          around, [&](auto i, const Word& next) __attribute__((always_inline)) { after[i] = next & valid; });
    }
  }
  std::memcpy(states.out + std::uint64_t{outer_tile} * own * words * chunks, cells, sizeof cells[0] * own);
}

// The same code for each kind of processor; which one this is, is asked when it runs.
#if defined(__x86_64__) && !defined(__clang__)
template <class Body>
__attribute__((target("avx512f,avx512vl"), flatten)) void on_512(const Body& body) {
  body.template operator()<WideTernary>();
}
template <class Body>
__attribute__((target("avx2"), flatten)) void on_256(const Body& body) {
  body.template operator()<Wide>();
}
#endif

/// body<Word>() of the widest words.
template <class Body>
void on_widest(const Body& body) {
#if defined(__x86_64__) && !defined(__clang__)
  /// 2: the first of them, 1: the second, 0: neither.
  static const int kind = __builtin_cpu_supports("avx512vl") ? 2 : __builtin_cpu_supports("avx2") ? 1 : 0;
  if (kind == 2) return on_512(body);
  if (kind == 1) return on_256(body);
#endif
  body.template operator()<Wide>();
}

}  // namespace

template <class Logic>
void step_gasket_tiles(const SlicedStates& states, const Logic& logic, std::uint32_t first, std::uint32_t last) {
  on_widest([&]<class Word>() __attribute__((always_inline)) { step<Word>(states, logic, first, last); });
}
template <class Logic>
void step_gasket_seven(const SlicedStates& states, const Logic& logic, std::uint32_t outer_tile) {
  on_widest([&]<class Word>() __attribute__((always_inline)) { step_seven<Word>(states, logic, outer_tile); });
}
template void step_gasket_tiles(const SlicedStates&, const ConwayLogic&, std::uint32_t, std::uint32_t);
template void step_gasket_tiles(const SlicedStates&, const RuleLogic&, std::uint32_t, std::uint32_t);
template void step_gasket_seven(const SlicedStates&, const ConwayLogic&, std::uint32_t);
template void step_gasket_seven(const SlicedStates&, const RuleLogic&, std::uint32_t);

}  // namespace warploom
