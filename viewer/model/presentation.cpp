// What the arrow keys walk.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/core/format.h"
#include "gpu/tracks/facets/curves.h"
#include "gpu/tracks/facets/stages.h"
#include "viewer/model/commands.h"

namespace warploom {

namespace {

/// What `find` finds in the active track, or in the first that has it; null: none has. The caller holds the tracks.
template <class Find>
auto found_in(const Model& model, const Simulation* tracks, Find&& find) -> decltype(find(std::declval<Track&>())) {
  if (!tracks) return {};
  if (model.active_track < tracks->size())
    if (auto own = find(tracks->track(model.active_track))) return own;
  for (std::size_t i = 0; i < tracks->size(); ++i)
    if (auto other = find(tracks->track(i))) return other;
  return {};
}

const StagesFacet* stages_of(const Model& model, const Simulation* tracks) {
  return found_in(model, tracks, [](const Track& track) { return track.facet<StagesFacet>(); });
}

std::optional<CurveFigure::Handle> handle_of(const Model& model, const Simulation* tracks) {
  return found_in(model, tracks, [](const Track& track) -> std::optional<CurveFigure::Handle> {
    const auto* facet = track.facet<Curves>();
    const auto figures = facet ? facet->curves() : nullptr;
    if (figures)
      for (const CurveFigure& figure : *figures)
        if (figure.handle) return figure.handle;
    return std::nullopt;
  });
}

/// How many warps the tracks launch; 0: they are not counted.
std::uint64_t warps_of(const Simulation* tracks) { return tracks ? Model::most_warps(*tracks) : 0; }

/// What the arrows walk in these tracks.
Walked walked_in(const Model& model, const Simulation* tracks) {
  if (!model.view.presentation) return Walked::nothing;
  if (model.view.launched >= 1) {
    if (const auto* stages = stages_of(model, tracks); stages && !stages->stage_after({}, 1).empty())
      return Walked::stages;
    if (handle_of(model, tracks)) return Walked::handle;
  }
  return warps_of(tracks) ? Walked::warps : Walked::nothing;
}

}  // namespace

void step_stage(Model& model, int by) {
  const auto tracks = model.scene_simulation();
  const StagesFacet* stages = stages_of(model, tracks.get());
  if (!stages) {
    model.formula_level = std::max(0, model.formula_level + by);
    return;
  }
  const Selection next = stages->stage_after(model.picked, by);
  if (next.empty()) return model.tell("no track has stages to step through", true);
  model.picked = next;
}

void launch_by(Model& model, int warps) {
  const auto most = static_cast<double>(warps_of(model.scene_simulation().get()));
  if (most == 0) return;
  model.launching = false;
  const double now = model.view.launched >= 1 ? (warps > 0 ? 0. : most) : std::round(model.view.launched * most);
  model.view.launched = std::clamp((now + warps) / most, 0., 1.);
}

void walk_by_pane(Model& model, int by) {
  model.walk_panes = model.walking ? by : 0;
  model.walking = true;
}

Walked walked_by_arrows(Model& model) { return walked_in(model, model.scene_simulation().get()); }

void walk_on(Model& model, int by, bool across) {
  const auto tracks = model.scene_simulation();
  const Walked walked = walked_in(model, tracks.get());
  if (walked == Walked::warps) {
    const std::uint64_t threads = volume(tracks->track(0).launches()[0].threads);
    return launch_by(model, across ? by * static_cast<int>(SoFar::warps_of(threads)) : by);
  }
  if (walked == Walked::stages && across) {
    const Selection next = stages_of(model, tracks.get())->element_after(model.picked, by);
    if (!next.empty()) model.picked = next;
  } else if (walked == Walked::stages) {
    step_stage(model, by);
  } else if (const auto handle = handle_of(model, tracks.get());
             handle && walked == Walked::handle && !across && !model.building()) {
    model.set(handle->parameter, fmt::format("{:.0f}", std::max(0., handle->x + by)));
  }
}

std::string walked_words(Model& model) {
  const auto tracks = model.scene_simulation();
  const Walked walked = walked_in(model, tracks.get());
  if (walked == Walked::stages) return stages_of(model, tracks.get())->stage_words(model.picked);
  if (walked == Walked::handle) {
    const auto handle = handle_of(model, tracks.get());
    if (!handle) return {};
    return handle->words.empty() ? fmt::format("{} {:.0f}", handle->parameter, handle->x) : handle->words;
  }
  if (walked == Walked::nothing || model.view.launched >= 1) return {};
  const std::uint64_t all = warps_of(tracks.get());
  const auto come = static_cast<std::uint64_t>(std::llround(model.view.launched * static_cast<double>(all)));
  return "slow launch: " + grouped(come) + " of " + counted(all, "warp");
}

void Model::advance_pulse(double seconds) {
  constexpr double whole = .8;  // seconds
  pulse = std::min(1., pulse + std::max(1e-3, seconds) / whole);
  const auto simulation = shown_simulation();
  if (pulse < 1 || synchronous_ || !simulation || !flows(*simulation)) return;
  const std::uint64_t state = simulation->id() * 1000003 + simulation->track(0).version();
  if (state != pulsed_ && view.motion) pulse = 0;
  pulsed_ = state;
}

}  // namespace warploom
