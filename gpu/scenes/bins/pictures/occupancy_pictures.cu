#include "gpu/scenes/bins/pictures/pictures.h"

#include <algorithm>
#include <cmath>

#include "gpu/core/format.h"
#include "gpu/pictures/picture_request.h"
#include "gpu/scenes/bins/pictures/colours.h"
#include "gpu/scenes/bins/pictures/paint.h"

namespace warploom {

namespace {

/// Bins of a plane, and elements over them as dots: where they are drawn one of them may lie under the mouse.
class PlaneOfBins : public PictureOfBins {
 public:
  using PictureOfBins::PictureOfBins;

  std::array<double, 3> extent(const Looking& looking) const override {
    return real(plane_of(space().grid.bins, looking).extent());
  }

  Selection at(Queue* queue, const PictureRequest& request, double x, double y) override {
    const BoxPlane plane = plane_of(space().grid.bins, looking_of(request));
    const auto place = place_under(request, real(plane.extent()), x, y);
    if (!place) return {};
    if (queue && draws_dots(request))
      if (const BinsTrack::Reading reading(track_, *queue, std::try_to_lock); reading) {
        const auto found = found_.ask(*queue, request, x, y, reading.serial(), [&](std::uint64_t* nearest) {
          launch_items("bins.nearest", *queue, reading.elements().count,
                       FindElement{dots(request, reading, plane), x, y, nearest});
        });
        if (found) return {element_space, {*found, 0, 0}};
      }
    return {bin_space, bin_at(plane, *place)};
  }

 protected:
  /// The bin that is picked of those behind each other.
  virtual Index3 bin_at(const BoxPlane& plane, Index3 place) const { return plane.at(place, plane.first); }
  bool draws_dots(const PictureRequest& request) const {
    return request.camera.cells_per_pixel_x < 1 / 20. && track_.problem().input.count() <= BinsSnapshot::most_elements;
  }
  static DotPlaces dots(const PictureRequest& request, const BinsTrack::Reading& reading, const BoxPlane& plane) {
    return {reading.elements(), reading.slots().grid, plane,
            request.camera,     request.target.width, request.target.height};
  }

  /// Of a selected element, in bins, and of what it reaches.
  void add_element(const Selected& selected, const BoxPlane& plane, std::vector<Outline>& to) const {
    const auto element = track_.element_found(selected.selection);
    if (!element) return;
    const BinGrid& grid = space().grid;
    Outline itself{Outline::Kind::place, {0, 0, 0}, {0, 0, 1}}, ball = itself;
    ball.kind = Outline::Kind::block;
    const int axes[] = {plane.right(), plane.down()};
    for (std::size_t a = 0; a < 2; ++a) {
      const int axis = axes[a];
      const double at = double{(element->place[axis] - grid.origin[axis]) * grid.per_side[axis]},
                   reach = double{element->reach * grid.per_side[axis]};
      itself.low[a] = itself.high[a] = at;
      ball.low[a] = std::max(0., at - reach);
      ball.high[a] = std::min<double>(grid.extent(axis), at + reach);
    }
    to.push_back(ball);
    if (plane.has_layer(coordinate(element->bin, plane.axis))) to.push_back(itself);
  }
  /// Of a bin.
  static Outline outline(const BoxPlane& plane, Index3 bin) {
    const Index3 place = plane.place(bin);
    return {Outline::Kind::place, {double(place.x), double(place.y), 0}, {place.x + 1., place.y + 1., 1}};
  }

  /// Brings up to date what places have; returns the most of them. Without bins they have nothing.
  std::uint32_t project(Queue& queue, const BinsTrack::Reading& reading, const BoxPlane& plane, bool deepest) {
    const std::uint64_t places = volume(plane.extent());
    make_room(values_, queue, places);
    make_room(layers_, queue, places);
    make_room(most_, queue, 1);
    most_.zero(queue);
    if (!reading.slots().counts) {
      values_.zero(queue);
      layers_.zero(queue);
      return 0;
    }
    launch_items("bins.project", queue, places,
                 ProjectBins{reading.slots().counts, plane, deepest, values_.data(), layers_.data(), most_.data()});
    return most_.download(queue)[0];
  }
  /// Places by their share of `top`, as bright as `share`; bins deeper than the cap are hatched.
  void show(Queue& queue, const PictureRequest& request, const BinsTrack::Reading& reading, const BoxPlane& plane,
            float top, float share, bool with_dots, std::uint32_t cap) {
    if (with_dots) {
      const auto pixels =
          static_cast<std::uint64_t>(request.target.width) * static_cast<std::uint64_t>(request.target.height);
      make_room(weights_, queue, pixels);
      zero_bytes(queue, weights_.data(), pixels * sizeof(std::uint32_t));
      launch_items("bins.dots", queue, track_.problem().input.count(),
                   SplatElements{dots(request, reading, plane), weights_.data()});
    }
    const std::uint64_t places = volume(plane.extent());
    make_room(colours_, queue, places);
    launch_items("bins.colour_places", queue, places,
                 ColourPlaces{values_.data(), top, share, request.palette, colours_.data()});
    paint_plane(queue, request,
                PaintBins{plane, values_.data(), layers_.data(), reading.slots().counts, colours_.data(),
                          with_dots ? weights_.data() : nullptr, request.target.width, cap, share});
  }

