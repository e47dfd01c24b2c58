#include <algorithm>
#include <cmath>
#include <map>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/pictures/place_under.h"
#include "gpu/scenes/bins/pictures/colours.h"
#include "gpu/scenes/bins/pictures/paint_output.h"
#include "gpu/scenes/bins/pictures/pictures.h"

namespace warploom {

namespace {

OutputScale scale_of(const BinApplicationInfo& application) {
  return application.components == 2 ? OutputScale::wide
         : application.signed_output ? OutputScale::two_sided
                                     : OutputScale::positive;
}

/// Input-driven blocks serve no output of their own.
std::vector<ColourBy> colours_of(const BinsTrack& track) {
  if (track.variant().spreads) return {ColourBy::state, bin_colours::hits};
  return {ColourBy::state, bin_colours::hits, bin_colours::load};
}

/// The load of the block that serves each output.
struct FillLoads {
  const std::uint64_t* loads;
  OutputTiles tiles;
  Index3 blocks;
  float* to;
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    to[i] = static_cast<float>(loads[linear_index(tiles.block_of(unfold(i, tiles.lattice.points)), blocks)]);
  }
};

std::string three_digits(float value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", static_cast<double>(value));
  return text;
}

class OutputOfBins final : public PictureOfBins {
 public:
  explicit OutputOfBins(BinsTrack& track)
      : PictureOfBins(track, {.shape = PictureInfo::Shape::plane,
                              .key = "output",
                              .title = "Output",
                              .space = Selection::cell,
                              .colours = colours_of(track),
                              .sliced = true}) {}

  std::array<double, 3> extent(const Looking& looking) const override {
    return real(layer_of(lattice().points, looking).extent());
  }

  std::string caption() const override {
    const Index3 points = lattice().points;
    return grouped(points.x) + " \u00d7 " + grouped(points.y) + " \u00d7 " + grouped(points.z) + " outputs";
  }

  Selection at(Queue*, const PictureRequest& request, double x, double y) override {
    const BoxPlane plane = layer_of(lattice().points, looking_of(request));
    const auto place = place_under(request, real(plane.extent()), x, y);
    return place ? Selection{Selection::cell, plane.at(*place, plane.first)} : Selection{};
  }

  std::vector<Outline> marks(const Selected& selected, const Looking& looking) const override {
    const BoxPlane plane = layer_of(lattice().points, looking);
    const auto right = static_cast<std::size_t>(plane.right()), down = static_cast<std::size_t>(plane.down()),
               through = static_cast<std::size_t>(plane.axis);
    const auto all_points = real(plane.box);
    std::vector<Outline> all;
    const auto add = [&](Outline::Kind kind, const std::array<double, 3>& low, const std::array<double, 3>& high) {
      const auto cut = [&](const auto& at, std::size_t axis) { return std::clamp(at[axis], 0., all_points[axis]); };
      all.push_back({kind, {cut(low, right), cut(low, down), 0}, {cut(high, right), cut(high, down), 1}});
    };
    if (selected.owner)
      if (const auto box = track_.facet<Threads>()->footprint(*selected.owner))
        if (coordinate(box->first, plane.axis) <= plane.first && plane.first < coordinate(box->second, plane.axis))
          add(Outline::Kind::block, real(box->first), real(box->second));
    if (selected.selection.space == bin_space) {
      if (!is_inside(selected.selection.at, space().grid.bins)) return {};
      const auto [low, high] = bin_among_outputs(space(), selected.selection.at);
      add(Outline::Kind::place, low, high);
      if (const Outline& box = all.back(); !(box.high[0] > box.low[0] && box.high[1] > box.low[1])) all.pop_back();
      return all;
    }
    if (const auto element = track_.element_found(selected.selection)) {
      // Where the layer cuts the ball that it reaches.
      const auto at = among_outputs(space(), element->place);
      const double reach = double{element->reach} / double{lattice().spacing}, off = at[through] - .5 - plane.first;
      if (std::abs(off) >= reach) return all;
      const double half = std::sqrt(reach * reach - off * off);
      add(Outline::Kind::block, {at[0] - half, at[1] - half, at[2] - half}, {at[0] + half, at[1] + half, at[2] + half});
      if (std::abs(off) <= .5)
        all.push_back({Outline::Kind::place, {at[right], at[down], 0}, {at[right], at[down], 1}});
      return all;
    }
    if (!selected.target || selected.selection.space == Selection::block) return all;
    const Cell cell = selected.target->cell;
    if (coordinate(cell, plane.axis) == plane.first)
      add(selected.target->useful ? Outline::Kind::place : Outline::Kind::waste, real(cell),
          real({cell.x + 1, cell.y + 1, cell.z + 1}));
    return all;
  }

