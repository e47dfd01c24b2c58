#pragma once
#include "tests/viewer/picture_case.h"

namespace warploom {

/// Each algorithm, what is picked, what is long, and what has no answer.
inline std::vector<Case> butterfly_cases() {
  const auto with = [](const std::vector<std::string>& assignments, const std::function<void(Model&)>& more = {}) {
    return arranged("butterfly", assignments, more);
  };
  return {
      {"butterfly_default", with({})},
      {"butterfly_wire",
       with({"n=4", "tracks=radix2,radix4"},
            [](Model& m) {
              m.picked = {"wire", {5, 2, 4}, 0, {}}, m.view.theme = "light";
            }),
       1280, 720},
      {"butterfly_small", with({"n=3"}), 900, 600},
      {"butterfly_four", with({"n=4", "tracks=radix2/shuffle,radix4/global,radix16/shared/swizzled,index_digit"})},
      part("butterfly_long", 1, with({"n=10", "batch=8", "signal=chirp"})),
      part("butterfly_scan", 1, with({"algorithm=scan", "n=4", "signal=walk"})),
      part("butterfly_sort", 1, with({"algorithm=sort", "n=4"})),
      part("butterfly_heat", 5,
           with({"algorithm=tridiagonal", "n=4", "tracks=cyclic_reduction,thomas"},
                [](Model& m) {
                  m.picked = {"wire", {7, 4, 8}, 0, {}};
                })),
      {"butterfly_zero_pivot", with({"algorithm=tridiagonal", "n=4", "batch=4", "signal=singular"})},
      {"butterfly_boxes", with({"n=12", "batch=4", "tracks=radix8,radix16/shared/swizzled"}), 1600, 900, 1, 1, false},
      part("butterfly_waterfall", 40,
           with({"batch=8", "signal=chirp", "tracks=radix8"},
                [](Model& m) {
                  m.view.pictures = {"waterfall", "rows"};
                })),
      part("butterfly_registers", 3,
           with({"n=4", "batch=40", "tracks=radix4,radix16"},
                [](Model& m) {
                  m.picked = {"wire", {6, 1, 2}, 0, {}};
                  for (auto& view : m.view.grid) view = {.2, .05, 16};
                })),
      part("butterfly_drawn", 1,
           with({"n=5", "signal=drawn", "curve=0 1 .5 -1 -.2 0", "tracks=radix2"},
                [](Model& m) { m.view.plots[1] = "depth"; })),
      part("butterfly_launches", 1, with({"n=9", "s=6", "batch=16"})),
  };
}

}  // namespace warploom
