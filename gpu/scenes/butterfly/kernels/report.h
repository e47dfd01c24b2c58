#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gpu/core/kernel_resources.h"
#include "gpu/scenes/butterfly/kernels/edges.h"
#include "gpu/scenes/butterfly/kernels/exchange.h"
#include "gpu/scenes/butterfly/kernels/trace.h"

// What the definition of an algorithm says of its kernel: who works, where data cross, what that costs.
namespace warploom {

/// How operands come to other threads. `tuned`: as the plan has it, by the words of a warp where they stay in it.
enum class Exchange { shared, shuffle, global, tuned };

/// A wire between two stages; `role`: which operand of `to` it is, counted from 0.
struct NetworkEdge {
  std::int32_t stage, node, from, to, where, role;
};

/// One stage: threads and edges of a problem, wavefronts of a full block.
struct StageReport {
  NetworkStage digits;
  std::uint64_t operators = 0, active = 0;
  std::array<std::uint64_t, edge_kinds> edges{};  ///< by EdgeKind
  std::uint64_t values = 0;                       ///< that cross the link before it
  ExchangeCost cost;
};

/// Where a digit of an element's number is: a bit of the number of its register, of its thread in its problem, or of
/// its device.
struct DigitPlace {
  enum class Of { thread, registers, device } of = Of::thread;
  int bit = 0;
};

/// An operator of an FFT's string, and what stands in places n to 1 after it.
struct OperatorStep {
  std::string text;
  int window = 0;
  std::vector<int> digits;
};

/// What the exchange before a stage costs a full block in a layout.
struct BankUse {
  int stage = 0;
  WordLayout layout = WordLayout::plain;
  bool own = false;  ///< it is the track's
  ExchangeCost cost;
  std::array<std::uint8_t, 32> words{};  ///< different words that each bank gives in the slowest phase of a read
};

struct NetworkReport {
  std::uint64_t elements = 0, operators = 0;
  std::uint64_t replicated = 0;  ///< of tuned programs: nodes that threads make again, who could have been told
  int stages = 0;
  int number = 0;                  ///< of the network among those of its algorithm, from 1; 0: not told
  std::vector<int> digits_paired;  ///< of FFTs: how many are after each stage, from the input on
  std::uint64_t launches = 1;
  int devices = 1;  ///< that share a problem's elements, or whole problems
  /// Of several devices: values of a problem that cross the link, and exchanges that bring them.
  std::optional<std::uint64_t> values, link_exchanges;
  /// Of what the last two passes hand on within a launch; 0: nothing.
  struct Ring {
    std::uint64_t bytes = 0;
    std::uint32_t lag = 0;  ///< tiles from the first of them to the second
  } ring;
  NetworkMapping mapping{};
  std::uint64_t blocks = 0, exchanges = 0, shared_bytes = 0;
  int word_bytes = 0;
  std::string operator_string;  ///< of FFTs
  std::vector<StageReport> by_stage;
  // Of one launch, for those who look closer.
  std::vector<std::vector<DigitPlace>> places;  ///< after each stage, of digits 1 to n
  std::vector<OperatorStep> operator_steps;     ///< of FFTs
  std::vector<BankUse> banks;                   ///< of stages with an exchange, layouts of a stage together
  std::optional<KernelResources> resources;     ///< a device's
  std::shared_ptr<const Plan> tuned;            ///< of programs that were placed when they were compiled; null: general
  /// Of a block, in the launch that does the most.
  std::uint64_t barriers() const {
    if (tuned) return static_cast<std::uint64_t>(tuned->block_barriers());
    return exchanges ? 2 * exchanges - 1 : 0;
  }
};

/// How the operands of a stage come. With exchange `global` a stage that has any edge between threads is a launch of
/// its own, and all its edges go through memory.
template <Network Algorithm>
class StageEdges {
 public:
  StageEdges(const Algorithm& a, const PlanPlaces& places, int stage, Exchange exchange)
      : places_(places),
        stage_(stage),
        shuffles_(exchange == Exchange::shuffle ||
                  (exchange == Exchange::tuned && stays_in_warps(places.plan(), stage))) {
    if (exchange != Exchange::global) return;
    for (std::uint32_t e = 0; e < 1u << a.n && !global_; ++e)
      each_operand(a, stage, e, [&](int, std::uint32_t from) {
        global_ |= edge_kind(places, stage, from, e, false) != EdgeKind::in_register;
      });
  }
  EdgeKind kind(std::uint32_t from, std::uint32_t to) const {
    return global_ ? EdgeKind::global : edge_kind(places_, stage_, from, to, shuffles_);
  }