  ValueRange range(const PictureRequest& request) const override {
    const ColourBy by = colour_of(request);
    const float most = top(by);
    return {by == ColourBy::state && scale_of(track_.application()) == OutputScale::two_sided ? -most : 0, most};
  }

  Legend legend(const PictureRequest& request) const override {
    if (const ColourBy by = colour_of(request); by != ColourBy::state) {
      const float most = request.values.empty() ? top(by) : request.values.high;
      const bool hits = by == bin_colours::hits;
      if (hits && no_room_) return {"no memory for them", ""};
      if (!(most > 0)) return {"nothing yet", ""};
      return {"0", short_count(static_cast<unsigned long long>(most)) + (hits ? " in reach" : " pairs per block")};
    }
    const std::string unit = track_.application().unit[0] ? std::string(" ") + track_.application().unit : "";
    if (request.values.empty() || !(request.values.high > 0)) return {"nothing yet", ""};
    return {three_digits(request.values.low), three_digits(request.values.high) + unit};
  }

  void paint(Queue& queue, const PictureRequest& request) override {
    const BinsTrack::Reading reading(track_, queue);
    track_.look(queue, reading);
    unsigned components = 1;
    const float* values = shown(queue, request, reading, components);
    const ColourBy by = colour_of(request);
    const bool own = by == ColourBy::state || !values;
    if (!values) values = reading.output(), components = track_.application().components;
    paint_plane(queue, request,
                PaintOutput{values, components, layer_of(lattice().points, looking_of(request)),
                            own ? scale_of(track_.application()) : OutputScale::positive,
                            request.values.empty() ? top(by) : request.values.high});
  }

 private:
  const Lattice& lattice() const { return space().lattice; }
  /// What is asked for, or, where the picture has no such colour, the outputs' own.
  ColourBy colour_of(const PictureRequest& request) const {
    const auto& all = info().colours;
    return std::find(all.begin(), all.end(), request.colour_by) == all.end() ? ColourBy::state : request.colour_by;
  }
  float top(ColourBy by) const {
    const std::lock_guard lock(mutex_);
    const auto at = tops_.find(by);
    return at == tops_.end() ? 0 : at->second.value;
  }

  /// What the outputs are coloured by, and how large it gets; made where the state is new. Null: no memory for it.
  const float* shown(Queue& queue, const PictureRequest& request, const BinsTrack::Reading& reading,
                     unsigned& components) {
    const ColourBy by = colour_of(request);
    const float* values = reading.output();
    components = track_.application().components;
    // Elements of a lattice stay, and so do those in reach.
    const std::uint64_t serial = by == bin_colours::hits ? 1 : reading.serial();
    if (by == bin_colours::hits && !hits_known_) {
      if (no_room_) return nullptr;
      try {
        make_room(hits_, queue, lattice().count());
        track_.show_hits(queue, reading.elements(), hits_.data());
        hits_known_ = true;
      } catch (const UsageError&) {  // the tracks may take all that there is
        no_room_ = true;
        return nullptr;
      }
    }
    if (by == bin_colours::load && loads_serial_ != serial) {
      const Index3 blocks = track_.launches()[0].blocks;
      make_room(loads_, queue, volume(blocks));
      make_room(output_loads_, queue, lattice().count());
      loads_.zero(queue);
      track_.show_loads(queue, reading, loads_);
      launch_items("bins.load", queue, lattice().count(),
                   FillLoads{loads_.data(), track_.output_tiles(), blocks, output_loads_.data()});
      loads_serial_ = serial;
    }
    if (by != ColourBy::state) {
      components = 1;
      values = by == bin_colours::hits ? hits_.data() : output_loads_.data();
    }
    {
      const std::lock_guard lock(mutex_);
      if (tops_[by].serial == serial) return values;
    }
    const float most = largest_output(queue, most_, values, components, lattice().count());
    const std::lock_guard lock(mutex_);
    tops_[by] = {serial, most};
    return values;
  }

