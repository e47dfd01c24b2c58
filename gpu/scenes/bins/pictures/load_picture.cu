// What blocks have to do, and how long they take.
#include <algorithm>
#include <cmath>

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

LoadOfBlocks::LoadOfBlocks(BinsTrack& track)
    : PictureOfBins(track, {.shape = PictureInfo::Shape::plane,
                            .key = "launch",
                            .title = "Launch grid",
                            .space = Selection::block,
                            .colours = {bin_colours::load, bin_colours::time, ColourBy::launch_order}}) {}

std::uint64_t LoadOfBlocks::version(const PictureRequest& request) const {
  const auto times = request.colour_by == bin_colours::time ? track_.block_times() : nullptr;
  // Both only grow.
  return PictureOfBins::version(request) + (times ? times->serial : 0);
}

std::uint64_t LoadOfBlocks::blocks() const { return track_.launches()[0].block_count(); }

std::uint32_t LoadOfBlocks::wide() const {
  // Rows of a three-dimensional grid stay whole; four times as wide as high, about.
  const Index3 grid = track_.launches()[0].blocks;
  const double wanted = std::sqrt(4. * static_cast<double>(blocks()));
  if (grid.y * grid.z == 1) return std::max(1u, static_cast<std::uint32_t>(std::ceil(wanted)));
  return grid.x * std::max(1u, static_cast<std::uint32_t>(std::lround(wanted / grid.x)));
}

std::array<double, 3> LoadOfBlocks::extent(const Looking&) const {
  const std::uint64_t rows = (blocks() + wide() - 1) / wide();
  return {double(wide()), static_cast<double>(rows), 1};
}

std::string LoadOfBlocks::heading() const {
  const Index3 threads = track_.launches()[0].threads;
  return grouped(blocks()) + " blocks of " + grouped(volume(threads)) + " threads";
}

std::string LoadOfBlocks::caption() const {
  char text[64];
  if (by_time_) {
    const auto times = track_.block_times();
    if (!times) return track_.no_room_for_times() ? "no memory to time them" : "timed at the next step";
    std::snprintf(text, sizeof text, "max %.2f\u00d7 mean, timing +%.0f %%", times->most / times->mean,
                  std::max(0., 100 * times->overhead));
    return text;
  }
  const std::lock_guard lock(mutex_);
  if (!(mean_ > 0)) return measured_ ? "no pairs to test" : "counting \u2026";
  std::snprintf(text, sizeof text, "max %.2f\u00d7 mean load", most_ / mean_);
  return text;
}

Selection LoadOfBlocks::at(Queue*, const PictureRequest& request, double x, double y) {
  const auto place = place_under(request, extent(), x, y);
  if (!place) return {};
  const std::uint64_t block = std::uint64_t{place->y} * wide() + place->x;
  if (block >= blocks()) return {};
  Selection found{Selection::block, {}, 0, {}};
  found.owner.block = unfold(block, track_.launches()[0].blocks);
  return found;
}

std::vector<Outline> LoadOfBlocks::marks(const Selected& selected, const Looking&) const {
  Owner who = selected.owner.value_or(Owner{});
  const Selection& selection = selected.selection;
  const bool body = selection.space == element_space && track_.application().periodic;
  if (!selected.owner && !(body && track_.owner({selection.at.x, 0, 0}, who))) return {};
  const std::uint64_t block = linear_index(who.block, track_.launches()[0].blocks);
  const std::uint64_t row = block / wide();
  const double x = static_cast<double>(block % wide()), y = static_cast<double>(row);
  return {{Outline::Kind::block, {x, y, 0}, {x + 1, y + 1, 1}, 0, {}}};
}

Legend LoadOfBlocks::legend(const PictureRequest& request) const {
  if (request.colour_by == ColourBy::launch_order) return {"block 0", grouped(blocks() - 1)};
  if (request.colour_by == bin_colours::time) {
    const auto times = track_.block_times();
    if (!times) return {"nothing yet", "", false};
    return {"0", short_count(static_cast<unsigned long long>(times->most)) + " " + times->unit};
  }
  const std::lock_guard lock(mutex_);
  return {"0", short_count(static_cast<unsigned long long>(most_)) + " pairs"};
}

void BinsTrack::show_loads(Queue& queue, const Reading& reading, Buffer<std::uint64_t>& loads) const {
  if (variant_.culls) return count_culled(queue, reading.elements(), loads.data());
  launch("bins.load", queue, row_shape(loads.size()),
         LatticeLoads{reading.slots(), output_tiles(), launches()[0].blocks, problem_->space.margin, variant_.access,
                      reading.shape().cap, loads.data()});
}

void LoadOfBlocks::paint(Queue& queue, const PictureRequest& request) {
  const BinsTrack::Reading reading(track_, queue);
  track_.look(queue, reading);
  const std::uint64_t all = blocks();
  by_time_ = request.colour_by == bin_colours::time;
  if (by_time_) {
    track_.want_block_times();
    const auto times = track_.block_times();
    if (times_.size() != all) {
      times_ = Buffer<std::uint64_t>(queue.backend(), all);
      times_.zero(queue);
      times_serial_ = 0;
    }
    if (times && times->serial != times_serial_) {
      times_.upload(queue, times->times);
      times_serial_ = times->serial;
    }
    launch("bins.colour", queue, PlaneTiles::shape(request.target),
           PaintLoads{times_.data(), all, wide(), static_cast<float>(times ? times->most : 0), false, request.camera,
                      request.target, request.palette});
    return;
  }
  if (measured_ != reading.serial() || loads_.size() != all) {
    if (loads_.size() != all) loads_ = Buffer<std::uint64_t>(queue.backend(), all);
    loads_.zero(queue);
    const BinSlots slots = reading.slots();
    const float margin = track_.problem().space.margin;
    const std::uint32_t cap = reading.shape().cap;
    if (track_.application().periodic)
      launch("bins.load", queue, row_shape(slots.elements),
             BodyLoads{slots, reading.elements().values, slots.elements, track_.application().width,
                       track_.launches()[0].threads.x, margin, track_.variant().access, cap, loads_.data()});
    else
      track_.show_loads(queue, reading, loads_);
    double most = 0, sum = 0;
    for (const std::uint64_t load : loads_.download(queue)) {
      most = std::max(most, static_cast<double>(load));
      sum += static_cast<double>(load);
    }
    const std::lock_guard lock(mutex_);
    most_ = most;
    mean_ = sum / static_cast<double>(all);
    measured_ = reading.serial();
  }
  launch("bins.colour", queue, PlaneTiles::shape(request.target),
         PaintLoads{loads_.data(), all, wide(), static_cast<float>(most_), request.colour_by == ColourBy::launch_order,
                    request.camera, request.target, request.palette});
}

}  // namespace warploom
