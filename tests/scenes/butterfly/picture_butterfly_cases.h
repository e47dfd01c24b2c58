#pragma once
#include "tests/viewer/picture_case.h"

namespace warploom {

inline void butterfly(Model& model, const std::vector<std::string>& assignments) {
  select_scene(model, "butterfly");
  give(model, assignments);
}

/// Each algorithm, what is picked, what is long, and what has no answer.
inline std::vector<Case> butterfly_cases() {
  const auto wire = [](Model& m, Index3 at) { m.picked = {"wire", at, 0, {}}; };
  return {
      {"butterfly_default", [](Model& m, PanelState&) { butterfly(m, {}); }},
      {"butterfly_wire",
       [wire](Model& m, PanelState&) {
         butterfly(m, {"n=4", "tracks=radix2,radix4"}), wire(m, {5, 2, 4}), m.view.theme = "light";
       },
       1280, 720},
      {"butterfly_small", [](Model& m, PanelState&) { butterfly(m, {"n=3"}); }, 900, 600},
      {"butterfly_four",
       [](Model& m, PanelState&) {
         butterfly(m, {"n=4", "tracks=radix2/shuffle,radix4/global,radix16/shared/swizzled,index_digit"});
       }},
      {"butterfly_long",
       [](Model& m, PanelState&) {
         butterfly(m, {"n=10", "batch=8", "signal=chirp"});
       },
       1280, 720, 1, 1, false},
      {"butterfly_scan",
       [](Model& m, PanelState&) {
         butterfly(m, {"algorithm=scan", "n=4", "signal=walk"});
       },
       1280, 720, 1, 1, false},
      {"butterfly_sort",
       [](Model& m, PanelState&) {
         butterfly(m, {"algorithm=sort", "n=4"});
       },
       1280, 720, 1, 1, false},
      {"butterfly_heat",
       [wire](Model& m, PanelState&) {
         butterfly(m, {"algorithm=tridiagonal", "n=4", "tracks=cyclic_reduction,thomas"}), wire(m, {7, 4, 8});
       },
       1280, 720, 1, 5, false},
      {"butterfly_zero_pivot",
       [](Model& m, PanelState&) {
         butterfly(m, {"algorithm=tridiagonal", "n=4", "batch=4", "signal=singular"});
       }},
      {"butterfly_boxes",
       [](Model& m, PanelState&) {
         butterfly(m, {"n=12", "batch=4", "tracks=radix8,radix16/shared/swizzled"});
       },
       1600, 900, 1, 1, false},
      {"butterfly_waterfall",
       [](Model& m, PanelState&) {
         butterfly(m, {"batch=8", "signal=chirp", "tracks=radix8"}), m.view.pictures = {"waterfall", "rows"};
       },
       1280, 720, 1, 40, false},
      {"butterfly_registers",
       [wire](Model& m, PanelState&) {
         butterfly(m, {"n=4", "batch=40", "tracks=radix4,radix16"}), wire(m, {6, 1, 2});
         for (auto& view : m.view.grid) view = {.2, .05, 16};
       },
       1280, 720, 1, 3, false},
      {"butterfly_drawn",
       [](Model& m, PanelState&) {
         butterfly(m, {"n=5", "signal=drawn", "curve=0 1 .5 -1 -.2 0", "tracks=radix2"}), m.view.plots[1] = "depth";
       },
       1280, 720, 1, 1, false},
      {"butterfly_launches",
       [](Model& m, PanelState&) {
         butterfly(m, {"n=9", "s=6", "batch=16"});
       },
       1280, 720, 1, 1, false},
  };
}

}  // namespace warploom
