#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gpu/core/kernel_resources.h"
#include "gpu/scenes/butterfly/kernels/exchange.h"
#include "gpu/scenes/butterfly/kernels/trace.h"
#include "gpu/scenes/butterfly/networks/fft.h"

// What the definition of an algorithm says of its kernel: who works, where data cross, what that costs.
namespace warploom {

/// How operands come to other threads.
enum class Exchange { shared, shuffle, global };

/// A wire between two stages; `role`: which operand of `to` it is, counted from 0.
struct NetworkEdge {
  std::int32_t stage, node, from, to, where, role;
};

/// One stage: threads and edges of a problem, wavefronts of a full block.
struct StageReport {
  NetworkStage digits;
  std::uint64_t operators = 0, active = 0;
  std::array<std::uint64_t, 4> edges{};  ///< by EdgeKind
  ExchangeCost cost;
};

/// Where a digit of an element's number is: a bit of the number of its register, or of its thread in its problem.
struct DigitPlace {
  bool in_register = false;
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
  int stages = 0;
  int number = 0;                  ///< of the network among those of its algorithm, from 1; 0: not told
  std::vector<int> digits_paired;  ///< of FFTs: how many are after each stage, from the input on
  std::uint64_t launches = 1;
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
  std::uint64_t barriers() const { return exchanges ? 2 * exchanges - 1 : 0; }
};

/// How the operands of a stage come. With exchange `global` a stage that has any edge between threads is a launch of
/// its own, and all its edges go through memory.
template <Network Algorithm>
class StageEdges {
 public:
  StageEdges(const Algorithm& a, int stage, Exchange exchange)
      : a_(a), stage_(stage), shuffles_(exchange == Exchange::shuffle) {
    if (exchange != Exchange::global) return;
    for (std::uint32_t e = 0; e < 1u << a.n && !global_; ++e)
      each_operand(a, stage, e, [&](int, std::uint32_t from) {
        global_ |= edge_kind(a, stage, from, e, false) != EdgeKind::in_register;
      });
  }
  EdgeKind kind(std::uint32_t from, std::uint32_t to) const {
    return global_ ? EdgeKind::global : edge_kind(a_, stage_, from, to, shuffles_);
  }

