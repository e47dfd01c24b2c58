// A bucket of two_level while it is built.
#include <algorithm>
#include <mutex>

#include "gpu/core/format.h"
#include "gpu/pictures/plane.h"
#include "gpu/scenes/irregular/hash/level_two.h"
#include "gpu/scenes/irregular/hash/refusals.h"
#include "gpu/scenes/irregular/hash/two_level_shape.h"
#include "gpu/scenes/irregular/pictures/hash_pictures.h"
#include "gpu/scenes/irregular/tracks/hash_track.h"

namespace warploom {

namespace {

/// What happens to a slot in a phase.
enum class SlotPhase : std::uint8_t { empty, rests, taken, throws_out, over };

struct PaintRounds {
  const std::uint8_t* phases;  ///< (rows, 576)
  Index3 extent;

  WARPLOOM_HD static Rgba kind_colour(const Palette& palette, SlotPhase phase) {
    switch (phase) {
      case SlotPhase::empty:
        return palette.waste;
      case SlotPhase::rests:
        return mix(palette.ground, palette.track, .35f);
      case SlotPhase::taken:
        return palette.track;
      case SlotPhase::throws_out:
        return rgba(220, 38, 38);
      case SlotPhase::over:
        break;
    }
    return palette.ground;
  }
  WARPLOOM_HD Rgba colour(const PlanePixel& pixel) const {
    if (!pixel.inside(extent.x, extent.y)) return pixel.palette.ground;
    // A pixel of several slots shows the phase that says most.
    auto most = SlotPhase::over;
    pixel.each_place(extent, [&](Index3 place) {
      const auto phase = static_cast<SlotPhase>(phases[std::uint64_t{place.y} * extent.x + place.x]);
      if (most == SlotPhase::over || (phase != SlotPhase::over && phase > most)) most = phase;
    });
    const auto column = static_cast<std::uint32_t>(pixel.x);
    const bool border =
        column % TwoLevelShape::table_slots == 0 && column > 0 && pixel.x - column < pixel.camera.cells_per_pixel_x;
    if (most == SlotPhase::over) return pixel.on_hatch() ? pixel.palette.waste : pixel.palette.ground;
    return border ? pixel.palette.ground : pixel.gapped(kind_colour(pixel.palette, most), .2);
  }
};

class RoundsPicture final : public Picture, public KeyedPicture {
 public:
  explicit RoundsPicture(HashTrack& track)
      : Picture({.shape = PictureInfo::Shape::plane,
                 .key = "rounds",
                 .title = "Rounds",
                 .space = key_space,
                 .fills = true,
                 .colours = {ColourBy::state},
                 .focuses = true}),
        track_(track) {}

  std::array<double, 3> extent(const Looking&) const override { return real(plane()); }
  std::string heading() const override {
    const std::scoped_lock lock(mutex_);
    return shown_ ? "bucket " + grouped(shown_->bucket) : std::string("a bucket");
  }
  std::string caption() const override {
    const std::scoped_lock lock(mutex_);
    if (!shown_) return "building \u2026";
    return counted(shown_->keys, "different key") + ", " + counted(shown_->trace.rounds, "round");
  }
  std::uint64_t version(const PictureRequest&) const override { return track_.version(); }

  Selection at(Queue*, const PictureRequest& request, double x, double y) override {
    const auto place = place_under(request, real(plane()), x, y);
    const std::scoped_lock lock(mutex_);
    if (!place || !shown_ || place->y >= shown_->trace.phases.size()) return {};
    const std::uint64_t word = shown_->trace.phases[place->y][place->x];
    return word ? Selection{key_space, {word_key(word), 0, 0}} : Selection{};
  }

  std::vector<Outline> marks(const Selected& selected, const Looking&) const override {
    std::vector<Outline> all;
    const std::scoped_lock lock(mutex_);
    if (selected.selection.space != key_space || !shown_) return all;
    const std::uint32_t key = selected.selection.at.x;
    // A stay in a slot is a box as high as it lasts.
    const auto& phases = shown_->trace.phases;
    for (std::size_t slot = 0; slot < LevelTwoTrace::slots; ++slot)
      for (std::size_t p = 0; p < phases.size(); ++p) {
        const auto holds = [&](std::size_t at) { return phases[at][slot] != 0 && word_key(phases[at][slot]) == key; };
        if (!holds(p)) continue;
        const std::size_t first = p;
        while (p < phases.size() && holds(p)) ++p;
        const double left = static_cast<double>(slot);
        const bool stays = p == phases.size();
        all.push_back({Outline::Kind::place,
                       {left, static_cast<double>(first), 0},
                       {left + 1, static_cast<double>(p), 1},
                       0,
                       stays ? "stays" : "thrown out"});
      }
    return all;
  }

