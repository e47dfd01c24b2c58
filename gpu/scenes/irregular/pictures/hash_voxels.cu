// A layer of the sheet that is the table's, of the one that asks, and of their cut.
#include <algorithm>
#include <atomic>

#include "gpu/core/atomic.h"
#include "gpu/core/format.h"
#include "gpu/pictures/plane.h"
#include "gpu/scenes/irregular/pictures/hash_pictures.h"
#include "gpu/scenes/irregular/tracks/hash_track.h"

namespace warploom {

namespace {

/// A layer of the cube across one of its axes.
struct VoxelLayer {
  int axis = 2;
  std::uint32_t layer = 0;
  WARPLOOM_HD std::uint32_t key(std::uint32_t u, std::uint32_t v) const {
    if (axis == 0) return VoxelSheet::key(layer, u, v);
    if (axis == 1) return VoxelSheet::key(u, layer, v);
    return VoxelSheet::key(u, v, layer);
  }
};

struct KeysOfLayer {
  VoxelLayer layer;
  std::uint32_t side;
  std::uint32_t* keys;
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    const auto at = static_cast<std::uint32_t>(i);
    keys[i] = layer.key(at % side, at / side);
  }
};

struct MostProbes {
  const std::uint32_t *keys, *probes;
  VoxelSheet sheet;
  std::uint32_t* most;  ///< 0 before
  WARPLOOM_HD void operator()(std::uint64_t i) const {
    if (sheet.mirror_has(keys[i] & 1023, keys[i] >> 10 & 1023, keys[i] >> 20))
      rare_atomic_maximum(most, probes[i] & ~found_bit);
  }
};

struct PaintVoxels {
  const std::uint32_t *keys, *probes;  ///< (side, side)
  VoxelSheet sheet;
  float most;
  bool by_probes;

  WARPLOOM_HD static Rgba stored(const Palette& palette) { return mix(palette.ground, palette.hatch, .8f); }
  WARPLOOM_HD static Rgba missed() { return hash_kind(1); }
  WARPLOOM_HD static Rgba found() { return hash_kind(0); }

  WARPLOOM_HD Rgba colour(const PlanePixel& pixel) const {
    if (!pixel.inside(sheet.side, sheet.side)) return pixel.palette.ground;
    std::uint32_t most_told = 0;
    bool asked = false, there = false;
    pixel.each_place({sheet.side, sheet.side, 1}, [&](Index3 place) {
      const std::uint64_t i = std::uint64_t{place.y} * sheet.side + place.x;
      const std::uint32_t key = keys[i], told = probes[i];
      const bool own_asked = sheet.mirror_has(key & 1023, key >> 10 & 1023, key >> 20), own_there = told & found_bit;
      // A pixel of several voxels shows one of the cut.
      if (own_asked + own_there < asked + there) return;
      asked = own_asked, there = own_there;
      const std::uint32_t count = told & ~found_bit;
      most_told = count > most_told ? count : most_told;
    });
    if (!asked && !there) return pixel.gapped(pixel.palette.waste, .2);
    if (!asked) return pixel.gapped(stored(pixel.palette), .2);
    if (by_probes) return pixel.gapped(pixel.palette.at(shade_probes(static_cast<float>(most_told), most)), .2);
    return pixel.gapped(there ? found() : missed(), .2);
  }
};

class VoxelsPicture final : public Picture, public KeyedPicture {
 public:
  explicit VoxelsPicture(HashTrack& track)
      : Picture({.shape = PictureInfo::Shape::plane,
                 .key = "voxels",
                 .title = "Voxels",
                 .space = key_space,
                 .colours = {ColourBy::state, hash_colours::probes},
                 .sliced = true}),
        track_(track) {}

  std::array<double, 3> extent(const Looking&) const override {
    const double side = this->side();
    return {side, side, 1};
  }
  std::string heading() const override {
    const int axis = axis_;
    return std::string("two sheets, ") + "xyz"[axis] + " = " + std::to_string(layer_.load());
  }
  std::string caption() const override {
    const auto report = track_.report();
    if (!report) return "asking \u2026";
    return short_count(report->hits) + " of " + short_count(track_.shape().keys) + " asked for are there";
  }
  std::uint64_t version(const PictureRequest&) const override { return track_.version(); }

