#pragma once
#include <type_traits>

#include "gpu/scenes/fractal/own/arguments.h"
#include "gpu/scenes/fractal/works/map_program.h"

// Built-in maps outside the program: under an own rule, and taken home.

namespace warploom::own {

template <class Storage>
Storage storage_of(const FractalArguments& with, Memory which) {
  return Storage::of(domain_of_run(with), digits_of_run(with), with.template at<std::uint8_t>(which));
}

/// A work at a cell.
template <class Storage, class Work>
struct WorkOf {
  static auto at(const FractalArguments& with, const Storage& in, const Storage& out) {
    return typename Work::template At<Storage>(WorkArguments<Storage>{in, out, with.rule});
  }
};

/// A built-in map under a work.
template <class Storage, class BuiltIn, class Work>
struct MappedFractal {
  using Arguments = FractalArguments;
  using Map = BuiltIn;

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
  static void find_launches(const Arguments& with, Launches& all) { find_launches_of_map(map(with), all); }
  /// run(program) with the step of one launch; `at` in place of the work, where it is given.
  template <class Run>
  static void step(const Arguments& with, int launch, Run&& run) {
    step(with, launch, run, work(with));
  }
  template <class Run, class At>
  static void step(const Arguments& with, int launch, Run&& run, const At& at) {
    run(MapProgram<Map, At>{map(with), at, launch, sums(with)});
  }
  /// The same inside a kernel, whose parameter the map is.
  template <class Run>
  static void step_of(const Map& map, const Arguments& with, int launch, Run&& run) {
    using At = decltype(work(with));
    run(MapProgram<Map, At, const Map&>{map, work(with), launch, sums(with)});
  }

 private:
  static auto work(const Arguments& with) {
    return WorkOf<Storage, Work>::at(with, storage_of<Storage>(with, Memory::in),
                                     storage_of<Storage>(with, Memory::out));
  }
  static SumSlots sums(const Arguments& with) { return {with.template at<std::uint64_t>(Memory::sums)}; }
};

}  // namespace warploom::own
