#pragma once
#include "gpu/own/entry.h"

// Texts that say themselves what is read and written: a `kernel`, a whole step, and a `rule`, a cell's next state.
// `State` is the scene's:
//   bool holds(Place) const                  a cell of the domain
//   std::uint8_t value(Place) const          of any place, 0 outside the domain
//   void store(Place, std::uint8_t) const    of a cell

namespace warploom::own {

/// A neighbour's place; below zero wraps, and lies outside.
WARPLOOM_HD constexpr Place beside(Place at, int dx, int dy, int dz) {
  return {at.x + static_cast<unsigned>(dx), at.y + static_cast<unsigned>(dy), at.z + static_cast<unsigned>(dz)};
}

/// The state before a step.
template <class State>
struct FromState {
  State state;
  WARPLOOM_HD unsigned operator()(Place cell) const { return state.value(cell); }
  WARPLOOM_HD unsigned operator()(Place cell, int dx, int dy, int dz = 0) const {
    return state.value(beside(cell, dx, dy, dz));
  }
};

/// What judging a kernel keeps of its writes. A thread's own.
struct Recorder {
  const Arguments& with;
  Tally& tally;
  std::uint64_t first_visit = 0, first_order = 0;  ///< of the block's first thread, as mark() has them
  unsigned thread = 0;                             ///< that is at work
  bool* wrote = nullptr;                           ///< its own
  Cell* last = nullptr;                            ///< ... cell that it wrote last
};

/// The state after a step. A write outside the domain is refused, and counted where that is judged.
template <class State>
struct ToState {
  State state;
  Recorder* recorder = nullptr;
  WARPLOOM_HD void operator()(Place cell, unsigned value) const {
    const bool inside = state.holds(cell);
    if (!recorder) {
      if (inside) state.store(cell, static_cast<std::uint8_t>(value));
      return;
    }
    if (!inside) {
      atomic_add(&recorder->tally.outside, 1);
      return;
    }
    atomic_add(&recorder->tally.served, 1);
    const Cell at{cell.x, cell.y, cell.z};
    mark(recorder->with, state.place(at), recorder->first_visit + recorder->thread,
         recorder->first_order + recorder->thread);
    *recorder->wrote = true;
    *recorder->last = at;
  }
};

/// The shared memory of a block: a text that uses some defines this, of the group's Tiles.
template <class Group>
struct Shared;

/// The group that a kernel is given: as in gpu/core/group.h, and `each` gives the words' Thread. It has no copies from
/// memory, since a kernel reads by From.
template <class Base>
class KernelGroup {
 public:
  static constexpr bool on_device = Base::on_device;
  template <class Value, unsigned count>
  using Tile = typename Base::template Tile<Value, count>;
  template <class Value>
  struct PerThread : Base::template PerThread<Value> {
    using Base::template PerThread<Value>::operator[];
    WARPLOOM_HD Value& operator[](const Thread& thread) {
      warploom::Thread own;
      own.index = thread.index;
      return (*this)[own];
    }
  };
  template <class Value>
  using Of = typename Base::template PerThread<Value>;

  WARPLOOM_HD KernelGroup(Base& base, int launch, int turn, Recorder* recorder) : base_(base), recorder_(recorder) {
    const Index3 at = base.block();
    block_ = {at.x, at.y, at.z, static_cast<unsigned>(launch), static_cast<unsigned>(turn)};
  }

  WARPLOOM_HD Block block() const { return block_; }
  WARPLOOM_HD Place threads() const { return {base_.threads().x, base_.threads().y, base_.threads().z}; }
  WARPLOOM_HD unsigned size() const { return base_.size(); }
  WARPLOOM_HD void barrier() { base_.barrier(); }
  WARPLOOM_HD void warp_barrier() { base_.warp_barrier(); }

  template <class Body>
  WARPLOOM_HD void each(Body&& body) {
    const Index3 threads = base_.threads();
    base_.each([&](const warploom::Thread& thread) {
      at_work(thread);
      body(thread_of(block_, thread, threads));
    });
  }
  template <class Body>
  WARPLOOM_HD void once(Body&& body) {
    at_work({});
    base_.once(body);
  }
  template <class Value>
  WARPLOOM_HD Value sum(PerThread<Value>& part) {
    return base_.sum(part);
  }
  template <class Value>
  WARPLOOM_HD Value exclusive_sum(PerThread<Value>& part) {
    return base_.exclusive_sum(part);
  }
  template <class Value>
  WARPLOOM_HD void shuffle(const PerThread<Value>& values, const PerThread<unsigned>& lanes, PerThread<Value>& to) {
    base_.shuffle(static_cast<const Of<Value>&>(values), static_cast<const Of<unsigned>&>(lanes),
                  static_cast<Of<Value>&>(to));
  }
  template <class Value>
  WARPLOOM_HD void warp_segmented_sum(PerThread<Value>& values, PerThread<bool>& heads) {
    base_.warp_segmented_sum(values, heads);
  }
  template <class Value, class Body>
  WARPLOOM_HD void each_warp_sum(PerThread<Value>& part, Body&& body) {
    base_.each_warp_sum(part, body);
  }
  template <class Body>
  WARPLOOM_HD void each_warp_count(PerThread<bool>& flags, Body&& body) {
    base_.each_warp_count(flags, body);
  }
  WARPLOOM_HD void warp_ranks(PerThread<bool>& flags, PerThread<unsigned>& ranks) { base_.warp_ranks(flags, ranks); }
  WARPLOOM_HD void warp_ballot(PerThread<bool>& flags, PerThread<std::uint32_t>& votes) {
    base_.warp_ballot(flags, votes);
  }
  WARPLOOM_HD std::uint32_t ballot(PerThread<bool>& flags) { return base_.ballot(flags); }
  template <class TileOf, class Value>
  WARPLOOM_HD void tile_maximum(TileOf&& tile, unsigned i, Value value) {
    base_.tile_maximum(tile, i, value);
  }