  Selection at(Queue*, const PictureRequest& request, double x, double y) override {
    const auto place = place_under(request, extent({}), x, y);
    if (!place) return {};
    return {key_space, {layer_of(request.solid.slice_axis, request.solid.slice).key(place->x, place->y), 0, 0}};
  }
  std::vector<Outline> marks(const Selected& selected, const Looking& looking) const override {
    if (selected.selection.space != key_space) return {};
    const std::uint32_t key = selected.selection.at.x, at[] = {key & 1023, key >> 10 & 1023, key >> 20};
    const VoxelLayer layer = layer_of(looking.slice_axis, looking.slice);
    if (std::ranges::any_of(at, [&](std::uint32_t along) { return along >= side(); })) return {};
    if (at[layer.axis] != layer.layer) return {};
    const double u = at[layer.axis == 0 ? 1 : 0], v = at[layer.axis == 2 ? 1 : 2];
    return {{Outline::Kind::place, {u, v, 0}, {u + 1, v + 1, 1}, 0, {}}};
  }

  ValueRange range(const PictureRequest& request) const override {
    return request.colour_by == hash_colours::probes ? ValueRange{1, std::max(1.f, most_.load())} : ValueRange{};
  }
  Legend legend(const PictureRequest& request) const override {
    if (request.colour_by != hash_colours::probes) return {};
    const float most = request.values.empty() ? most_.load() : request.values.high;
    return {"1 probe", probes_text(most)};
  }
  bool leaves_room() const override { return true; }
  std::vector<Kind> kinds(const PictureRequest& request) const override {
    std::vector<Kind> all;
    if (request.colour_by != hash_colours::probes)
      all = {{"found", PaintVoxels::found()}, {"not found", PaintVoxels::missed()}};
    all.push_back({"not asked for", PaintVoxels::stored(request.palette)});
    return all;
  }

  void paint(Queue& queue, const PictureRequest& request) override {
    const HashTrack::Reading reading(track_, queue);
    const VoxelLayer layer = layer_of(request.solid.slice_axis, request.solid.slice);
    axis_ = layer.axis;
    layer_ = layer.layer;
    const std::uint64_t count = std::uint64_t{side()} * side();
    if (keys_.size() == 0) {
      keys_ = Buffer<std::uint32_t>(queue.backend(), count);
      probes_ = Buffer<std::uint32_t>(queue.backend(), count);
      most_probes_ = Buffer<std::uint32_t>(queue.backend(), 1);
    }
    launch_items("hash.probes", queue, count, KeysOfLayer{layer, side(), keys_.data()});
    reading.table().count_probes(queue, keys_.data(), count, probes_.data());
    most_probes_.zero(queue);
    const VoxelSheet& sheet = track_.problem().sheet;
    launch_items("hash.probes", queue, count, MostProbes{keys_.data(), probes_.data(), sheet, most_probes_.data()});
    most_ = static_cast<float>(most_probes_.download(queue)[0]);
    const float most = request.values.empty() ? most_.load() : request.values.high;
    paint_plane("hash.colour", queue, request,
                PaintVoxels{keys_.data(), probes_.data(), sheet, most, request.colour_by == hash_colours::probes});
  }

 private:
  std::uint32_t side() const { return track_.problem().sheet.side; }
  /// The middle layer where no plane cuts.
  VoxelLayer layer_of(int axis, double slice) const {
    if (axis < 0) axis = 2, slice = .5;
    return {axis, std::min(side() - 1, static_cast<std::uint32_t>(slice * side()))};
  }

  HashTrack& track_;
  std::atomic<float> most_{1};
  std::atomic<int> axis_{2};
  std::atomic<std::uint32_t> layer_{0};  ///< that was painted last
  // Used by the thread that paints alone.
  Buffer<std::uint32_t> keys_, probes_, most_probes_;
};

}  // namespace

std::unique_ptr<Picture> make_voxels_picture(HashTrack& track) { return std::make_unique<VoxelsPicture>(track); }

}  // namespace warploom
