#include <algorithm>
#include <cstdio>

#include "gpu/core/launch.h"
#include "gpu/pictures/mouse_question.h"
#include "gpu/pictures/volume_picture.h"
#include "gpu/scenes/bins/pictures/pictures.h"

namespace warploom {

namespace {

/// Outputs of a lattice between its points, too: by the eight around. Places are in points, from the lattice's corner;
/// point i fills i to i + 1.
struct OutputField {
  const float* out;
  Index3 points;

  WARPLOOM_HD static float inside(float at, std::uint32_t n) {
    const float most = static_cast<float>(n - 1);
    return at > 0 ? (at < most ? at : most) : 0;
  }
  WARPLOOM_HD float at(float x, float y, float z) const {
    const float u = inside(x - .5f, points.x), v = inside(y - .5f, points.y), w = inside(z - .5f, points.z);
    const auto i = static_cast<std::uint32_t>(u), j = static_cast<std::uint32_t>(v), k = static_cast<std::uint32_t>(w);
    const std::uint32_t i1 = i + 1 < points.x ? i + 1 : i, j1 = j + 1 < points.y ? j + 1 : j,
                        k1 = k + 1 < points.z ? k + 1 : k;
    const float a = u - static_cast<float>(i), b = v - static_cast<float>(j), c = w - static_cast<float>(k);
    const auto value = [&](std::uint32_t p, std::uint32_t q, std::uint32_t r) {
      return out[linear_index({p, q, r}, points)];
    };
    const auto row = [&](std::uint32_t q, std::uint32_t r) { return value(i, q, r) * (1 - a) + value(i1, q, r) * a; };
    return (row(j, k) * (1 - b) + row(j1, k) * b) * (1 - c) + (row(j, k1) * (1 - b) + row(j1, k1) * b) * c;
  }
};

/// Where a ray meets a surface; plain memory, written by the backend.
struct SurfaceHit {
  std::uint32_t hit = 0;
  float place[3] = {};                   ///< in points
  float value = 0;                       ///< there
  std::int32_t axis = CubeHit::no_face;  ///< of the face that cuts it open; no_face: it is the surface itself
};

/// The first place along a ray where outputs are `level` or more, or, where both signs are shown, -level or less. Rays
/// go by three quarters of a point, and where they have passed a surface half the way back, four times.
struct SurfaceMarch {
  OutputField field;
  float level;
  bool both_signs;
  Index3 low;  ///< what lies below is cut off

  WARPLOOM_HD bool beyond(float value) const { return value >= level || (both_signs && value <= -level); }

  WARPLOOM_HD SurfaceHit operator()(const Ray& ray) const {
    SurfaceHit found;
    const std::uint32_t all[] = {field.points.x, field.points.y, field.points.z}, from[] = {low.x, low.y, low.z};
    float enter = 0, leave = INFINITY, origin[3];
    for (int a = 0; a < 3; ++a) {
      origin[a] = ray.origin[a] + .5f * static_cast<float>(all[a]);
      const float one = (static_cast<float>(from[a]) - origin[a]) * ray.inverse[a],
                  two = (static_cast<float>(all[a]) - origin[a]) * ray.inverse[a], near = one < two ? one : two,
                  far = one < two ? two : one;
      if (near > enter) enter = near, found.axis = a;
      if (far < leave) leave = far;
    }
    if (!(enter < leave)) return found;
    const auto put = [&](float depth) {
      for (int a = 0; a < 3; ++a) found.place[a] = origin[a] + depth * ray.direction[a];
      found.value = field.at(found.place[0], found.place[1], found.place[2]);
    };
    put(enter);
    found.hit = beyond(found.value);
    if (found.hit) return found;
    found.axis = CubeHit::no_face;
    const float step = .75f / ray.length();
    const auto steps = static_cast<std::uint32_t>((leave - enter) / step) + 1;
    for (std::uint32_t i = 1; i <= steps; ++i) {
      const float depth = enter + static_cast<float>(i) * step;
      put(depth < leave ? depth : leave);
      if (!beyond(found.value)) continue;
      float outside = depth - step, within = depth < leave ? depth : leave;
      for (int half = 0; half < 4; ++half) {
        const float middle = .5f * (outside + within);
        put(middle);
        (beyond(found.value) ? within : outside) = middle;
      }
      put(within);
      found.hit = 1;
      return found;
    }
    return found;
  }
};

/// The surfaces of the outputs for the screen, by their slopes; where a plane cuts them open, flat. Launched with
/// SolidTiles.
struct PaintSurface {
  SurfaceMarch march;
  RayCamera camera;
  PixelTarget target;
  Palette palette;
  int samples_per_side = 1;

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    SolidTiles::each_pixel(group, target, [&](int x, int y) {
      return mean_of_samples(samples_per_side, x, y, [&](float at_x, float at_y) { return sample(at_x, at_y); });
    });
  }

