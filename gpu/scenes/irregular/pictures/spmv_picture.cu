#include "gpu/scenes/irregular/pictures/spmv_picture.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "gpu/core/launch.h"

namespace warploom {

SpmvPicture::SpmvPicture(SpmvTrack& track, PictureInfo info)
    : Picture(std::move(info)), track_(track), matrix_(track.matrix()), layout_(track.layout()) {}

Selection SpmvPicture::at(Queue*, const PictureRequest& request, double x, double y) {
  const auto place = place_under(request, extent({}), x, y);
  std::uint64_t found = place ? nonzero_at(place->x, place->y) : no_nonzero;
  if (found == no_nonzero) found = nearest(request, x, y);
  if (found == no_nonzero && place) found = stand_in(place->x, place->y);
  if (found == no_nonzero) return {};
  return {Selection::cell, {static_cast<std::uint32_t>(matrix_.column_of[found]), matrix_.row_of(found), 0}, 0, {}};
}

std::vector<Outline> SpmvPicture::marks(const Selected& selected, const Looking&) const {
  const Selection& selection = selected.selection;
  Cell cell = selection.at;
  if (selection.of_a_track()) {
    if (!selected.target || !selected.target->useful) return {};
    cell = selected.target->cell;
  } else if (selection.space != Selection::cell) {
    return {};
  }
  const auto nonzero = matrix_.find(cell.x, cell.y);
  return nonzero ? outlines(*nonzero, cell.y) : std::vector<Outline>{};
}

std::uint64_t SpmvPicture::nearest(const PictureRequest& request, double x, double y) const {
  std::shared_ptr<const Hits> hits;
  {
    const std::lock_guard lock(mutex_);
    hits = hits_;
  }
  if (!hits) return no_nonzero;
  const Camera &asked = request.camera, &drawn = hits->camera;
  // Where it was painted: on a screen of finer pixels it is the same place.
  const double scale = asked.cells_per_pixel_x / drawn.cells_per_pixel_x;
  const double px = (asked.x + (x - .5 * request.target.width) * asked.cells_per_pixel_x - drawn.x) /
                        drawn.cells_per_pixel_x +
                    .5 * hits->width,
               py = (asked.y + (y - .5 * request.target.height) * asked.cells_per_pixel_y - drawn.y) /
                        drawn.cells_per_pixel_y +
                    .5 * hits->height;
  constexpr double reach = 5;
  const double most = std::min(16., reach * scale);
  if (!(std::abs(px) < 1e6 && std::abs(py) < 1e6)) return no_nonzero;
  double least = most * most;
  std::uint64_t found = no_nonzero;
  const auto first = [&](double at) { return std::max(0, static_cast<int>(std::floor(at - most))); };
  for (int v = first(py); v < hits->height && v < py + most; ++v)
    for (int u = first(px); u < hits->width && u < px + most; ++u) {
      const std::uint32_t i = ~hits->firsts[static_cast<std::size_t>(v) * static_cast<std::size_t>(hits->width) +
                                            static_cast<std::size_t>(u)];
      const double dx = u + .5 - px, dy = v + .5 - py, square = dx * dx + dy * dy;
      if (i == SplatPixels::none || square >= least) continue;
      least = square;
      found = (*hits->nonzeros)[i];
    }
  return found;
}

std::optional<std::vector<std::uint32_t>> SpmvPicture::within(Index3 low, Index3 high) const {
  constexpr std::uint64_t most_places = 1 << 18;
  if (std::uint64_t{high.x - low.x} * (high.y - low.y) > most_places) return std::nullopt;
  std::vector<std::uint32_t> all;
  for (std::uint32_t y = low.y; y < high.y; ++y)
    for (std::uint32_t x = low.x; x < high.x; ++x)
      if (const std::uint64_t j = nonzero_at(x, y); j != no_nonzero) all.push_back(static_cast<std::uint32_t>(j));
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

void SpmvPicture::choose_nonzeros(Queue& queue, const PictureRequest& request) {
  const std::uint64_t count = matrix_.nonzeros(),
                      every = std::max<std::uint64_t>(1, (count + most_drawn - 1) / most_drawn);
  std::optional<std::vector<std::uint32_t>> near;
  if (every > 1) {
    const Camera& camera = request.camera;
    const auto sides = extent({});
    const auto bound = [](double at, double most) { return static_cast<std::uint32_t>(std::clamp(at, 0., most)); };
    const double half_x = .5 * request.target.width * camera.cells_per_pixel_x,
                 half_y = .5 * request.target.height * camera.cells_per_pixel_y;
    near = within({bound(std::floor(camera.x - half_x), sides[0]), bound(std::floor(camera.y - half_y), sides[1]), 0},
                  {bound(std::ceil(camera.x + half_x), sides[0]), bound(std::ceil(camera.y + half_y), sides[1]), 1});
  }
  if (!near && all_chosen_) return;
  all_chosen_ = !near;
  every_ = static_cast<std::uint32_t>(near ? 1 : every);
  std::vector<std::uint32_t> chosen;
  if (near) {
    chosen = std::move(*near);
  } else {
    chosen.reserve(count / every + 1);
    for (std::uint64_t j = 0; j < count; j += every) chosen.push_back(static_cast<std::uint32_t>(j));
  }
  nonzeros_ = std::make_shared<const std::vector<std::uint32_t>>(std::move(chosen));
  std::vector<SpmvPlace> places;
  places.reserve(nonzeros().size());
  each_nonzero([&](std::uint64_t j, std::uint32_t row) { places.push_back(place_of(j, row)); });
  places_.assign(queue, places);
  take_nonzeros(queue);
}

SplatPixels SpmvPicture::splat(Queue& queue, const PictureRequest& request) {
  const int width = request.target.width, height = request.target.height;
  const auto pixels = static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
  if (!nonzeros_ || !(camera_ == request.camera) || width_ != width || height_ != height) {
    choose_nonzeros(queue, request);
    if (counts_.size() != pixels) {
      counts_ = Buffer<std::uint32_t>(queue.backend(), pixels);
      firsts_ = Buffer<std::uint32_t>(queue.backend(), pixels);
    }
    if (!most_.size()) most_ = Buffer<std::uint32_t>(queue.backend(), 1);
    for (auto* buffer : {&counts_, &firsts_, &most_}) buffer->zero(queue);
    launch_items(
        "spmv.splat", queue, nonzeros().size(),
        SplatNonzeros{places_.data(), request.camera, width, height, counts_.data(), firsts_.data(), most_.data()});
    auto hits = std::make_shared<Hits>(Hits{request.camera, width, height, firsts_.download(queue), nonzeros_});
    most_drawn_ = most_.download(queue)[0];
    camera_ = request.camera;
    width_ = width;
    height_ = height;
    const std::lock_guard lock(mutex_);
    hits_ = std::move(hits);
  }
  return {counts_.data(), firsts_.data(), width, every_};
}

std::uint32_t spmv_fold(const SpmvMatrix& matrix) {
  const auto long_rows = static_cast<std::uint64_t>(std::sqrt(2. * static_cast<double>(matrix.nonzeros())));
  return static_cast<std::uint32_t>(std::max({std::uint64_t{32}, matrix.padded_rows(), (long_rows + 31) / 32 * 32}));
}

std::vector<std::uint64_t> turns_before(const SpmvLayout& layout) {
  std::vector<std::uint64_t> all{0};
  for (std::size_t launch = 0; launch < layout.threads().size(); ++launch)
    for (std::uint64_t warp = 0; warp < layout.warps(static_cast<int>(launch)); ++warp)
      all.push_back(all.back() + layout.warp_turns(static_cast<int>(launch), warp));
  return all;
}

}  // namespace warploom
