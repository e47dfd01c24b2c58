#pragma once
#include "gpu/own/asked.h"
#include "gpu/scenes/simplex/own/mapped.h"
#include "gpu/scenes/simplex/own/words.h"
#include "gpu/scenes/simplex/works/map_only.h"

namespace warploom::own {

/// An own map with `place`, as SimplexProgram wants a map.
template <class World, bool checked>
struct BlocksOfSimplex {
  static constexpr int dimensions = World::dimensions;
  struct Placing {};
  /// A map that is judged whole gives every place to one thread; until then stores may collide.
  static constexpr struct { bool exact; } info{!checked};

  SimplexDomain<dimensions> domain;
  Asked<World, checked> asked;
  int turns_of_block;

  WARPLOOM_HD bool more(int, Index3, int turn) const { return turn < turns_of_block; }
  WARPLOOM_HD std::uint32_t items() const { return 1; }
  WARPLOOM_HD bool block_of_turn(int launch, Index3 at, int turn, Index3&, Index3& block) const {
    const Entry entry = asked.enter(launch, at, turn);
    block = {entry.to.x, entry.to.y, entry.to.z};
    return entry.fate == Fate::serves;
  }
  WARPLOOM_HD bool thread(Cell origin, Index3 at, Cell& cell) const {
    cell = {origin.x + at.x, origin.y + at.y, origin.z + at.z};
    return domain.contains(cell);
  }
  WARPLOOM_HD bool thread(Cell origin, Index3 at, std::uint32_t, Cell& cell) const { return thread(origin, at, cell); }
};

/// A work whose threads come to cells one by one, under a map with `cell`.
template <class World, bool checked, class Work, class Storage>
struct CellsOfSimplex {
  using At = typename Work::template At<World::dimensions, Storage>;
  /// Such a work shares what the threads of a block load; it has a form for single cells, too.
  static constexpr bool alone = requires(const At& at, const Spot& spot) { at.single(spot); };
  static constexpr bool counts_odd = Work::info.odd != nullptr;
  static constexpr bool folds = [] {
    if constexpr (alone || counts_odd)
      return false;
    else
      return !std::is_void_v<std::invoke_result_t<const At&, const Spot&>>;
  }();

  Asked<World, checked> asked;
  At at;
  Storage out;
  int launch, turns;
  SumSlots sum;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    typename Group::template PerThread<std::uint64_t> part;
    group.each([&](const warploom::Thread& thread) { part[thread] = 0; });
    const Index3 threads = group.threads();
    for (int turn = 0; turn < turns; ++turn) {
      const Entry entry = asked.enter(launch, group.block(), turn);
      group.each([&](const warploom::Thread& thread) {
        Spot spot;
        if (asked.find(entry, thread, threads, spot.cell) != Fate::serves) return;
        if constexpr (!folds) spot.address = out.layout.address(spot.cell);
        if constexpr (alone) {
          at.single(spot);
        } else if constexpr (counts_odd) {
          bool odd = false;
          at(spot, odd);
          part[thread] += odd;
        } else if constexpr (folds) {
          part[thread] += at(spot);
        } else {
          at(spot);
        }
      });
    }
    if constexpr (folds || counts_odd)
      group.each_warp_sum(part, [&](unsigned warp, std::uint64_t total) {
        if (total) sum.add(group.block_number() * 8 + warp, total);
      });
  }
};

/// Own maps of simplices.
template <int Dimensions, class LayoutOf, class Work>
struct SimplexScene {
  using Arguments = SimplexRun<Dimensions>;
  using Value = typename Work::template Value<Dimensions>;
  using Layout = LayoutOfWork<Work, LayoutOf>;

  WARPLOOM_HD static Domain domain_of(const Arguments& with) { return Domain(domain_of_run(with)); }
  WARPLOOM_HOST_CALLS
  WARPLOOM_HD static Index3 threads_of(const Arguments& with) { return domain_of_run(with).block_extent(); }

  struct World {
    static constexpr int dimensions = Dimensions;
    static constexpr int sector_ways = 2 * AnyLayout<Dimensions>::count;
    Held<SimplexDomain<Dimensions>> simplex;
    Domain domain;
    AnyLayout<Dimensions> layouts;
    std::uint32_t value_bytes;
    const Launches& shape;
    WARPLOOM_HOST_CALLS
    WARPLOOM_HD World(const Arguments& with, const Launches& launches)
        : simplex(domain_of_run(with)),
          domain(domain_of_run(with)),
          layouts(domain_of_run(with), 0),
          value_bytes(with.value_bytes),
          shape(launches) {}

    WARPLOOM_HD Domain words() const { return domain; }

    WARPLOOM_HD Cell first_cell(Place block) const { return simplex.first_cell({block.x, block.y, block.z}); }
    WARPLOOM_HD Fate in_block(const Entry& entry, Index3 at, Cell& to) const {
      const Cell first = first_cell(entry.to);
      to = {first.x + at.x, first.y + at.y, first.z + at.z};
      return simplex.contains(to) ? Fate::serves : Fate::waste;
    }
    WARPLOOM_HD std::uint64_t blocks(int launch) const { return volume(shape.grids[launch]); }
    WARPLOOM_HD std::uint64_t place(Cell cell) const { return simplex.index(cell); }
    WARPLOOM_HD std::uint64_t sector(int way, Cell cell) const {
      return layouts.address_in(way / 2, cell) * value_bytes / (way % 2 ? 128 : 32);
    }
    WARPLOOM_HD std::uint32_t number_of(Place block) const {
      return static_cast<std::uint32_t>(simplex.index({block.x, block.y, block.z}));
    }
  };

  /// The work under the map.
  WARPLOOM_HOST_CALLS
  template <bool checked, class Run>
  WARPLOOM_HD static void step(const Arguments& with, const World& world, int turns, int launch, Run&& run) {
    using Storage = SimplexStorage<Layout, Value, checked>;
    const Layout layout(domain_of_run(with));
    auto* out = with.template at<Value>(Memory::out);
    const Storage written{layout, out};
    const SimplexArguments<Dimensions, Storage> work{domain_of_run(with),
                                                     {layout, with.template at<Value>(Memory::in)},
                                                     written,
                                                     with.rule,
                                                     with.template at<Point<Dimensions>>(Memory::points)};
    const SumSlots sums{with.template at<std::uint64_t>(Memory::sums)};
    const Asked<World, checked> asked{world, with.tests};
    if constexpr (HasPlace<decltype(World::domain)>) {  // a template's, so that it is asked once the text is read
      using Map = BlocksOfSimplex<World, checked>;
      using Program = SimplexProgram<Map, Work, Storage>;
      run(Program{Map{domain_of_run(with), asked, turns}, typename Program::At(work), layout, launch, sums, out});
    } else {
      static_assert(!Work::info.per_block, "this work sums over blocks: its maps define `place`");
      using Program = CellsOfSimplex<World, checked, Work, Storage>;
      run(Program{asked, typename Program::At(work), written, launch, turns, sums});
    }
  }
};

}  // namespace warploom::own