 private:
  const Algorithm& a_;
  int stage_;
  bool shuffles_, global_ = false;
};

/// Every operand once a stage, of one problem. Its role is its number; of a comparator 0: its minimum goes there.
template <Network Algorithm>
std::vector<NetworkEdge> edges_of(const Algorithm& a, Exchange exchange) {
  const auto role = [&](int j, std::uint32_t e, int k) {
    if constexpr (requires { a.takes_minimum(j, e); })
      return a.takes_minimum(j, e) ? 0 : 1;
    else
      return k;
  };
  std::vector<NetworkEdge> all;
  for (int j = 1; j <= a.stages(); ++j) {
    const StageEdges<Algorithm> edges(a, j, exchange);
    for (std::uint32_t e = 0; e < 1u << a.n; ++e)
      each_operand(a, j, e, [&](int k, std::uint32_t from) {
        all.push_back({j, static_cast<std::int32_t>(a.node(j, e)), static_cast<std::int32_t>(from),
                       static_cast<std::int32_t>(e), static_cast<std::int32_t>(edges.kind(from, e)), role(j, e, k)});
      });
  }
  return all;
}

/// Operators, active threads and edges of every stage.
template <Network Algorithm>
std::vector<StageReport> stages_of(const Algorithm& a, Exchange exchange) {
  std::vector<StageReport> all;
  std::vector<bool> node(std::size_t{1} << a.n), thread(std::size_t{1} << a.n);
  for (int j = 1; j <= a.stages(); ++j) {
    StageReport one;
    const StageEdges<Algorithm> edges(a, j, exchange);
    one.digits = a.stage(j);
    std::fill(node.begin(), node.end(), false);
    std::fill(thread.begin(), thread.end(), false);
    for (std::uint32_t e = 0; e < 1u << a.n; ++e) {
      if (!a.makes(j, e)) continue;
      node[a.node(j, e)] = thread[a.place(j, e).thread] = true;
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

/// Where the digits are after each stage, of a network whose places are made of bits.
template <Network Algorithm>
std::vector<std::vector<DigitPlace>> digit_places(const Algorithm& a) {
  std::vector<std::vector<DigitPlace>> all(static_cast<std::size_t>(a.stages()) + 1);
  for (int j = 0; j <= a.stages(); ++j)
    for (int d = 0; d < a.n; ++d) {
      const NetworkPlace at = a.place(j, 1u << d);
      all[static_cast<std::size_t>(j)].push_back({at.thread == 0, floor_log2(at.thread ? at.thread : at.item)});
    }
  return all;
}

/// The same by stages, with the banks of the slowest phase of a read; stages without an access are left out.
std::vector<BankUse> bank_uses(const std::vector<SharedAccess>& accesses, int word_bytes, WordLayout layout, bool own);

/// What they cost: those of one stage, side and instruction, 32 threads at a time.
void add_costs(std::vector<StageReport>& stages, const std::vector<SharedAccess>& accesses, int word_bytes);

/// Before the stages of windows: every element is written by its old thread and read by its new one; what is shuffled
/// is not. `words`: of each window.
std::vector<SharedAccess> permuting_accesses(const FftNetwork& a, const NetworkMapping& mapping,
                                             const std::vector<ExchangeWords>& words, bool shuffles);

/// Thread, register and the byte it was written to before the stage, or -1, of each element of a block after each
/// stage: (stages + 1, 2^s, 3).
template <Network Algorithm>
std::vector<std::int32_t> locations_of(const Algorithm& a, const NetworkMapping& mapping,
                                       const std::vector<SharedAccess>& accesses) {
  const std::uint32_t slots = 1u << mapping.s, threads_x = 1u << mapping.threads_x();
  std::vector<std::int32_t> all(static_cast<std::size_t>(a.stages() + 1) * slots * 3, -1);
  for (int j = 0; j <= a.stages(); ++j)
    for (std::uint32_t slot = 0; slot < slots; ++slot) {
      const NetworkPlace at = a.place(j, slot & ((1u << a.n) - 1));
      auto* to = &all[(static_cast<std::size_t>(j) * slots + slot) * 3];
      to[0] = static_cast<std::int32_t>((slot >> a.n) * threads_x + at.thread);
      to[1] = static_cast<std::int32_t>(at.item);
    }
  for (const SharedAccess& one : accesses) {
    auto& byte = all[(static_cast<std::size_t>(one.stage) * slots + one.slot) * 3 + 2];
    if (!one.reads && byte < 0) byte = static_cast<std::int32_t>(one.byte);  // of several words the first
  }
  return all;
}

/// Of a rule of elements that stay (in_place_block.h).
template <class Rule>
std::vector<SharedAccess> in_place_accesses(const Rule& rule, const NetworkMapping& mapping, bool shuffles) {
  const auto& a = rule.network;
  using Algorithm = typename Rule::Network;
  constexpr auto words = static_cast<std::uint32_t>(Rule::words);
  constexpr auto operands = static_cast<std::uint32_t>(Algorithm::operands);
  constexpr auto bytes = static_cast<std::uint32_t>(sizeof(typename Rule::Word));
  const std::uint32_t items = 1u << mapping.p, threads_x = 1u << mapping.threads_x();
  const AccessNumbers numbers{items * words, items * operands * words};
  std::vector<SharedAccess> all;
  const auto foreign = [&](std::uint32_t base, std::uint32_t one, std::uint32_t other) {
    return one != other && !(shuffles && (base + one) / warp_size == (base + other) / warp_size);
  };
  for (int j = 1; j <= a.stages(); ++j)
    for (std::uint32_t y = 0; y < 1u << mapping.threads_y(); ++y)
      for (std::uint32_t e = 0; e < 1u << a.n; ++e) {
        const std::uint32_t base = y * threads_x, x = e >> mapping.p, item = e & (items - 1), in_block = y << a.n;
        const auto byte = [&](std::uint32_t of) {
          return ((base + (of >> mapping.p)) | (of & (items - 1)) << (mapping.s - mapping.p)) * bytes;
        };
        bool fetched = false;
        for (int k = 0; k < 2; ++k)
          if (const std::uint32_t by = a.consumer(j, e, k); by != no_element)
            fetched = fetched || foreign(base, x, by >> mapping.p);
        const auto count = static_cast<std::uint32_t>(rule.words_of(j));
        for (std::uint32_t w = 0; fetched && w < count; ++w)
          all.push_back({j, false, numbers.write(j, item * words + w), base + x, byte(e ^ w), in_block + e});
        each_operand(a, j, e, [&](int k, std::uint32_t from) {
          const std::uint32_t first = (item * operands + static_cast<std::uint32_t>(k)) * words;
          for (std::uint32_t w = 0; w < count && foreign(base, x, from >> mapping.p); ++w)
            all.push_back({j, true, numbers.read(j, first + w), base + x, byte(from ^ w), in_block + from});
        });
      }
  return all;
}

}  // namespace warploom
