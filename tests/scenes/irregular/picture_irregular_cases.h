#pragma once
#include "tests/viewer/picture_case.h"

namespace warploom {

/// Each system, and every picture that it has. Tables are those that are the same in every run.
inline std::vector<Case> irregular_cases() {
  const auto with = [](const std::vector<std::string>& assignments, const char* main = "", const char* side = "") {
    return arranged("irregular", assignments, [=](Model& m) {
      if (*main) m.view.pictures = {main, side};
    });
  };
  return {
      {"irregular_default", with({})},
      part_of("irregular_spmv_launch", with({"n=16", "tracks=csr/row,csr/merge"}, "matrix", "launch")),
      part_of(
          "irregular_spmv_storage",
          with({"matrix=fem", "n=6", "values=real", "tracks=dia/row,sell/row,hyb/row,csr/merge"}, "storage", "matrix")),
      part_of("irregular_hash", with({"system=hash", "side=16", "tracks=two_level,sort"})),
      part_of("irregular_hash_rounds",
              with({"system=hash", "keys=random", "count=3000", "load=0.9", "tracks=two_level"})),
      part_of("irregular_hash_voxels", with({"system=hash", "side=24", "tracks=sort"}, "voxels", "table")),
      part_of("irregular_tree",
              with({"system=tree", "count=900", "compact_every=4", "tracks=levels/scan,levels/atomic,radix"})),
      part_of("irregular_tasks", with({"system=tasks", "size=128", "iterations=64", "blocks=8", "clock=modelled",
                                       "tracks=locked_queue,stealing,static_list,rebalance"})),
      part_of("irregular_octree", with({"system=tasks", "application=octree", "count=2000", "blocks=8",
                                        "clock=modelled", "tracks=lock_free_queue"},
                                       "made", "chart")),
  };
}

}  // namespace warploom
