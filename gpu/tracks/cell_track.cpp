#include "gpu/tracks/cell_track.h"

#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/core/scoped_member.h"
#include "gpu/core/stopwatch.h"
#include "gpu/maps/work.h"
#include "gpu/tracks/facets/written.h"

namespace warploom {

CellTrack::CellTrack(Queue& queue, std::uint64_t state_bytes, bool single)
    : states_(queue, state_bytes, single), sums_(queue.backend(), SumSlots::slots * SumSlots::words_apart) {
  offer<Counted>(*this);
  offer<Threads>(*this);
  offer<Explained>(*this);
  offer<FillFacet>(*this);
  offer<Batched>(*this);
}

void CellTrack::step(Queue& queue) {
  advancing(queue, 1, true);
  if (!writes_state()) {
    advance(queue, states_.finished(), nullptr, 1, true);
    return went(1, true);
  }
  // This state is not read until it is published, so the lock need not outlast the launch.
  const StatePair::Writer writer(states_, queue, false);
  advance(queue, states_.finished(), writer.data(), 1, true);
  timed(queue, 1);
  went(1, true);
  flip_pending_ = true;
  flips_to_spare_ = false;
}

void CellTrack::went(std::uint64_t count, bool last) {
  fold_pending_ = sums();
  advanced(count, last);
}

std::uint64_t CellTrack::reach(Queue& queue, std::uint64_t count) {
  const std::uint64_t at_once = steps_of_launch();
  if (count == 1 || count == at_once || !writes_state() || states_.single()) return count;
  const std::uint64_t before = states_.bytes();
  if (!states_.make_spare(queue)) return count > at_once ? at_once : 1;
  if (states_.bytes() != before) {
    graphs_.forget();  // the states change places another way now
    state_bytes_ += states_.bytes() - before;
  }
  return count;
}

bool CellTrack::only_whole(std::uint64_t count) const {
  return count > 1 && writes_state() && !states_.single() && !states_.has_spare();
}

std::uint64_t CellTrack::steps(Queue& queue, std::uint64_t count, const std::function<bool()>& enough) {
  if (count == 1) {
    step(queue);
    return 1;
  }
  const std::uint64_t at_once = steps_of_launch();
  const auto launches_of = [&](std::uint64_t steps) { return steps / at_once + steps % at_once; };
  const bool writes = writes_state(), two = writes && !states_.single() && launches_of(count) > 1;
  std::optional<StatePair::Writer> one;
  std::optional<StatePair::Writers> both;
  if (two)
    both.emplace(states_, queue);
  else if (writes)
    one.emplace(states_, queue, false);
  std::uint8_t* const next = two ? both->next() : writes ? one->data() : nullptr;
  std::uint8_t* const to[] = {next, two ? both->spare() : next};

  std::optional<TimedSpan> span;
  if (!times_itself()) span.emplace(queue, kernel_.c_str(), stages_[output_stage_].bytes);
  // On a device so many launches go as one graph; after each it is asked whether to go on.
  constexpr std::uint64_t most_launches = 256;
  auto* const written = facet<Written>();  // its own process launches: nothing that could be captured
  const std::uint64_t most = written                            ? (two ? written->most_steps() : 1)
                             : times_itself()                   ? 1
                             : queue.backend() == Backend::cuda ? most_launches * at_once
                                                                : at_once;
  std::uint64_t done = 0, launched = 0;
  while (done < count) {
    const std::uint64_t now = std::min(most, count - done), before = launched;
    const bool last = done + now == count;
    const std::uint64_t covers_last = now >= at_once && now % at_once == 0 ? at_once : 1;
    advancing(queue, covers_last, last);
    // Which states are read and written: the order of all three, where it begins, and how far it goes.
    const std::uint64_t key =
        ((states_.front() * 3 + (before ? 1 + before % 2 : 0)) * 2 + last) << 48 | graph_variant() << 40 | now;
    const auto launches = [&] {
      // A work that writes no state reads the same one in every step.
      const std::uint8_t* from = before && writes ? to[(before - 1) % 2] : states_.finished();
      std::uint64_t number = before;
      for (std::uint64_t left = now; left > 0; ++number) {
        const std::uint64_t covers = left >= at_once ? at_once : 1;
        left -= covers;
        advance(queue, from, to[number % 2], covers, last && left == 0);
        if (writes) from = to[number % 2];
      }
    };
    if (written) {
      const ScopedUntimed inside(queue);
      written->gather(static_cast<std::uint32_t>(now));
      launches();
    } else if (times_itself()) {
      launches();
    } else {
      graphs_.run(queue, key, launches);
    }
    went(covers_last, last);
    done += now;
    launched += launches_of(now);
    if (done == count) break;
    if (queue.backend() == Backend::cuda) queue.wait();
    if (queue.cancel && queue.cancel->load(std::memory_order_relaxed)) throw Cancelled();
    if (enough()) break;
  }
  if (span) span->finish(done, launched);
  timed(queue, done);
  flip_pending_ = writes;
  flips_to_spare_ = two && launched % 2 == 0;
  return done;
}

StateCopy CellTrack::state_copy() {
  return {states_.one_bytes(), [this](void* to) {
            Queue queue(sums_.backend(), false, 1);
            const StatePair::Reader held(states_, queue);
            download_bytes(queue, to, held.data(), states_.one_bytes());
          }};
}

void CellTrack::publish(Queue& queue) {
  if (flip_pending_) {
    states_.flip(flips_to_spare_);
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
  flip_pending_ = fold_pending_ = flips_to_spare_ = false;
  fresh_.reset();
  forget_written();
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
                      visits = all->launched / (threads * all->items);
  if (warps >= visits * each) return CountsSoFar{all->launched, all->useful, std::nullopt, true};
  if (all->items != 1) return std::nullopt;
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
  const GridRow& row = rows_[launch];
  return inside(who.block, shape.blocks) && inside(who.thread, shape.threads) &&
         static_cast<std::uint32_t>(who.turn) < row.turns && board().number_of(who) - row.first_visit < row.visits;
}

void CellTrack::make_grid_layout(Queue& queue, std::span<const int> turns, std::span<const std::uint64_t> visits) {
  rows_ = make_board(launches(), turns, visits, dimensions() == 2, board_);
  device_rows_ = Buffer<GridRow>(queue.backend(), rows_.size());
  device_rows_.upload(queue, rows_);
}

}  // namespace warploom
