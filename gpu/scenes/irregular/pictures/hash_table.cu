// Slots in rows.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>

#include "gpu/core/atomic.h"
#include "gpu/core/format.h"
#include "gpu/pictures/plane.h"
#include "gpu/scenes/irregular/hash/two_level_shape.h"
#include "gpu/scenes/irregular/pictures/hash_pictures.h"
#include "gpu/scenes/irregular/tracks/hash_track.h"

namespace warploom {

namespace {

struct MostCost {
  const std::uint32_t* costs;
  std::uint32_t* most;  ///< 0 before
  WARPLOOM_HD void operator()(std::uint64_t i) const { rare_atomic_maximum(most, costs[i] & ((1u << cost_bits) - 1)); }
};

struct PaintTable {
  static constexpr std::uint32_t wide = TwoLevelShape::slots;
  const std::uint32_t* costs;
  std::uint64_t slots;
  Index3 extent;
  float most;
  bool by_table, parted;

  WARPLOOM_HD Rgba slot_colour(const PlanePixel& pixel, std::uint32_t told) const {
    if (told == 0) return pixel.palette.waste;
    const std::uint32_t count = told & ((1u << cost_bits) - 1);
    if (!by_table) return pixel.palette.at(shade_probes(static_cast<float>(count), most));
    if (!parted) return pixel.palette.track;
    return hash_kind(told >> cost_bits);
  }
  WARPLOOM_HD Rgba colour(const PlanePixel& pixel) const {
    if (!pixel.inside(extent.x, extent.y)) return pixel.palette.ground;
    // The mean of the slots in a pixel; of very many, of some.
    constexpr unsigned most_looks = 64;
    unsigned red = 0, green = 0, blue = 0, looks = 0;
    pixel.each_place(extent, [&](Index3 place) {
      const std::uint64_t slot = std::uint64_t{place.y} * wide + place.x;
      if (slot >= slots || looks == most_looks) return;
      const Rgba colour = slot_colour(pixel, costs[slot]);
      red += colour & 255, green += colour >> 8 & 255, blue += colour >> 16 & 255, ++looks;
    });
    if (looks == 0) return pixel.palette.ground;
    return pixel.gapped(rgba(red / looks, green / looks, blue / looks), .2);
  }
};

class TablePicture final : public Picture, public KeyedPicture {
 public:
  explicit TablePicture(HashTrack& track)
      : Picture({.shape = PictureInfo::Shape::plane,
                 .key = "table",
                 .title = "Table",
                 .space = key_space,
                 .also = slot_space,
                 .fills = true,
                 .colours = {hash_colours::probes, hash_colours::table}}),
        track_(track),
        slots_(track.strategy().slots(track.shape())) {}

  std::array<double, 3> extent(const Looking&) const override { return real(plane()); }
  std::string heading() const override {
    return grouped(slots_) + (track_.info().name == "chaining" ? " chains" : " slots");
  }
  std::string caption() const override {
    const auto report = track_.report();
    if (!report) return "building \u2026";
    char text[64];
    std::snprintf(text, sizeof text, "load %.2f, %.1f bytes a pair", report->load(), report->bytes_per_pair());
    return text;
  }
  std::uint64_t version(const PictureRequest&) const override { return track_.version(); }

  Selection at(Queue* queue, const PictureRequest& request, double x, double y) override {
    const auto place = place_under(request, real(plane()), x, y);
    if (!place || !queue) return {};
    const std::uint64_t slot = std::uint64_t{place->y} * PaintTable::wide + place->x;
    if (slot >= slots_) return {};
    const Selection of_slot{slot_space, {static_cast<std::uint32_t>(slot), 0, 0}};
    track_.ask(*queue, of_slot);
    const auto found = track_.looked(of_slot);
    return found && found->key ? Selection{key_space, {*found->key, 0, 0}} : of_slot;
  }

