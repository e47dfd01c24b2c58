// Threads in launch order, a turn a row.
#include <algorithm>
#include <cstdio>

#include "gpu/core/format.h"
#include "gpu/core/launch.h"
#include "gpu/scenes/irregular/pictures/spmv_paint_launch.h"
#include "gpu/scenes/irregular/pictures/spmv_picture.h"

namespace warploom {

namespace {

class TurnsPicture final : public SpmvPicture {
 public:
  explicit TurnsPicture(SpmvTrack& track)
      : SpmvPicture(track, {.shape = PictureInfo::Shape::plane,
                            .key = "launch",
                            .title = "Lane turns",
                            .space = "",
                            .also = Selection::cell,
                            .fills = true,
                            .colours = {}}),
        before_(turns_before(*layout_)) {
    bands_.fold = spmv_fold(matrix_);
    bands_.launches = static_cast<int>(layout_->threads().size());
    const std::uint64_t in_band = bands_.fold / warp_size;
    std::uint64_t warps = 0, top = 0;
    for (int launch = 0; launch < bands_.launches; ++launch) {
      // Launches are apart.
      if (launch > 0) tops_.back() = top += 1 + top / 16;
      bands_.threads[launch] = layout_->threads()[static_cast<std::size_t>(launch)];
      bands_.first_warp[launch] = warps;
      bands_.first_band[launch] = tops_.size() - 1;
      const std::uint64_t end = warps + layout_->warps(launch);
      while (warps < end) {
        std::uint64_t most = 1;
        for (const std::uint64_t last = std::min(end, warps + in_band); warps < last; ++warps)
          most = std::max(most, before_[warps + 1] - before_[warps]);
        tops_.push_back(top += most);
      }
    }
    bands_.first_band[bands_.launches] = tops_.size() - 1;
    bands_.tops = tops_.data();
  }

  std::array<double, 3> extent(const Looking&) const override {
    return {double(bands_.fold), static_cast<double>(std::max<std::uint64_t>(1, tops_.back())), 1};
  }
  bool joint() const override { return true; }
  std::string heading() const override {
    std::string words;
    for (int i = 0; i < bands_.launches; ++i) words += (i ? " + " : "") + grouped(layout_->shape(i).block_count());
    return words + (words == "1" ? " block" : " blocks") + " of 256 threads";
  }
  std::string caption() const override {
    const Counts& counts = layout_->counts();
    if (!counts.launched) return "no turns";
    char text[48];
    std::snprintf(text, sizeof text, "%.3g %% of lane turns useful",
                  100 * static_cast<double>(counts.useful) / static_cast<double>(counts.launched));
    return short_count(layout_->turns()) + " turns, " + text;
  }
  std::vector<Kind> kinds(const PictureRequest& request) const override {
    const Palette& palette = request.palette;
    const Counts& counts = layout_->counts();
    std::vector<Kind> all;
    if (const std::uint64_t waiting = counts.wasted())
      all.push_back({short_count(waiting) + " waiting", palette.waste, palette.hatch});
    if (counts.useful) all.push_back({short_count(counts.useful) + " useful", palette.track});
    return all;
  }

  void paint(Queue& queue, const PictureRequest& request) override {
    if (!before_there_.size()) {
      before_there_.assign(queue, before_);
      tops_there_.assign(queue, tops_);
    }
    PaintTurns plane{bands_, {before_there_.data(), request.so_far}, splat(queue, request)};
    plane.bands.tops = tops_there_.data();
    paint_plane("spmv.colour", queue, request, plane);
  }

 protected:
  SpmvPlace place_of(std::uint64_t nonzero, std::uint32_t row) const override {
    return place_of(layout_->spot(nonzero, row));
  }
  std::uint64_t nonzero_at(std::uint32_t x, std::uint32_t y) const override {
    LaunchBands::Place place;
    return takes_turn(x, y, place) ? layout_->at_turn(place.launch, place.thread, place.turn) : no_nonzero;
  }
  /// The last nonzero that the lane had before it waited.
  std::uint64_t stand_in(std::uint32_t x, std::uint32_t y) const override {
    LaunchBands::Place place;
    if (!takes_turn(x, y, place)) return no_nonzero;
    for (int tries = 1 << 14; place.turn > 0 && tries > 0; --tries) {
      const std::uint64_t found = layout_->at_turn(place.launch, place.thread, --place.turn);
      if (found != no_nonzero) return found;
    }
    return no_nonzero;
  }
  std::vector<Outline> outlines(std::uint64_t nonzero, std::uint32_t row) const override {
    const SpmvSpot spot = layout_->spot(nonzero, row);
    const SpmvPlace at = place_of(spot);
    const auto first_lane = at.x / warp_size * warp_size;
    const double left = first_lane, top = double(at.y) - static_cast<double>(spot.turn);
    const auto turns = static_cast<double>(layout_->warp_turns(spot.launch, spot.thread / warp_size));
    return {{Outline::Kind::block, {left, top, 0}, {left + warp_size, top + turns, 1}},
            {Outline::Kind::place, {double(at.x), double(at.y), 0}, {at.x + 1., at.y + 1., 1}}};
  }

 private:
  SpmvPlace place_of(const SpmvSpot& spot) const {
    const std::uint64_t band = bands_.first_band[spot.launch] + spot.thread / bands_.fold;
    return {static_cast<std::uint32_t>(spot.thread % bands_.fold), static_cast<std::uint32_t>(tops_[band] + spot.turn)};
  }
  /// A warp takes a turn there.
  bool takes_turn(std::uint32_t x, std::uint32_t y, LaunchBands::Place& place) const {
    if (!bands_.at(x + .5, y + .5, place)) return false;
    const std::uint64_t warp = bands_.warp(place);
    return place.turn < before_[warp + 1] - before_[warp];
  }

  std::vector<std::uint64_t> before_, tops_{0};
  LaunchBands bands_;  ///< over tops_
  Buffer<std::uint64_t> before_there_, tops_there_;
};

}  // namespace

std::unique_ptr<Picture> make_spmv_launch_picture(SpmvTrack& track) { return std::make_unique<TurnsPicture>(track); }

}  // namespace warploom
