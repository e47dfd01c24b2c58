#pragma once
#include "tests/viewer/picture_case.h"

namespace warploom {

inline void simplex(Model& model, const std::vector<std::string>& assignments) {
  select_scene(model, "simplex");
  give(model, assignments);
}

/// Solids at three sizes, on the way, cut, apart; triangles; what is wrong, and what it costs.
inline std::vector<Case> simplex_cases() {
  const std::string mapped = "tracks=bounding_box,h_map";
  const auto thread = [](Model& m, std::size_t track, Index3 block, Index3 at) {
    m.picked.space = Selection::thread;
    m.picked.track = track;
    m.picked.owner = {0, block, 0, at};
    m.active_track = track;
  };
  return {
      {"simplex_default", [](Model& m, PanelState&) { simplex(m, {}); }},
      {"simplex_small", [](Model& m, PanelState&) { simplex(m, {}); }, 900, 600},
      {"simplex_large",
       [](Model& m, PanelState&) {
         simplex(m, {}), pick(m, {20, 50, 80});
       },
       3840, 2160, 2},
      {"simplex_light",
       [mapped](Model& m, PanelState&) {
         simplex(m, {mapped}), m.view.theme = "light", m.view.colour_by = ColourBy::layer;
       },
       1280, 720, 1, 2},
      {"simplex_morph_0",
       [mapped](Model& m, PanelState&) {
         simplex(m, {mapped}), m.view.colour_by = ColourBy::layer, m.view.solid.morph = 0;
       },
       1280, 720, 1, 2, false},
      {"simplex_morph_half",
       [mapped](Model& m, PanelState&) {
         simplex(m, {mapped}), m.view.colour_by = ColourBy::layer, m.view.solid.morph = .5;
       },
       1280, 720, 1, 2, false},
      {"simplex_morph_1", [mapped](Model& m, PanelState&) { simplex(m, {mapped}), m.view.colour_by = ColourBy::layer; },
       1280, 720, 1, 2, false},
      {"simplex_waste_hidden",
       [mapped](Model& m, PanelState&) {
         simplex(m, {mapped, "domain=tetrahedron_corner"}), m.view.solid.waste = false;
         m.view.colour_by = ColourBy::launch_order;
       },
       1280, 720, 1, 2, false},
      {"simplex_exploded_slice",
       [](Model& m, PanelState&) {
         simplex(m, {"tracks=root_exact", "domain=tetrahedron_corner"});
         m.view.solid.explode = 1.6, m.view.solid.slice_axis = 0, m.view.solid.slice = .35;
         m.view.colour_by = ColourBy::address;
       },
       1280, 720, 1, 2, false},
      {"simplex_energy",
       [](Model& m, PanelState&) {
         simplex(m, {"work=triplet_energy", "n=60", "block=3", "tracks=root_exact,stride_walk"});
       },
       1280, 720, 1, 2},
      {"simplex_four_tracks",
       [](Model& m, PanelState&) {
         simplex(m, {"tracks=bounding_box,root_exact,h_map,stride_walk"}), m.view.colour_by = ColourBy::launch_order;
       }},
      {"simplex_break_it",
       [](Model& m, PanelState&) {
         simplex(m, {"tracks=bounding_box,root_fp32", "n=9", "block=1", "work=single_write"});
         pick(m, {0, 0, 3}), m.active_track = 1;
       },
       1600, 900, 1, 2},
      {"simplex_coalescing",
       [thread](Model& m, PanelState&) {
         simplex(m, {"tracks=root_exact/blocked", "work=single_write", "n=64"});
         thread(m, 0, {2, 3, 2}, {1, 2, 5});
       },
       1600, 1400, 1, 2},
      {"simplex_shapes",
       [](Model& m, PanelState&) {
         simplex(m, {"tracks=bounding_box/blocked,root_exact/blocked", "work=single_write", "n=40", "coarsen=16",
                     "gang=4"});
         m.machine.block_ns = .6, m.machine.copy_ceiling = 4e12;
         m.view.plots[2] = "shapes";
         pick(m, {10, 21, 30}), m.active_track = 1;
       },
       1600, 1200, 1, 2},
      {"simplex_shares",
       [](Model& m, PanelState&) {
         simplex(m, {"domain=triangle", "tracks=bounding_box,root_exact", "work=distance_matrix", "n=96", "block=16",
                     "coarsen=8", "gang=4"});
         m.view.colour_by = ColourBy::launch_order;
         look_at(m, .3, .6, 3), pick(m, {24, 50, 0});
       },
       1280, 720, 1, 2, false},
      {"simplex_triangle",
       [](Model& m, PanelState&) {
         simplex(m, {"domain=triangle", "tracks=bounding_box,rectangle,recursive,h_map"}), pick(m, {20, 70, 0});
       }},
      {"simplex_triangle_numbers",
       [](Model& m, PanelState&) {
         simplex(m, {"domain=triangle", "work=distance_matrix", "tracks=root_exact,stride_walk"});
         look_at(m, .3, .35, 12), pick(m, {28, 34, 0});
       },
       1280, 720, 1, 2, false},
      {"simplex_triangle_flight",
       [](Model& m, PanelState&) {
         simplex(m, {"domain=triangle", "tracks=bounding_box,rectangle,recursive,h_map"});
         pick(m, {20, 70, 0}), m.view.solid.morph = .6;
       }},
      {"simplex_one_cell",
       [](Model& m, PanelState&) {
         simplex(m, {"n=1", "tracks=bounding_box,stride_walk"}), pick(m, {0, 0, 0});
       },
       1280, 720, 1, 1},
  };
}

}  // namespace warploom
