#pragma once
#include "gpu/scenes/bins/pictures/colours.h"
#include "tests/viewer/picture_case.h"

namespace warploom {

/// In input order, so that sums are the same to the bit.
inline void bins(Model& model, std::vector<std::string> assignments) {
  select_scene(model, "bins");
  assignments.emplace_back("binning=sort");
  give(model, assignments);
}

/// Each application, what its pictures are, what is picked, and what is rare.
inline std::vector<Case> bins_cases() {
  const auto bin = [](Model& m, Index3 at) { m.picked = {"bin", at, 0, {}}; };
  return {
      {"bins_default", [](Model& m, PanelState&) { bins(m, {}); }},
      {"bins_picked",
       [bin](Model& m, PanelState&) {
         bins(m, {}), bin(m, {10, 6, 1}), m.view.theme = "light";
       },
       1280, 720},
      {"bins_small", [](Model& m, PanelState&) { bins(m, {}); }, 900, 600},
      {"bins_four",
       [](Model& m, PanelState&) {
         bins(m, {"input=4000", "cap=6",
                  "tracks=none/gather,regular/sentinel/spill,compact/bin/padded_bins,compact/range/spill"});
         m.active_track = 1;
       }},
      {"bins_bodies",
       [](Model& m, PanelState&) {
         bins(m, {}), m.view.pictures = {"output", "launch"};
       },
       1280, 720, 1, 60},
      {"bins_layer",
       [](Model& m, PanelState&) { bins(m, {"input=2000"}), m.view.solid.slice_axis = 2, m.view.solid.slice = .6; },
       1280, 720, 1, 2, false},
      {"bins_potential",
       [](Model& m, PanelState&) {
         bins(m, {"application=cutcp"}), m.view.pictures = {"output", "memory"}, pick(m, {40, 30, 36});
       },
       1600, 900, 1, 1},
      {"bins_charges", [](Model& m, PanelState&) { bins(m, {"application=cutcp"}); }, 1280, 720, 1, 1, false},
      {"bins_blobs",
       [](Model& m, PanelState&) {
         bins(m, {"application=blinn"}), m.view.pictures = {"output", "launch"};
       },
       1280, 720, 1, 1, false},
      {"bins_surfaces",
       [](Model& m, PanelState&) {
         bins(m, {"application=cutcp"}), m.view.pictures = {"surface", "memory"}, pick(m, {40, 30, 36});
       },
       1280, 720, 1, 1},
      {"bins_surface_cut",
       [](Model& m, PanelState&) {
         bins(m, {"application=blinn"}), m.view.pictures = {"surface", "launch"};
         m.view.solid.slice_axis = 0, m.view.solid.slice = .5, m.view.theme = "light";
       },
       1280, 720, 1, 1},
      {"bins_hits",
       [](Model& m, PanelState&) {
         bins(m, {"application=blinn", "cap=1", "tracks=compact/range/spill,compact/range"});
         m.view.pictures = {"output", "launch"}, m.view.colour_by = bin_colours::hits;
       },
       1280, 720, 1, 1, false},
      {"bins_image",
       [](Model& m, PanelState&) {
         bins(m, {"application=mri", "input=5187"}), m.view.pictures = {"image", "output"};
       },
       1280, 720, 1, 2},
      {"bins_one_atom",
       [](Model& m, PanelState&) {
         bins(m, {"application=blinn", "input=1"});
       },
       1280, 720, 1, 1, false},
  };
}

}  // namespace warploom
