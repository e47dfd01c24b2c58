#pragma once
#include "gpu/own/kernel.h"
#include "gpu/scenes/simplex/own/placed.h"

namespace warploom::own {

/// A state of a simplex, place by place.
template <int Dimensions, class Layout>
struct SimplexState {
  const SimplexDomain<Dimensions>& simplex;
  SimplexStorage<Layout, std::uint8_t, true> storage;

  using Arguments = SimplexRun<Dimensions>;
  WARPLOOM_HD static Domain words(const Arguments& with) { return Domain(domain_of_run(with)); }
  WARPLOOM_HD static SimplexState of(const SimplexRun<Dimensions>& with, Memory which) {
    return {domain_of_run(with), {Layout(domain_of_run(with)), with.template at<std::uint8_t>(which)}};
  }
  WARPLOOM_HD bool holds(Place cell) const { return simplex.contains({cell.x, cell.y, cell.z}); }
  WARPLOOM_HD std::uint8_t value(Place cell) const {
    return holds(cell) ? storage.load({cell.x, cell.y, cell.z}) : std::uint8_t{0};
  }
  WARPLOOM_HD void store(Place cell, std::uint8_t value) const {
    storage.store(storage.layout.address({cell.x, cell.y, cell.z}), value);
  }
  WARPLOOM_HD std::uint64_t place(Cell cell) const { return simplex.index(cell); }
};
/// An own rule as a work.
template <class Rule>
struct RuleWork {
  static constexpr SimplexWorkInfo info{.key = "own",
                                        .title = "Own rule",
                                        .description = "a cell's next state by your rule",
                                        .citation = "",
                                        .reads_state = true,
                                        .more_points = no_points,
                                        .bytes_per_cell = 2};
  template <int>
  using Value = std::uint8_t;
  template <int Dimensions, class Storage>
  struct At {
    using Layout = typename Storage::Layout;
    SimplexArguments<Dimensions, Storage> with;
    Domain domain;
    explicit At(const SimplexArguments<Dimensions, Storage>& of) : with(of), domain(of.domain) {}
    WARPLOOM_HD void operator()(const Spot& spot) const {
      const SimplexState<Dimensions, Layout> in{with.domain, {with.in.layout, with.in.data}};
      with.out.store(spot.address, Rule::next(AroundCell<SimplexState<Dimensions, Layout>, Domain>{
                                       {spot.cell.x, spot.cell.y, spot.cell.z}, domain, in}));
    }
  };
};

}  // namespace warploom::own
