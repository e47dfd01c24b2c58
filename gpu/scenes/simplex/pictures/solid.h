#pragma once
// The solid pictures of SimplexStateTrack; included only by state_2.cu and solid_3.cu.
#include "gpu/scenes/simplex/tracks/state.h"

namespace warploom {

/// The cells that are drawn: all, or those alive.
struct CellPresent {
  SimplexColours<3> colours;
  bool all = false, wrong = false;  ///< of a map that fails some: these are drawn, too
  WARPLOOM_HD bool operator()(Index3 cell) const {
    if (!colours.domain.contains(cell)) return false;
    return all || static_cast<const std::uint8_t*>(colours.state)[colours.layout.address(cell)] ||
           (wrong && colours.wrong(cell) != Wrong::none);
  }
};
struct BlockPresent {
  SimplexDomain<3> domain;
  WARPLOOM_HD bool operator()(Index3 block) const { return domain.contains_block(block); }
};
/// The launched blocks that are drawn, without those that work where the domain is cut off.
struct GridPresent {
  SimplexGrid<3> board;
  bool waste;
  SolidCut cut;
  WARPLOOM_HD bool operator()(Index3 at) const {
    const GridBlock block = board.block(at);
    if (!block.launched) return false;
    const std::uint32_t served = board.tables.block_of_visit[block.visit];
    if (served && cut.off(board.domain.at(served - 1))) return false;
    return waste || block.useful > 0 || block.mismapped;
  }
};

/// For picking, where looks do not matter.
struct AnySolid {
  WARPLOOM_HD VoxelLook operator()(Index3) const { return {}; }
};

template <class Look>
void paint_voxels(Queue& queue, const char* kernel, const PictureRequest& request, const Occupancy& bits,
                  const Look& look, const VolumeView& view, const Occupancy& useful = {}) {
  launch(kernel, queue, SolidTiles::shape(request.target),
         VolumePicture<Look>{bits, look, view, request.target, request.palette, useful, request.solid.rays_per_side});
}

template <int Dimensions>
void SimplexStateTrack<Dimensions>::build_bits(Queue& queue, bool board, bool cells, const SolidView& solid,
                                               const SimplexColours<Dimensions>& by, std::uint64_t state_serial) {
  if constexpr (Dimensions == 3) {
    picker_->hold(queue);  // questions read the bits in another queue
    const bool waste = solid.waste;
    const SolidCut cut(solid, domain_.blocks);
    const SimplexGrid<3> launched{device_grid(), domain_, shares_, tables()};
    if (board && (!board_built_ || board_waste_ != waste || board_cut_ != cut)) {
      board_bits_.build(queue, "simplex.bits", board_.extent, GridPresent{launched, waste, cut});
      if (waste) board_useful_bits_.build(queue, "simplex.bits", board_.extent, GridPresent{launched, false, cut});
      board_built_ = true;
      ++bits_builds_;
      board_waste_ = waste;
      board_cut_ = cut;
    }
    if (!board && !cells && !blocks_built_) {
      blocks_bits_.build(queue, "simplex.bits", {domain_.blocks, domain_.blocks, domain_.blocks},
                         BlockPresent{domain_});
      blocks_built_ = true;
      ++bits_builds_;
    }
    if (!board && cells) {
      const auto* written = this->template facet<Written>();
      const bool all = kind_ != Kind::byte,
                 wrong = (written ? !written->own().judgement.keeps() : !info_.exact) && by.tables.useful;
      const std::uint64_t serial = all ? 1 : 2 * state_serial + wrong;
      if (cells_serial_ != serial) {
        cells_bits_.build(queue, "simplex.bits", domain_.extent(), CellPresent{by, all, wrong});
        cells_serial_ = serial;
        ++bits_builds_;
      }
    }
  }
}

template <int Dimensions>
VolumeView SimplexStateTrack<Dimensions>::volume_view(const PictureRequest& request, bool board) const {
  // Cameras are in blocks, from the middle of all blocks; a lattice of cells is rho times as fine, and as its last
  // block may be cut off, its middle is another.
  const Index3 lattice = board                            ? board_.extent
                         : cells_shown(request.colour_by) ? domain_.extent()
                                                          : Index3{domain_.blocks, domain_.blocks, domain_.blocks};
  VolumeView view{request.solid.camera, {}, lattice, request.solid.fill};
  if (board) return view;
  const auto side = static_cast<float>(lattice.x);
  const bool cells = lattice.x != domain_.blocks;
  const float scale = cells ? static_cast<float>(domain_.block_extent().x) : 1,
              beyond = (scale * static_cast<float>(domain_.blocks) - side) / 2;
  for (float& coordinate : view.camera.eye) coordinate = coordinate * scale + beyond;
  if (request.solid.slice_axis >= 0) {
    const auto cut = static_cast<std::uint32_t>(request.solid.slice * lattice.x);
    (request.solid.slice_axis == 0 ? view.low.x : request.solid.slice_axis == 1 ? view.low.y : view.low.z) = cut;
  }
  return view;
}

template <int Dimensions>
void SimplexStateTrack<Dimensions>::paint_solid(Queue& queue, const PictureRequest& request, bool board) {
  if constexpr (Dimensions == 3) {
    const bool counted = tables().useful != nullptr;
    if (board && !counted) return;
    const StatePair::Reader reader(states_, queue);
    const auto by = colours(reader.data(), request);
    const GridLook board_look{by, {device_grid(), domain_, shares_, tables()}, request.palette};
    if (!board && request.solid.morph < 1 && counted) {
      morph_.paint(queue, "simplex.morph", board_.visits,
                   MorphPlace{board_look, static_cast<float>(request.solid.morph), request.solid.waste,
                              SolidCut(request.solid, domain_.blocks)},
                   request.solid.camera, request.solid.fill, request.target, request.palette);
      count_picture_bytes();
      return;
    }
    const bool cells = !board && cells_shown(request.colour_by);
    {
      const std::unique_lock alone(bits_mutex_);
      build_bits(queue, board, cells, request.solid, by, reader.serial());
      bits_built_.set(queue);
      count_picture_bytes();
    }
    const std::shared_lock shared(bits_mutex_);
    const Occupancy bits = bits_of(request.colour_by, board).view();
    const VolumeView view = volume_view(request, board);
    if (board)
      paint_voxels(queue, "simplex.grid", request, bits, board_look, view,
                   request.solid.waste ? board_useful_bits_.view() : Occupancy{});
    else if (cells)
      paint_voxels(queue, "simplex.colour", request, bits, DomainCellsLook{by, request.palette}, view);
    else
      paint_voxels(queue, "simplex.colour", request, bits, DomainBlocksLook{by, request.palette}, view);
  }
}

template <int Dimensions>
std::optional<Picked> SimplexStateTrack<Dimensions>::pick(Queue& queue, const PictureRequest& request, bool board,
                                                          float x, float y) {
  if constexpr (Dimensions == 3) {
    Asked asked{request, board, x, y};
    const bool rests = asked_ && asked_->same_place(asked);
    // While a picture is being built there is nothing new to pick: does not wait for it.
    const std::shared_lock shared(bits_mutex_, std::try_to_lock);
    if (!shared) return rests ? answered_ : std::nullopt;
    if (!board && request.solid.morph < 1) return std::nullopt;
    const bool cells = !board && cells_shown(request.colour_by);
    if (board ? !board_built_ : cells ? cells_serial_ == 0 : !blocks_built_) return std::nullopt;
    asked.bits_builds = bits_builds_;
    // Where the mouse rests and only the bits are new, the answer comes with a later frame.
    if (rests) {
      const auto take = [&] {
        if (!waiting_ || !picker_->answered()) return;
        answered_ = found(*asked_);
        waiting_ = false;
      };
      take();
      if (!waiting_ && asked_ != asked) {
        ask(queue, asked);
        waiting_ = true;
        asked_ = asked;
        take();  // the CPU has answered
      }
      return answered_;
    }
    asked_.reset();  // in case that asking throws
    waiting_ = false;
    ask(queue, asked);
    answered_ = found(asked);
    asked_ = asked;
    return answered_;
  }
  return std::nullopt;
}

template <int Dimensions>
void SimplexStateTrack<Dimensions>::ask(Queue& queue, const Asked& asked) {
  if constexpr (Dimensions == 3) {
    const PictureRequest& request = asked.request;
    // The bits are built in the queue of pictures, and this is another.
    bits_built_.hold(queue);
    picker_->ask(queue, bits_of(request.colour_by, asked.board).view(), volume_view(request, asked.board),
                 request.target.width, request.target.height, asked.x, asked.y, AnySolid{}, true);
  }
}

template <int Dimensions>
std::optional<Picked> SimplexStateTrack<Dimensions>::found(const Asked& asked) const {
  if constexpr (Dimensions == 3) {
    const auto hit = picker_->answer();
    if (!hit) return std::nullopt;
    const Index3 rho = domain_.block_extent();
    const auto inside = [](float share, std::uint32_t side) {
      return std::min(side - 1, static_cast<std::uint32_t>(share * static_cast<float>(side)));
    };
    Picked picked;
    if (asked.board) {
      std::uint64_t visit = 0;
      if (!this->board().at(hit->voxel, visit, picked.owner)) return std::nullopt;
      const Index3 threads = this->launches()[static_cast<std::size_t>(picked.owner.launch)].threads;
      picked.owner.thread = {inside(hit->place[0], threads.x), inside(hit->place[1], threads.y),
                             inside(hit->place[2], threads.z)};
      return picked;
    }
    picked.cell = hit->voxel;
    if (cells_shown(asked.request.colour_by)) return picked;
    const Cell origin = domain_.first_cell(hit->voxel);
    picked.cell = {origin.x + inside(hit->place[0], rho.x), origin.y + inside(hit->place[1], rho.y),
                   origin.z + inside(hit->place[2], rho.z)};
    // A block at a face is drawn whole; its first cell stands for places outside.
    if (!domain_.contains(picked.cell)) picked.cell = origin;
    return picked;
  }
  return std::nullopt;
}

}  // namespace warploom
