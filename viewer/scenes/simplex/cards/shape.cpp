#include <fmt/format.h>

#include <algorithm>

#include "gpu/core/format.h"
#include "viewer/model/commands.h"
#include "viewer/panels/cards/cards.h"
#include "viewer/panels/plots/plots.h"
#include "viewer/scenes/simplex/cards/shape_times.h"

namespace warploom {

namespace {

/// "blocks of side 8, 4 cells per thread, 2 blocks joined"
std::string shape_text(const ShapeTimes::Key& key) {
  return fmt::format("blocks of side {}, {} per thread{}", key.rho, counted(key.cells, "cell"),
                     key.gang > 1 ? fmt::format(", {} joined", key.gang) : "");
}

/// The time of a step by the law: starting its blocks or moving its bytes, whichever takes longer.
double law_ms(const WorkShape& shape, double block_ns, double bytes_per_second) {
  return std::max(shape.memory_ms(bytes_per_second), shape.persistent ? 0 : shape.start_ms(block_ns));
}

std::string time_text(double ms) {
  return ms >= 1      ? fmt::format("{:.3g} ms", ms)
         : ms >= 1e-3 ? fmt::format("{:.3g} \u00b5s", 1e3 * ms)
                      : fmt::format("{:.3g} ns", 1e6 * ms);
}

/// The track of the bounding box with the same shape, if any.
std::optional<std::size_t> box_beside(const PanelContext& panel, const WorkShape& own, const std::string& what) {
  for (std::size_t i = 0; i < panel.simulation->size(); ++i) {
    const Track& track = panel.simulation->track(i);
    const auto* shaped = track.facet<ShapeFacet>();
    if (!shaped || track.info().map != "bounding_box" || shaped->measured_as() != what) continue;
    if (ShapeTimes::key_of(shaped->shape()) == ShapeTimes::key_of(own)) return i;
  }
  return std::nullopt;
}

}  // namespace

std::string bound_text(const WorkShape& shape, double block_ns, double bytes_per_second, double measured_ms) {
  // The time of arithmetic is known only once it was measured.
  if (!(block_ns > 0) || !(bytes_per_second > 0) || shape.bytes == 0) return {};
  const double start = shape.start_ms(block_ns), memory = shape.memory_ms(bytes_per_second);
  if (measured_ms > 2 * law_ms(shape, block_ns, bytes_per_second)) return "bound by neither";
  if (!shape.persistent && start > 1.15 * memory) return "bound by dispatch";
  return !shape.persistent && start > memory / 1.15 ? "bound by dispatch and memory alike" : "bound by memory";
}

/// What the active track's shape costs to start and to move, which of the two limits it, and what its map gains: in the
/// same shape, and each at the best shape that was run here.
void shape_card(PanelContext& panel, std::size_t index, Track& track, ShapeFacet& shaped) {
  auto& [ui, model, state, simulation, painter, wants, questions, grounds] = panel;
  const ui::Section section(ui, "shape", "Shape \u00b7 " + track_letter(*panel.simulation, index),
                            [] { return meaning("shape"); });
  if (!section) return;
  const ShapeTimes& times = note_shape_times(panel).times;
  const WorkShape shape = shaped.shape();
  const bool solid = track.dimensions() == 3;
  const auto box = [&](const ThreadBox& b) {
    return fmt::format("{} \u00d7 {}", b.x, b.y) + (solid ? fmt::format(" \u00d7 {}", b.z) : "");
  };
  ui::key_value(ui, "a thread serves",
                shape.box.cells() == 1 ? "1 cell" : fmt::format("{} cells, {}", shape.box.cells(), box(shape.box)));
  ui::help_tooltip(ui, [] { return meaning("item"); });
  if (shape.sector) {
    ui::key_value(ui, "of each row", "whole sectors");
    ui::help_tooltip(ui,
                     "rows of the linear layout begin anywhere in memory: a block serves each row from the row's first "
                     "whole sector of 32 bytes in it, up to a sector beyond its own cells; the first block also serves "
                     "what a row has before its first sector");
  }
  ui::key_value(ui, "launched as one", counted(shape.gang, "block"));
  ui::help_tooltip(ui, [] { return meaning("gang"); });
  ui::key_value(ui, "launched per step", short_count(static_cast<unsigned long long>(shape.launched)));
  const double block_ns = model.machine.block_ns, ceiling = model.machine.copy_ceiling;
  if (block_ns > 0 && ceiling > 0) {
    ui::key_value(ui, "starting them", shape.persistent ? "once" : time_text(shape.start_ms(block_ns)));
    ui::help_tooltip(ui, fmt::format("{:.3f} ns per block, as measured here{}", block_ns,
                                     model.runner().backend() == Backend::cpu
                                         ? ": on the CPU engine a call in a loop, which says nothing about a GPU"
                                         : ""));
    if (shape.bytes > 0) {
      ui::key_value(ui, "moving the bytes", time_text(shape.memory_ms(ceiling)));
      ui::help_tooltip(ui, fmt::format("{} at {:.0f} GB/s, as measured here", bytes_text(shape.bytes), ceiling / 1e9));
    }
    const KernelTiming* timing = state.shown.find(track.kernel(), index);
    const double measured = timing ? timing->milliseconds.median : 0;
    if (const std::string bound = bound_text(shape, block_ns, ceiling, measured); !bound.empty()) {
      ui::key_value(ui, "by the law", bound);
      ui::help_tooltip(ui, [&] {
        std::string words = "the longer of starting blocks and moving bytes is the limit";
        if (measured > 0)
          words += fmt::format("; that is {}, and {} were measured", time_text(law_ms(shape, block_ns, ceiling)),
                               time_text(measured));
        return words + (bound == "bound by neither" ? ": instructions or waiting are the limit" : "");
      });
    }
  } else {
    const bool measure = ui::link_button(ui, "ceiling", "measure the ceilings (Shift+K)", ui::Icon::play);
    ui::help_tooltip(ui, "measures the time to start a block and the memory throughput, which the law needs");
    if (measure) find_and_run(model, "ceiling");
  }
  if (track.info().map == "bounding_box") return;
  const std::string what = shaped.measured_as();
  const auto beside = box_beside(panel, shape, what);
  const auto ratio = beside && state.shown.baseline == *beside ? state.shown.ratio(index) : std::nullopt;
  ui::key_value(ui, "same shape", ratio ? ratio_text(*ratio) : "no bounding box beside");
  ui::help_tooltip(ui, "the bounding box's time divided by this map's, both in this shape, sample by sample");
  const auto mine = times.best(what, track.info().map), boxes = times.best(what, "bounding_box");
  // Where both run at their best now, pairs of steps are better than two medians.
  const auto now = ShapeTimes::key_of(shape);
  const bool paired = ratio && mine && boxes && mine->first == now && boxes->first == now;
  ui::key_value(ui, "best against best",
                paired          ? fmt::format("{:.2f}\u00d7", ratio->median)
                : mine && boxes ? fmt::format("{:.2f}\u00d7", boxes->second / mine->second)
                                : "not run yet");
  ui::help_tooltip(ui, [&] {
    return mine && boxes
               ? std::string(paired ? "pairs of steps" : "medians of this window") + ": the bounding box at " +
                     shape_text(boxes->first) + ", this map at " + shape_text(mine->first) +
                     "; includes other shapes once they are run"
               : std::string("run the bounding box and this map in several shapes to compare the best of each");
  });
}

}  // namespace warploom
