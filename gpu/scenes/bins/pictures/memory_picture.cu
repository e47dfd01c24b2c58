// Slots in address order.
#include <algorithm>
#include <cmath>

#include "gpu/core/format.h"
#include "gpu/pictures/picture_request.h"
#include "gpu/pictures/scaled_picture.h"
#include "gpu/scenes/bins/pictures/paint.h"
#include "gpu/scenes/bins/pictures/pictures.h"

namespace warploom {

namespace {

MemoryPlane memory_plane(const BinsTrack& track, std::uint64_t slots, std::uint32_t capacity) {
  MemoryPlane plane;
  plane.slots = slots;
  plane.index = static_cast<std::uint64_t>(std::ceil(track.index_bytes() / track.slot_bytes()));
  // Four times as wide as high, about; bins of one capacity each whole in a row.
  const double wide = std::sqrt(4. * static_cast<double>(std::max<std::uint64_t>(1, slots + plane.index)));
  const std::uint32_t whole = std::max(1u, capacity);
  plane.wide = std::max(1u, static_cast<std::uint32_t>(std::lround(wide / whole))) * whole;
  return plane;
}

class BinMemory final : public PictureOfBins, public KeyedPicture, public ScaledPicture {
 public:
  explicit BinMemory(BinsTrack& track)
      : PictureOfBins(track, {.shape = PictureInfo::Shape::plane,
                              .key = "memory",
                              .title = "Memory",
                              .space = bin_space,
                              .also = element_space,
                              .colours = {}}) {}

  std::array<double, 3> extent(const Looking&) const override {
    const auto snapshot = track_.snapshot();
    const MemoryPlane plane =
        snapshot ? memory_plane(track_, snapshot->slots, snapshot->capacity) : memory_plane(track_, 1, 0);
    return {double(plane.wide), double(plane.high()), 1};
  }

  std::string caption() const override {
    const auto snapshot = track_.snapshot();
    if (!snapshot) return "binning \u2026";
    const std::string spilled = snapshot->spilled ? ", " + short_count(snapshot->spilled) + " spilled" : "";
    return short_count(snapshot->slots) + " slots" + spilled;
  }
  /// Not every slot of a pixel is looked at.
  std::string scale(const PictureRequest& request) const override {
    const Camera& camera = request.camera;
    const bool all = std::max(camera.cells_per_pixel_x, camera.cells_per_pixel_y) <= PaintMemory::most_looks;
    return all ? "" : "sampled";
  }

  std::string heading() const override {
    const auto snapshot = track_.snapshot();
    if (!snapshot) return {};
    const std::string bytes = bytes_text(track_.stored_bytes(*snapshot));
    if (snapshot->all_spilled()) return bytes + ", no bins used";
    const std::uint64_t padding = snapshot->padding();
    return bytes + (padding ? ", " + std::to_string(100 * padding / snapshot->slots) + " % padding" : ", no padding");
  }

  std::vector<Kind> kinds(const PictureRequest& request) const override {
    const auto snapshot = track_.snapshot();
    std::vector<Kind> all;
    if (!snapshot) return all;
    const Palette& palette = request.palette;
    if (snapshot->padding()) all.push_back({"padding", palette.waste, palette.hatch});
    if (snapshot->kept()) all.push_back({"elements", palette.track});
    if (track_.index_bytes() > 0) all.push_back({table(), PaintMemory::table(palette)});
    return all;
  }
  bool leaves_room() const override { return true; }

  Selection at(Queue* queue, const PictureRequest& request, double x, double y) override {
    const auto snapshot = track_.snapshot();
    const auto place = place_under(request, extent({}), x, y);
    if (!place || !snapshot || snapshot->counts.empty()) return {};
    const MemoryPlane plane = memory_plane(track_, snapshot->slots, snapshot->capacity);
    const std::uint64_t slot = std::uint64_t{place->y} * plane.wide + place->x;
    if (slot >= snapshot->slots) return {};
    BinSlots slots{space().grid};
    slots.offsets = snapshot->offsets.data();
    slots.capacity = snapshot->capacity;
    const std::uint64_t bin = PaintMemory::bin_of(slots, track_.regular(), slot),
                        rank = slot - snapshot->first_slot(bin);
    // Whose slot it is, where slots are large.
    if (constexpr double pixels = 10; rank < std::min(snapshot->counts[bin], snapshot->cap) && queue &&
                                      request.camera.cells_per_pixel_x * pixels < 1) {
      const auto found = in_slot(*queue, request, x, y, bin, static_cast<std::uint32_t>(rank));
      if (found) return {element_space, {*found, 0, 0}};
    }
    return {bin_space, unfold(bin, slots.grid.bins)};
  }

