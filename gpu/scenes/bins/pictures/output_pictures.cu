#include <algorithm>
#include <bit>
#include <cmath>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/launch.h"
#include "gpu/pictures/picture_request.h"
#include "gpu/scenes/bins/pictures/colours.h"
#include "gpu/scenes/bins/pictures/paint.h"
#include "gpu/scenes/bins/pictures/paint_output.h"
#include "gpu/scenes/bins/pictures/pictures.h"
#include "gpu/scenes/bins/tracks/spaces.h"
#include "gpu/scenes/bins/tracks/track.h"

namespace warploom {

namespace {

/// The layer of the lattice that is looked at; the middle one where no plane cuts it.
struct OutputLayer {
  int axis = 2;
  std::uint32_t at = 0;
};
OutputLayer output_layer(Index3 points, int slice_axis, double slice) {
  OutputLayer layer{slice_axis < 0 ? 2 : slice_axis};
  const std::uint32_t all = layer.axis == 0 ? points.x : layer.axis == 1 ? points.y : points.z;
  layer.at = std::min(all - 1, static_cast<std::uint32_t>((slice_axis < 0 ? .5 : slice) * all));
  return layer;
}

OutputScale scale_of(const BinApplicationInfo& application) {
  return application.components == 2 ? OutputScale::wide
         : application.signed_output ? OutputScale::two_sided
                                     : OutputScale::positive;
}

/// Of bodies where they are alone; input-driven blocks serve no output of their own.
std::vector<ColourBy> colours_of(const BinsTrack& track) {
  if (track.application().periodic) return {};
  if (track.variant().spreads) return {ColourBy::state, bin_colours::hits};
  return {ColourBy::state, bin_colours::hits, bin_colours::load};
}

/// The load of the block that serves each output.
struct FillLoads {
  const std::uint64_t* loads;
  OutputTiles tiles;
  Index3 blocks;
  float* to;
  template <class Group>
  WARPLOOM_HD void operator()(Group& group) const {
    each_item(group, volume(tiles.lattice.points), [&](std::uint64_t i) {
      const Index3 at = unfold(i, tiles.lattice.points);
      to[i] =
          static_cast<float>(loads[linear_index({at.x / tiles.tile, at.y / tiles.tile, at.z / tiles.tile}, blocks)]);
    });
  }
};

std::string amount(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

}  // namespace

// ---- outputs
// ----------------------------------------------------------------------------------------------------------
OutputOfBins::OutputOfBins(BinsTrack& track)
    : PictureOfBins(track, {.shape = PictureInfo::Shape::plane,
                            .key = "output",
                            .title = track.application().periodic ? "Bodies" : "Output",
                            .space = track.application().periodic ? bin_space : Selection::cell,
                            .colours = colours_of(track),
                            .sliced = true}) {}

std::array<double, 3> OutputOfBins::extent(const Looking& looking) const {
  const BinSpace& space = track_.problem().space;
  Index3 sides;
  if (track_.application().periodic)
    sides = plane_of_bins(space.grid, looking.slice_axis, looking.slice).extent();
  else
    sides = PaintOutput::extent(space.lattice.points,
                                output_layer(space.lattice.points, looking.slice_axis, looking.slice).axis);
  return {double(sides.x), double(sides.y), 1};
}

std::string OutputOfBins::caption() const {
  if (track_.application().periodic) return short_count(track_.problem().input.count()) + " bodies";
  const Index3 points = track_.problem().space.lattice.points;
  return grouped(points.x) + " \u00d7 " + grouped(points.y) + " \u00d7 " + grouped(points.z) + " outputs";
}

Selection OutputOfBins::at(Queue* queue, const PictureRequest& request, double x, double y) {
  const auto place = place_under(request, extent({1, request.solid.slice_axis, request.solid.slice}), x, y);
  if (!place) return {};
  const BinSpace& space = track_.problem().space;
  if (track_.application().periodic) {
    const BinPlane plane = plane_of_bins(space.grid, request.solid.slice_axis, request.solid.slice);
    if (Selection body = dots_.at(queue, request, plane, x, y); !body.empty()) return body;
    return {bin_space, plane.bin(*place, plane.first), 0, {}};
  }
  const OutputLayer layer = output_layer(space.lattice.points, request.solid.slice_axis, request.solid.slice);
  return {Selection::cell, PaintOutput::point(layer.axis, *place, layer.at), 0, {}};
}

std::vector<Outline> OutputOfBins::marks(const Selected& selected, const Looking& looking) const {
  const BinSpace& space = track_.problem().space;
  const BinGrid& grid = space.grid;
  std::vector<Outline> all;
  if (track_.application().periodic) {
    const BinPlane plane = plane_of_bins(grid, looking.slice_axis, looking.slice);
    dots_.add_marks(selected, plane, all);
    if (selected.selection.space != bin_space) return all;
    const Index3 bin = selected.selection.at, place = plane.place(bin);
    if (bin.x >= grid.bins.x || bin.y >= grid.bins.y || bin.z >= grid.bins.z) return {};
    return {{Outline::Kind::place, {double(place.x), double(place.y), 0}, {place.x + 1., place.y + 1., 1}, 0, {}}};
  }
  const OutputLayer layer = output_layer(space.lattice.points, looking.slice_axis, looking.slice);
  const int axes[] = {layer.axis == 0 ? 1 : 0, layer.axis == 2 ? 1 : 2};
  const auto along = [&](Index3 at, int axis) { return axis == 0 ? at.x : axis == 1 ? at.y : at.z; };
  if (selected.owner) {
    const auto box = track_.facet<Threads>()->footprint(*selected.owner);
    Outline block{Outline::Kind::block, {0, 0, 0}, {0, 0, 1}, 0, {}};
    for (std::size_t a = 0; box && a < 2; ++a) {
      block.low[a] = along(box->first, axes[a]);
      block.high[a] = along(box->second, axes[a]);
    }
    if (box && along(box->first, layer.axis) <= layer.at && layer.at < along(box->second, layer.axis))
      all.push_back(block);
  }
  if (selected.selection.space == bin_space) {
    // The box of the bin among the outputs.
    const Index3 bin = selected.selection.at;
    if (bin.x >= grid.bins.x || bin.y >= grid.bins.y || bin.z >= grid.bins.z) return {};
    Outline box{Outline::Kind::place, {0, 0, 0}, {0, 0, 1}, 0, {}};
    for (std::size_t a = 0; a < 2; ++a) {
      const int axis = axes[a];
      const double low =
          (grid.origin[axis] + grid.side[axis] * static_cast<float>(along(bin, axis)) - space.lattice.origin[axis]) /
          space.lattice.spacing;
      const auto most = static_cast<double>(along(space.lattice.points, axis));
      box.low[a] = std::clamp(low + .5, 0., most);
      box.high[a] = std::clamp(low + .5 + static_cast<double>(grid.side[axis] / space.lattice.spacing), 0., most);
    }
    if (box.high[0] > box.low[0] && box.high[1] > box.low[1]) all.push_back(box);
    return all;
  }
  if (const auto element = track_.element_found(selected.selection)) {
    // Where the layer cuts the ball that it reaches.
    const double spacing = double{space.lattice.spacing}, reach = double{element->reach} / spacing;
    const auto in_points = [&](int axis) {
      return double{element->place[axis] - space.lattice.origin[axis]} / spacing;
    };
    const double off = in_points(layer.axis) - layer.at;
    if (std::abs(off) >= reach) return all;
    const double half = std::sqrt(reach * reach - off * off);
    Outline ball{Outline::Kind::block, {0, 0, 0}, {0, 0, 1}, 0, {}}, itself{Outline::Kind::place, {}, {0, 0, 1}, 0, {}};
    for (std::size_t a = 0; a < 2; ++a) {
      const double at = in_points(axes[a]) + .5, most = along(space.lattice.points, axes[a]);
      itself.low[a] = itself.high[a] = at;
      ball.low[a] = std::clamp(at - half, 0., most), ball.high[a] = std::clamp(at + half, 0., most);
    }
    all.push_back(ball);
    if (std::abs(off) <= .5) all.push_back(itself);
    return all;
  }
  if (!selected.target || selected.selection.space == Selection::block) return all;
  const Cell cell = selected.target->cell;
  if (along(cell, layer.axis) != layer.at) return all;
  const double x = along(cell, axes[0]), y = along(cell, axes[1]);
  all.push_back(
      {selected.target->useful ? Outline::Kind::place : Outline::Kind::waste, {x, y, 0}, {x + 1, y + 1, 1}, 0, {}});
  return all;
}

ColourBy OutputOfBins::colour_of(const PictureRequest& request) const {
  const auto& all = info().colours;
  return std::find(all.begin(), all.end(), request.colour_by) == all.end() ? ColourBy::state : request.colour_by;
}

float OutputOfBins::top(ColourBy by) const {
  const std::lock_guard lock(mutex_);
  const auto at = tops_.find(by);
  return at == tops_.end() ? 0 : at->second.value;
}

ValueRange OutputOfBins::range(const PictureRequest& request) const {
  if (track_.application().periodic) return {};
  const ColourBy by = colour_of(request);
  const float most = top(by);
  return {by == ColourBy::state && scale_of(track_.application()) == OutputScale::two_sided ? -most : 0, most};
}

Legend OutputOfBins::legend(const PictureRequest& request) const {
  if (track_.application().periodic) return {};
  if (const ColourBy by = colour_of(request); by != ColourBy::state) {
    const float most = request.values.empty() ? top(by) : request.values.high;
    if (by == bin_colours::hits && no_room_) return {"no memory for them", "", false};
    if (!(most > 0)) return {"nothing yet", "", false};
    const bool hits = by == bin_colours::hits;
    return {"0", short_count(static_cast<unsigned long long>(most)) + (hits ? " in reach" : " pairs per block"), false};
  }
  const std::string unit = track_.application().unit[0] ? std::string(" ") + track_.application().unit : "";
  if (request.values.empty() || !(request.values.high > 0)) return {"nothing yet", "", false};
  return {amount(static_cast<double>(request.values.low)), amount(static_cast<double>(request.values.high)) + unit};
}

struct OutputOfBins::State {
  const BinsTrack::Reading& reading;
};

const float* OutputOfBins::shown(Queue& queue, const PictureRequest& request, const State& state,
                                 unsigned& components) {
  const BinsTrack::Reading& reading = state.reading;
  const Lattice& lattice = track_.problem().space.lattice;
  const ColourBy by = colour_of(request);
  const float* values = reading.output();
  components = track_.application().components;
  // Elements of a lattice stay, and so do those in reach.
  const std::uint64_t serial = by == bin_colours::hits ? 1 : reading.serial();
  if (by == bin_colours::hits && !hits_known_) {
    if (no_room_) return nullptr;
    try {
      make_room(hits_, queue, lattice.count());
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
    make_room(output_loads_, queue, lattice.count());
    loads_.zero(queue);
    track_.show_loads(queue, reading, loads_);
    launch("bins.load", queue, row_shape(lattice.count()),
           FillLoads{loads_.data(), track_.output_tiles(), blocks, output_loads_.data()});
    loads_serial_ = serial;
  }
  if (by != ColourBy::state) {
    components = 1;
    values = by == bin_colours::hits ? hits_.data() : output_loads_.data();
  }
  bool known = false;
  {
    const std::lock_guard lock(mutex_);
    known = tops_[by].serial == serial;
  }
  if (known) return values;
  make_room(most_, queue, 1);
  most_.zero(queue);
  launch("bins.range", queue, row_shape(lattice.count()),
         LargestOutput{values, components, lattice.count(), most_.data()});
  const float most = std::bit_cast<float>(most_.download(queue)[0]);
  const std::lock_guard lock(mutex_);
  tops_[by] = {serial, most};
  return values;
}

void OutputOfBins::paint(Queue& queue, const PictureRequest& request) {
  const BinsTrack::Reading reading(track_, queue);
  track_.look(queue, reading);
  const BinSpace& space = track_.problem().space;
  make_room(most_, queue, 1);
  if (!track_.application().periodic) {
    unsigned components = 1;
    const float* values = shown(queue, request, {reading}, components);
    const ColourBy by = colour_of(request);
    const bool own = by == ColourBy::state || !values;
    if (!values) values = reading.output(), components = track_.application().components;
    const OutputLayer layer = output_layer(space.lattice.points, request.solid.slice_axis, request.solid.slice);
    const float most = request.values.empty() ? top(by) : request.values.high;
    launch("bins.colour", queue, PlaneTiles::shape(request.target),
           PaintOutput{values, components, space.lattice, layer.axis, layer.at,
                       own ? scale_of(track_.application()) : OutputScale::positive, most, request.camera,
                       request.target, request.palette});
    return;
  }
  // Bodies over a quiet ground of how full their bins are.
  const BinPlane plane = plane_of_bins(space.grid, request.solid.slice_axis, request.solid.slice);
  const std::uint64_t places = volume(plane.extent()), pixels = static_cast<std::uint64_t>(request.target.width) *
                                                                static_cast<std::uint64_t>(request.target.height);
  make_room(values_, queue, places);
  make_room(layers_, queue, places);
  make_room(weights_, queue, pixels);
  if (reading.slots().counts) {
    most_.zero(queue);
    launch("bins.project", queue, row_shape(places),
           ProjectBins{reading.slots().counts, plane, false, values_.data(), layers_.data(), most_.data()});
  } else {
    values_.zero(queue);
    layers_.zero(queue);
  }
  const float top = reading.slots().counts ? static_cast<float>(most_.download(queue)[0]) : 0;
  zero_bytes(queue, weights_.data(), pixels * sizeof(std::uint32_t));
  launch("bins.dots", queue, row_shape(track_.problem().input.count()),
         SplatElements{{reading.elements(), plane, request.camera, request.target.width, request.target.height},
                       weights_.data()});
  constexpr float share = .3f;
  make_room(colours_, queue, places);
  launch("bins.colour_places", queue, row_shape(places),
         ColourPlaces{values_.data(), places, top, share, request.palette, colours_.data()});
  launch("bins.colour", queue, PlaneTiles::shape(request.target),
         PaintBins{plane, values_.data(), layers_.data(), reading.slots().counts, colours_.data(), weights_.data(), ~0u,
                   share, request.camera, request.target, request.palette});
}

}  // namespace warploom
