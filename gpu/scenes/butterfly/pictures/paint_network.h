#pragma once
#include <cmath>
#include <cstring>

#include "gpu/core/atomic.h"
#include "gpu/pictures/picture_request.h"
#include "gpu/scenes/butterfly/kernels/report.h"
#include "gpu/scenes/butterfly/pictures/network_values.h"
#include "gpu/scenes/butterfly/pictures/pixels_of.h"

// Kernels of the picture of a network whose wires can be told apart.
namespace warploom {

/// Each edge of a network as a curve: of every pixel how much of it the strongest covers, and which kind that is. A
/// thread an edge; launched with row_shape.
struct DrawEdges {
  NetworkPlan plan;
  const NetworkEdge* edges;  ///< of the reordering at the right stage S + 1
  std::uint64_t count;
  int every;  ///< of so many wires the last is drawn: sums and couplings end there
  PixelsOf pixels;
  std::uint32_t* lines;  ///< (height, width), words of EdgePixel, 0 before

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, count, [&](std::uint64_t i) {
      const NetworkEdge& edge = edges[i];
      // Of the reordering hardly any line has both its ends on wires that are drawn, and of short edges none has.
      const bool from = edge.from % every == every - 1, to = edge.to % every == every - 1,
                 is_short = edge.from - edge.to < every && edge.to - edge.from < every;
      if (edge.stage > plan.stages ? !from && !to : !to || (!from && !is_short)) return;
      draw(edge.stage, edge.from, edge.to, static_cast<EdgeKind>(edge.where));
    });
  }

 private:
  WARPLOOM_HD void draw(int stage, int from, int to, EdgeKind kind) const {
    const double begin = plan.end(stage - 1),
                 end = stage > plan.stages ? begin + NetworkPlan::reorder * plan.unit : plan.node(stage);
    const float x0 = pixels.x(begin), x1 = pixels.x(end), y0 = pixels.y(from + .5), y1 = pixels.y(to + .5);
    if (x1 < 0 || x0 >= static_cast<float>(pixels.width)) return;
    const float wide = x1 - x0 > 1 ? x1 - x0 : 1;
    const int first = x0 > 0 ? static_cast<int>(x0) : 0,
              last = x1 < static_cast<float>(pixels.width - 1) ? static_cast<int>(x1) : pixels.width - 1;
    const float length = sqrtf(wide * wide + (y1 - y0) * (y1 - y0)), thick = half_width();
    // What crosses into the band of a device is a value, whoever takes it there: its edges part behind the border.
    const int band = plan.band();
    const float border = pixels.y(to > from ? to / band * band : (to / band + 1) * band);
    const auto height = [&](float t) {
      if (kind != EdgeKind::link || plan.exchange) return y0 + (y1 - y0) * smooth(t);
      return t < part ? y0 + (border - y0) * smooth(t / part)
                      : border + (y1 - border) * smooth((t - part) / (1 - part));
    };
    for (int px = first; px <= last; ++px) {
      const float a = clamped((static_cast<float>(px) - x0) / wide),
                  b = clamped((static_cast<float>(px) + 1 - x0) / wide), middle = .5f * (a + b);
      if (!edge_dashed(kind, middle * length)) continue;
      const float top = height(a), bottom = height(b);
      const float low = (top < bottom ? top : bottom) - thick, high = (top < bottom ? bottom : top) + thick;
      const int py0 = low > 0 ? static_cast<int>(low) : 0;
      for (int py = py0; py < pixels.height && static_cast<float>(py) < high; ++py) {
        const float over = (static_cast<float>(py) + 1 < high ? static_cast<float>(py) + 1 : high) -
                           (static_cast<float>(py) > low ? static_cast<float>(py) : low);
        if (over <= 0) continue;
        const auto coverage = static_cast<std::uint32_t>((over < 1 ? over : 1) * 255);
        rare_atomic_maximum(lines + static_cast<std::int64_t>(py) * pixels.width + px,
                            EdgePixel::of(coverage, kind).word);
      }
    }
  }
  static constexpr float part = .55f;  ///< of an edge over the link: up to the border
  WARPLOOM_HD static float clamped(float t) { return t < 0 ? 0 : t > 1 ? 1 : t; }
  WARPLOOM_HD static float smooth(float t) { return t * t * (3 - 2 * t); }
  WARPLOOM_HD float half_width() const {
    const float wire = static_cast<float>(every / pixels.camera.cells_per_pixel_y);
    return wire > 14 ? .9f : wire > 6 ? .6f : .4f;
  }
};

/// The network for the screen: wires by their values over the edges, nodes as dots, bars at both ends.
struct PaintNetwork {
  NetworkValues values;
  const std::uint32_t* lines;
  const std::uint32_t* in_cone;  ///< lines of what the focus hangs on, and of what hangs on it; null: nothing fades
  const std::uint8_t* cone;      ///< (stages + 1, N)
  int every;
  PixelsOf pixels;