  /// Where flags and cells of the threads lie, while a kernel is judged.
  typename Base::template PerThread<bool>* wrote = nullptr;
  typename Base::template PerThread<Cell>* last = nullptr;

 private:
  WARPLOOM_HD void at_work(const warploom::Thread& thread) {
    if (!recorder_) return;
    recorder_->thread = thread.index;
    recorder_->wrote = &(*wrote)[thread];
    recorder_->last = &(*last)[thread];
  }
  Base& base_;
  Recorder* recorder_;
  Block block_;
};

/// What a kernel is given; a specialisation for the scene's Domain stands before the text.
template <class D>
struct KernelTypes;

template <class D>
concept HasPlainKernel = requires(KernelGroup<CpuGroup>& group, typename KernelTypes<D>::From from,
                                  typename KernelTypes<D>::To to, D d) {
  kernel(group, from, to, d);
};
template <class D>
concept HasSharedKernel = requires(KernelGroup<CpuGroup>& group, Shared<KernelGroup<CpuGroup>>& shared,
                                   typename KernelTypes<D>::From from, typename KernelTypes<D>::To to, D d) {
  kernel(group, shared, from, to, d);
};
template <class D>
concept HasKernel = HasPlainKernel<D> || HasSharedKernel<D>;

/// The Shared of what runs a kernel; of one without shared memory there is none.
template <class D, class Group>
requires HasSharedKernel<D>
using SharedOfKernel = Shared<KernelGroup<Group>>;

/// A step of a kernel.
template <class D>
struct KernelProgram {
  D domain;
  typename KernelTypes<D>::From from;
  typename KernelTypes<D>::To to;
  int launch, turns;

  template <class Group>
  using Shared = SharedOfKernel<D, Group>;
  /// `shared`: its Shared, where it has one.
  template <class Group, class... Kept>
  WARPLOOM_HD void operator()(Group& group, Kept&... shared) const {
    const int last = HasTurns<D> ? turns : 1;
    for (int turn = 0; turn < last; ++turn) {
      if (sizeof...(shared) > 0 && turn > 0) group.barrier();  // the last turn may still read what this one writes
      KernelGroup<Group> own(group, launch, turn, nullptr);
      kernel(own, shared..., from, to, D(domain));
    }
  }
};

/// Holds a kernel to its contract: it writes every cell once, and nothing outside. `World` is as of Judge.
template <class World>
struct KernelJudge {
  using D = decltype(World::domain);
  const World& world;
  const Arguments& with;
  typename KernelTypes<D>::From from;
  typename KernelTypes<D>::To to;
  int launch, turns;
  std::uint64_t first_visit;  ///< of the launch

  template <class Group>
  using Shared = SharedOfKernel<D, Group>;
  template <class Group, class... Kept>
  WARPLOOM_HD void operator()(Group& group, Kept&... shared) const {
    typename Group::template PerThread<bool> wrote;
    typename Group::template PerThread<Cell> last;
    Tally& tally = with.at<Tally>(Memory::tallies)[group.block_number() % tally_slots];
    const int all = HasTurns<D> ? turns : 1;
    for (int turn = 0; turn < all; ++turn) {
      if (sizeof...(shared) > 0 && turn > 0) group.barrier();
      group.each([&](const warploom::Thread& thread) { wrote[thread] = false; });
      const std::uint64_t visit =
          first_visit + static_cast<unsigned>(turn) * world.blocks(launch) + group.block_number();
      Recorder recorder{
          with, tally, visit * group.size(),
          (first_visit + group.block_number() * static_cast<unsigned>(turns) + static_cast<unsigned>(turn)) *
              group.size()};
      KernelGroup<Group> own(group, launch, turn, &recorder);
      own.wrote = &wrote;
      own.last = &last;
      kernel(own, shared..., from, typename KernelTypes<D>::To{to.state, &recorder}, world.words());
      count_visits(group, world, with, tally, visit, wrote, last);
    }
  }
};

/// What a rule is given.
template <class State, class D>
struct AroundCell {
  Place at;
  const D& domain;
  const State& state;
  WARPLOOM_HD unsigned operator()() const { return state.value(at); }
  WARPLOOM_HD unsigned operator()(int dx, int dy, int dz = 0) const { return state.value(beside(at, dx, dy, dz)); }
};

/// A rule at one cell, by itself. `State` further has its scene's Arguments, and words(): the domain as texts know it.
template <class State>
struct RuleAlone {
  using Arguments = typename State::Arguments;
  template <class Rule>
  static void apply(const Arguments& with, Cell cell) {
    const auto domain = State::words(with);
    const State in = State::of(with, Memory::in);
    using D = std::remove_cvref_t<decltype(domain)>;
    (void)Rule::next(AroundCell<State, D>{{cell.x, cell.y, cell.z}, domain, in});
  }
};

/// Gives a text the types of its scene's state; stands before the text.
#define WARPLOOM_OWN_STATE(...)           \
  template <>                             \
  struct KernelTypes<Domain> {            \
    using State = __VA_ARGS__;            \
    using From = FromState<State>;        \
    using To = ToState<State>;            \
  };                                      \
  using From = KernelTypes<Domain>::From; \
  using To = KernelTypes<Domain>::To;     \
  using Around = AroundCell<__VA_ARGS__, Domain>

}  // namespace warploom::own
