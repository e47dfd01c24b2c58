#pragma once
#include "gpu/scenes/butterfly/kernels/plan.h"

// Words of exchanges, chosen by counting what their accesses cost.
namespace warploom {

/// The digits of an exchange's threads: of those that stay in a warp its lanes'.
WARPLOOM_HD constexpr Digits exchanging_thread(const Layout& at, bool in_warp) {
  Digits lanes = at.thread;
  if (in_warp && lanes.count > 5) lanes.count = 5;
  return lanes;
}

/// What the bits of `from` are of a number whose bits are those of `order`: bit i of it is bit at[i] there.
WARPLOOM_HD constexpr Digits composed(const Digits& from, const Digits& order) {
  Digits to;
  for (int i = 0; i < from.count; ++i) to.add(order.bit_of(from.at[i]));
  return to;
}

/// Wavefronts that an access of a warp loses to conflicts: what all registers add is the same for all lanes. Phases of
/// 128 / word_bytes lanes, each of which gives a word to each bank once.
constexpr int wavefronts_lost(const Digits& thread, const Words& words, int word_bytes) {
  const int in_phase = 128 / word_bytes;
  const Digits lanes = composed(thread, words.order);
  int lost = 0;
  for (int first = 0; first < 32; first += in_phase) {
    int of_bank[32] = {}, most = 1;
    for (int lane = first; lane < first + in_phase; ++lane) {
      std::uint32_t w = 0;
      for (int i = 0; i < lanes.count && i < 5; ++i) w |= (static_cast<std::uint32_t>(lane) >> i & 1) << lanes.at[i];
      const int here = ++of_bank[words.padded(w) % static_cast<std::uint32_t>(in_phase)];
      if (here > most) most = here;
    }
    lost += most - 1;
  }
  return lost;
}

/// Of orders by digit, by the writer's place and by the reader's, and of ways to leave words out, the first without a
/// conflict on either side, else the one with the least.
constexpr Words choose_words(const Crossing& crossing, int word_bytes) {
  const Digits from = exchanging_thread(crossing.from, crossing.in_warp),
               to = exchanging_thread(crossing.to, crossing.in_warp);
  Digits orders[3];
  for (int digit = 0; digit < Digits::most; ++digit)
    if (from.bit_of(digit) >= 0 || crossing.from.registers.bit_of(digit) >= 0) orders[0].add(digit);
  const auto append = [](Digits& order, const Digits& more) {
    for (int i = 0; i < more.count; ++i) order.add(more.at[i]);
  };
  append(orders[1], from);
  append(orders[1], crossing.from.registers);
  append(orders[2], to);
  append(orders[2], crossing.to.registers);
  Words best;
  int least = 1 << 20;
  for (const Digits& order : orders)
    for (int b = 0; b <= 16; b = b == 0 ? 1 : 2 * b)
      for (int a = 10; a >= 1; --a) {
        const Words words{order, b == 0 ? 31 : a, b};
        const int lost = wavefronts_lost(from, words, word_bytes) + wavefronts_lost(to, words, word_bytes);
        if (lost < least) {
          least = lost;
          best = words;
        }
        if (least == 0) return best;
        if (b == 0) break;
      }
  return best;
}

/// Those of all exchanges of a plan.
constexpr void choose_all_words(Plan& plan, int word_bytes) {
  for (int i = 1; i < plan.steps; ++i)
    if (Crossing& into = plan.step[i].into; !into.none) into.words = choose_words(into, word_bytes);
}

/// Whether the last exchange before a step left its warps; 0: there was none, 1: it did not, 2: it did.
WARPLOOM_HD constexpr int exchanged_before(const Plan& plan, int step) {
  for (int i = step - 1; i >= 0; --i)
    if (!plan.step[i].into.none) return plan.step[i].into.in_warp ? 1 : 2;
  return 0;
}

/// Words of each warp in exchanges that stay in it: as many in all of them, since no barrier of the block parts these.
WARPLOOM_HD constexpr std::uint32_t warp_words(const Plan& plan) {
  std::uint32_t most = 0;
  for (int i = 0; i < plan.steps; ++i)
    if (const Crossing& into = plan.step[i].into; into.in_warp && into.words.count() > most) most = into.words.count();
  return most;
}
/// Words of shared memory that a block takes: those of its exchanges, one in the place of the other.
WARPLOOM_HD constexpr std::uint32_t shared_words(const Plan& plan) {
  std::uint32_t most = warp_words(plan) << (plan.l > 5 ? plan.l - 5 : 0);
  for (int i = 0; i < plan.steps; ++i)
    if (const Crossing& into = plan.step[i].into; !into.none && !into.in_warp && into.words.count() > most)
      most = into.words.count();
  return most;
}

}  // namespace warploom
