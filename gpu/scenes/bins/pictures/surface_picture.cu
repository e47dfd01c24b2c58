#include <algorithm>
#include <cstdio>

#include "gpu/core/launch.h"
#include "gpu/pictures/mouse_question.h"
#include "gpu/scenes/bins/pictures/paint_surface.h"
#include "gpu/scenes/bins/pictures/pictures.h"

namespace warploom {

namespace {

class SurfaceOfBins final : public PictureOfBins {
 public:
  explicit SurfaceOfBins(BinsTrack& track)
      : PictureOfBins(track, {.shape = PictureInfo::Shape::solid,
                              .key = "surface",
                              .title = "Surface",
                              .space = Selection::cell,
                              .colours = {},
                              .sliced = true,
                              .z_up = true,
                              .framed = true}) {}

  std::array<double, 3> extent(const Looking&) const override { return real(points()); }

  std::string caption() const override {
    if (empty_) return "made at the next step";
    const BinApplicationInfo& application = track_.application();
    char text[64];
    std::snprintf(text, sizeof text, application.signed_output ? "at \u00b1%g%s%s" : "at %g%s%s", application.surface,
                  application.unit[0] ? " " : "", application.unit);
    return text;
  }

  Legend legend(const PictureRequest&) const override {
    if (!track_.application().signed_output) return {};
    return {"negative", "positive", true};
  }

  Selection at(Queue* queue, const PictureRequest& request, double x, double y) override {
    if (!queue) return {};
    const BinsTrack::Reading reading(track_, *queue, std::try_to_lock);
    if (!reading) return {};
    const SurfaceHit& found = question_.answer(*queue, request, x, y, reading.serial(), [&](SurfaceHit* to) {
      launch_one("bins.pick", *queue,
                 PickSurface{march_of(reading.output(), request), request.solid.camera, request.target.width,
                             request.target.height, static_cast<float>(x), static_cast<float>(y), to});
    });
    if (!found.hit) return {};
    const auto along = [&](int a) {
      return std::min(coordinate(points(), a) - 1, static_cast<std::uint32_t>(std::max(0.f, found.place[a])));
    };
    return {Selection::cell, {along(0), along(1), along(2)}};
  }

  std::vector<Outline> marks(const Selected& selected, const Looking&) const override {
    std::vector<Outline> all;
    if (selected.owner)
      if (const auto box = track_.facet<Threads>()->footprint(*selected.owner))
        all.push_back({Outline::Kind::block, real(box->first), real(box->second)});
    if (selected.selection.space == bin_space) {
      if (!is_inside(selected.selection.at, space().grid.bins)) return {};
      const auto [low, high] = bin_among_outputs(space(), selected.selection.at);
      all.push_back({Outline::Kind::place, low, high});
      return all;
    }
    if (const auto element = track_.element_found(selected.selection)) {
      // Itself, and the ball that it reaches.
      const auto around = [&](Outline::Kind kind, double by) {
        const auto at = among_outputs(space(), element->place);
        return Outline{kind, {at[0] - by, at[1] - by, at[2] - by}, {at[0] + by, at[1] + by, at[2] + by}};
      };
      return {around(Outline::Kind::block, double{element->reach} / double{space().lattice.spacing}),
              around(Outline::Kind::place, .25)};
    }
    if (!selected.target || selected.selection.space == Selection::block) return all;
    const auto low = real(selected.target->cell);
    all.push_back({selected.target->useful ? Outline::Kind::place : Outline::Kind::waste,
                   low,
                   {low[0] + 1, low[1] + 1, low[2] + 1}});
    return all;
  }

  void paint(Queue& queue, const PictureRequest& request) override {
    const BinsTrack::Reading reading(track_, queue);
    track_.look(queue, reading);
    empty_ = !reading.shape().stepped;
    launch("bins.surface", queue, SolidTiles::shape(request.target),
           PaintSurface{march_of(reading.output(), request), request.solid.camera, request.target, request.palette,
                        std::max(1, request.solid.rays_per_side)});
  }

 private:
  Index3 points() const { return space().lattice.points; }
  SurfaceMarch march_of(const float* out, const PictureRequest& request) const {
    SurfaceMarch march{
        {out, points()}, static_cast<float>(track_.application().surface), track_.application().signed_output, {}};
    const int axis = request.solid.slice_axis;
    const auto cut = [&](std::uint32_t all) {
      return std::min(all - 1, static_cast<std::uint32_t>(request.solid.slice * all));
    };
    if (axis == 0) march.low.x = cut(points().x);
    if (axis == 1) march.low.y = cut(points().y);
    if (axis == 2) march.low.z = cut(points().z);
    return march;
  }

  std::atomic<bool> empty_{false};  ///< nothing was made yet
  MouseQuestion<SurfaceHit> question_;
};

}  // namespace

std::unique_ptr<Picture> make_surface_picture(BinsTrack& track) { return std::make_unique<SurfaceOfBins>(track); }

}  // namespace warploom