  std::vector<Outline> marks(const Selected& selected, const Looking&) const override {
    std::vector<Outline> all;
    const auto snapshot = track_.snapshot();
    if (!snapshot || snapshot->counts.empty()) return all;
    const MemoryPlane plane = memory_plane(track_, snapshot->slots, snapshot->capacity);
    // A run of slots is a box a row of the picture.
    const auto add = [&](std::uint64_t first, std::uint64_t last, Outline::Kind kind) {
      constexpr std::size_t most_outlines = 400;
      while (first < last && all.size() < most_outlines) {
        const std::uint64_t row = first / plane.wide, end = std::min(last, (row + 1) * plane.wide);
        all.push_back(
            {kind, {double(first % plane.wide), double(row), 0}, {double(end - row * plane.wide), double(row + 1), 1}});
        first = end;
      }
    };
    const auto add_bins = [&](std::uint64_t first, std::uint64_t last, Outline::Kind kind) {
      add(snapshot->first_slot(first), snapshot->first_slot(last + 1), kind);
    };
    // As the access reads them: bin after bin, or a row of bins at once.
    for (const BinRow& row : track_.rows_read(selected)) {
      if (track_.reads_rows()) {
        add_bins(row.first, row.last, Outline::Kind::block);
        continue;
      }
      for (std::uint64_t bin = row.first; bin <= row.last; ++bin) add_bins(bin, bin, Outline::Kind::block);
    }
    if (const auto element = track_.element_found(selected.selection)) {
      if (element->slot) add(*element->slot, *element->slot + 1, Outline::Kind::place);
      return all;
    }
    if (selected.selection.space != bin_space) return all;
    if (!is_inside(selected.selection.at, space().grid.bins)) return {};
    const std::uint64_t bin = space().grid.number(selected.selection.at);
    add_bins(bin, bin, Outline::Kind::place);
    return all;
  }

  void paint(Queue& queue, const PictureRequest& request) override {
    const BinsTrack::Reading reading(track_, queue);
    track_.look(queue, reading);
    std::uint64_t slots = reading.shape().slots;
    // Of compact bins those that have an element, as far as it is known.
    if (const auto snapshot = track_.snapshot(); snapshot && !track_.regular())
      slots = std::min(slots, snapshot->slots);
    paint_plane(queue, request,
                PaintMemory{memory_plane(track_, slots, reading.shape().capacity), reading.slots(), track_.regular(),
                            reading.shape().cap});
  }

 private:
  /// What is looked up to find a bin.
  const char* table() const {
    return track_.regular()                     ? "table of counts"
           : track_.variant().access->pads_bins ? "table of starts and counts"
                                                : "table of starts";
  }
  /// The element of this rank in a bin.
  std::optional<std::uint32_t> in_slot(Queue& queue, const PictureRequest& request, double x, double y,
                                       std::uint64_t bin, std::uint32_t rank) {
    const BinsTrack::Reading reading(track_, queue);
    // Whose slots the snapshot tells.
    const auto shown = track_.snapshot();
    if (!reading.ranks() || !shown || shown->serial != reading.serial()) return std::nullopt;
    return found_.ask(queue, request, x, y, reading.serial(), [&](std::uint64_t* nearest) {
      launch_items("bins.nearest", queue, reading.elements().count,
                   FindInSlot{reading.elements(), space().grid, bin, rank, reading.ranks(), nearest});
    });
  }

  FoundElement found_;
};

}  // namespace

std::unique_ptr<Picture> make_memory_picture(BinsTrack& track) { return std::make_unique<BinMemory>(track); }

}  // namespace warploom
