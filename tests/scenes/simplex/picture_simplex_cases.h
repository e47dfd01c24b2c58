#pragma once
#include <optional>

#include "tests/viewer/picture_case.h"

namespace warploom {

/// Solids at three sizes, on the way, cut, apart; triangles; what is wrong, and what it costs.
inline std::vector<Case> simplex_cases() {
  using More = void (*)(Model&);
  const auto with = [](const std::vector<std::string>& assignments, std::optional<Cell> picked = {}, More more = {}) {
    return arranged("simplex", assignments, [=](Model& m) {
      if (picked) pick(m, *picked);
      if (more) more(m);
    });
  };
  const auto part = [](const char* name, const Arrange& arrange) { return part_of(name, arrange, 2); };
  const std::string mapped = "tracks=bounding_box,h_map", four_maps = "tracks=bounding_box,rectangle,recursive,h_map",
                    triangle = "domain=triangle", corner = "domain=tetrahedron_corner";
  return {
      {"simplex_default", with({})},
      {"simplex_small", with({}), 900, 600},
      {"simplex_large", with({}, Cell{20, 50, 80}), 3840, 2160, 2},
      {"simplex_light",
       with({mapped}, {}, [](Model& m) { m.view.theme = "light", m.view.colour_by = ColourBy::layer; }), 1280, 720, 1,
       2},
      part("simplex_morph_0",
           with({mapped}, {}, [](Model& m) { m.view.colour_by = ColourBy::layer, m.view.solid.morph = 0; })),
      part("simplex_morph_half",
           with({mapped}, {}, [](Model& m) { m.view.colour_by = ColourBy::layer, m.view.solid.morph = .5; })),
      part("simplex_morph_1", with({mapped}, {}, [](Model& m) { m.view.colour_by = ColourBy::layer; })),
      part("simplex_waste_hidden",
           with({mapped, corner}, {},
                [](Model& m) { m.view.solid.waste = false, m.view.colour_by = ColourBy::launch_order; })),
      part("simplex_exploded_slice", with({"tracks=root_exact", corner}, {},
                                          [](Model& m) {
                                            m.view.solid.explode = 1.6, m.view.solid.slice_axis = 0,
                                            m.view.solid.slice = .35;
                                            m.view.colour_by = ColourBy::address;
                                          })),
      {"simplex_energy", with({"work=triplet_energy", "n=60", "block=3", "tracks=root_exact,stride_walk"}), 1280, 720,
       1, 2},
      {"simplex_four_tracks", with({"tracks=bounding_box,root_exact,h_map,stride_walk"}, {},
                                   [](Model& m) { m.view.colour_by = ColourBy::launch_order; })},
      {"simplex_break_it",
       with({"tracks=bounding_box,root_fp32", "n=9", "block=1", "work=single_write"}, Cell{0, 0, 3},
            [](Model& m) { m.active_track = 1; }),
       1600, 900, 1, 2},
      {"simplex_coalescing",
       with({"tracks=root_exact/blocked", "work=single_write", "n=64"}, {},
            [](Model& m) {
              m.picked = {Selection::thread, {}, 0, {0, {2, 3, 2}, 0, {1, 2, 5}}};
            }),
       1600, 1400, 1, 2},
      {"simplex_shapes",
       with({"tracks=bounding_box/blocked,root_exact/blocked", "work=single_write", "n=40", "coarsen=16", "gang=4"},
            Cell{10, 21, 30},
            [](Model& m) {
              m.machine.block_ns = .6, m.machine.copy_ceiling = 4e12;
              m.view.plots[2] = "shapes", m.active_track = 1;
            }),
       1600, 1200, 1, 2},
      part("simplex_shares",
           with({triangle, "tracks=bounding_box,root_exact", "work=distance_matrix", "n=96", "block=16", "coarsen=8",
                 "gang=4"},
                Cell{24, 50, 0}, [](Model& m) { m.view.colour_by = ColourBy::launch_order, look_at(m, .3, .6, 3); })),
      {"simplex_triangle", with({triangle, four_maps}, Cell{20, 70, 0})},
      part("simplex_triangle_numbers", with({triangle, "work=distance_matrix", "tracks=root_exact,stride_walk"},
                                            Cell{28, 34, 0}, [](Model& m) { look_at(m, .3, .35, 12); })),
      {"simplex_triangle_flight",
       with({triangle, four_maps}, Cell{20, 70, 0}, [](Model& m) { m.view.solid.morph = .6; })},
      {"simplex_one_cell", with({"n=1", "tracks=bounding_box,stride_walk"}, Cell{0, 0, 0}), 1280, 720, 1, 1},
  };
}

}  // namespace warploom