 private:
  FoundElement found_;
  Buffer<std::uint32_t> values_, layers_, most_, weights_;
  Buffer<Rgba> colours_;
};

class OccupancyOfBins final : public PlaneOfBins, public KeyedPicture {
 public:
  explicit OccupancyOfBins(BinsTrack& track)
      : PlaneOfBins(track, {.shape = PictureInfo::Shape::plane,
                            .key = "occupancy",
                            .title = "Bins",
                            .space = bin_space,
                            .also = element_space,
                            .colours = {bin_colours::depth, bin_colours::deepest},
                            .sliced = true}) {}

  std::string heading() const override {
    const auto snapshot = track_.snapshot();
    return snapshot && snapshot->all_spilled() ? track_.spilled_words(*snapshot) : std::string();
  }

  std::string caption() const override {
    const auto snapshot = track_.snapshot();
    if (!snapshot) return "binning \u2026";
    if (snapshot->all_spilled()) return "cap 0";
    return short_count(snapshot->bins) + " bins, deepest " + grouped(snapshot->deepest) + ", " +
           std::to_string(100 * snapshot->empty / snapshot->bins) + " % empty";
  }

  std::vector<Outline> marks(const Selected& selected, const Looking& looking) const override {
    const BoxPlane plane = plane_of(space().grid.bins, looking);
    std::vector<Outline> all;
    if (const auto read = track_.bins_read(selected)) {
      const int x = plane.right(), y = plane.down();
      all.push_back({Outline::Kind::block,
                     {double(read->first[x]), double(read->first[y]), 0},
                     {read->last[x] + 1., read->last[y] + 1., 1}});
    }
    add_element(selected, plane, all);
    if (selected.selection.space != bin_space) return all;
    const Index3 bin = selected.selection.at;
    if (!is_inside(bin, plane.box)) return {};
    if (plane.has_layer(coordinate(bin, plane.axis))) all.push_back(outline(plane, bin));
    return all;
  }

  std::vector<float> values(Queue&, Index3 first, Index3 size) override {
    // Asked for where places are large: few of them.
    const auto snapshot = track_.snapshot();
    Painted painted;
    {
      const std::lock_guard lock(mutex_);
      painted = painted_;
    }
    const BoxPlane whole = plane_of(space().grid.bins, painted.looking);
    // Dots and numbers over each other could not be read.
    if (!snapshot || snapshot->counts.empty() || whole.end - whole.first > 64 || painted.dots) return {};
    std::vector<float> all;
    for (std::uint32_t y = first.y; y < first.y + size.y; ++y)
      for (std::uint32_t x = first.x; x < first.x + size.x; ++x) {
        std::uint64_t sum = 0;
        const bool inside = x < whole.extent().x && y < whole.extent().y;
        for (std::uint32_t layer = whole.first; inside && layer < whole.end; ++layer) {
          const std::uint32_t depth = snapshot->counts[whole.number({x, y, 0}, layer)];
          sum = painted.deepest ? std::max<std::uint64_t>(sum, depth) : sum + depth;
        }
        all.push_back(inside && sum ? static_cast<float>(sum) : std::nanf(""));  // empty bins stay quiet
      }
    return all;
  }

  ValueRange range(const PictureRequest& request) const override {
    return {0, static_cast<float>(request.colour_by == bin_colours::deepest ? deepest_.load() : most_in_all_.load())};
  }
  float shade(float value, const ValueRange& range) const override {
    return value > 0 ? .04f + .96f * ColourPlaces::shade(value, range.high) : 0;
  }
  Legend legend(const PictureRequest& request) const override {
    return unbinned() ? Legend{} : Legend{"0", high(request, false), false, .04f};
  }
  std::string brief(const PictureRequest& request) const override { return high(request, true); }
  std::vector<Kind> kinds(const PictureRequest& request) const override {
    const auto snapshot = track_.snapshot();
    const Palette& palette = request.palette;
    if (unbinned()) return {{"spilled elements", palette.at(1)}};
    std::vector<Kind> all;
    if (snapshot && snapshot->spilled)
      all.push_back({"deeper than the cap", palette.at(.5f), PaintBins::hatched(palette.at(.5f), palette)});
    if (snapshot && snapshot->empty) all.push_back({"empty", palette.waste});
    return all;
  }

