#pragma once
#include <string>
#include <vector>

#include "gpu/scenes/butterfly/kernels/plan.h"
#include "viewer/panels/panels.h"

namespace warploom {

/// A step of a tuned program in words. Digits are numbered from 1, the highest bit of a part first; a point is a digit
/// of a problem's number.
struct StepWords {
  std::string stages;  ///< "1-4"; "load" and "store": elements are only placed
  std::string by;      ///< how elements came here: "memory", "ring", "shared", "warp"; empty: they were here
  std::string block, warp, lane, registers;
};
/// `ring`: of two passes, the second takes what the first hands on in the same launch.
std::vector<StepWords> step_words(const Plan& plan, bool ring = false);

/// A row a step, or two where the panel is narrow: where the digits of an element's number are. `n`: log2 of a row's
/// elements, of which a plan may have a tile; `ring` as of step_words; `stage`: the one that is looked at.
void program_steps(PanelContext& panel, const Plan& plan, bool ring, int n, int stage);

}  // namespace warploom