 private:
  WARPLOOM_HD Rgba sample(float x, float y) const {
    const Ray ray(camera, target.width, target.height, x, y);
    const SurfaceHit found = march(ray);
    if (!found.hit) return palette.ground;
    const CubeShading shading{camera};
    const Rgba colour = palette.at(surface_shade(march.both_signs, found.value));
    if (found.axis != CubeHit::no_face) return CubeShading::scaled(colour, shading.brightness(ray, found.axis));
    // From what is within to what is not.
    float normal[3];
    const float sign = found.value < 0 ? 1.f : -1.f;
    for (int a = 0; a < 3; ++a) {
      const auto beside = [&](float by) {
        const float x_by = a == 0 ? by : 0, y_by = a == 1 ? by : 0, z_by = a == 2 ? by : 0;
        return march.field.at(found.place[0] + x_by, found.place[1] + y_by, found.place[2] + z_by);
      };
      normal[a] = sign * (beside(.75f) - beside(-.75f));
    }
    if (normal[0] == 0 && normal[1] == 0 && normal[2] == 0) return colour;
    return CubeShading::scaled(colour, shading.brightness(normal));
  }

 public:
  /// Of the palette: where both signs are shown its two ends, which differ in hue, not only in how bright they are.
  WARPLOOM_HD static float surface_shade(bool both_signs, float value) {
    return both_signs ? (value < 0 ? 0.f : 1.f) : .75f;
  }
};

/// What lies under one pixel. Launched with one thread.
struct PickSurface {
  SurfaceMarch march;
  RayCamera camera;
  int width, height;
  float x, y;
  SurfaceHit* to;
  WARPLOOM_HD void operator()(std::uint64_t) const { *to = march(Ray(camera, width, height, x, y)); }
};

class SurfaceOfBins final : public PictureOfBins, public KeyedPicture {
 public:
  explicit SurfaceOfBins(BinsTrack& track)
      : PictureOfBins(track, {.shape = PictureInfo::Shape::solid,
                              .key = "surface",
                              .title = "Surface",
                              .space = Selection::cell,
                              .colours = {},
                              .sliced = true,
                              .framed = true}) {}

  std::array<double, 3> extent(const Looking&) const override { return real(points()); }

  std::string caption() const override { return empty_ ? "made at the next step" : std::string(); }

  std::vector<Kind> kinds(const PictureRequest& request) const override {
    const BinApplicationInfo& application = track_.application();
    const bool both = application.signed_output;
    const auto of = [&](const char* before, double level) {
      char text[96];
      std::snprintf(text, sizeof text, "%s%g%s%s", before, level, application.unit[0] ? " " : "", application.unit);
      return Kind{text, request.palette.at(PaintSurface::surface_shade(both, level < 0 ? -1.f : 1.f))};
    };
    const std::string output = application.output;
    if (both) return {of((output + " ").c_str(), -application.surface), of("+", application.surface)};
    return {of(("surface where the " + output + " is ").c_str(), application.surface)};
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
