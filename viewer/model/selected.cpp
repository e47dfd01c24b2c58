#include <functional>

#include "viewer/model/model.h"

// What a selection is in each track.

namespace warploom {

std::optional<Target> Model::target_of(const Selection& selection) const {
  const auto simulation = shown_simulation();
  if (!simulation || selection.track >= simulation->size()) return std::nullopt;
  const auto* threads = simulation->track(selection.track).facet<Threads>();
  if (!threads) return std::nullopt;
  if (selection.space == Selection::cell) return Target{selection.at, threads->member(selection.at)};
  if (!selection.of_a_track()) return std::nullopt;
  // A pin or a scene text may name a thread that only earlier tracks had.
  return threads->launched(selection.owner) ? threads->target(threads->at_work(selection.owner)) : std::nullopt;
}

namespace {

template <class Is>
bool any_picture(const Simulation& simulation, Is&& is) {
  for (std::size_t i = 0; i < simulation.size(); ++i)
    for (const Picture* picture : simulation.track(i).pictures())
      if (std::invoke(is, picture->info())) return true;
  return false;
}

}  // namespace

bool shows(const Simulation& simulation, PictureInfo::Shape shape) {
  return any_picture(simulation, [&](const PictureInfo& info) { return info.shape == shape; });
}
bool flies(const Simulation& simulation) { return any_picture(simulation, &PictureInfo::morphs); }
bool flows(const Simulation& simulation) { return any_picture(simulation, &PictureInfo::flows); }
bool slices(const Simulation& simulation) { return any_picture(simulation, &PictureInfo::sliced); }

Selected Model::selected_in(std::size_t track, const Selection& selection) const {
  const bool own = !selection.of_a_track() || selection.track == track;
  return {selection, owner_in(track, selection), target_of(selection), own};
}

std::optional<Owner> Model::owner_in(std::size_t track, const Selection& selection) const {
  const auto simulation = shown_simulation();
  if (!simulation || track >= simulation->size()) return std::nullopt;
  const auto* threads = simulation->track(track).facet<Threads>();
  if (selection.of_a_track() && selection.track == track)
    return threads && threads->launched(selection.owner) ? std::optional(threads->at_work(selection.owner))
                                                         : std::nullopt;
  const auto target = target_of(selection);
  Owner who;
  const Index3 block = simulation->track(track).launches()[0].threads;
  if (!target || !threads || !threads->comes_to(target->cell, block, who)) return std::nullopt;
  return who;
}

std::optional<std::size_t> shown_picture(const Track& track, const ViewSettings& view, bool side) {
  const auto& pictures = track.pictures();
  // What stands at the side is never what stands there already.
  const auto taken = side ? shown_picture(track, view, false) : std::nullopt;
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    if (taken == i) continue;
    if (pictures[i]->info().key == view.pictures[side]) return i;
    if (!first) first = i;
  }
  return first;
}

}  // namespace warploom
