#pragma once
#include <optional>

#include "gpu/scenes/bins/pictures/colours.h"
#include "tests/viewer/picture_case.h"

namespace warploom {

/// Each application, what its pictures are, what is picked, and what is rare.
inline std::vector<Case> bins_cases() {
  // In input order, so that sums are the same to the bit.
  const auto with = [](std::vector<std::string> assignments, const std::function<void(Model&)>& more = {}) {
    assignments.emplace_back("binning=sort");
    return arranged("bins", assignments, more);
  };
  const auto pictures = [](const char* data, const char* side, std::optional<Cell> picked = {}) {
    return [=](Model& m) {
      m.view.pictures = {data, side};
      if (picked) pick(m, *picked);
    };
  };
  const std::string cutcp = "application=cutcp", blinn = "application=blinn";
  constexpr Cell inside{40, 30, 36};
  return {
      {"bins_default", with({})},
      {"bins_picked",
       with({},
            [](Model& m) {
              m.picked = {"bin", {10, 6, 1}, 0, {}}, m.view.theme = "light";
            }),
       1280, 720},
      {"bins_small", with({}), 900, 600},
      {"bins_four", with({"input=4000", "cap=6",
                          "tracks=none/gather,regular/sentinel/spill,compact/bin/padded_bins,compact/range/spill"},
                         [](Model& m) { m.active_track = 1; })},
      {"bins_bodies", with({}, pictures("output", "launch")), 1280, 720, 1, 60},
      part_of("bins_layer",
              with({"input=2000"}, [](Model& m) { m.view.solid.slice_axis = 2, m.view.solid.slice = .6; }), 2),
      {"bins_potential", with({cutcp}, pictures("output", "memory", inside)), 1600, 900, 1, 1},
      part_of("bins_charges", with({cutcp})),
      part_of("bins_blobs", with({blinn}, pictures("output", "launch"))),
      {"bins_surfaces", with({cutcp}, pictures("surface", "memory", inside)), 1280, 720, 1, 1},
      {"bins_surface_cut",
       with({blinn},
            [](Model& m) {
              m.view.pictures = {"surface", "launch"}, m.view.theme = "light";
              m.view.solid.slice_axis = 0, m.view.solid.slice = .5;
            }),
       1280, 720, 1, 1},
      part_of("bins_hits", with({blinn, "cap=1", "tracks=compact/range/spill,compact/range"},
                                [](Model& m) {
                                  m.view.pictures = {"output", "launch"}, m.view.colour_by = bin_colours::hits;
                                })),
      {"bins_image", with({"application=mri", "input=5187"}, pictures("image", "output")), 1280, 720, 1, 2},
      part_of("bins_one_atom", with({blinn, "input=1"})),
  };
}

}  // namespace warploom
