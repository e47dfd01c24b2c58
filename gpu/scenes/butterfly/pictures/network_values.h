#pragma once
#include <cmath>
#include <cstdint>

#include "gpu/core/bits.h"
#include "gpu/pictures/picture_request.h"
#include "gpu/scenes/butterfly/kernels/network.h"

namespace warploom {

/// Where stages and wires are in the picture of a network, in its own units: a wire is one high.
struct NetworkPlan {
  int n = 0, stages = 0;
  bool reorders = false;  ///< of an FFT: outputs are untangled at the right
  bool boxes = false;     ///< too many wires to be told apart: a stage is a box over a strip of its values
  double unit = 1;        ///< a stage is so wide
  int device_digits = 0;  ///< so many digits of a wire name its device; 0: all are of one
  int exchange = 0;       ///< before this stage they are the lowest, from it on the highest

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
  WARPLOOM_HD int device(int stage, int wire) const {
    return stage < exchange ? wire & ((1 << device_digits) - 1) : wire / band();
  }
  /// Wires of a device, which lie together where the highest digits name it.
  WARPLOOM_HD int band() const { return 1 << (n - device_digits); }
  /// Boxes above the wires.
  WARPLOOM_HD double top() const { return boxes ? .75 * elements() : 0; }
  /// With room for the words below the wires.
  WARPLOOM_HD double height() const { return top() + elements() * 1.12; }
};

/// A stage as a box: which share of its edges goes where, and how many wavefronts its exchange takes for one.
struct StageBox {
  float edges[edge_kinds];
  float conflicts;
  /// Where it is: in its stage, and in what lies above the wires.
  static constexpr double left = .12, low = .02, high = .92;
};

/// What runs through a network, as colours, and its input and output as bars beside it.
struct NetworkValues {
  enum class Bars { away, centred };  ///< from the wires outwards; from the middle of their strip, by their sign

  NetworkPlan plan;
  const float* shades;  ///< (stages + 1, N); null: there are none
  const float* bars;    ///< (2, N): of input and output, -1..1
  Bars kinds[2];
  Palette palette;

  /// `cone` (stages + 1, N): what is 0 there fades; null: nothing does.
  WARPLOOM_HD Rgba shade(int stage, int element, const std::uint8_t* cone) const {
    if (!shades) return palette.waste;
    const std::int64_t i = static_cast<std::int64_t>(stage) * (1 << plan.n) + element;
    const Rgba own = palette.at(.06f + .94f * shades[i]);
    return cone && !cone[i] ? mix(palette.ground, own, .2f) : own;
  }

  /// Whose bars are there: 0 the input's, 1 the output's, -1: none are.
  WARPLOOM_HD static int side_of(const NetworkPlan& plan, double along) {
    if (along < NetworkPlan::wires - NetworkPlan::gap) return 0;
    return along >= plan.finish() + NetworkPlan::gap ? 1 : -1;
  }

  /// A pixel among the bars, over what lies there; `y` in wires. Of several wires in a pixel the longest bar.
  WARPLOOM_HD Rgba bar(Rgba under, int side, double along, double y, const Camera& camera,
                       const std::uint8_t* cone) const {
    if (!bars) return under;
    const double high = camera.cells_per_pixel_y;
    const double from = side == 0 ? plan.begin() : plan.finish() + NetworkPlan::gap;
    const float across = static_cast<float>((along - from) / plan.strip()),
                pixel = static_cast<float>(camera.cells_per_pixel_x / (plan.unit * plan.strip()));
    int first = static_cast<int>(y), count = 1;
    if (high < .3) {
      if (fabs(y - first - .5) > .38) return under;  // bars are apart where there is room
    } else {
      const double low = y - .5 * high;
      first = low > 0 ? static_cast<int>(low) : 0;
      count = high > 1 ? static_cast<int>(high) : 1;
    }
    const int step = count > 8 ? count / 8 : 1;
    float value = 0;
    int of = 0;
    for (int wire = first; wire < first + count && wire < 1 << plan.n; wire += step) {
      const int e = element(side, wire);
      const float one = bars[(static_cast<std::int64_t>(side) << plan.n) + e];
      if (wire == first || fabsf(one) > fabsf(value)) value = one, of = e;
    }
    const bool centred = kinds[side] == Bars::centred;
    float t = side == 0 ? 1 - across : across;
    if (centred) t = (value < 0 ? .5f - across : across - .5f) * 2;
    const float length = fabsf(value), wide = centred ? 2 * pixel : pixel;
    if (t < 0) return centred && t > -wide ? mix(under, palette.hatch, .8f) : under;
    const float cover = (length - t) / wide + .5f;
    if (cover <= 0) return centred && t < wide ? mix(under, palette.hatch, .8f) : under;
    const bool fades = cone && !cone[(side == 0 ? 0 : static_cast<std::int64_t>(plan.stages) << plan.n) + of];
    const Rgba own = palette.at(.35f + .65f * length);
    return mix(under, fades ? mix(palette.ground, own, .2f) : own, cover < 1 ? cover : 1);
  }

  /// The element whose wire that is.
  WARPLOOM_HD int element(int side, int wire) const {
    return side == 1 && plan.reorders ? static_cast<int>(reversed_bits(static_cast<std::uint32_t>(wire), plan.n))
                                      : wire;
  }
};

}  // namespace warploom
