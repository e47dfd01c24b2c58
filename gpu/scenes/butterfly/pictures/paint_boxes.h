#pragma once
#include "gpu/scenes/butterfly/pictures/network_values.h"
#include "gpu/scenes/butterfly/pictures/pixels_of.h"

namespace warploom {

/// A network of more wires than can be told apart: of each stage a box, with where its edges go and what its exchange
/// costs, over a strip of its values.
struct PaintBoxes {
  NetworkValues values;
  const StageBox* boxes;     ///< (stages)
  const std::uint8_t* cone;  ///< (stages + 1, N): what is 0 there fades; null: nothing does
  PixelsOf pixels;

  WARPLOOM_HD Rgba pixel(int px, int py) const {
    const Palette& palette = values.palette;
    const NetworkPlan& plan = values.plan;
    const Camera& camera = pixels.camera;
    const double x = pixels.world_x(px), y = pixels.world_y(py);
    if (x < 0 || x >= plan.width() || y < 0 || y >= plan.height()) return palette.ground;
    const double along = plan.place(x);
    const int stage = static_cast<int>(along);
    const double in_stage = along - stage;
    if (y < plan.top()) {
      if (stage < 1 || stage > plan.stages || in_stage < StageBox::left) return palette.ground;
      return box(stage, (in_stage - StageBox::left) / (1 - StageBox::left), y / plan.top());
    }
    const double wires = y - plan.top();
    if (const int side = NetworkValues::side_of(plan, along); side >= 0)
      return values.bar(palette.ground, side, along, wires, camera, cone);
    const bool output = plan.reorders && along >= plan.stages + 1 + NetworkPlan::reorder && along < plan.finish();
    const bool inside =
        stage == 0 ? in_stage >= NetworkPlan::wires : stage <= plan.stages && in_stage >= StageBox::left;
    return inside || output ? strip(output ? plan.stages : stage, output, wires) : palette.ground;
  }

 private:
  static constexpr Rgba red = rgba(229, 72, 77);

  /// Of several values in a pixel the greatest.
  WARPLOOM_HD Rgba strip(int stage, bool output, double y) const {
    if (!values.shades) return values.palette.waste;
    const int all = 1 << values.plan.n;
    const double high = pixels.camera.cells_per_pixel_y;
    const int first = y - .5 * high > 0 && high > 1 ? static_cast<int>(y - .5 * high) : static_cast<int>(y),
              count = high > 1 ? static_cast<int>(high) : 1, step = count > 8 ? count / 8 : 1;
    int most = -1;
    for (int wire = first; wire < first + count && wire < all; wire += step) {
      const int e = values.element(output, wire);
      if (most < 0 || at(stage, e) > at(stage, most)) most = e;
    }
    return most < 0 ? values.palette.ground : values.shade(stage, most, cone);
  }
  WARPLOOM_HD float at(int stage, int element) const {
    const std::int64_t i = (static_cast<std::int64_t>(stage) << values.plan.n) + element;
    return cone && !cone[i] ? -1 : values.shades[i];
  }

  /// A place in a box, both 0..1.
  WARPLOOM_HD Rgba box(int stage, double u, double v) const {
    const Palette& palette = values.palette;
    const StageBox& own = boxes[stage - 1];
    if (v < StageBox::low || v >= StageBox::high) return palette.ground;
    if (v >= .72 && v < .80) {
      float sum = 0;
      for (std::uint32_t where = 0; where < edge_kinds; ++where) {
        sum += own.edges[where];
        if (static_cast<float>(u) < sum) return edge_colour(static_cast<EdgeKind>(where));
      }
    }
    // Conflicts: one wavefront is none, sixteen fill the bar.
    if (v >= .82 && v < .87 && own.conflicts > 1)
      return static_cast<float>(u) < .25f * log2f(own.conflicts) ? red : palette.waste;
    return mix(palette.ground, palette.waste, .8f);
  }
};

}  // namespace warploom
