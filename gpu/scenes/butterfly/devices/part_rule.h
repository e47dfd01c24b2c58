#pragma once
#include <cstdint>

#include "gpu/core/group.h"
#include "gpu/scenes/butterfly/kernels/equation.h"
#include "gpu/scenes/butterfly/kernels/network.h"

// A row whose elements are shared out among devices, as one of them runs it. The kernels are those of one device: they
// see a shorter row, whose nodes' operands stand in a table, and operands that came over the link take their place.
namespace warploom {

/// What stands in a table of operands: an element of the device's own, from 0; a value that came over the link; that
/// the node has no such operand (no_element).
struct PartOperand {
  static constexpr std::uint32_t linked = 1u << 31;
  /// In place of the first operand: no node makes the element.
  static constexpr std::uint32_t passes = no_element - 1;
  WARPLOOM_HD static constexpr bool is_linked(std::uint32_t word) { return word >= linked && word < passes; }
};

/// The part of a network that one device has: 2^n elements, in their order. Stages are those of the whole.
template <int operands_>
struct PartNetwork {
  static constexpr bool serial = false;
  static constexpr int operands = operands_, columns = operands + 2;
  int n, last;                 ///< last: the last stage that is run
  const std::uint32_t* table;  ///< (stages, 2^n, columns): operands, then the consumers behind and before

  WARPLOOM_HD int stages() const { return last; }
  WARPLOOM_HD std::uint32_t at(int stage, std::uint32_t e, int column) const {
    return table[((static_cast<std::uint64_t>(stage - 1) << n) + e) * columns + static_cast<unsigned>(column)];
  }
  WARPLOOM_HD bool makes(int stage, std::uint32_t e) const { return at(stage, e, 0) != PartOperand::passes; }
  /// In place of what came over the link the element itself, which is nearest.
  WARPLOOM_HD std::uint32_t partner(int stage, std::uint32_t e, int k) const {
    const std::uint32_t word = at(stage, e, k);
    return PartOperand::is_linked(word) ? e : word;
  }
  WARPLOOM_HD std::uint32_t consumer(int stage, std::uint32_t e, int k) const { return at(stage, e, operands + k); }
  WARPLOOM_HD static NetworkStage stage(int) { return {}; }
  WARPLOOM_HD static std::uint32_t node(int, std::uint32_t e) { return e; }
  WARPLOOM_HD static std::uint64_t nodes() { return 0; }
};

/// A rule on such a part, from `first_stage` to network.last.
template <class Rule>
struct PartRule {
  using Whole = Rule;
  using Network = PartNetwork<Rule::Network::operands>;
  using Value = typename Rule::Value;
  using Word = typename Rule::Word;
  using Step = typename Rule::Step;
  static constexpr int words = Rule::words, usual_p = -1;  ///< one kernel for every number of registers

  Network network;
  Rule rule;
  std::uint32_t first_element;  ///< of the device, in the row
  int first_stage;
  bool loads, stores;     ///< whether values come from the input, and go to the output
  Value* own;             ///< (batch, 2^n): where else they are
  const Value* received;  ///< (values, batch), before first_stage
  std::uint64_t batch;
  std::uint64_t* singular;

  WARPLOOM_HD Value load(std::uint64_t problem, std::uint32_t e) const {
    return loads ? rule.load(problem, first_element + e) : own[(problem << network.n) + e];
  }
  WARPLOOM_HD void store(std::uint64_t problem, std::uint32_t e, const Value& value, ZeroPivot& zero) const {
    if (stores)
      rule.store(problem, first_element + e, value, zero);
    else
      own[(problem << network.n) + e] = value;
  }
  WARPLOOM_HD int words_of(int stage) const { return rule.words_of(stage); }
  WARPLOOM_HD Word word(const Value& value, int w, int stage) const { return rule.word(value, w, stage); }
  WARPLOOM_HD Value join(const Word (&all)[words], int stage) const { return rule.join(all, stage); }
  WARPLOOM_HD void take_linked(std::uint64_t problem, int stage, std::uint32_t e,
                               Value (&from)[Network::operands]) const {
    if (stage != first_stage) return;
    for (int k = 0; k < Network::operands; ++k)
      if (const std::uint32_t word = network.at(stage, e, k); PartOperand::is_linked(word))
        from[k] = received[(word - PartOperand::linked) * batch + problem];
  }
  WARPLOOM_HD Value node(int stage, std::uint32_t e, const Value (&from)[Network::operands],
                         const bool (&there)[Network::operands], ZeroPivot& zero) const {
    return rule.node(stage, first_element + e, from, there, zero);
  }
  WARPLOOM_HD static Step step(const Value& value) { return Rule::step(value); }
};

/// Values that other devices need, one after the other. Launched with row_shape(count * batch).
template <class Value>
struct PackValues {
  const Value* own;  ///< (batch, 2^n)
  int n;
  const std::uint32_t* elements;  ///< (count), of the device's own
  std::uint64_t count, batch;
  Value* to;  ///< (count, batch)
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, count * batch, [&](std::uint64_t i) { to[i] = own[(i % batch << n) + elements[i / batch]]; });
  }
};

/// The earliest division by 0 of two parts. Launched with row_shape(batch).
struct KeepEarliest {
  const std::uint64_t* theirs;
  std::uint64_t batch;
  std::uint64_t* singular;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, batch, [&](std::uint64_t i) {
      if (theirs[i] < singular[i]) singular[i] = theirs[i];
    });
  }
};

}  // namespace warploom
