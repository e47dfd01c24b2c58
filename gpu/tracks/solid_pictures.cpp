#include "gpu/tracks/solid_pictures.h"

#include <fmt/format.h>

#include "gpu/core/format.h"

namespace warploom {

using Extent = std::array<double, 3>;

SolidPicture::SolidPicture(CellTrack& track, PickSolid pick, bool launches, bool z_up, std::vector<ColourBy> colours)
    : Picture({.shape = PictureInfo::Shape::solid,
               .key = launches ? "launch" : "data",
               .title = launches ? "Launch grid" : "Data space",
               .space = launches ? Selection::thread : Selection::cell,
               .colours = std::move(colours),
               .morphs = !launches,
               .sliced = true,
               .z_up = z_up,
               .framed = launches}),
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

namespace {

/// Blocks of a solid are drawn whole. Where the thread behind a place of one is wasted and others of its block are not,
/// the first of those is meant.
Owner useful_one(const CellTrack& track, Owner who) {
  const Index3 threads = track.launches()[static_cast<std::size_t>(who.launch)].threads;
  if (track.served(who).cells > 0) return who;
  Owner other = who;
  for (std::uint64_t i = 0; i < volume(threads); ++i) {
    other.thread = unfold(i, threads);
    if (track.served(other).cells > 0) return other;
  }
  return who;
}

}  // namespace

Selection SolidPicture::at(Queue* queue, const PictureRequest& request, double x, double y) {
  if (!queue) return {};
  const auto picked = pick_(*queue, request, launches_, static_cast<float>(x), static_cast<float>(y));
  if (!picked) return {};
  return launches_ ? Selection{Selection::thread, {}, 0, useful_one(track_, picked->owner)}
                   : Selection{Selection::cell, picked->cell};
}

std::vector<Outline> SolidPicture::marks(const Selected& selected, const Looking& looking) const {
  if (launches_) {
    if (!selected.owner) return {};
    const Extent at = real(track_.board().place(*selected.owner));
    std::vector<Outline> all{{Outline::Kind::block, at, {at[0] + 1, at[1] + 1, at[2] + 1}}};
    if (const auto gang = gang_of(track_, *selected.owner))
      all.push_back({Outline::Kind::place, real(gang->first), real(gang->second)});
    return all;
  }
  const Extent rho = real(track_.block_cells());
  if (looking.morph >= 1) return marks_of_cells(track_, selected, rho);
  if (!selected.owner) return {};
  // Both corners go the same way: the lattice itself grows from one extent to the other.
  Extent at = real(track_.board().place(*selected.owner));
  const Extent extent = this->extent(looking), launched = real(track_.board().extent);
  const auto box = track_.footprint(*selected.owner);
  for (std::size_t a = 0; a < 3; ++a)
    at[a] += box ? (real(box->first)[a] / rho[a] - at[a]) * looking.morph : (extent[a] - launched[a]) / 2;  // it stays
  return {{Outline::Kind::block, at, {at[0] + 1, at[1] + 1, at[2] + 1}}};
}

}  // namespace warploom