  void paint(Queue& queue, const PictureRequest& request) override {
    const BinsTrack::Reading reading(track_, queue);
    track_.look(queue, reading);
    const BoxPlane plane = plane_of(space().grid.bins, looking_of(request));
    const bool deepest = request.colour_by == bin_colours::deepest;
    const std::uint32_t most = project(queue, reading, plane, deepest);
    (deepest ? deepest_ : most_in_all_) = most;
    // Dots where a bin is large enough to hold them; where no bin is used, dots alone.
    const bool unbinned = reading.shape().cap == 0, dots = draws_dots(request) || unbinned;
    {
      const std::lock_guard lock(mutex_);
      painted_ = {looking_of(request), deepest, dots};
    }
    const float top = request.values.empty() ? static_cast<float>(most) : std::max(request.values.high, 1.f);
    show(queue, request, reading, plane, top, unbinned ? 0 : 1, dots, unbinned ? ~0u : reading.shape().cap);
  }

 private:
  /// No bin is used.
  bool unbinned() const {
    const auto snapshot = track_.snapshot();
    return snapshot && snapshot->all_spilled();
  }
  /// The high end of the scale, which counts what the colours count: the bins that lie behind each other, or those of
  /// the slice.
  std::string high(const PictureRequest& request, bool brief) const {
    const auto most = static_cast<unsigned long long>(std::max(1.f, request.values.high));
    const std::string number = short_count(most) + (brief ? "" : most == 1 ? " element" : " elements");
    const BoxPlane plane = plane_of(space().grid.bins, looking_of(request));
    const std::uint32_t layers = plane.end - plane.first;
    const std::string axis(1, "xyz"[plane.axis]);
    if (request.solid.slice_axis >= 0) return number + " in a bin, " + axis + " = " + std::to_string(plane.first);
    if (layers == 1 || request.colour_by == bin_colours::deepest) return number + " in a bin";
    return number + (brief ? " in " : " in a column of ") + grouped(layers) + " bins along " + axis;
  }
  /// The deepest, as the picture has it.
  Index3 bin_at(const BoxPlane& plane, Index3 place) const override {
    Index3 found = plane.at(place, plane.first);
    if (const auto snapshot = track_.snapshot(); snapshot && !snapshot->counts.empty()) {
      std::uint32_t most = 0;
      for (std::uint32_t layer = plane.first; layer < plane.end; ++layer)
        if (const std::uint32_t depth = snapshot->counts[plane.number(place, layer)]; depth > most)
          most = depth, found = plane.at(place, layer);
    }
    return found;
  }

  std::atomic<std::uint32_t> most_in_all_{0}, deepest_{0};  ///< of the places that were painted last
  struct Painted {
    Looking looking;
    bool deepest = false, dots = false;
  };
  std::mutex mutex_;
  Painted painted_;  ///< what was looked at last, under mutex_: numbers are of the same
};

/// Over a quiet ground of how full their bins are.
class BodiesOfBins final : public PlaneOfBins {
 public:
  explicit BodiesOfBins(BinsTrack& track)
      : PlaneOfBins(track, {.shape = PictureInfo::Shape::plane,
                            .key = "output",
                            .title = "Bodies",
                            .space = bin_space,
                            .colours = {},
                            .sliced = true}) {}

  std::string caption() const override { return short_count(track_.problem().input.count()) + " bodies"; }

  std::vector<Outline> marks(const Selected& selected, const Looking& looking) const override {
    const BoxPlane plane = plane_of(space().grid.bins, looking);
    std::vector<Outline> all;
    add_element(selected, plane, all);
    const Selection& selection = selected.selection;
    if (selection.space == bin_space && is_inside(selection.at, plane.box)) all.push_back(outline(plane, selection.at));
    return all;
  }

  void paint(Queue& queue, const PictureRequest& request) override {
    const BinsTrack::Reading reading(track_, queue);
    track_.look(queue, reading);
    const BoxPlane plane = plane_of(space().grid.bins, looking_of(request));
    const auto top = static_cast<float>(project(queue, reading, plane, false));
    show(queue, request, reading, plane, top, .3f, true, ~0u);
  }
};

}  // namespace

std::unique_ptr<Picture> make_occupancy_picture(BinsTrack& track) { return std::make_unique<OccupancyOfBins>(track); }
std::unique_ptr<Picture> make_bodies_picture(BinsTrack& track) { return std::make_unique<BodiesOfBins>(track); }

}  // namespace warploom
