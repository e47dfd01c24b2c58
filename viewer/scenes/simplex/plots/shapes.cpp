#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "viewer/panels/plots/plots.h"
#include "viewer/scenes/simplex/cards/shape_times.h"

namespace warploom {

namespace {

const ShapeFacet* first_shaped(const PanelContext& panel) {
  for (std::size_t i = 0; panel.simulation && i < panel.simulation->size(); ++i)
    if (const auto* shaped = panel.simulation->track(i).facet<ShapeFacet>()) return shaped;
  return nullptr;
}

}  // namespace

KeptShapeTimes& note_shape_times(PanelContext& panel) {
  auto& state = panel.state;
  auto& kept = state.own<KeptShapeTimes>();
  if (!panel.simulation) return kept;
  if (panel.simulation->id() != kept.simulation) {
    kept.simulation = panel.simulation->id();
    kept.since = ImGui::GetTime();
  }
  if (state.shown.at <= kept.since) return kept;  // still shows another simulation
  const auto status = panel.simulation->status();
  for (const KernelTiming& row : state.shown.table) {
    const auto i = static_cast<std::size_t>(row.track);
    if (row.track < 0 || i >= panel.simulation->size() || row.milliseconds.median <= 0) continue;
    const Track& track = panel.simulation->track(i);
    const auto* shaped = track.facet<ShapeFacet>();
    if (shaped && track.info().exact && status[i].agrees && row.kernel == track.kernel())
      kept.times.note(shaped->measured_as(), track.info().map, shaped->shape(), row.milliseconds.median);
  }
  return kept;
}

std::string shapes_missing(const PanelContext& panel) {
  if (!first_shaped(panel)) return "the tracks of this scene have only one shape";
  const auto& machine = panel.model.machine;
  return machine.block_ns > 0 && machine.copy_ceiling > 0 ? "" : "Shift+K measures dispatch and memory";
}

/// What a map without waste gains over the bounding box in one shape: by the law over sides of blocks, a line per gang,
/// with the measured points of this window.
ui::Figure shapes_figure(PanelContext& panel) {
  ui::Figure figure{.title = "gain over the bounding box by block", .empty_words = shapes_missing(panel)};
  const ShapeTimes& seen = note_shape_times(panel).times;
  const ShapeFacet* shaped = first_shaped(panel);
  if (!shaped || !figure.empty_words.empty()) return figure;
  const auto& machine = panel.model.machine;
  const WorkShape own = shaped->shape();
  const std::string what = shaped->measured_as();
  // The time of the work however it is launched: of its bytes; for arithmetic the least that was measured.
  double work = own.memory_ms(machine.copy_ceiling);
  for (std::size_t i = 0; own.bytes == 0 && i < panel.simulation->size(); ++i)
    if (const auto best = seen.best(what, panel.simulation->track(i).info().map))
      work = work > 0 ? std::min(work, best->second) : best->second;
  if (own.bytes == 0 && work == 0) {
    figure.empty_words = "no samples yet";
    return figure;
  }
  ui::Extent rho{ui::Scale::log2}, gain;
  gain.add(0);
  gain.add(1);
  for (const std::uint32_t gang : {1u, 2u, 4u, 8u}) {
    ui::Figure::Curve curve{.name = gang == 1 ? "law, 1 block" : fmt::format("law, {} joined", gang),
                            .colour = gang == own.gang ? panel.ui.theme->text : panel.ui.theme->quiet,
                            .stroke = gang == own.gang ? ui::Stroke::solid : ui::Stroke::dashed};
    for (int half = 4; half <= 12; ++half) {  // half steps of the logarithm: 4, 6, 8, 11, ... 64
      const auto cells = static_cast<std::uint32_t>(std::lround(std::exp2(half / 2.)));
      curve.x.push_back(cells);
      curve.y.push_back(
          gain_by_law(shaped->box_launched(cells, gang), shaped->map_launched(cells, gang), machine.block_ns, work));
    }
    rho.add(curve.x);
    gain.add(curve.y);
    figure.curves.push_back(std::move(curve));
  }
  // A map's points where the bounding box was run in the same shape.
  std::set<std::string> drawn;
  const auto* boxes = seen.of(what, "bounding_box");
  for (std::size_t i = 0; boxes && i < panel.simulation->size(); ++i) {
    const std::string& map = panel.simulation->track(i).info().map;
    const auto* times = seen.of(what, map);
    if (!times || map == "bounding_box" || !drawn.insert(map).second) continue;
    ui::Figure::Curve points{.name = track_letter(*panel.simulation, i) + " measured",
                             .colour = panel.ui.theme->tracks[i],
                             .marker = ui::Marker::dot,
                             .line = false};
    for (const auto& [key, time] : *times)
      if (const auto box = boxes->find(key); box != boxes->end()) {
        points.x.push_back(key.rho);
        points.y.push_back(box->second / time);
      }
    rho.add(points.x);
    gain.add(points.y);
    if (!points.x.empty()) figure.curves.push_back(std::move(points));
  }
  figure.x = axis_of_n(rho);
  figure.x.name = "side";
  figure.y = ui::fitted(gain, true, "\u00d7");
  return figure;
}

}  // namespace warploom
