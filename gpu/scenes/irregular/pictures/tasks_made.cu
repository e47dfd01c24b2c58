// What the tasks make: the image, and the ranges of points of the octree.
#include <algorithm>
#include <cmath>

#include "gpu/core/format.h"
#include "gpu/pictures/keyed_picture.h"
#include "gpu/pictures/plane.h"
#include "gpu/scenes/irregular/pictures/tasks_colours.h"
#include "gpu/scenes/irregular/pictures/tasks_parts.h"
#include "gpu/scenes/irregular/pictures/tasks_pictures.h"
#include "gpu/scenes/irregular/tasks/applications/mandelbrot.h"
#include "gpu/scenes/irregular/tasks/applications/octree.h"
#include "gpu/scenes/irregular/tracks/tasks_track.h"

namespace warploom {

namespace {

/// What both pictures share: they are coloured by value or by worker, and a place of them is a task's.
class MadePicture : public Picture, public KeyedPicture {
 public:
  std::uint64_t version(const PictureRequest&) const override { return track_.version(); }
  std::string caption() const override {
    const auto chart = track_.chart();
    return chart ? counted(chart->tree().leaves(), "task") + " that make none" : "working \u2026";
  }
  std::vector<Kind> kinds(const PictureRequest& request) const override {
    if (request.colour_by != task_colours::worker) return {};
    std::vector<Kind> all;
    for (std::uint32_t i = 0; i < 7; ++i)
      all.push_back({(i ? "" : "block mod 7: ") + std::to_string(i), task_colours::category(i)});
    return all;
  }
  bool leaves_room() const override { return true; }

 protected:
  MadePicture(TasksTrack& track, bool fills)
      : Picture({.shape = PictureInfo::Shape::plane,
                 .key = "made",
                 .title = "What is made",
                 .space = task_space,
                 .fills = fills,
                 .colours = {ColourBy::state, task_colours::worker}}),
        track_(track) {}
  TasksTrack& track_;
};

// ---- the image

struct PaintTaskImage {
  const std::int32_t* image;
  const std::uint32_t* makers;  ///< (size, size): the block, 2^31 more where a pixel is unlike brute force
  std::uint32_t size;
  std::int32_t iterations;
  bool by_worker;
  PlaneScale scale;

  WARPLOOM_HD Rgba colour(const PlanePixel& pixel) const {
    const double side = scale.camera.cells_per_pixel_x;
    if (side <= 1) return of(pixel.palette, pixel.x, pixel.y);
    const int samples = side < 3 ? 2 : 3;
    return mean_of_samples(samples, pixel.px, pixel.py,
                           [&](float x, float y) { return of(pixel.palette, scale.x(x + .5), scale.y(y + .5)); });
  }

 private:
  WARPLOOM_HD Rgba of(const Palette& palette, double x, double y) const {
    if (x < 0 || y < 0 || x >= size || y >= size) return palette.ground;
    const std::uint64_t i = static_cast<std::uint64_t>(y) * size + static_cast<std::uint64_t>(x);
    if (makers && makers[i] >> 31) return task_colours::unlike;
    if (by_worker) return makers ? task_colours::category(makers[i]) : palette.waste;
    return palette.at(logf(1 + static_cast<float>(image[i])) / logf(1 + static_cast<float>(iterations)));
  }
};

class ImagePicture final : public MadePicture {
 public:
  explicit ImagePicture(TasksTrack& track) : MadePicture(track, false) {}

  std::array<double, 3> extent(const Looking&) const override {
    return {double(track_.extent().x), double(track_.extent().y), 1};
  }
  Legend legend(const PictureRequest& request) const override {
    if (request.colour_by == task_colours::worker) return {};
    return {"0 iterations", grouped(static_cast<unsigned long long>(track_.problem().settings.iterations))};
  }
  std::vector<Kind> kinds(const PictureRequest& request) const override {
    auto all = MadePicture::kinds(request);
    if (unlike_) all.push_back({"unlike brute force: " + std::to_string(unlike_), task_colours::unlike});
    return all;
  }

  Selection at(Queue*, const PictureRequest& request, double x, double y) override {
    const auto place = place_under(request, extent({}), x, y);
    const auto chart = track_.chart();
    if (!place || !chart) return {};
    const TaskTree& tree = chart->tree();
    const std::uint32_t across = track_.extent().x / Mandelbrot::largest;
    std::uint64_t row = place->y / Mandelbrot::largest * across + place->x / Mandelbrot::largest;
    while (tree.children[row]) {
      const auto square = Mandelbrot::Square::of(tree.words[row]);
      const std::uint32_t half = square.side / 2;
      row = tree.child[row] + (place->x >= square.x + half) + 2 * (place->y >= square.y + half);
    }
    return {task_space, {static_cast<std::uint32_t>(row), 0, 0}, 0, {}};
  }