  std::vector<Kind> kinds(const PictureRequest& request) const override {
    const Palette& palette = request.palette;
    return {{"new", PaintRounds::kind_colour(palette, SlotPhase::taken)},
            {"throws out", PaintRounds::kind_colour(palette, SlotPhase::throws_out)},
            {"rests", PaintRounds::kind_colour(palette, SlotPhase::rests)},
            {"empty", PaintRounds::kind_colour(palette, SlotPhase::empty)},
            {"done", palette.ground, palette.waste}};
  }
  bool leaves_room() const override { return true; }
  std::vector<PictureLabel> labels(const PictureRequest&) const override {
    std::vector<PictureLabel> all;
    const double high = plane().y;
    const char* const names[] = {"first table", "second table", "third table"};
    for (unsigned j = 0; j < TwoLevelShape::tables; ++j) {
      const double left = j * double{TwoLevelShape::table_slots};
      all.push_back(
          {{left, high}, {left + TwoLevelShape::table_slots, high}, {names[j], std::to_string(j + 1)}, 0, 1, false});
    }
    return all;
  }

  void paint(Queue& queue, const PictureRequest& request) override {
    const HashTrack::Reading reading(track_, queue);
    const Index3 plane = this->plane();
    const auto shown = show(queue, request, reading);
    if (!shown) return paint_plane("hash.colour", queue, request, PaintRounds{nullptr, {0, 0, 1}});
    std::vector<std::uint8_t> phases(std::size_t{plane.x} * plane.y, static_cast<std::uint8_t>(SlotPhase::over));
    for (std::size_t p = 0; p < std::min<std::size_t>(plane.y, shown->trace.phases.size()); ++p)
      for (std::size_t slot = 0; slot < LevelTwoTrace::slots; ++slot) {
        const std::uint64_t now = shown->trace.phases[p][slot], before = p ? shown->trace.phases[p - 1][slot] : 0;
        const SlotPhase phase = now == 0        ? SlotPhase::empty
                                : now == before ? SlotPhase::rests
                                : before == 0   ? SlotPhase::taken
                                                : SlotPhase::throws_out;
        phases[p * plane.x + slot] = static_cast<std::uint8_t>(phase);
      }
    phases_.assign(queue, phases);
    paint_plane("hash.colour", queue, request, PaintRounds{phases_.data(), plane});
  }

 private:
  struct Shown {
    std::uint64_t serial = 0;
    std::uint32_t bucket = 0, attempt = 0;
    std::size_t keys = 0;  ///< different ones
    LevelTwoTrace trace;
  };

  /// As many phases as the slowest bucket takes.
  Index3 plane() const {
    const auto report = track_.report();
    std::uint32_t most = 1;
    if (report)
      for (const std::uint32_t rounds : report->buckets.rounds) most = std::max(most, rounds);
    return {TwoLevelShape::slots, TwoLevelShape::tables * most, 1};
  }

  /// The bucket of the key that is selected, else the slowest; null: not counted yet.
  std::shared_ptr<const Shown> show(Queue& queue, const PictureRequest& request, const HashTrack::Reading& reading) {
    const auto report = track_.report();
    if (!report || report->buckets.rounds.empty()) return nullptr;
    const auto& buckets = report->buckets;
    const HashFamily family = track_.shape().family();
    const HashFunction home = family.at(0, static_cast<unsigned>(report->facts.restarts));
    const auto count = static_cast<std::uint32_t>(buckets.rounds.size());
    const auto bucket =
        request.focus.on
            ? home(request.focus.at.x, count)
            : static_cast<std::uint32_t>(std::ranges::max_element(buckets.rounds) - buckets.rounds.begin());
    const std::uint32_t attempt = buckets.reseeds[bucket];
    {
      // The report may come later than the state that it is of.
      const std::scoped_lock lock(mutex_);
      if (shown_ && shown_->serial == reading.serial() && shown_->bucket == bucket && shown_->attempt == attempt)
        return shown_;
    }
    auto shown = std::make_shared<Shown>();
    shown->serial = reading.serial();
    shown->bucket = bucket;
    shown->attempt = attempt;
    std::vector<std::uint32_t> keys;
    for (const std::uint64_t word :
         reading.table().words(queue, std::uint64_t{bucket} * TwoLevelShape::slots, TwoLevelShape::slots))
      if (word != empty_word) keys.push_back(word_key(word));
    shown->keys = keys.size();
    const std::array functions{family.at(1, attempt), family.at(2, attempt), family.at(3, attempt)};
    shown->trace = trace_level_two(keys, functions, true);
    const std::scoped_lock lock(mutex_);
    return shown_ = std::move(shown);
  }

  HashTrack& track_;
  Buffer<std::uint8_t> phases_;
  mutable std::mutex mutex_;
  std::shared_ptr<const Shown> shown_;
};

}  // namespace

std::unique_ptr<Picture> make_rounds_picture(HashTrack& track) { return std::make_unique<RoundsPicture>(track); }

}  // namespace warploom
