// What blocks have to do, and how long they take.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "gpu/core/format.h"
#include "gpu/pictures/place_under.h"
#include "gpu/scenes/bins/pictures/colours.h"
#include "gpu/scenes/bins/pictures/paint_output.h"
#include "gpu/scenes/bins/pictures/pictures.h"

namespace warploom {

void BinsTrack::show_loads(Queue& queue, const Reading& reading, Buffer<std::uint64_t>& loads) const {
  if (variant_.access->culls) return count_culled(queue, reading.elements(), loads.data());
  launch_items("bins.load", queue, loads.size(),
               LatticeLoads{reading.slots(), output_tiles(), launches()[0].blocks, problem_->space.margin,
                            variant_.number, reading.shape().cap, loads.data()});
}

namespace {

class LoadOfBlocks final : public PictureOfBins {
 public:
  explicit LoadOfBlocks(BinsTrack& track)
      : PictureOfBins(track, {.shape = PictureInfo::Shape::plane,
                              .key = "launch",
                              .title = "Launch grid",
                              .space = Selection::block,
                              .colours = {bin_colours::load, bin_colours::time, ColourBy::launch_order}}) {}

  std::uint64_t version(const PictureRequest& request) const override {
    const auto times = request.colour_by == bin_colours::time ? track_.block_times() : nullptr;
    // Both only grow.
    return PictureOfBins::version(request) + (times ? times->serial : 0);
  }

  std::array<double, 3> extent(const Looking&) const override { return real(plane()); }

  std::string heading() const override {
    return grouped(blocks()) + " blocks of " + grouped(volume(shape().threads)) + " threads";
  }

  std::string caption() const override {
    char text[64];
    if (by_time_) {
      const auto times = track_.block_times();
      if (!times) return track_.no_room_for_times() ? "no memory to time them" : "timed at the next step";
      std::snprintf(text, sizeof text, "max %.2f\u00d7 mean, timing +%.0f %%", times->all.most / times->all.mean(),
                    std::max(0., 100 * times->overhead));
      return text;
    }
    const std::lock_guard lock(mutex_);
    if (!(load_.sum > 0)) return measured_ ? "no pairs to test" : "counting \u2026";
    std::snprintf(text, sizeof text, "max %.2f\u00d7 mean load", load_.most / load_.mean());
    return text;
  }

  Selection at(Queue*, const PictureRequest& request, double x, double y) override {
    const auto place = place_under(request, real(plane()), x, y);
    if (!place) return {};
    const std::uint64_t block = linear_index(*place, plane());
    if (block >= blocks()) return {};
    Selection found{Selection::block};
    found.owner.block = unfold(block, shape().blocks);
    return found;
  }

  std::vector<Outline> marks(const Selected& selected, const Looking&) const override {
    Owner who = selected.owner.value_or(Owner{});
    const Selection& selection = selected.selection;
    const bool body = selection.space == element_space && track_.application().periodic;
    if (!selected.owner && !(body && track_.owner({selection.at.x, 0, 0}, who))) return {};
    const auto low = real(unfold(linear_index(who.block, shape().blocks), plane()));
    return {{Outline::Kind::block, low, {low[0] + 1, low[1] + 1, 1}}};
  }

  Legend legend(const PictureRequest& request) const override {
    if (request.colour_by == ColourBy::launch_order) return {"block 0", grouped(blocks() - 1)};
    const auto count = [](double most) { return short_count(static_cast<unsigned long long>(most)); };
    if (request.colour_by == bin_colours::time) {
      const auto times = track_.block_times();
      if (!times) return {"nothing yet", ""};
      return {"0", count(times->all.most) + " " + times->unit};
    }
    const std::lock_guard lock(mutex_);
    return {"0", count(load_.most) + " pairs"};
  }

  void paint(Queue& queue, const PictureRequest& request) override {
    const BinsTrack::Reading reading(track_, queue);
    track_.look(queue, reading);
    by_time_ = request.colour_by == bin_colours::time;
    const auto fresh = [&](Buffer<std::uint64_t>& values) {
      if (values.size() != blocks()) values = Buffer<std::uint64_t>(queue.backend(), blocks());
      values.zero(queue);
    };
    if (by_time_) {
      track_.want_block_times();
      const auto times = track_.block_times();
      if (times_.size() != blocks()) {
        fresh(times_);
        times_serial_ = 0;
      }
      if (times && times->serial != times_serial_) {
        times_.upload(queue, times->times);
        times_serial_ = times->serial;
      }
      return paint_plane(
          queue, request,
          PaintLoads{times_.data(), blocks(), plane(), static_cast<float>(times ? times->all.most : 0), false});
    }
    if (measured_ != reading.serial() || loads_.size() != blocks()) {
      fresh(loads_);
      const BinSlots slots = reading.slots();
      if (track_.application().periodic)
        launch_items("bins.load", queue, slots.elements,
                     BodyLoads{slots, reading.elements().values, track_.application().width, shape().threads.x,
                               space().margin, track_.variant().number, reading.shape().cap, loads_.data()});
      else
        track_.show_loads(queue, reading, loads_);
      const MostAndSum found(loads_.download(queue));
      const std::lock_guard lock(mutex_);
      load_ = found;
      measured_ = reading.serial();
    }
    paint_plane(queue, request,
                PaintLoads{loads_.data(), blocks(), plane(), static_cast<float>(load_.most),
                           request.colour_by == ColourBy::launch_order});
  }

 private:
  const LaunchShape& shape() const { return track_.launches()[0]; }
  std::uint64_t blocks() const { return shape().block_count(); }
  /// Blocks in rows, as many as the picture has: rows of a three-dimensional grid stay whole; four times as wide as
  /// high, about.
  Index3 plane() const {
    const Index3 grid = shape().blocks;
    const double wanted = std::sqrt(4. * static_cast<double>(blocks()));
    const std::uint32_t wide = grid.y * grid.z == 1
                                   ? std::max(1u, static_cast<std::uint32_t>(std::ceil(wanted)))
                                   : grid.x * std::max(1u, static_cast<std::uint32_t>(std::lround(wanted / grid.x)));
    return {wide, static_cast<std::uint32_t>((blocks() + wide - 1) / wide), 1};
  }

  Buffer<std::uint64_t> loads_, times_;
  std::uint64_t measured_ = 0, times_serial_ = 0;
  std::atomic<bool> by_time_{false};  ///< it was painted so last
  mutable std::mutex mutex_;
  MostAndSum load_;  ///< under mutex_
};

}  // namespace

std::unique_ptr<Picture> make_load_picture(BinsTrack& track) { return std::make_unique<LoadOfBlocks>(track); }

}  // namespace warploom
