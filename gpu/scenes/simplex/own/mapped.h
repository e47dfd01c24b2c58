#pragma once
#include <type_traits>

#include "gpu/scenes/simplex/own/arguments.h"
#include "gpu/scenes/simplex/works/map_only.h"
#include "gpu/scenes/simplex/works/program.h"

// Built-in maps outside the program: under an own rule, and taken home.

namespace warploom::own {

/// Works that need no address of a cell have one form for all layouts.
template <class Work, class Layout>
using LayoutOfWork = std::conditional_t<std::is_same_v<Work, SimplexMapOnly> || Work::info.per_block,
                                        LinearLayout<Layout::dimensions>, Layout>;

/// A built-in map under a work, a thread a cell.
template <class LayoutOf, class BuiltIn, class Work>
struct MappedSimplex {
  using Map = BuiltIn;
  static constexpr int dimensions = Map::dimensions;
  using Arguments = SimplexRun<dimensions>;
  using Value = typename Work::template Value<dimensions>;
  using Layout = LayoutOfWork<Work, LayoutOf>;
  using Storage = SimplexStorage<Layout, Value, !Map::info.exact>;

  static Map map(const Arguments& with) { return Map(with.domain, with.template at<std::uint32_t>(Memory::table)); }
  static void find_launches(const Arguments& with, Launches& all) { find_launches_of_map(map(with), all); }
  /// run(program) with the step of one launch.
  template <class Run>
  static void step(const Arguments& with, int launch, Run&& run) {
    step_by<Map>(map(with), with, launch, run);
  }
  /// The same inside a kernel, whose parameter the map is.
  template <class Run>
  static void step_of(const Map& map, const Arguments& with, int launch, Run&& run) {
    step_by<const Map&>(map, with, launch, run);
  }

 private:
  template <class HeldMap, class Run>
  static void step_by(const Map& map, const Arguments& with, int launch, Run&& run) {
    using Program = SimplexProgram<Map, Work, Storage, HeldMap>;
    const Layout layout(with.domain);
    auto* out = with.template at<Value>(Memory::out);
    const SimplexArguments<dimensions, Storage> work{with.domain,
                                                     {layout, with.template at<Value>(Memory::in)},
                                                     {layout, out},
                                                     with.rule,
                                                     with.template at<Point<dimensions>>(Memory::points)};
    run(Program{map, typename Program::At(work), layout, launch,
                SumSlots{with.template at<std::uint64_t>(Memory::sums)}, out});
  }
};

}  // namespace warploom::own