 private:
  /// Of a tuned program: what is not brought by the step's exchange is shuffled, where it is near enough.
  static bool stays_in_warps(const Plan& plan, int stage) {
    const PlanStep& step = plan.step[plan.step_of(stage)];
    return step.into.none || step.into.in_warp || stage != step.first;
  }
  const PlanPlaces& places_;
  int stage_;
  bool shuffles_, global_ = false;
};

/// The role of operand k of what makes an element: its number; of a comparator 0 where its minimum goes there.
template <Network Algorithm>
int role_of(const Algorithm& a, int stage, std::uint32_t e, int k) {
  if constexpr (requires { a.takes_minimum(stage, e); })
    return a.takes_minimum(stage, e) ? 0 : 1;
  else
    return k;
}

/// Every operand once a stage, of one problem.
template <Network Algorithm>
std::vector<NetworkEdge> edges_of(const Algorithm& a, const PlanPlaces& places, Exchange exchange) {
  std::vector<NetworkEdge> all;
  for (int j = 1; j <= a.stages(); ++j) {
    const StageEdges<Algorithm> edges(a, places, j, exchange);
    for (std::uint32_t e = 0; e < 1u << a.n; ++e)
      each_operand(a, j, e, [&](int k, std::uint32_t from) {
        all.push_back({j, static_cast<std::int32_t>(a.node(j, e)), static_cast<std::int32_t>(from),
                       static_cast<std::int32_t>(e), static_cast<std::int32_t>(edges.kind(from, e)),
                       role_of(a, j, e, k)});
      });
  }
  return all;
}

/// Operators, active threads and edges of every stage.
template <Network Algorithm>
std::vector<StageReport> stages_of(const Algorithm& a, const PlanPlaces& places, Exchange exchange) {
  std::vector<StageReport> all;
  // Of rows that share threads' numbers with others there may be more threads than elements.
  std::vector<bool> node(std::size_t{1} << a.n), thread(std::size_t{1} << std::max(a.n, places.plan().l));
  for (int j = 1; j <= a.stages(); ++j) {
    StageReport one;
    const StageEdges<Algorithm> edges(a, places, j, exchange);
    one.digits = a.stage(j);
    std::fill(node.begin(), node.end(), false);
    std::fill(thread.begin(), thread.end(), false);
    for (std::uint32_t e = 0; e < 1u << a.n; ++e) {
      if (!a.makes(j, e)) continue;
      node[a.node(j, e)] = thread[places.place(j, e).thread] = true;
      each_operand(a, j, e,
                   [&](int, std::uint32_t from) { ++one.edges[static_cast<std::size_t>(edges.kind(from, e))]; });
    }
    for (const bool there : node) one.operators += there;
    for (const bool there : thread) one.active += there;
    all.push_back(one);
  }
  return all;
}

/// The accesses of a block, one by one, as its kernel makes them.
struct SharedAccess {
  int stage;
  bool reads;
  std::uint32_t instruction, thread, byte, slot;
};

/// Where the digits of a row are after each stage.
std::vector<std::vector<DigitPlace>> digit_places(const Plan& plan, int stages);

/// The same by stages, with the banks of the slowest phase of a read; stages without an access are left out.
std::vector<BankUse> bank_uses(const std::vector<SharedAccess>& accesses, int word_bytes, WordLayout layout, bool own);

/// What they cost: those of one stage, side and instruction, 32 threads at a time. What comes behind the last stage is
/// the last one's.
void add_costs(std::vector<StageReport>& stages, const std::vector<SharedAccess>& accesses, int word_bytes);

/// Before the steps of a plan: every element is written by its old thread and read by its new one; what is shuffled is
/// not. Told before the first stage of the step, which lies behind the last one where rows leave by an exchange.
/// `byte`: where an element of a block lies before a step, which came from a place. `words`: of each step.
using ByteOfElement = std::function<std::uint32_t(int step, std::uint32_t slot, const NetworkPlace& old)>;
std::vector<SharedAccess> permuting_accesses(const PlanPlaces& places, const ByteOfElement& byte, bool shuffles);
std::vector<SharedAccess> permuting_accesses(const PlanPlaces& places, const std::vector<ExchangeWords>& words,
                                             bool shuffles);
/// ... of tuned programs, by the words of their plan; of a value `words` of them, each set behind the other, but of the
/// last exchange one.
std::vector<SharedAccess> planned_accesses(const PlanPlaces& places, int word_bytes, std::uint32_t words = 1);

/// Thread, register and the byte it was written to before the stage, or -1, of each element of a block after each
/// stage: (stages + 1, 2^s, 3).
std::vector<std::int32_t> locations_of(const PlanPlaces& places, int stages, const std::vector<SharedAccess>& accesses);

/// What a report of a tuned program tells of its stages, by its accesses.
template <Network Algorithm>
void tell_stages(NetworkReport& report, const Algorithm& a, const PlanPlaces& places,
                 const std::vector<SharedAccess>& accesses) {
  report.by_stage = stages_of(a, places, Exchange::tuned);
  add_costs(report.by_stage, accesses, report.word_bytes);
  report.places = digit_places(places.plan(), a.stages());
  report.banks = bank_uses(accesses, report.word_bytes, WordLayout::planned, true);
}

/// Of a rule of elements that stay (in_place_block.h).
template <class Rule>
std::vector<SharedAccess> in_place_accesses(const Rule& rule, const PlanPlaces& places, bool shuffles) {
  const auto& a = rule.network;
  using Algorithm = typename Rule::Network;
  constexpr auto words = static_cast<std::uint32_t>(Rule::words);
  constexpr auto operands = static_cast<std::uint32_t>(Algorithm::operands);
  constexpr auto bytes = static_cast<std::uint32_t>(sizeof(typename Rule::Word));
  const Plan& plan = places.plan();
  const std::uint32_t items = 1u << plan.p;
  const AccessNumbers numbers{items * words, items * operands * words};
  std::vector<SharedAccess> all;
  for (int j = 1; j <= a.stages(); ++j)
    for (std::uint32_t slot = 0; slot >> (plan.p + plan.l) == 0; ++slot) {
      const std::uint32_t e = slot & ((1u << a.n) - 1), row = slot - e;
      const NetworkPlace own = places.place(j, slot);
      const auto foreign = [&](std::uint32_t other) {
        const std::uint32_t thread = places.place(j, row + other).thread;
        return own.thread != thread && !(shuffles && own.thread / warp_size == thread / warp_size);
      };
      const auto byte = [&](std::uint32_t of) {
        const NetworkPlace at = places.place(j, row + of);
        return (at.thread | at.item << plan.l) * bytes;
      };
      bool fetched = false;
      for (int k = 0; k < 2; ++k)
        if (const std::uint32_t by = a.consumer(j, e, k); by != no_element) fetched = fetched || foreign(by);
      const auto count = static_cast<std::uint32_t>(rule.words_of(j));
      for (std::uint32_t w = 0; fetched && w < count; ++w)
        all.push_back({j, false, numbers.write(j, own.item * words + w), own.thread, byte(e ^ w), slot});
      each_operand(a, j, e, [&](int k, std::uint32_t from) {
        const std::uint32_t first = (own.item * operands + static_cast<std::uint32_t>(k)) * words;
        for (std::uint32_t w = 0; w < count && foreign(from); ++w)
          all.push_back({j, true, numbers.read(j, first + w), own.thread, byte(from ^ w), row + from});
      });
    }
  return all;
}

}  // namespace warploom