  std::vector<Outline> marks(const Selected& selected, const Looking&) const override {
    const Selection& selection = selected.selection;
    std::vector<Outline> all;
    const auto add = [&](std::uint64_t first, std::uint64_t count, Outline::Kind kind, std::string word) {
      const std::uint64_t above = first / PaintTable::wide;
      const double column = static_cast<double>(first % PaintTable::wide), row = static_cast<double>(above);
      all.push_back({kind, {column, row, 0}, {column + static_cast<double>(count), row + 1, 1}, 0, std::move(word)});
    };
    if (selection.space == slot_space) {
      if (selection.at.x < slots_) add(selection.at.x, 1, Outline::Kind::place, {});
      return all;
    }
    const auto found = selection.space == key_space ? track_.looked(selection) : nullptr;
    if (!found) return all;
    const HashWalk& walk = found->walk;
    const std::uint32_t shown = std::min(walk.probes, HashWalk::most);
    std::string word = walk.answer == absent_answer ? "not there"
                       : walk.probes > 1            ? counted(walk.probes, "probe")
                                                    : "";
    if (track_.info().name == "chaining") {
      const HashFunction home = track_.shape().family().at(0, 0);
      add(home(selection.at.x, static_cast<std::uint32_t>(slots_)), 1, Outline::Kind::place, word);
      return all;
    }
    const std::uint64_t width =
        track_.info().name == "bucketed" ? static_cast<std::uint64_t>(track_.shape().bucket) : 1;
    if (track_.info().name == "two_level" && shown)
      add(walk.places[0] / TwoLevelShape::slots * std::uint64_t{TwoLevelShape::slots}, TwoLevelShape::slots,
          Outline::Kind::block, {});
    // Neighbours that are looked at one after the other share an outline.
    for (std::uint32_t i = 0; i < shown;) {
      std::uint32_t run = 1;
      while (i + run + 1 < shown && walk.places[i + run] == walk.places[i] + run * width &&
             walk.places[i + run] % PaintTable::wide != 0)
        ++run;
      if (i + 1 == walk.probes)
        add(walk.places[i], width, Outline::Kind::place, word);
      else
        add(walk.places[i], run * width, Outline::Kind::waste, {});
      i += run;
    }
    return all;
  }

  ValueRange range(const PictureRequest& request) const override {
    if (request.colour_by == hash_colours::table) return {};
    return {1, std::max(1.f, most_.load())};
  }
  Legend legend(const PictureRequest& request) const override {
    if (request.colour_by == hash_colours::table) return {};
    const float most = request.values.empty() ? most_.load() : request.values.high;
    return {"1 probe", probes_text(most)};
  }
  std::vector<Kind> kinds(const PictureRequest& request) const override {
    std::vector<Kind> all;
    if (request.colour_by == hash_colours::table) {
      const auto& tables = track_.strategy().tables;
      for (std::size_t i = 0; i < tables.size(); ++i) {
        const std::string name = tables[i];  // "first table": in one word
        all.push_back({name.substr(0, name.find(' ')), hash_kind(static_cast<unsigned>(i))});
      }
      if (tables.empty()) all.push_back({"pair", request.palette.track});
    }
    all.push_back({"empty", request.palette.waste});
    return all;
  }

  void paint(Queue& queue, const PictureRequest& request) override {
    const HashTrack::Reading reading(track_, queue);
    if (counted_ != reading.serial()) {
      if (costs_.size() != slots_) costs_ = {}, costs_ = Buffer<std::uint32_t>(queue.backend(), slots_);
      if (most_cost_.size() == 0) most_cost_ = Buffer<std::uint32_t>(queue.backend(), 1);
      reading.table().count_costs(queue, costs_.data());
      most_cost_.zero(queue);
      launch_items("hash.probes", queue, slots_, MostCost{costs_.data(), most_cost_.data()});
      most_ = static_cast<float>(most_cost_.download(queue)[0]);
      counted_ = reading.serial();
    }
    const float most = request.values.empty() ? most_.load() : request.values.high;
    paint_plane("hash.colour", queue, request,
                PaintTable{costs_.data(), slots_, plane(), most, request.colour_by == hash_colours::table,
                           !track_.strategy().tables.empty()});
  }

 private:
  Index3 plane() const {
    const std::uint64_t rows = (slots_ + PaintTable::wide - 1) / PaintTable::wide;
    return {static_cast<std::uint32_t>(std::min<std::uint64_t>(slots_, PaintTable::wide)),
            static_cast<std::uint32_t>(rows), 1};
  }

  HashTrack& track_;
  std::uint64_t slots_;
  std::atomic<float> most_{1};
  // Used by the thread that paints alone.
  Buffer<std::uint32_t> costs_, most_cost_;
  std::uint64_t counted_ = 0;
};

}  // namespace

std::string probes_text(float most) { return counted(static_cast<unsigned long long>(std::max(1.f, most)), "probe"); }

std::unique_ptr<Picture> make_table_picture(HashTrack& track) { return std::make_unique<TablePicture>(track); }

std::vector<std::unique_ptr<Picture>> make_hash_pictures(HashTrack& track) {
  std::vector<std::unique_ptr<Picture>> all;
  all.push_back(make_table_picture(track));
  if (track.info().name == "two_level") all.push_back(make_rounds_picture(track));
  if (track.problem().moves()) all.push_back(make_voxels_picture(track));
  return all;
}

}  // namespace warploom
