// Picking in pictures by the keyboard.
#include <algorithm>
#include <cmath>

#include "gpu/tracks/facets/threads.h"
#include "viewer/panels/panes/marks.h"
#include "viewer/ui/walk.h"

namespace warploom {

namespace {

std::uint32_t moved(std::uint32_t at, int by, std::uint32_t count) {
  const auto next = static_cast<std::int64_t>(at) + by;
  return static_cast<std::uint32_t>(
      std::clamp<std::int64_t>(next, 0, std::max<std::int64_t>(0, std::int64_t{count} - 1)));
}

/// A place of a box moved by the keys, by `step` places where they go far.
void move_in(Index3& at, const ui::KeyPick& keys, const Index3& extent, const Index3& step) {
  const auto by = [&](int keyed, std::uint32_t wide) {
    return keyed * static_cast<int>(keys.far ? std::max(1u, wide) : 1u);
  };
  at.x = moved(at.x, by(keys.across, step.x), extent.x);
  if (keys.deep)
    at.z = moved(at.z, by(keys.down, step.z), extent.z);
  else
    at.y = moved(at.y, by(keys.down, step.y), extent.y);
  if (keys.first) at = {};
  if (keys.last) at = {extent.x - 1, extent.y - 1, std::max(1u, extent.z) - 1};
}

Selection cell_by_keys(const PanelContext& panel, const Pane& pane, const ui::KeyPick& keys) {
  const Track& track = panel.simulation->track(pane.track);
  Selection next = panel.model.picked;
  if (next.space != Selection::cell) return {Selection::cell};
  move_in(next.at, keys, track.extent(), track.launches()[0].threads);
  return next;
}

/// Threads are numbered through all blocks of a launch; of a picture of whole blocks the block moves.
Selection thread_by_keys(const PanelContext& panel, const Pane& pane, const std::string& space,
                         const ui::KeyPick& keys) {
  const Track& track = panel.simulation->track(pane.track);
  Selection next = panel.model.picked;
  if (!next.of_a_track() || next.track != pane.track) {
    next = {space};
    next.track = pane.track;
    return next;
  }
  const LaunchShape& shape = track.launches()[static_cast<std::size_t>(next.owner.launch)];
  if (next.space == Selection::block || space == Selection::block) {
    next.space = Selection::block;
    move_in(next.owner.block, keys, shape.blocks, {1, 1, 1});
    return next;
  }
  const Index3& wide = shape.threads;
  Index3 at{next.owner.block.x * wide.x + next.owner.thread.x, next.owner.block.y * wide.y + next.owner.thread.y,
            next.owner.block.z * wide.z + next.owner.thread.z};
  move_in(at, keys, {shape.blocks.x * wide.x, shape.blocks.y * wide.y, shape.blocks.z * wide.z}, wide);
  next.owner.block = {at.x / wide.x, at.y / wide.y, at.z / wide.z};
  next.owner.thread = {at.x % wide.x, at.y % wide.y, at.z % wide.z};
  return next;
}

/// What a scene has alone, as bins and wires: what lies beside the outline of what is picked, at its own size.
Selection other_by_keys(PanelContext& panel, const Pane& pane, Picture& picture, const ui::KeyPick& keys) {
  if (picture.info().shape != PictureInfo::Shape::plane) return {};
  // As a whole: what is beside may be out of sight now.
  auto& views = pane.side ? panel.model.view.grid : panel.model.view.data;
  const auto kept = views;
  views.fill({});
  const Plane plane = plane_of(panel, pane, picture);
  const PictureRequest request = plane_request(panel, pane, picture, plane);
  views = kept;
  const auto extent = picture.extent(looking_at(panel, picture));
  const auto found_at = [&](double x, double y) {
    const ImVec2 at = plane.screen(x, y);
    Selection found = picture.at(panel.questions, request, at.x - plane.area.min.x, at.y - plane.area.min.y);
    if (found.of_a_track()) found.track = pane.track;
    return found;
  };
  double x = extent[0] / 2, y = extent[1] / 2, wide = 1, high = 1;
  const auto marks = picture.marks(panel.model.selected_in(pane.track, panel.model.picked), looking_at(panel, picture));
  if (!marks.empty() && panel.model.picked.space == picture.info().space) {
    const Outline& mark = marks.front();
    wide = std::max(1e-6, mark.high[0] - mark.low[0]);
    high = std::max(1e-6, mark.high[1] - mark.low[1]);
    // An outline may be larger than what it is round: the middle of those of its places that are it.
    constexpr int probes = 8;
    double sum_x = 0, sum_y = 0;
    int count = 0;
    for (int j = 0; j < probes; ++j)
      for (int i = 0; i < probes; ++i) {
        const double px = mark.low[0] + wide * (i + .5) / probes, py = mark.low[1] + high * (j + .5) / probes;
        if (!(found_at(px, py) == panel.model.picked)) continue;
        sum_x += px, sum_y += py;
        ++count;
      }
    x = count ? sum_x / count : (mark.low[0] + mark.high[0]) / 2;
    y = count ? sum_y / count : (mark.low[1] + mark.high[1]) / 2;
  }
  // In eighths of it, on to the first that is another; of the ends inwards.
  const double ends = keys.first ? 1 : keys.last ? -1 : 0;
  if (keys.first) x = y = 0;
  if (keys.last) x = extent[0], y = extent[1];
  const double across = ends != 0 ? ends : keys.across, down = ends != 0 ? ends : keys.down;
  for (int far = 1; far <= 512; ++far) {
    const double steps = (keys.far && ends == 0 ? 64. + far : far) / 8;
    Selection found = found_at(x + across * wide * steps, y + down * high * steps);
    if (!found.empty() && (ends != 0 || !(found == panel.model.picked))) return found;
  }
  return {};
}

}  // namespace

void pick_by_keys(PanelContext& panel, const Pane& pane, Picture& picture) {
  const ui::KeyPick keys = ui::picked_by_key(panel.ui, pane.side ? "grid" : "picture");
  if (!keys) return;
  Teaching& teaching = panel.model.teaching;
  if (keys.takes) {
    const AskedQuestion& asked = teaching.strip.asked;
    if (teaching.hides_figures() && asked.kind == AskedQuestion::Kind::place && asked.touched)
      teaching.wish = TourWish::answer;
    return;
  }
  const std::string& space = picture.info().space;
  const bool has_threads = panel.simulation->track(pane.track).facet<Threads>() != nullptr;
  const Selection next = space == Selection::cell                       ? cell_by_keys(panel, pane, keys)
                         : has_threads && Selection{space}.of_a_track() ? thread_by_keys(panel, pane, space, keys)
                                                                        : other_by_keys(panel, pane, picture, keys);
  if (next.empty()) return;
  panel.model.activate(pane.track);
  panel.model.picked = next;
  teaching.picked_by_keys = true;
}

}  // namespace warploom