  WARPLOOM_HD Rgba pixel(int px, int py) const {
    Rgba colour = values.palette.ground;
    const std::uint32_t line = lines[static_cast<std::int64_t>(py) * pixels.width + px];
    if (line) colour = with_line(colour, {line}, in_cone ? .16f : 1);
    if (in_cone)
      if (const std::uint32_t near = in_cone[static_cast<std::int64_t>(py) * pixels.width + px])
        colour = with_line(colour, {near}, 1.3f);
    const Camera& camera = pixels.camera;
    const NetworkPlan& plan = values.plan;
    const double x = pixels.world_x(px), y = pixels.world_y(py);
    if (x < 0 || x >= plan.width() || y < 0 || y >= plan.elements()) return colour;
    const double along = plan.place(x);
    if (plan.device_digits && on_strip(along)) {
      const Rgba tone = device_tone(plan.device(static_cast<int>(along), static_cast<int>(y)), px, py);
      return in_cone ? mix(values.palette.ground, tone, .3f) : tone;
    }
    if (const int side = NetworkValues::side_of(plan, along); side >= 0)
      return values.bar(colour, side, along, y, camera, in_cone ? cone : nullptr);
    // The nearest wire that is drawn.
    const int place = static_cast<int>(y), nearest = (place + 1 + every / 2) / every * every - 1;
    const int wire = nearest < 0 ? every - 1 : nearest;
    if (wire >= 1 << plan.n) return colour;
    const double scale = 1 / camera.cells_per_pixel_y;
    const float apart = static_cast<float>(fabs(y - (wire + .5)) * scale), pitch = static_cast<float>(every * scale);
    // Which piece of it.
    const int stage = static_cast<int>(along);
    const double in_stage = along - stage;
    const bool output = plan.reorders && along >= plan.stages + 1 + NetworkPlan::reorder && along < plan.finish();
    if (stage >= 1 && stage <= plan.stages) {
      const float away = static_cast<float>((in_stage - NetworkPlan::nodes) * plan.unit / camera.cells_per_pixel_x);
      const float radius = pitch * .32f < 5 ? pitch * .32f : 5, from = sqrtf(away * away + apart * apart);
      if (radius > 1 && from < radius + .5f) {
        const float cover = radius + .5f - from;
        return mix(colour, shade_at(stage, wire), cover < 1 ? cover : 1);
      }
    }
    const bool on_wire =
        stage == 0 ? in_stage >= NetworkPlan::wires : stage <= plan.stages && in_stage >= NetworkPlan::nodes;
    if (!on_wire && !output) return colour;
    const float half = pitch * .24f < .6f ? .6f : pitch * .24f > 4 ? 4 : pitch * .24f, cover = half + .5f - apart;
    if (cover <= 0) return colour;
    int of = wire;
    if (output) of = static_cast<int>(reversed_digits(static_cast<std::uint32_t>(wire), plan.n));
    return mix(colour, shade_at(output ? plan.stages : stage, of), cover < 1 ? cover : 1);
  }

 private:
  WARPLOOM_HD static Rgba with_line(Rgba under, EdgePixel line, float strength) {
    const float share =
        strength * (line.kind() == EdgeKind::in_register ? .42f : .8f);  // crossing nothing, it stays behind
    return mix(under, edge_colour(line.kind()), (share < 1 ? share : 1) * static_cast<float>(line.coverage()) / 255);
  }
  /// The strip left of each stage's nodes that says whose each wire is: six pixels wide.
  WARPLOOM_HD bool on_strip(double along) const {
    const int stage = static_cast<int>(along);
    if (stage < 1 || stage > values.plan.stages) return false;
    const double left = (NetworkPlan::nodes - (along - stage)) * values.plan.unit / pixels.camera.cells_per_pixel_x;
    return left > 9 && left <= 15;
  }
  /// Of neighbours different ones, by tone and hatch.
  WARPLOOM_HD Rgba device_tone(int device, int px, int py) const {
    const int hatch = device % 4;
    const bool line = (hatch == 1 && (px + py) % 4 == 0) || (hatch == 2 && (px - py + 4096) % 4 == 0) ||
                      (hatch == 3 && ((px + py) % 6 == 0 || (px - py + 6 * 4096) % 6 == 0));
    return mix(values.palette.ground, edge_colour(EdgeKind::link), line ? .1f : device / 4 % 2 ? .45f : .9f);
  }
  WARPLOOM_HD Rgba shade_at(int stage, int element) const {
    return values.shade(stage, element, in_cone ? cone : nullptr);
  }
};

/// Of what runs by several launches, or by a thread a problem, no wires are told: a box a launch, or a pass; what the
/// last two hand on by a ring is dotted.
struct PaintLaunches {
  std::uint32_t launches;
  bool ring;
  PixelsOf pixels;
  Palette palette;

  WARPLOOM_HD Rgba pixel(int px, int py) const {
    const Camera& camera = pixels.camera;
    const double x = pixels.world_x(px), y = pixels.world_y(py);
    if (x < 0 || x >= launches || y < .1 || y >= .9) return palette.ground;
    const double in_box = x - floor(x);
    if (in_box < .12 || in_box >= .88) {
      const bool between = ring && fabs(x - (launches - 1.)) <= .12 && fabs(y - .5) < .02 + camera.cells_per_pixel_y;
      constexpr double dot = .06;
      return between && x - floor(x / dot) * dot < dot * .6 ? edge_colour(EdgeKind::ring) : palette.ground;
    }
    const bool rim = in_box < .12 + 2 * camera.cells_per_pixel_x || in_box >= .88 - 2 * camera.cells_per_pixel_x ||
                     y < .1 + 2 * camera.cells_per_pixel_y || y >= .9 - 2 * camera.cells_per_pixel_y;
    return mix(palette.ground, palette.track, rim ? .8f : .22f);
  }
};

}  // namespace warploom
