// Who of a track of sparse products multiplies what.
#include <algorithm>

#include "gpu/scenes/irregular/tracks/spmv_track.h"

namespace warploom {

namespace {

std::uint64_t spmv_thread_of(const Owner& who) {
  return linear_index(who.block, row_of_blocks(~std::uint64_t{0} >> 8)) * spmv_threads + who.thread.x;
}

}  // namespace

std::optional<Counts> SpmvTrack::counts() const { return layout_->counts(); }

bool SpmvTrack::owner(Cell cell, Owner& who) const {
  const auto j = cell.z == 0 ? matrix().find(cell.x, cell.y) : std::nullopt;
  if (!j) return false;
  who = owner_of(layout_->spot(*j, cell.y));
  return true;
}

bool SpmvTrack::launched(const Owner& who) const {
  if (who.launch < 0 || static_cast<std::size_t>(who.launch) >= layout_->threads().size()) return false;
  const LaunchShape shape = layout_->shape(who.launch);
  return linear_index(who.block, shape.blocks) < shape.block_count() && who.block.x < shape.blocks.x &&
         who.thread.x < spmv_threads && who.thread.y == 0 && who.thread.z == 0;
}

std::optional<Target> SpmvTrack::target(const Owner& who) const {
  if (!launched(who) || who.turn < 0) return std::nullopt;
  const std::uint64_t thread = spmv_thread_of(who),
                      j = layout_->at_turn(who.launch, thread, static_cast<std::uint64_t>(who.turn));
  if (j == no_nonzero) return Target{};
  return Target{{static_cast<std::uint32_t>(matrix().column_of[j]), matrix().row_of(j), 0}, true};
}

std::optional<std::pair<Cell, Cell>> SpmvTrack::footprint(const Owner& who) const {
  if (!launched(who)) return std::nullopt;
  Owner first = who;
  first.thread = {};
  Cell low{~0u, ~0u, 0}, high{0, 0, 1};
  const auto add = [&](std::uint64_t j) {
    const std::uint32_t row = matrix().row_of(j), column = static_cast<std::uint32_t>(matrix().column_of[j]);
    low = {std::min(low.x, column), std::min(low.y, row), 0};
    high = {std::max(high.x, column + 1), std::max(high.y, row + 1), 1};
  };
  for (std::uint64_t i = 0; i < spmv_threads; ++i) {
    const SpmvLayout::Share share = layout_->share(who.launch, spmv_thread_of(first) + i);
    if (!share.count()) continue;
    // Columns ascend in a row; who has several rows has few nonzeros.
    if (matrix().row_of(share.first) == matrix().row_of(share.back())) {
      add(share.first);
      add(share.back());
    } else {
      for (std::uint64_t j = share.first; j < share.last; j += share.stride) add(j);
    }
  }
  if (low.x == ~0u) return std::nullopt;
  return std::pair{low, high};
}

Threads::Served SpmvTrack::served(const Owner& who) const {
  if (!launched(who)) return {};
  const std::uint64_t thread = spmv_thread_of(who);
  const bool works = thread < (layout_->threads()[static_cast<std::size_t>(who.launch)] + 31) / 32 * 32;
  const std::uint64_t turns = works ? layout_->warp_turns(who.launch, thread / warp_size) : 0;
  return {static_cast<std::uint32_t>(layout_->share(who.launch, thread).count()), static_cast<std::uint32_t>(turns)};
}

Owner SpmvTrack::at_work(const Owner& who) const {
  if (!launched(who)) return who;
  const SpmvLayout::Share share = layout_->share(who.launch, spmv_thread_of(who));
  return share.count() ? owner_of(layout_->spot(share.first)) : who;
}

std::uint64_t SpmvTrack::address(Cell cell) const {
  const auto j = matrix().find(cell.x, cell.y);
  return j ? layout_->spot(*j, cell.y).place * sizeof(float) : 0;
}

}  // namespace warploom
