#pragma once
#include "gpu/own/asked.h"
#include "gpu/scenes/fractal/maps/intra.h"
#include "gpu/scenes/fractal/own/mapped.h"
#include "gpu/scenes/fractal/own/words.h"

namespace warploom::own {

/// Where marks of a cell lie: in the box, or by its number.
WARPLOOM_HD std::uint64_t place_of(const FractalDomain& fractal, bool by_number, Cell cell) {
  return by_number ? fractal.number(cell.x, cell.y, fractal.level) : std::uint64_t{cell.y} * fractal.extent.x + cell.x;
}

/// Own maps of fractals. `Intra`: how the threads of a block of `place` find their cells.
template <class Storage, class Intra, class Work>
struct FractalScene {
  using Arguments = FractalArguments;

  WARPLOOM_HD static Domain domain_of(const Arguments& with) {
    return Domain(domain_of_run(with), digits_of_run(with));
  }
  WARPLOOM_HOST_CALLS
  WARPLOOM_HD static Index3 threads_of(const Arguments& with) {
    return Intra::threads(domain_of_run(with), digits_of_run(with));
  }

  struct World {
    Held<FractalDomain> fractal;
    int digits;
    const std::uint32_t* table;
    bool by_number;
    const Launches& shape;
    Domain domain;
    Storage state;
    WARPLOOM_HOST_CALLS
    WARPLOOM_HD World(const Arguments& with, const Launches& launches)
        : fractal(domain_of_run(with)),
          digits(digits_of_run(with)),
          table(with.template at<std::uint32_t>(Memory::table)),
          by_number(with.by_number),
          shape(launches),
          domain(domain_of(with)),
          state(storage_of<Storage>(with, Memory::in)) {}

    WARPLOOM_HD Domain words() const {
      Domain here = domain;
      here.fractal = &fractal;
      return here;
    }

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
  WARPLOOM_HOST_CALLS
  template <bool checked, class Run>
  WARPLOOM_HD static void step(const Arguments& with, const World& world, int turns, int launch, Run&& run) {
    step<checked>(
        with, world, turns, launch, run,
        WorkOf<Storage, Work>::at(with, storage_of<Storage>(with, Memory::in), storage_of<Storage>(with, Memory::out)));
  }
  WARPLOOM_HOST_CALLS
  template <bool checked, class Run, class At>
  WARPLOOM_HD static void step(const Arguments& with, const World& world, int turns, int launch, Run&& run,
                               const At& at) {
    using Map = WrittenMap<World, checked>;
    run(MapProgram<Map, At>{Map{{world, with.tests}, turns}, at, launch,
                            SumSlots{with.template at<std::uint64_t>(Memory::sums)}});
  }
};

}  // namespace warploom::own
