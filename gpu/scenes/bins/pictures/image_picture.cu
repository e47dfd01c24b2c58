#include <bit>
#include <cmath>

#include "gpu/core/launch.h"
#include "gpu/scenes/bins/pictures/paint.h"
#include "gpu/scenes/bins/pictures/paint_output.h"
#include "gpu/scenes/bins/pictures/pictures.h"
#include "gpu/scenes/bins/tracks/track.h"

namespace warploom {

namespace {

/// Two cubes of voxels, a layer of each, side by side.
struct PaintImage {
  const float *image, *truth;  ///< truth: null, there is none
  Index3 extent;
  int axis;
  std::uint32_t layer;
  float top;
  Camera camera;
  PixelTarget target;
  Palette palette;

  static constexpr double gap = 2;  ///< voxels between them

  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    PlaneTiles::each_pixel(group, target, [&](int x, int y) { return pixel(x, y); });
  }

 private:
  WARPLOOM_HD Rgba pixel(int px, int py) const {
    double x = camera.x + (px + .5 - .5 * target.width) * camera.cells_per_pixel_x;
    const double y = camera.y + (py + .5 - .5 * target.height) * camera.cells_per_pixel_y, side = extent.x;
    if (x < 0 || y < 0 || y >= side) return palette.ground;
    const float* from = image;
    if (x >= side) {
      x -= side + gap;
      from = truth;
    }
    if (!from || x < 0 || x >= side) return palette.ground;
    const Index3 place{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), 0};
    const float value = from[linear_index(PaintOutput::point(axis, place, layer), extent)];
    return palette.at(top > 0 ? value / top : 0);
  }
};

struct ImageLayer {
  int axis;
  std::uint32_t at;
};
ImageLayer image_layer(std::uint32_t side, const PictureRequest& request) {
  const int axis = request.solid.slice_axis;
  if (axis < 0) return {2, side / 2};
  return {axis, std::min(side - 1, static_cast<std::uint32_t>(request.solid.slice * side))};
}

}  // namespace

ImageOfBins::ImageOfBins(BinsTrack& track)
    : PictureOfBins(track, {.shape = PictureInfo::Shape::plane,
                            .key = "image",
                            .title = "Image",
                            .space = "voxel",
                            .colours = {},
                            .sliced = true}) {}

std::array<double, 3> ImageOfBins::extent(const Looking&) const {
  const std::uint32_t kept = track_.problem().space.lattice.points.x / 2;
  const double side = kept;
  return {track_.problem().input.phantom ? 2 * side + PaintImage::gap : side, side, 1};
}

std::string ImageOfBins::heading() const {
  return track_.problem().input.phantom ? "as gridded, and as it should be" : "as gridded";
}

std::string ImageOfBins::caption() const {
  if (!track_.shown_image()) return "made at the next step";
  if (track_.last_image_error() < 0) return {};
  char text[32];
  std::snprintf(text, sizeof text, "error %.4f", track_.last_image_error());
  return text;
}

std::uint64_t ImageOfBins::version(const PictureRequest& request) const {
  return PictureOfBins::version(request) + (track_.images_made() << 40);
}

ValueRange ImageOfBins::range(const PictureRequest&) const { return {0, top_}; }

Legend ImageOfBins::legend(const PictureRequest& request) const {
  if (request.values.empty() || !(request.values.high > 0)) return {};
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", static_cast<double>(request.values.high));
  return {"0", text};
}

void ImageOfBins::paint(Queue& queue, const PictureRequest& request) {
  track_.want_image();
  const std::uint32_t side = track_.problem().space.lattice.points.x / 2;
  const ImageLayer layer = image_layer(side, request);
  PaintImage paint{nullptr, nullptr,        {side, side, side}, layer.axis,     layer.at,
                   0,       request.camera, request.target,     request.palette};
  const BinImage* shown = track_.shown_image();
  if (!shown) {
    launch("bins.colour", queue, PlaneTiles::shape(request.target), paint);
    return;
  }
  const StatePair::Reader reader(*shown->voxels, queue);
  paint.image = reinterpret_cast<const float*>(reader.data());
  paint.truth = shown->truth;
  if (measured_ != reader.serial()) {
    make_room(most_, queue, 1);
    most_.zero(queue);
    launch("bins.range", queue, row_shape(volume(shown->extent)),
           LargestOutput{paint.image, 1, volume(shown->extent), most_.data()});
    top_ = std::bit_cast<float>(most_.download(queue)[0]);
    measured_ = reader.serial();
  }
  paint.top = request.values.empty() || !(request.values.high > 0) ? top_.load() : request.values.high;
  launch("bins.colour", queue, PlaneTiles::shape(request.target), paint);
}

}  // namespace warploom