  std::vector<Outline> marks(const Selected& selected, const Looking&) const override {
    const auto chart = track_.chart();
    if (selected.selection.space != task_space || !chart || selected.selection.at.x >= chart->tree().size()) return {};
    const auto square = Mandelbrot::Square::of(chart->tree().words[selected.selection.at.x]);
    return {{Outline::Kind::place,
             {double(square.x), double(square.y), 0},
             {double(square.x) + square.side, double(square.y) + square.side, 1}}};
  }

  std::vector<float> values(Queue& queue, Index3 first, Index3 size) override {
    const TasksTrack::Reading reading(track_, queue);
    std::vector<std::int32_t> pixels(volume(size));
    const std::uint64_t row = track_.extent().x * sizeof(std::int32_t);
    download_rows(queue, pixels.data(), size.x * sizeof(std::int32_t),
                  reading.data() + first.y * row + first.x * sizeof(std::int32_t), row, size.x * sizeof(std::int32_t),
                  size.y);
    return {pixels.begin(), pixels.end()};
  }
  float shade(float value, const ValueRange&) const override {
    return std::log(1 + value) / std::log(1 + static_cast<float>(track_.problem().settings.iterations));
  }

  void paint(Queue& queue, const PictureRequest& request) override {
    const auto chart = track_.chart();
    if (chart != uploaded_) upload(queue, chart);
    const TasksTrack::Reading reading(track_, queue);
    paint_plane(
        "tasks.colour", queue, request,
        PaintTaskImage{reinterpret_cast<const std::int32_t*>(reading.data()), makers_.size() ? makers_.data() : nullptr,
                       track_.extent().x, track_.problem().settings.iterations,
                       request.colour_by == task_colours::worker, PlaneScale(request)});
  }

 private:
  void upload(Queue& queue, const std::shared_ptr<const TaskChart>& chart) {
    const TaskTree& tree = chart->tree();
    const std::size_t size = track_.extent().x;
    std::vector<std::uint32_t> makers(size * size);
    for (std::size_t row = 0; row < tree.size(); ++row) {
      if (tree.children[row]) continue;  // its quarters make all its pixels
      const auto square = Mandelbrot::Square::of(tree.words[row]);
      for (std::uint32_t y = 0; y < square.side; ++y)
        std::fill_n(makers.begin() + static_cast<std::ptrdiff_t>((square.y + y) * size + square.x), square.side,
                    chart->schedule.block[row]);
    }
    std::uint64_t unlike = 0;
    for (std::size_t i = 0; i < makers.size(); ++i)
      if (const auto brute = chart->oracle->brute[i]; brute >= 0 && brute != chart->oracle->image[i])
        makers[i] |= 1u << 31, ++unlike;
    makers_.assign(queue, makers);
    unlike_ = unlike;
    uploaded_ = chart;
  }
  std::atomic<std::uint64_t> unlike_{0};
  std::shared_ptr<const TaskChart> uploaded_;
  Buffer<std::uint32_t> makers_;
};

// ---- ranges of points

constexpr std::uint32_t octree_levels = Octree::last_level + 1;

/// Points along, levels downwards: a range is a box.
struct PaintRanges {
  const std::uint64_t* words;   ///< of the tasks, generation by generation
  const std::uint32_t* blocks;  ///< who does them
  std::uint32_t starts[octree_levels + 1];
  std::uint64_t points;
  bool by_worker;

