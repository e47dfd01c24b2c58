#pragma once
#include "gpu/own/kernel.h"
#include "gpu/scenes/fractal/own/placed.h"
#include "gpu/scenes/fractal/works/embedded.h"

namespace warploom::own {

/// A state of a fractal, place by place.
template <class Storage>
struct FractalState {
  const FractalDomain& fractal;
  Storage storage;
  bool by_number;

  using Arguments = FractalArguments;
  WARPLOOM_HD static Domain words(const FractalArguments& with) {
    return Domain(domain_of_run(with), digits_of_run(with));
  }
  WARPLOOM_HD static FractalState of(const FractalArguments& with, Memory which) {
    return {domain_of_run(with), storage_of<Storage>(with, which), with.by_number};
  }
  WARPLOOM_HD bool holds(Place cell) const { return cell.z == 0 && fractal.contains({cell.x, cell.y, 0}); }
  WARPLOOM_HD std::uint8_t value(Place cell) const {
    // In a box what is no cell is 0.
    const bool there = std::is_same_v<Storage, Embedded>
                           ? cell.z == 0 && cell.x < fractal.extent.x && cell.y < fractal.extent.y
                           : holds(cell);
    return there ? storage.load({cell.x, cell.y, 0}) : std::uint8_t{0};
  }
  WARPLOOM_HD void store(Place cell, std::uint8_t value) const { storage.store({cell.x, cell.y, 0}, value); }
  WARPLOOM_HD std::uint64_t place(Cell cell) const { return place_of(fractal, by_number, cell); }
};

/// An own rule as a work: MapProgram calls it at every cell.
template <class Storage, class Rule>
struct RuleAt {
  Domain domain;
  FractalState<Storage> in;
  Storage out;
  WARPLOOM_HD void operator()(Cell cell) const {
    out.store(cell, Rule::next(AroundCell<FractalState<Storage>, Domain>{{cell.x, cell.y, 0}, domain, in}));
  }
};
/// An own rule, in place of a work.
template <class Rule>
struct RuleWork {};
template <class Storage, class Rule>
struct WorkOf<Storage, RuleWork<Rule>> {
  WARPLOOM_HD static auto at(const FractalArguments& with, const Storage& in, const Storage& out) {
    return RuleAt<Storage, Rule>{
        Domain(domain_of_run(with), digits_of_run(with)), {domain_of_run(with), in, with.by_number}, out};
  }
};

}  // namespace warploom::own
