#pragma once
#include <string>

#include "gpu/core/type_list.h"
#include "gpu/scenes/fractal/works/life.h"
#include "gpu/scenes/fractal/works/map_only.h"
#include "gpu/scenes/fractal/works/reduction.h"
#include "gpu/scenes/fractal/works/single_write.h"

namespace warploom {

/// What the fractal scene can do at a cell. A new work is one header and two lines: its include, and its type. The
/// first is the default.
using FractalWorks = TypeList<  //
    Life,                       //
    SingleWrite,                //
    Reduction,                  //
    MapOnly>;

/// What the work of a key says of itself; nothing where there is none.
inline WorkInfo fractal_work_info(const std::string& key) {
  WorkInfo info{};
  for_each_type(FractalWorks{}, [&]<class Work>() {
    if (Work::info.key == key) info = Work::info;
  });
  return info;
}

}  // namespace warploom
