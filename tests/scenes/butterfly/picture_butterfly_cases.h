#pragma once
#include "tests/viewer/picture_case.h"

namespace warploom {

/// Each algorithm, what is picked, what is long, and what has no answer.
inline std::vector<Case> butterfly_cases() {
  const auto with = [](const std::vector<std::string>& assignments, const std::function<void(Model&)>& more = {}) {
    return arranged("butterfly", assignments, more);
  };
  const auto wire = [](Model& m, Index3 at) { m.picked = {"wire", at, 0, {}}; };
  return {
      {"butterfly_default", with({})},
      {"butterfly_wire",
       with({"n=4", "tracks=radix2,radix4"},
            [wire](Model& m) {
              wire(m, {5, 2, 4}), m.view.theme = "light";
            }),
       1280, 720},
      {"butterfly_small", with({"n=3"}), 900, 600},
      {"butterfly_four", with({"n=4", "tracks=radix2/shuffle,radix4/global,radix16/shared/swizzled,index_digit"})},
      part_of("butterfly_tuned", with({"n=6", "tracks=index_digit,index_digit/tuned"})),
      part_of("butterfly_tuned_sort", with({"algorithm=sort", "n=6", "tracks=bitonic,bitonic/tuned"})),
      part_of("butterfly_tuned_systems", with({"algorithm=tridiagonal", "n=6", "tracks=wang_mou,wang_mou/tuned"})),
      part_of("butterfly_long", with({"n=10", "batch=8", "signal=chirp"})),
      part_of("butterfly_scan", with({"algorithm=scan", "n=4", "signal=walk"})),
      part_of("butterfly_sort", with({"algorithm=sort", "n=4"})),
      part_of("butterfly_heat",
              with({"algorithm=tridiagonal", "n=4", "tracks=cyclic_reduction,thomas"},
                   [wire](Model& m) {
                     wire(m, {7, 4, 8});
                   }),
              5),
      {"butterfly_zero_pivot", with({"algorithm=tridiagonal", "n=4", "batch=4", "signal=singular"})},
      {"butterfly_boxes", with({"n=12", "batch=4", "tracks=radix8,radix16/shared/swizzled"}), 1600, 900, 1, 1, false},
      part_of("butterfly_waterfall",
              with({"batch=8", "signal=chirp", "tracks=radix8"},
                   [](Model& m) {
                     m.view.pictures = {"waterfall", "rows"};
                   }),
              40),
      part_of("butterfly_registers",
              with({"n=4", "batch=40", "tracks=radix4,radix16"},
                   [wire](Model& m) {
                     wire(m, {6, 1, 2});
                     for (auto& view : m.view.grid) view = {.2, .05, 16};
                   }),
              3),
      part_of("butterfly_drawn", with({"n=5", "signal=drawn", "curve=0 1 .5 -1 -.2 0", "tracks=radix2"},
                                      [](Model& m) { m.view.plots[1] = "depth"; })),
      part_of("butterfly_devices", with({"algorithm=scan", "n=6", "devices=4", "tracks=kogge_stone,ladner_fischer"})),
      part_of("butterfly_devices_fft",
              with({"n=6", "devices=4", "tracks=radix2,radix8"}, [](Model& m) { m.view.theme = "light"; })),
      part_of("butterfly_launches", with({"n=9", "s=6", "batch=16"})),
  };
}

}  // namespace warploom
