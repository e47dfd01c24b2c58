#include "gpu/tracks/solid_pictures.h"

#include <fmt/format.h>

#include "gpu/core/format.h"
#include "gpu/tracks/plane_pictures.h"

namespace warploom {

namespace {

using Extent = std::array<double, 3>;

PictureInfo solid_info(bool launches, bool z_up, std::vector<ColourBy> colours) {
  PictureInfo info;
  info.shape = PictureInfo::Shape::solid;
  info.key = launches ? "launch" : "data";
  info.title = launches ? "Launch grid" : "Data space";
  info.space = launches ? Selection::thread : Selection::cell;
  info.colours = std::move(colours);
  info.z_up = z_up;
  info.sliced = true;
  info.morphs = !launches;
  info.framed = launches;
  return info;
}

}  // namespace

SolidPicture::SolidPicture(CellTrack& track, PickSolid pick, bool launches, bool z_up, std::vector<ColourBy> colours)
    : Picture(solid_info(launches, z_up, std::move(colours))),
      track_(track),
      pick_(std::move(pick)),
      launches_(launches) {}

Extent SolidPicture::extent(const Looking& looking) const {
  const Extent launched = real(track_.board().extent);
  if (launches_) return launched;
  const Index3 cells = track_.extent(), block = track_.block_cells();
  const auto blocks = [](std::uint32_t n, std::uint32_t rho) { return (n + rho - 1) / rho; };
  Extent extent = real({blocks(cells.x, block.x), blocks(cells.y, block.y), blocks(cells.z, block.z)});
  // On the way from the launch box the camera keeps both in view.
  for (std::size_t a = 0; a < 3; ++a) extent[a] += (launched[a] - extent[a]) * (1 - looking.morph);
  return extent;
}

std::string SolidPicture::heading() const {
  if (!launches_) return {};
  const auto& launches = track_.launches();
  const Index3 grid = launches[0].blocks;
  const std::string blocks = blocks_in_words(track_);
  if (launches.size() > 1) return fmt::format("{} launches, {}", launches.size(), blocks);
  return fmt::format("{} \u00d7 {} \u00d7 {} {}", grouped(grid.x), grouped(grid.y), grouped(grid.z), blocks);
}

std::string SolidPicture::caption() const {
  return launches_ ? launches_caption(track_) : fmt::format("data space, n = {}", grouped(track_.extent().x));
}

Legend SolidPicture::legend(const PictureRequest& request) const {
  return launches_ && request.colour_by == ColourBy::state ? launches_legend : cells_legend(track_, request);
}

std::uint64_t SolidPicture::version(const PictureRequest& request) const {
  if (launches_) return track_.counts().has_value();
  // By warp too its live cells are drawn, and no others.
  return cells_version(track_, request.colour_by == ColourBy::state || request.colour_by == ColourBy::warp);
}

Selection SolidPicture::at(Queue* queue, const PictureRequest& request, double x, double y) {
  if (!queue) return {};
  const auto picked = pick_(*queue, request, launches_, static_cast<float>(x), static_cast<float>(y));
  if (!picked) return {};
  return launches_ ? Selection{Selection::thread, {}, 0, picked->owner}
                   : Selection{Selection::cell, picked->cell, 0, {}};
}

std::vector<Outline> SolidPicture::marks(const Selected& selected, const Looking& looking) const {
  std::vector<Outline> all;
  if (launches_) {
    if (!selected.owner) return all;
    const Extent at = real(track_.board().place(*selected.owner));
    all.push_back({Outline::Kind::block, at, {at[0] + 1, at[1] + 1, at[2] + 1}, 0, {}});
    if (const auto gang = gang_of(track_, *selected.owner))
      all.push_back({Outline::Kind::place, real(gang->first), real(gang->second), 0, {}});
    return all;
  }
  const Extent rho = real(track_.block_cells());
  const auto in_blocks = [&](const Extent& at) { return Extent{at[0] / rho[0], at[1] / rho[1], at[2] / rho[2]}; };
  const auto box = selected.owner ? track_.footprint(*selected.owner) : std::nullopt;
  if (looking.morph < 1) {
    if (!selected.owner) return all;
    // Both corners go the same way: the lattice itself grows from one extent to the other.
    Extent at = real(track_.board().place(*selected.owner));
    const Extent extent = this->extent(looking), launched = real(track_.board().extent);
    if (box) {
      const Extent works = in_blocks(real(box->first));
      for (std::size_t a = 0; a < 3; ++a) at[a] += (works[a] - at[a]) * looking.morph;
    } else {
      for (std::size_t a = 0; a < 3; ++a) at[a] += (extent[a] - launched[a]) / 2;  // it stays
    }
    return {{Outline::Kind::block, at, {at[0] + 1, at[1] + 1, at[2] + 1}, 0, {}}};
  }
  if (box) all.push_back({Outline::Kind::block, in_blocks(real(box->first)), in_blocks(real(box->second)), 0, {}});
  if (!selected.target || selected.selection.space == Selection::block) return all;
  // The boxes of a thread that serves several; its item is the place in them.
  if (selected.owner)
    for (const auto& [first, end] : track_.thread_boxes(*selected.owner))
      all.push_back({Outline::Kind::place, in_blocks(real(first)), in_blocks(real(end)), 0, {}});
  const Extent low = in_blocks(real(selected.target->cell));
  all.push_back({selected.target->useful ? Outline::Kind::place : Outline::Kind::waste,
                 low,
                 {low[0] + 1 / rho[0], low[1] + 1 / rho[1], low[2] + 1 / rho[2]},
                 0,
                 {}});
  return all;
}

std::vector<float> SolidPicture::values(Queue& queue, Index3 first, Index3 size) {
  return launches_ ? std::vector<float>{} : track_.window(queue, first, size);
}

void SolidPicture::paint(Queue& queue, const PictureRequest& request) {
  if (launches_)
    track_.paint_launches(queue, request);
  else
    track_.paint_cells(queue, request);
}

}  // namespace warploom