  WARPLOOM_HD Rgba colour(const PlanePixel& pixel) const {
    const Palette& palette = pixel.palette;
    const double y = pixel.y, x = pixel.x, wide = pixel.camera.cells_per_pixel_x;
    if (x < 0 || y < 0 || y >= octree_levels || x >= static_cast<double>(points)) return palette.ground;
    const auto level = static_cast<std::uint32_t>(y);
    std::uint32_t low = starts[level];
    for (std::uint32_t count = starts[level + 1] - low; count > 0;) {  // the last range that begins before x
      const std::uint32_t half = (count + 1) / 2;
      const std::uint32_t at = low + half - 1;
      if (static_cast<double>(Octree::Range::of(words[at]).first) <= x) {
        low = at + 1;
        count -= half;
      } else {
        count = half - 1;
      }
    }
    if (low == starts[level]) return palette.ground;
    const auto range = Octree::Range::of(words[low - 1]);
    if (static_cast<double>(range.first + range.count) <= x) return palette.ground;
    const bool edge = static_cast<double>(range.first) >= pixel.camera.x + pixel.left * wide ||
                      y - level < pixel.camera.cells_per_pixel_y;
    if (edge && static_cast<double>(range.count) > 4 * wide) return palette.ground;
    if (by_worker) return task_colours::category(blocks[low - 1]);
    return palette.at(logf(static_cast<float>(range.count)) / logf(1 + static_cast<float>(points)));
  }
};

class RangesPicture final : public MadePicture {
 public:
  explicit RangesPicture(TasksTrack& track) : MadePicture(track, true) {}

  std::array<double, 3> extent(const Looking&) const override {
    return {double(track_.extent().x), double(octree_levels), 1};
  }
  Legend legend(const PictureRequest& request) const override {
    if (request.colour_by == task_colours::worker) return {};
    return {"1 point", short_count(track_.problem().points.count())};
  }
  std::vector<PictureLabel> labels(const PictureRequest&) const override {
    const double wide = track_.extent().x;
    return {{{0, 0}, {wide, 0}, {"level 0, all points"}, 0, -1, true},
            {{0, double(octree_levels)},
             {wide, double(octree_levels)},
             {"level 10; along: points in their order"},
             1,
             1,
             true}};
  }

  Selection at(Queue*, const PictureRequest& request, double x, double y) override {
    const auto place = place_under(request, extent({}), x, y);
    const auto chart = track_.chart();
    if (!place || !chart) return {};
    const TaskTree& tree = chart->tree();
    std::size_t row = 0;
    for (std::uint32_t level = 0; level < place->y; ++level) {
      if (!tree.children[row]) return {};
      std::size_t next = tree.child[row];
      while (Octree::Range::of(tree.words[next]).first + Octree::Range::of(tree.words[next]).count <= place->x) ++next;
      row = next;
    }
    return {task_space, {static_cast<std::uint32_t>(row), 0, 0}, 0, {}};
  }

  std::vector<Outline> marks(const Selected& selected, const Looking&) const override {
    const auto chart = track_.chart();
    if (selected.selection.space != task_space || !chart || selected.selection.at.x >= chart->tree().size()) return {};
    const auto range = Octree::Range::of(chart->tree().words[selected.selection.at.x]);
    return {{Outline::Kind::place,
             {double(range.first), double(range.level), 0},
             {double(range.first + range.count), range.level + 1., 1}}};
  }

  void paint(Queue& queue, const PictureRequest& request) override {
    const auto chart = track_.chart();
    if (chart && chart != uploaded_) {
      words_.assign(queue, chart->tree().words);
      blocks_.assign(queue, chart->schedule.block);
      uploaded_ = chart;
    }
    PaintRanges paint{
        words_.data(), blocks_.data(), {}, track_.problem().points.count(), request.colour_by == task_colours::worker};
    if (uploaded_) {
      const auto& depth = uploaded_->tree().depth;
      for (std::uint32_t level = 0; level <= octree_levels; ++level)
        paint.starts[level] = static_cast<std::uint32_t>(
            std::ranges::lower_bound(depth, static_cast<std::int32_t>(level)) - depth.begin());
    }
    paint_plane("tasks.colour", queue, request, paint);
  }

 private:
  std::shared_ptr<const TaskChart> uploaded_;
  Buffer<std::uint64_t> words_;
  Buffer<std::uint32_t> blocks_;
};

}  // namespace

std::unique_ptr<Picture> make_image_picture(TasksTrack& track) { return std::make_unique<ImagePicture>(track); }
std::unique_ptr<Picture> make_ranges_picture(TasksTrack& track) { return std::make_unique<RangesPicture>(track); }

std::vector<std::unique_ptr<Picture>> tasks_pictures(TasksTrack& track) {
  std::vector<std::unique_ptr<Picture>> all;
  all.push_back(make_chart_picture(track));
  const std::string& application = track.problem().settings.application;
  if (find_task_application(application).makes_image) all.push_back(make_image_picture(track));
  if (track.problem().points.count() > 0) all.push_back(make_ranges_picture(track));
  return all;
}

}  // namespace warploom
