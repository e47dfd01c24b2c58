#pragma once
#include "gpu/core/macros.h"

namespace warploom {

/// Where stages and wires are in the picture of a network, in its own units: a wire is one high.
struct NetworkPlan {
  int n = 0, stages = 0;
  bool reorders = false;  ///< of an FFT: outputs are untangled at the right
  bool boxes = false;     ///< too many wires to be told apart: a stage is a box over a strip of its values
  double unit = 1;        ///< a stage is so wide

  // In stages from the left: the input as bars; a stage begins at its number with its edges, its nodes are three
  // quarters on, and its wires lead to the next one; the output as bars.
  static constexpr double wires = .72, nodes = .74, reorder = .8, output = .3, gap = .06;
  /// Of the bars: a seventh of all, about.
  WARPLOOM_HD double strip() const { return stages < 3 ? .62 : .2 * (stages + .5); }
  WARPLOOM_HD double begin() const { return wires - gap - strip(); }
  WARPLOOM_HD double place(double x) const { return x / unit + begin(); }
  WARPLOOM_HD double x_of(double place) const { return (place - begin()) * unit; }
  /// Where the last wires end.
  WARPLOOM_HD double finish() const { return stages + 1 + (reorders ? reorder + output : .1); }
  WARPLOOM_HD double width() const { return x_of(finish() + gap + strip()); }
  WARPLOOM_HD double node(int stage) const { return x_of(stage == 0 ? wires : stage + nodes); }
  /// Where the wire of a stage ends, and edges to the next one begin.
  WARPLOOM_HD double end(int stage) const { return x_of(stage + 1); }
  WARPLOOM_HD double elements() const { return static_cast<double>(1u << n); }
  /// Boxes above the wires, or words below them.
  WARPLOOM_HD double top() const { return boxes ? .62 * elements() : 0; }
  WARPLOOM_HD double height() const { return top() + elements() * (boxes ? 1 : 1.07); }
};

/// A stage as a box: which share of its edges goes where, and how many wavefronts its exchange takes for one.
struct StageBox {
  float edges[4];
  float conflicts;
  /// Where it is: in its stage, and in what lies above the wires.
  static constexpr double left = .12, low = .02, high = .92;
};

}  // namespace warploom
