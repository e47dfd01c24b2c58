#include <algorithm>

#include "gpu/core/format.h"
#include "gpu/core/launch.h"
#include "gpu/scenes/bins/pictures/paint_surface.h"
#include "gpu/scenes/bins/pictures/pictures.h"
#include "gpu/scenes/bins/tracks/spaces.h"
#include "gpu/scenes/bins/tracks/track.h"

namespace warploom {

SurfaceOfBins::SurfaceOfBins(BinsTrack& track)
    : PictureOfBins(track, {.shape = PictureInfo::Shape::solid,
                            .key = "surface",
                            .title = "Surface",
                            .space = Selection::cell,
                            .colours = {},
                            .sliced = true,
                            .z_up = true,
                            .framed = true}) {}

SurfaceOfBins::~SurfaceOfBins() = default;

std::array<double, 3> SurfaceOfBins::extent(const Looking&) const {
  return real(track_.problem().space.lattice.points);
}

std::string SurfaceOfBins::caption() const {
  if (empty_) return "made at the next step";
  const BinApplicationInfo& application = track_.application();
  char text[64];
  std::snprintf(text, sizeof text, application.signed_output ? "at \u00b1%g%s%s" : "at %g%s%s", application.surface,
                application.unit[0] ? " " : "", application.unit);
  return text;
}

Legend SurfaceOfBins::legend(const PictureRequest&) const {
  if (!track_.application().signed_output) return {};
  return {"negative", "positive", true};
}

SurfaceMarch SurfaceOfBins::march_of(const float* out, const PictureRequest& request) const {
  const Index3 points = track_.problem().space.lattice.points;
  SurfaceMarch march{
      {out, points}, static_cast<float>(track_.application().surface), track_.application().signed_output, {}};
  const auto cut = [&](std::uint32_t all) {
    return std::min(all - 1, static_cast<std::uint32_t>(request.solid.slice * all));
  };
  if (request.solid.slice_axis == 0) march.low.x = cut(points.x);
  if (request.solid.slice_axis == 1) march.low.y = cut(points.y);
  if (request.solid.slice_axis == 2) march.low.z = cut(points.z);
  return march;
}

Selection SurfaceOfBins::at(Queue* queue, const PictureRequest& request, double x, double y) {
  if (!queue) return {};
  const BinsTrack::Reading reading(track_, *queue, std::try_to_lock);
  if (!reading) return {};
  if (!question_) question_ = std::make_unique<MouseQuestion<SurfaceHit>>();
  const SurfaceHit& found = question_->answer(*queue, request, x, y, reading.serial(), [&](SurfaceHit* to) {
    launch("bins.pick", *queue, {{1, 1, 1}, {1, 1, 1}},
           PickSurface{march_of(reading.output(), request), request.solid.camera, request.target.width,
                       request.target.height, static_cast<float>(x), static_cast<float>(y), to});
  });
  if (!found.hit) return {};
  const Index3 points = track_.problem().space.lattice.points;
  const auto along = [&](int a, std::uint32_t all) {
    return std::min(all - 1, static_cast<std::uint32_t>(std::max(0.f, found.place[a])));
  };
  return {Selection::cell, {along(0, points.x), along(1, points.y), along(2, points.z)}, 0, {}};
}

std::vector<Outline> SurfaceOfBins::marks(const Selected& selected, const Looking&) const {
  const BinSpace& space = track_.problem().space;
  std::vector<Outline> all;
  if (selected.owner)
    if (const auto box = track_.facet<Threads>()->footprint(*selected.owner))
      all.push_back({Outline::Kind::block, real(box->first), real(box->second), 0, {}});
  if (selected.selection.space == bin_space) {
    const std::uint32_t at[] = {selected.selection.at.x, selected.selection.at.y, selected.selection.at.z};
    Outline box{Outline::Kind::place, {}, {}, 0, {}};
    for (int a = 0; a < 3; ++a) {
      if (at[a] >= space.grid.extent(a)) return {};
      const double low =
          double{space.grid.origin[a] + space.grid.side[a] * static_cast<float>(at[a]) - space.lattice.origin[a]} /
              double{space.lattice.spacing} +
          .5;
      box.low[static_cast<std::size_t>(a)] = low;
      box.high[static_cast<std::size_t>(a)] = low + double{space.grid.side[a]} / double{space.lattice.spacing};
    }
    all.push_back(box);
    return all;
  }
  if (const auto element = track_.element_found(selected.selection)) {
    // Itself, and the ball that it reaches.
    Outline itself{Outline::Kind::place, {}, {}, 0, {}}, ball{Outline::Kind::block, {}, {}, 0, {}};
    for (int a = 0; a < 3; ++a) {
      const auto i = static_cast<std::size_t>(a);
      const double at = double{element->place[a] - space.lattice.origin[a]} / double{space.lattice.spacing} + .5,
                   reach = double{element->reach} / double{space.lattice.spacing};
      itself.low[i] = at - .25, itself.high[i] = at + .25;
      ball.low[i] = at - reach, ball.high[i] = at + reach;
    }
    return {ball, itself};
  }
  if (!selected.target || selected.selection.space == Selection::block) return all;
  const auto low = real(selected.target->cell);
  all.push_back({selected.target->useful ? Outline::Kind::place : Outline::Kind::waste,
                 low,
                 {low[0] + 1, low[1] + 1, low[2] + 1},
                 0,
                 {}});
  return all;
}

void SurfaceOfBins::paint(Queue& queue, const PictureRequest& request) {
  const BinsTrack::Reading reading(track_, queue);
  track_.look(queue, reading);
  empty_ = !reading.shape().stepped;
  launch("bins.surface", queue, SolidTiles::shape(request.target),
         PaintSurface{march_of(reading.output(), request), request.solid.camera, request.target, request.palette,
                      std::max(1, request.solid.rays_per_side)});
}

}  // namespace warploom
