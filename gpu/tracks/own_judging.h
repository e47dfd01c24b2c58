#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "gpu/core/buffer.h"
#include "gpu/core/error.h"
#include "gpu/core/stopwatch.h"
#include "gpu/own/judgement.h"
#include "gpu/own/runner.h"
#include "gpu/tracks/track.h"

namespace warploom {

/// Judging of an own map while it is under way: every visit is asked, part after part. `With`: the scene's arguments.
/// Only the stepping thread uses it. After a cancel or a fault the caller discards it, because some visits of the last
/// part were counted and it is not known which.
template <class With>
class OwnJudging {
 public:
  /// `with`: of the run, `in` the state that it is judged on. `places`: marks, by the number of a place.
  OwnJudging(Queue& queue, const With& with, const own::Launches& shape, std::uint64_t places, bool places_blocks)
      : run_(with),
        shape_(shape),
        on_cpu_(queue.backend() == Backend::cpu),
        tables_(queue, places, block_visits(shape), volume(shape.threads), places_blocks) {
    tables_.place_into(run_);
    queue.wait();  // the map's process does not know what is queued here
  }

  /// Goes on for about so many seconds, on a device to the end: there it takes milliseconds. False: the map fell.
  /// Throws Cancelled.
  bool go_on(OwnRunner& runner, Queue& queue, double seconds) {
    constexpr double usual_ms = 20;  // what a cancel, a step or a question waits
    const std::uint64_t all = runner.chunks();
    const bool parted = on_cpu_ && std::isfinite(seconds);
    const auto begin = std::chrono::steady_clock::now();
    while (next_ < all) {
      const std::uint64_t last = parted ? std::min(all, next_ + at_once_) : all;
      const auto took = runner.run(own::Job::judge, run_, queue.cancel, 1, nullptr, {next_, last});
      if (!took) return false;
      next_ = last;
      milliseconds_ += *took;
      const double fitting = static_cast<double>(at_once_) * usual_ms / std::max(*took, 1e-3);
      at_once_ = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(std::min(fitting, 1e15)), 1, 2 * at_once_);
      if (parted && milliseconds_since(begin) >= 1000 * seconds) break;
    }
    share_ = static_cast<double>(next_) / static_cast<double>(all);
    return true;
  }
  double share() const { return share_; }
  double milliseconds() const { return milliseconds_; }
  bool whole() const { return share_ >= 1; }

  /// The tables, and the state, are the program's alone again.
  void give_back(OwnRunner& runner) { runner.give_back(run_); }
  /// What a whole judging found, and in `judged` what that says of the map. each_cell(body(Cell, place)) goes through
  /// the cells. `blocks`: of the domain. Throws Cancelled; then it is to be discarded.
  template <class EachCell>
  JudgedTables take(Queue& queue, std::uint64_t blocks, const EachCell& each_cell, Judgement& judged) {
    tables_.take(queue, judged.visits, blocks, shape_);
    const own::Tally tally = tables_.tally();
    judged.served = tally.served;
    judged.outside = tally.outside;
    const auto first = [](std::optional<Cell>& known, Cell cell) {
      const auto rows = [](Cell of) { return std::pair{(std::uint64_t{of.z} << 32) + of.y, of.x}; };
      if (!known || rows(cell) < rows(*known)) known = cell;
    };
    std::uint64_t passed = 0;
    each_cell([&](Cell cell, std::uint64_t place) {
      if (++passed % cells_between_looks == 0 && queue.cancel && queue.cancel->load()) throw Cancelled();
      if (!tables_.once(place)) {
        ++judged.missed;
        first(judged.first_missed, cell);
      } else if (tables_.twice(place)) {
        ++judged.doubled;
        first(judged.first_doubled, cell);
      }
    });
    judged.whole = true;
    return std::move(tables_);
  }

 private:
  static constexpr std::uint64_t cells_between_looks = 1u << 20;  ///< at whether to go on: some milliseconds
  With run_;
  own::Launches shape_;
  bool on_cpu_;
  JudgedTables tables_;
  std::uint64_t next_ = 0, at_once_ = 1;  ///< chunks
  double share_ = 0, milliseconds_ = 0;
};

/// How often each place of a box is served; 255 where there is no cell. each_cell as of OwnJudging::take.
template <class EachCell>
DumpArray visits_dump(const JudgedTables& tables, Index3 extent, bool flat, EachCell&& each_cell) {
  std::vector<std::uint8_t> visits(volume(extent), 255);
  each_cell([&](Cell cell, std::uint64_t place) {
    visits[linear_index(cell, extent)] = static_cast<std::uint8_t>(tables.once(place) + tables.twice(place));
  });
  std::vector<std::uint64_t> shape{extent.y, extent.x};
  if (!flat) shape.insert(shape.begin(), extent.z);
  return {"visits",
          "|u1",
          "uint8",
          std::move(shape),
          std::move(visits),
          fmt::format("threads that serve a cell, {}: 0, 1, 2 for more; 255 where there is no cell",
                      flat ? "(y, x)" : "(z, y, x)")};
}

}  // namespace warploom
