#include "gpu/scenes/bins/pictures/colours.h"
#include "gpu/scenes/bins/pictures/pictures.h"

#include <algorithm>
#include <cmath>

#include "gpu/core/format.h"
#include "gpu/core/launch.h"
#include "gpu/pictures/picture_request.h"
#include "gpu/scenes/bins/pictures/paint.h"
#include "gpu/scenes/bins/tracks/spaces.h"
#include "gpu/scenes/bins/tracks/track.h"

namespace warploom {

BinPlane plane_of_bins(const BinGrid& grid, int slice_axis, double slice) {
  BinPlane plane{grid, slice_axis < 0 ? 2 : slice_axis};
  plane.end = grid.extent(plane.axis);
  if (slice_axis < 0) return plane;
  plane.first = std::min(plane.end - 1, static_cast<std::uint32_t>(slice * plane.end));
  plane.end = plane.first + 1;
  return plane;
}

namespace {

BinPlane plane_of_bins(const BinGrid& grid, const PictureRequest& request) {
  return plane_of_bins(grid, request.solid.slice_axis, request.solid.slice);
}

std::array<double, 3> sides(Index3 extent) { return {double(extent.x), double(extent.y), 1}; }

}  // namespace

std::uint64_t PictureOfBins::version(const PictureRequest&) const {
  // A state that was not followed is looked at late, and painted again: cards and the mouse tell of what is seen.
  return 1 + track_.version() + (track_.late_looks() << 48);
}

// ---- elements
// ------------------------------------------------------------------------------------------------------------------
template <class Launch>
std::uint64_t FoundElement::ask(Queue& queue, const PictureRequest& request, double x, double y, std::uint64_t serial,
                                Launch&& find) {
  if (!nearest_.size()) nearest_ = Buffer<std::uint64_t>(queue.backend(), 1);
  return question_.answer(queue, request, x, y, serial, [&](std::uint64_t* to) {
    fill_with_ones(queue, nearest_.data(), nearest_.bytes());  // none
    find(nearest_.data());
    launch("bins.nearest", queue, {{1, 1, 1}, {1, 1, 1}}, TellNearest{nearest_.data(), to});
  });
}

bool ElementDots::drawn(const PictureRequest& request) const {
  return request.camera.cells_per_pixel_x < 1 / 20. && track_.problem().input.count() <= BinsSnapshot::most_elements;
}

Selection ElementDots::at(Queue* queue, const PictureRequest& request, const BinPlane& plane, double x, double y) {
  if (!queue || !drawn(request)) return {};
  const BinsTrack::Reading reading(track_, *queue, std::try_to_lock);
  if (!reading) return {};
  const std::uint64_t found = found_.ask(*queue, request, x, y, reading.serial(), [&](std::uint64_t* nearest) {
    launch(
        "bins.nearest", *queue, row_shape(reading.elements().count),
        FindElement{
            {reading.elements(), plane, request.camera, request.target.width, request.target.height}, x, y, nearest});
  });
  if (found == FindElement::none) return {};
  return {element_space, {static_cast<std::uint32_t>(found), 0, 0}, 0, {}};
}

void ElementDots::add_marks(const Selected& selected, const BinPlane& plane, std::vector<Outline>& to) const {
  const auto element = track_.element_found(selected.selection);
  if (!element) return;
  const BinGrid& grid = plane.grid;
  Outline itself{Outline::Kind::place, {0, 0, 0}, {0, 0, 1}, 0, {}}, ball = itself;
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
  const std::uint32_t layer = plane.layer(element->bin);
  if (layer >= plane.first && layer < plane.end) to.push_back(itself);
}

// ---- how full bins are
// ------------------------------------------------------------------------------------------------
OccupancyOfBins::OccupancyOfBins(BinsTrack& track)
    : PictureOfBins(track, {.shape = PictureInfo::Shape::plane,
                            .key = "occupancy",
                            .title = "Bins",
                            .space = bin_space,
                            .also = element_space,
                            .colours = {bin_colours::depth, bin_colours::deepest},
                            .sliced = true}) {}

std::array<double, 3> OccupancyOfBins::extent(const Looking& looking) const {
  return sides(plane_of_bins(track_.problem().space.grid, looking.slice_axis, looking.slice).extent());
}

std::string OccupancyOfBins::caption() const {
  const auto snapshot = track_.snapshot();
  if (!snapshot) return "binning \u2026";
  return short_count(snapshot->bins) + " bins, deepest " + grouped(snapshot->deepest) + ", " +
         std::to_string(100 * snapshot->empty / snapshot->bins) + " % empty";
}

Selection OccupancyOfBins::at(Queue* queue, const PictureRequest& request, double x, double y) {
  const BinPlane plane = plane_of_bins(track_.problem().space.grid, request);
  const auto place = place_under(request, sides(plane.extent()), x, y);
  if (!place) return {};
  if (Selection element = dots_.at(queue, request, plane, x, y); !element.empty()) return element;
  // The deepest of those that lie behind each other, as the picture has it.
  Index3 found = plane.bin(*place, plane.first);
  if (const auto snapshot = track_.snapshot(); snapshot && !snapshot->counts.empty()) {
    std::uint32_t most = 0;
    for (std::uint32_t layer = plane.first; layer < plane.end; ++layer) {
      const Index3 bin = plane.bin(*place, layer);
      if (const std::uint32_t depth = snapshot->counts[plane.grid.number(bin)]; depth > most) most = depth, found = bin;
    }
  }
  return {bin_space, found, 0, {}};
}

std::vector<Outline> OccupancyOfBins::marks(const Selected& selected, const Looking& looking) const {
  const BinGrid& grid = track_.problem().space.grid;
  const BinPlane plane = plane_of_bins(grid, looking.slice_axis, looking.slice);
  std::vector<Outline> all;
  if (const auto read = track_.bins_read(selected)) {
    const int axes[] = {plane.right(), plane.down()};
    Outline box{Outline::Kind::block, {0, 0, 0}, {0, 0, 1}, 0, {}};
    for (std::size_t a = 0; a < 2; ++a) {
      box.low[a] = read->first[axes[a]];
      box.high[a] = read->last[axes[a]] + 1.;
    }
    all.push_back(box);
  }
  dots_.add_marks(selected, plane, all);
  if (selected.selection.space != bin_space) return all;
  const Index3 bin = selected.selection.at, place = plane.place(bin);
  if (bin.x >= grid.bins.x || bin.y >= grid.bins.y || bin.z >= grid.bins.z) return {};
  if (plane.layer(bin) < plane.first || plane.layer(bin) >= plane.end) return all;
  all.push_back({Outline::Kind::place, {double(place.x), double(place.y), 0}, {place.x + 1., place.y + 1., 1}, 0, {}});
  return all;
}

std::vector<float> OccupancyOfBins::values(Queue&, Index3 first, Index3 size) {
  // Asked for where places are large: few of them.
  const auto snapshot = track_.snapshot();
  Painted painted;
  {
    const std::lock_guard lock(mutex_);
    painted = painted_;
  }
  const BinPlane whole = plane_of_bins(track_.problem().space.grid, painted.axis, painted.slice);
  // Dots and numbers over each other could not be read.
  if (!snapshot || snapshot->counts.empty() || whole.end - whole.first > 64 || painted.dots) return {};
  std::vector<float> all;
  for (std::uint32_t y = first.y; y < first.y + size.y; ++y)
    for (std::uint32_t x = first.x; x < first.x + size.x; ++x) {
      std::uint64_t sum = 0;
      const bool inside = x < whole.extent().x && y < whole.extent().y;
      for (std::uint32_t layer = whole.first; inside && layer < whole.end; ++layer) {
        const std::uint32_t depth = snapshot->counts[whole.grid.number(whole.bin({x, y, 0}, layer))];
        sum = painted.deepest ? std::max<std::uint64_t>(sum, depth) : sum + depth;
      }
      all.push_back(inside && sum ? static_cast<float>(sum) : std::nanf(""));  // empty bins stay quiet
    }
  return all;
}

ValueRange OccupancyOfBins::range(const PictureRequest& request) const {
  return {0, static_cast<float>(request.colour_by == bin_colours::deepest ? deepest_.load() : most_in_all_.load())};
}

float OccupancyOfBins::shade(float value, const ValueRange& range) const {
  return value > 0 ? .04f + .96f * ColourPlaces::shade(value, range.high) : 0;
}

Legend OccupancyOfBins::legend(const PictureRequest& request) const {
  return {"0", short_count(static_cast<unsigned long long>(std::max(1.f, request.values.high))) + " elements", false,
          .04f};
}

void OccupancyOfBins::paint(Queue& queue, const PictureRequest& request) {
  const BinsTrack::Reading reading(track_, queue);
  track_.look(queue, reading);
  const BinPlane plane = plane_of_bins(track_.problem().space.grid, request);
  const std::uint64_t places = volume(plane.extent());
  make_room(values_, queue, places);
  make_room(layers_, queue, places);
  make_room(most_, queue, 1);
  most_.zero(queue);
  const bool deepest = request.colour_by == bin_colours::deepest;
  launch("bins.project", queue, row_shape(places),
         ProjectBins{reading.slots().counts, plane, deepest, values_.data(), layers_.data(), most_.data()});
  const std::uint32_t most = most_.download(queue)[0];
  (deepest ? deepest_ : most_in_all_) = most;
  // Dots where a bin is large enough to hold them.
  const bool dots = dots_.drawn(request);
  {
    const std::lock_guard lock(mutex_);
    painted_ = {request.solid.slice_axis, request.solid.slice, deepest, dots};
  }
  if (dots) {
    const auto pixels =
        static_cast<std::uint64_t>(request.target.width) * static_cast<std::uint64_t>(request.target.height);
    make_room(weights_, queue, pixels);
    zero_bytes(queue, weights_.data(), pixels * sizeof(std::uint32_t));
    launch("bins.dots", queue, row_shape(track_.problem().input.count()),
           SplatElements{{reading.elements(), plane, request.camera, request.target.width, request.target.height},
                         weights_.data()});
  }
  const float top = request.values.empty() ? static_cast<float>(most) : std::max(request.values.high, 1.f);
  make_room(colours_, queue, places);
  launch("bins.colour_places", queue, row_shape(places),
         ColourPlaces{values_.data(), places, top, 1, request.palette, colours_.data()});
  launch("bins.colour", queue, PlaneTiles::shape(request.target),
         PaintBins{plane, values_.data(), layers_.data(), reading.slots().counts, colours_.data(),
                   dots ? weights_.data() : nullptr, reading.shape().cap, 1, request.camera, request.target,
                   request.palette});
}

// ---- slots in address order
// -------------------------------------------------------------------------------------------
namespace {

constexpr std::size_t most_outlines = 400;

MemoryPlane memory_plane(const BinsTrack& track, std::uint64_t slots, std::uint32_t capacity) {
  MemoryPlane plane;
  plane.slots = slots;
  const double index = track.index_bytes(), element = track.slot_bytes();
  plane.index = static_cast<std::uint64_t>(std::ceil(index / element));
  // Four times as wide as high, about; bins of one capacity each whole in a row.
  const double wide = std::sqrt(4. * static_cast<double>(std::max<std::uint64_t>(1, slots + plane.index)));
  const std::uint32_t whole = std::max(1u, capacity);
  plane.wide = std::max(1u, static_cast<std::uint32_t>(std::lround(wide / whole))) * whole;
  return plane;
}

MemoryPlane memory_plane(const BinsTrack& track) {
  const auto snapshot = track.snapshot();
  return snapshot ? memory_plane(track, snapshot->slots, snapshot->capacity) : memory_plane(track, 1, 0);
}

}  // namespace

BinMemory::BinMemory(BinsTrack& track)
    : PictureOfBins(track, {.shape = PictureInfo::Shape::plane,
                            .key = "memory",
                            .title = "Memory",
                            .space = bin_space,
                            .also = element_space,
                            .colours = {}}) {}

std::array<double, 3> BinMemory::extent(const Looking&) const {
  const MemoryPlane plane = memory_plane(track_);
  return {double(plane.wide), double(plane.high()), 1};
}

std::string BinMemory::caption() const {
  const auto snapshot = track_.snapshot();
  if (!snapshot) return "binning \u2026";
  return short_count(snapshot->slots) + " slots" + (sampled_ ? ", sampled" : "");
}

std::string BinMemory::heading() const {
  const auto snapshot = track_.snapshot();
  if (!snapshot) return {};
  const std::uint64_t kept = snapshot->elements - snapshot->spilled, padding = snapshot->slots - kept;
  const std::string bytes =
      bytes_text(static_cast<double>(snapshot->slots) * track_.slot_bytes() + track_.index_bytes());
  const std::uint64_t percent = snapshot->slots ? 100 * padding / snapshot->slots : 0;
  return bytes + (padding ? ", " + std::to_string(percent) + " % padding" : ", no padding");
}

Selection BinMemory::at(Queue* queue, const PictureRequest& request, double x, double y) {
  const auto snapshot = track_.snapshot();
  const auto place = place_under(request, extent(), x, y);
  if (!place || !snapshot || snapshot->counts.empty()) return {};
  const MemoryPlane plane = memory_plane(track_);
  const std::uint64_t slot = std::uint64_t{place->y} * plane.wide + place->x;
  if (slot >= snapshot->slots) return {};
  BinSlots slots{track_.problem().space.grid};
  slots.counts = snapshot->counts.data();
  slots.offsets = snapshot->offsets.data();
  slots.capacity = snapshot->capacity;
  bool real = false;
  const std::uint64_t bin =
      PaintMemory::bin_of(slots, track_.variant().structure == BinStructure::regular, snapshot->cap, slot, real);
  // Whose slot it is, where slots are large.
  if (constexpr double pixels = 10; real && queue && request.camera.cells_per_pixel_x * pixels < 1) {
    const std::uint64_t first =
        track_.variant().structure == BinStructure::regular ? bin * slots.capacity : slots.offsets[bin];
    const auto found = in_slot(*queue, request, x, y, bin, static_cast<std::uint32_t>(slot - first));
    if (found) return {element_space, {*found, 0, 0}, 0, {}};
  }
  return {bin_space, unfold(bin, slots.grid.bins), 0, {}};
}

std::optional<std::uint32_t> BinMemory::in_slot(Queue& queue, const PictureRequest& request, double x, double y,
                                                std::uint64_t bin, std::uint32_t rank) {
  const BinsTrack::Reading reading(track_, queue);
  // Whose slots the snapshot tells.
  const auto shown = track_.snapshot();
  if (!reading.ranks() || !shown || shown->serial != reading.serial()) return std::nullopt;
  const std::uint64_t found = found_.ask(queue, request, x, y, reading.serial(), [&](std::uint64_t* nearest) {
    launch("bins.nearest", queue, row_shape(reading.elements().count),
           FindInSlot{reading.elements(), track_.problem().space.grid, bin, rank, reading.ranks(), nearest});
  });
  return found == FindElement::none ? std::nullopt : std::optional(static_cast<std::uint32_t>(found));
}

std::vector<Outline> BinMemory::marks(const Selected& selected, const Looking&) const {
  std::vector<Outline> all;
  const auto snapshot = track_.snapshot();
  if (!snapshot || snapshot->counts.empty()) return all;
  const MemoryPlane plane = memory_plane(track_);
  const BinGrid& grid = track_.problem().space.grid;
  const bool regular = track_.variant().structure == BinStructure::regular;
  const auto first_of = [&](std::uint64_t bin) {
    return regular ? bin * snapshot->capacity : std::uint64_t{snapshot->offsets[bin]};
  };
  // A run of slots is a box a row of the picture.
  const auto add = [&](std::uint64_t first, std::uint64_t last, Outline::Kind kind) {
    while (first < last && all.size() < most_outlines) {
      const std::uint64_t row = first / plane.wide, end = std::min(last, (row + 1) * plane.wide);
      all.push_back({kind,
                     {double(first % plane.wide), double(row), 0},
                     {double(end - row * plane.wide), double(row + 1), 1},
                     0,
                     {}});
      first = end;
    }
  };
  // As the access reads them: bin after bin, or a row of bins at once.
  const bool by_row = track_.reads_rows();
  for (const BinRow& row : track_.rows_read(selected)) {
    if (by_row) {
      add(first_of(row.first), first_of(row.last + 1), Outline::Kind::block);
      continue;
    }
    for (std::uint64_t bin = row.first; bin <= row.last; ++bin)
      add(first_of(bin), first_of(bin + 1), Outline::Kind::block);
  }
  if (const auto element = track_.element_found(selected.selection)) {
    if (element->slot) add(*element->slot, *element->slot + 1, Outline::Kind::place);
    return all;
  }
  if (selected.selection.space != bin_space) return all;
  const Index3 bin = selected.selection.at;
  if (bin.x >= grid.bins.x || bin.y >= grid.bins.y || bin.z >= grid.bins.z) return {};
  add(first_of(grid.number(bin)), first_of(grid.number(bin) + 1), Outline::Kind::place);
  return all;
}

Legend BinMemory::legend(const PictureRequest&) const { return {}; }

void BinMemory::paint(Queue& queue, const PictureRequest& request) {
  const BinsTrack::Reading reading(track_, queue);
  track_.look(queue, reading);
  const Camera& camera = request.camera;
  sampled_ = std::max(camera.cells_per_pixel_x, camera.cells_per_pixel_y) > PaintMemory::most_looks;
  launch("bins.colour", queue, PlaneTiles::shape(request.target),
         PaintMemory{memory_plane(track_, reading.shape().slots, reading.shape().capacity), reading.slots(),
                     track_.variant().structure == BinStructure::regular, reading.shape().cap, request.camera,
                     request.target, request.palette});
}

}  // namespace warploom
