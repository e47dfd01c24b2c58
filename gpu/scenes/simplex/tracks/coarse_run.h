#pragma once
#include "gpu/core/launch.h"
#include "gpu/scenes/simplex/maps/list.h"
#include "gpu/scenes/simplex/tracks/entry.h"
#include "gpu/scenes/simplex/works/coarse.h"
#include "gpu/scenes/simplex/works/compiled.h"

namespace warploom::detail {

template <class Map, class Work, class Shape>
void run_coarse(const CoarseRun& with) {
  constexpr int dimensions = Map::dimensions;
  using Program = CoarseProgram<Map, Work, Shape>;
  using Value = typename Work::template Value<dimensions>;
  const SimplexDomain<dimensions> domain(with.n, Shape::rho, with.corner);
  const typename Shape::Layout layout(domain);
  const CoarseArguments<Shape, Value> arguments{domain,
                                                layout,
                                                reinterpret_cast<const Value*>(with.from),
                                                reinterpret_cast<Value*>(with.to),
                                                with.rule,
                                                static_cast<const Point<dimensions>*>(with.points),
                                                SumSlots{with.sums}};
  const Map map(domain, with.table, with.shares);
  const typename Program::Boxes boxes(arguments);
  int number = 0;
  for (const LaunchShape& shape : with.launches)
    launch(with.kernel, with.queue, {shape.blocks, {Shape::lanes, 1, 1}, with.shares.gang},
           Program{map, boxes, layout, number++});
}

template <int Dimensions, class Work>
std::vector<CoarseEntry> coarse_entries_of() {
  std::vector<CoarseEntry> all;
  if constexpr (ListsShapes<Work>)
    for_each_type(SimplexMaps<Dimensions>{}, [&]<class Map>() {
      if constexpr (Map::info.exact)
        for_each_type(CompiledShapes<Map, typename WorkShapes<Work>::template Shapes<Dimensions>>{},
                      [&]<class Shape>() {
                        using Program = CoarseProgram<Map, Work, Shape>;
                        all.push_back({Map::info.key, Work::info.key,
                                       Work::info.per_block ? nullptr : Shape::Layout::info.key, Shape::rho, Shape::box,
                                       Shape::shares, !Shape::Layout::by_blocks, Shape::lanes, Program::most_threads,
                                       shared_bytes_of<SharedBy<Program, CpuGroup>>, &run_coarse<Map, Work, Shape>});
                      });
    });
  return all;
}

}  // namespace warploom::detail
