#pragma once
#include <algorithm>
#include <optional>

#include "gpu/core/error.h"
#include "gpu/scenes/butterfly/kernels/general_plans.h"
#include "gpu/scenes/butterfly/kernels/in_place_block.h"
#include "gpu/scenes/butterfly/tracks/transform.h"

namespace warploom {

/// Stages with an edge between threads; of those that go by shuffle, between warps.
template <class Rule>
StageSet crossing_stages(const Rule& rule, const PlanPlaces& places, const NetworkMapping& mapping, bool shuffles) {
  StageSet set;
  const auto& a = rule.network;
  const std::uint32_t threads_x = 1u << mapping.threads_x(),
                      problems = mapping.n <= mapping.s ? 1u << mapping.threads_y() : 1;
  for (int j = 1; j <= a.stages(); ++j) {
    bool any = false;
    for (std::uint32_t e = 0; e < elements_of(a) && !any; ++e)
      each_operand(a, j, e, [&](int, std::uint32_t from) {
        // Problems that share a warp do so alike, but for the first in it.
        for (std::uint32_t y = 0; y < (shuffles ? std::min(problems, 32u) : 1) && !any; ++y)
          any = edge_kind(places, j, from, e, shuffles, false, y * threads_x) == EdgeKind::shared;
      });
    if (any) set.add(j);
  }
  return set;
}

/// Of stages that cross, without shuffles: those where an operand that is not the element made is always another
/// thread's, and of two operands one is that element.
template <class Rule>
StageSet apart_stages(const Rule& rule, const PlanPlaces& places, const StageSet& crossing) {
  StageSet set;
  const auto& a = rule.network;
  for (int j = 1; j <= a.stages(); ++j) {
    bool all = crossing.has(j);
    for (std::uint32_t e = 0; e < elements_of(a) && all; ++e) {
      int own = 0;
      each_operand(a, j, e, [&](int, std::uint32_t from) {
        own += from == e;
        all = all && (from == e || places.place(j, from).thread != places.place(j, e).thread);
      });
      all = all && (Rule::Network::operands != 2 || !a.makes(j, e) || own == 1);
    }
    if (all) set.add(j);
  }
  return set;
}

/// Which registers are shuffled to which, where 2^p registers' operands fit a number: alike in all threads.
template <class Rule>
ShuffleSources shuffle_sources(const Rule& rule, const PlanPlaces& places, const NetworkMapping& mapping) {
  ShuffleSources sources;
  const auto& a = rule.network;
  const std::uint32_t threads_x = 1u << mapping.threads_x(),
                      problems = mapping.n <= mapping.s ? std::min(1u << mapping.threads_y(), 32u) : 1;
  for (auto& one : sources.of_stage) one = ~std::uint64_t{0};
  for (int j = 1; j <= a.stages(); ++j)
    for (std::uint32_t e = 0; e < elements_of(a); ++e)
      each_operand(a, j, e, [&](int k, std::uint32_t from) {
        for (std::uint32_t y = 0; y < problems; ++y)
          if (edge_kind(places, j, from, e, true, false, y * threads_x) == EdgeKind::shuffle) {
            const int shift = 4 * (static_cast<int>(places.place(j, e).item) * Rule::Network::operands + k);
            auto& told = sources.of_stage[j];
            const std::uint64_t item = places.place(j - 1, from).item, before = told >> shift & 15;
            if (before != ShuffleSources::none && before != item)
              throw Error("operands of one register are in several registers of their threads");
            told = (told & ~(std::uint64_t{15} << shift)) | item << shift;
          }
      });
  return sources;
}

/// body(std::integral_constant<int, most>, std::bool_constant<exact>): registers for 2^p values.
template <class Rule, class Body>
void by_registers(const NetworkMapping& mapping, Body&& body) {
  if constexpr (Rule::usual_p >= 0)
    if (mapping.p == Rule::usual_p) return body(std::integral_constant<int, 1 << Rule::usual_p>{}, std::true_type{});
  body(std::integral_constant<int, 16>{}, std::false_type{});
}

/// Blocks that run all stages of a rule, with what its network says of them worked out beforehand.
template <class Rule>
class InPlaceBlocks {
 public:
  InPlaceBlocks(const Rule& rule, const NetworkMapping& mapping, bool shuffles)
      : rule_(rule), mapping_(mapping), shuffles_(shuffles) {
    const PlanPlaces places(in_place_plan(mapping, rule.network.stages()));
    crossing_ = crossing_stages(rule, places, mapping, shuffles);
    if (!shuffles) apart_ = apart_stages(rule, places, crossing_);
    if (shuffles && mapping.p == Rule::usual_p) sources_ = shuffle_sources(rule, places, mapping);
  }
  /// Without its arrays.
  const Rule& rule() const { return rule_; }
  const NetworkMapping& mapping() const { return mapping_; }
  const StageSet& crossing() const { return crossing_; }
  const StageSet& apart() const { return apart_; }
  std::uint64_t exchanges() const {
    std::uint64_t all = 0;
    for (int j = 1; j <= rule_.network.stages(); ++j) all += crossing_.has(j);
    return all;
  }
  std::uint64_t shared_bytes() const { return crossing_.none() ? 0 : sizeof(typename Rule::Word) << mapping_.s; }

  /// body(program): the kernel of one launch.
  template <class Body>
  void with_program(const Rule& rule, std::uint64_t batch, Body&& body) const {
    by_registers<Rule>(mapping_, [&](auto most, auto exact) {
      by_flag(shuffles_, [&](auto shuffles) {
        InPlaceBlock<Rule, decltype(most)::value, decltype(exact)::value, decltype(shuffles)::value> program{
            rule, mapping_, batch, crossing_, apart_, {}};
        if constexpr (program.knows_sources) program.sources = sources_;
        body(program);
      });
    });
  }
  void launch(const char* kernel, Queue& queue, const Rule& rule, std::uint64_t batch, std::uint64_t bytes = 0) const {
    with_program(rule, batch, [&](const auto& program) {
      warploom::launch(kernel, queue, block_shape(mapping_, batch), program, bytes);
    });
  }
  std::optional<KernelResources> resources(const Queue& queue, const Rule& rule, std::uint64_t batch) const {
    std::optional<KernelResources> found;
    with_program(rule, batch, [&](const auto& program) {
      found = resources_of(queue, program, volume(block_shape(mapping_, batch).threads));
    });
    return found;
  }

 private:
  Rule rule_;
  NetworkMapping mapping_;
  bool shuffles_;
  StageSet crossing_, apart_;
  ShuffleSources sources_;
};

}  // namespace warploom
