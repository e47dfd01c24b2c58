#include "gpu/tracks/cell_track.h"

#include "gpu/works/work.h"

namespace warploom {

CellTrack::CellTrack(Queue& queue, std::uint64_t state_bytes, bool single)
    : states_(queue, state_bytes, single), sums_(queue.backend(), SumSlots::slots * SumSlots::words_apart) {
  offer<Counted>(*this);
  offer<Threads>(*this);
  offer<Explained>(*this);
  offer<Filled>(*this);
}

void CellTrack::publish(Queue& queue) {
  if (flip_pending_) {
    states_.flip();
    written_ = true;
  }
  flip_pending_ = false;
  if (fresh_) {
    if (states_.single() && !fresh_->written) empty(queue);
    folded_ = fresh_->folded;
    written_ = fresh_->written;
    fresh_.reset();
  }
  if (fold_pending_) {
    std::uint64_t total = 0;
    for (const std::uint64_t word : sums_.download(queue)) total += word;
    folded_ = total;
  }
  fold_pending_ = false;
}

void CellTrack::give_up(Queue& queue) {
  flip_pending_ = fold_pending_ = false;
  fresh_.reset();
  // Works of one state write it in place: the first step, half done, leaves nothing.
  if (states_.single() && !written_) empty(queue);
}

void CellTrack::empty(Queue& queue) {
  const StatePair::Writer writer(states_, queue, true);
  zero_bytes(queue, writer.data(), states_.one_bytes());
  queue.wait();
}

std::optional<Counts> CellTrack::counts() const {
  const std::lock_guard lock(count_mutex_);
  return counts_;
}

std::optional<CountsSoFar> CellTrack::counts_so_far(Queue& queue, std::uint64_t warps) const {
  const auto all = counts();
  if (!all) return std::nullopt;
  const LaunchShape& shape = launches()[0];
  const std::uint64_t threads = volume(shape.threads), each = (threads + warp_size - 1) / warp_size,
                      visits = all->launched / threads;
  if (warps >= visits * each) return CountsSoFar{all->launched, all->useful, std::nullopt, true};
  const std::uint64_t whole = warps / each, begun = warps % each * warp_size;
  const std::lock_guard lock(so_far_mutex_);
  const auto useful = useful_of_first(queue, whole, so_far_sums_);
  if (!useful) return std::nullopt;
  CountsSoFar so_far{whole * threads + std::min(begun, threads), *useful, std::nullopt, false};
  // Of the block that is under way thread by thread.
  if (begun) {
    Owner who = board().visit(whole);
    for (std::uint64_t i = 0; i < std::min(begun, threads); ++i) {
      who.thread = unfold(i, shape.threads);
      const auto found = target(who);
      so_far.useful += found && found->useful;
    }
  }
  if (warps) {
    so_far.last = board().visit((warps - 1) / each);
    so_far.last->thread = unfold((warps - 1) % each * warp_size, shape.threads);
  }
  return so_far;
}

bool CellTrack::launched(const Owner& who) const {
  if (who.launch < 0 || static_cast<std::size_t>(who.launch) >= launches().size() || who.turn < 0) return false;
  const auto inside = [](Index3 at, Index3 extent) { return at.x < extent.x && at.y < extent.y && at.z < extent.z; };
  const auto launch = static_cast<std::size_t>(who.launch);
  const LaunchShape& shape = launches()[launch];
  const BoardRow& row = rows_[launch];
  return inside(who.block, shape.blocks) && inside(who.thread, shape.threads) &&
         static_cast<std::uint32_t>(who.turn) < row.turns && board().number_of(who) - row.first_visit < row.visits;
}

void CellTrack::make_launch_board(Queue& queue, std::span<const int> turns, std::span<const std::uint64_t> visits) {
  rows_ = make_board(launches(), turns, visits, dimensions() == 2, board_);
  device_rows_ = Buffer<BoardRow>(queue.backend(), rows_.size());
  device_rows_.upload(queue, rows_);
}

}  // namespace warploom