  Buffer<std::uint32_t> most_;
  Buffer<float> hits_, output_loads_;  ///< an output each
  Buffer<std::uint64_t> loads_;        ///< a block each
  bool hits_known_ = false;
  std::atomic<bool> no_room_{false};  ///< for them
  std::uint64_t loads_serial_ = 0;    ///< of the state that they are of
  struct Top {
    std::uint64_t serial = 0;  ///< of the state that it is of
    float value = 0;
  };
  mutable std::mutex mutex_;
  std::map<ColourBy, Top> tops_;  ///< under mutex_
};

// ---- images --------------------------------------------------------------------------------------------------------

/// Two cubes of voxels, a layer of each, side by side.
struct PaintImage {
  const float *image, *truth;  ///< truth: null, there is none
  BoxPlane plane;
  float top;

  static constexpr double gap = 2;  ///< voxels between them

  WARPLOOM_HD Rgba colour(const PlanePixel& pixel) const {
    double x = pixel.x;
    const double side = plane.box.x;
    if (x < 0 || pixel.y < 0 || pixel.y >= side) return pixel.palette.ground;
    const float* from = image;
    if (x >= side) {
      x -= side + gap;
      from = truth;
    }
    if (!from || x < 0 || x >= side) return pixel.palette.ground;
    const Index3 place{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(pixel.y), 0};
    const float value = from[plane.number(place, plane.first)];
    return pixel.palette.at(top > 0 ? value / top : 0);
  }
};

class ImageOfBins final : public PictureOfBins {
 public:
  explicit ImageOfBins(BinsTrack& track)
      : PictureOfBins(track, {.shape = PictureInfo::Shape::plane,
                              .key = "image",
                              .title = "Image",
                              .space = "voxel",
                              .colours = {},
                              .sliced = true}) {}

  std::array<double, 3> extent(const Looking&) const override {
    const double kept = side();
    return {track_.problem().input.phantom ? 2 * kept + PaintImage::gap : kept, kept, 1};
  }

  std::string heading() const override {
    return track_.problem().input.phantom ? "as gridded, and as it should be" : "as gridded";
  }

  std::string caption() const override {
    if (!track_.shown_image()) return "made at the next step";
    if (track_.last_image_error() < 0) return {};
    char text[32];
    std::snprintf(text, sizeof text, "error %.4f", track_.last_image_error());
    return text;
  }

  std::uint64_t version(const PictureRequest& request) const override {
    return PictureOfBins::version(request) + (track_.images_made() << 40);
  }
  Selection at(Queue*, const PictureRequest&, double, double) override { return {}; }
  std::vector<Outline> marks(const Selected&, const Looking&) const override { return {}; }
  ValueRange range(const PictureRequest&) const override { return {0, top_}; }

  Legend legend(const PictureRequest& request) const override {
    if (request.values.empty() || !(request.values.high > 0)) return {};
    return {"0", three_digits(request.values.high)};
  }

  void paint(Queue& queue, const PictureRequest& request) override {
    track_.want_image();
    PaintImage paint{nullptr, nullptr, layer_of({side(), side(), side()}, looking_of(request)), 0};
    const BinImage* shown = track_.shown_image();
    if (!shown) return paint_plane(queue, request, paint);
    const StatePair::Reader reader(*shown->voxels, queue);
    paint.image = reinterpret_cast<const float*>(reader.data());
    paint.truth = shown->truth;
    if (measured_ != reader.serial()) {
      top_ = largest_output(queue, most_, paint.image, 1, volume(shown->extent));
      measured_ = reader.serial();
    }
    paint.top = request.values.empty() || !(request.values.high > 0) ? top_.load() : request.values.high;
    paint_plane(queue, request, paint);
  }

 private:
  std::uint32_t side() const { return space().lattice.points.x / 2; }

  Buffer<std::uint32_t> most_;
  std::uint64_t measured_ = 0;  ///< serial of the image that `top_` is of
  std::atomic<float> top_{0};
};

}  // namespace

std::unique_ptr<Picture> make_output_picture(BinsTrack& track) { return std::make_unique<OutputOfBins>(track); }
std::unique_ptr<Picture> make_image_picture(BinsTrack& track) { return std::make_unique<ImageOfBins>(track); }

}  // namespace warploom
