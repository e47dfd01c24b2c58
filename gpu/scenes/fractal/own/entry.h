#pragma once
#include "gpu/own/kernel.h"
#include "gpu/scenes/fractal/maps/intra.h"
#include "gpu/scenes/fractal/own/arguments.h"
#include "gpu/scenes/fractal/own/words.h"
#include "gpu/scenes/fractal/works/embedded.h"
#include "gpu/scenes/fractal/works/map_program.h"

namespace warploom::own {

/// Where marks of a cell lie: in the box, or by its number.
WARPLOOM_HD std::uint64_t place_of(const FractalDomain& fractal, bool by_number, Cell cell) {
  return by_number ? fractal.number(cell.x, cell.y, fractal.level) : std::uint64_t{cell.y} * fractal.extent.x + cell.x;
}

/// A state of a fractal, place by place.
template <class Storage>
struct FractalState {
  const FractalDomain& fractal;
  Storage storage;
  bool by_number;

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
  WARPLOOM_HD void operator()(Cell cell) const { out.store(cell, Rule::next({{cell.x, cell.y, 0}, domain, in})); }
};
/// In place of a work.
template <class Rule>
struct RuleWork {};

/// The work at a cell.
template <class Storage, class Work>
struct WorkOf {
  static auto at(const FractalArguments& with, const Storage& in, const Storage& out) {
    return typename Work::template At<Storage>(WorkArguments<Storage>{in, out, with.rule});
  }
};
template <class Storage, class Rule>
struct WorkOf<Storage, RuleWork<Rule>> {
  static auto at(const FractalArguments& with, const Storage& in, const Storage& out) {
    return RuleAt<Storage, Rule>{Domain(with.domain, with.block_digits), {with.domain, in, with.by_number}, out};
  }
};

template <class Storage>
Storage storage_of(const FractalArguments& with, Memory which) {
  return Storage::of(with.domain, with.block_digits, with.template at<std::uint8_t>(which));
}

/// Own maps of fractals. `Intra`: how the threads of a block of `place` find their cells.
template <class Storage, class Intra, class Work>
struct FractalScene {
  using Arguments = FractalArguments;

  static Domain domain_of(const Arguments& with) { return Domain(with.domain, with.block_digits); }
  static Index3 threads_of(const Arguments& with) { return Intra::threads(with.domain, with.block_digits); }
  static FractalState<Storage> state(const Arguments& with, Memory which) {
    return {with.domain, storage_of<Storage>(with, which), with.by_number};
  }

  struct World {
    FractalDomain fractal;
    int digits;
    const std::uint32_t* table;
    bool by_number;
    const Launches& shape;
    Domain domain;
    Storage state;
    World(const Arguments& with, const Launches& launches)
        : fractal(with.domain),
          digits(with.block_digits),
          table(with.template at<std::uint32_t>(Memory::table)),
          by_number(with.by_number),
          shape(launches),
          domain(domain_of(with)),
          state(storage_of<Storage>(with, Memory::in)) {}

    WARPLOOM_HD Cell first_cell(Place block) const { return {block.x * domain.rho, block.y * domain.rho_y, 0}; }
    WARPLOOM_HD Fate in_block(const Entry& entry, Index3 at, Cell& to) const {
      Index2 in;
      const bool useful = Intra::place(fractal, digits, table, at, in);
      const Cell first = first_cell(entry.to);
      to = {first.x + in.x, first.y + in.y, 0};
      return useful ? Fate::serves : Fate::waste;
    }
    WARPLOOM_HD std::uint64_t blocks(int launch) const { return volume(shape.grids[launch]); }
    WARPLOOM_HD std::uint64_t place(Cell cell) const { return place_of(fractal, by_number, cell); }
    static constexpr int sector_ways = 1;
    WARPLOOM_HD std::uint64_t sector(int, Cell cell) const { return state.address(cell) / 32; }
    WARPLOOM_HD std::uint32_t number_of(Place block) const { return block.y * domain.blocks + block.x; }
  };

  /// The work under the map.
  template <bool checked, class Run>
  static void step(const Arguments& with, const World& world, const Launches& shape, int launch, Run&& run) {
    using Map = WrittenMap<World, checked>;
    const auto at =
        WorkOf<Storage, Work>::at(with, storage_of<Storage>(with, Memory::in), storage_of<Storage>(with, Memory::out));
    run(MapProgram<Map, std::remove_cvref_t<decltype(at)>>{Map{{world, with.tests}, shape.turns}, at, launch,
                                                           SumSlots{with.template at<std::uint64_t>(Memory::sums)}});
  }
};

/// A built-in map under an own rule.
template <class Storage, class Map, class Rule>
struct RuledFractal {
  using Arguments = FractalArguments;

  static Map map(const Arguments& with) {
    const auto* placing = with.template at<std::uint32_t>(Memory::placing);
    if constexpr (requires(Map map) { map.placing_table; }) {
      Map map;
      map.domain = with.domain;
      map.block_digits = with.block_digits;
      map.grid_digits = with.domain.level - with.block_digits;
      map.placing_table = placing;
      map.intra_table = with.template at<std::uint32_t>(Memory::table);
      return map;
    } else {
      return Map(with.domain, with.block_digits, placing);
    }
  }
  static Launches launches(const Arguments& with) {
    const Map all = map(with);
    Launches shape;
    shape.count = all.launches();
    for (int i = 0; i < shape.count && i < most_launches; ++i) shape.grids[i] = all.shape(i).blocks;
    shape.threads = all.shape(0).threads;
    return shape;
  }
  template <class Run>
  static void step(const Arguments& with, int launch, Run&& run) {
    const auto at = WorkOf<Storage, RuleWork<Rule>>::at(with, storage_of<Storage>(with, Memory::in),
                                                        storage_of<Storage>(with, Memory::out));
    run(MapProgram<Map, std::remove_cvref_t<decltype(at)>>{map(with), at, launch, SumSlots{}});
  }
};

}  // namespace warploom::own
