// What a track of bins tells of itself, to any thread.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/core/format.h"
#include "gpu/scenes/bins/tracks/track.h"

namespace warploom {

OutputTiles BinsTrack::output_tiles() const {
  const BinSettings& settings = problem_->settings;
  return {space().lattice, static_cast<std::uint32_t>(settings.tile), static_cast<std::uint32_t>(settings.per_thread)};
}

double BinsTrack::index_bytes() const {
  const auto bins = static_cast<double>(space().grid.count());
  if (has_bins() && !regular()) return 4 * (bins + 1) + (variant_.access->pads_bins ? 4 * bins : 0);
  return info_.intra == "count" ? 4 * bins : 0;
}

// ---- threads
// ----------------------------------------------------------------------------------------------------------
bool BinsTrack::owner(Cell cell, Owner& who) const {
  if (!is_inside(cell, extent_)) return false;
  const Index3 threads = launches()[0].threads;
  who = {};
  if (moves()) {
    who.block.x = cell.x / threads.x;
    who.thread.x = cell.x % threads.x;
    return true;
  }
  const OutputTiles tiles = output_tiles();
  who.block = tiles.block_of(cell);
  who.thread = {cell.x % tiles.tile, cell.y % tiles.tile, cell.z % tiles.tile / tiles.per_thread};
  return true;
}

std::optional<Target> BinsTrack::target(const Owner& who) const {
  if (moves()) {
    const std::uint32_t body = who.block.x * launches()[0].threads.x + who.thread.x;
    return Target{{body, 0, 0}, body < extent_.x};
  }
  const OutputTiles tiles = output_tiles();
  const Index3 first = tiles.first(who.block, who.thread);
  return Target{first, tiles.inside(first)};
}

std::optional<std::pair<Cell, Cell>> BinsTrack::footprint(const Owner& who) const {
  if (moves()) {
    const std::uint32_t threads = launches()[0].threads.x, first = who.block.x * threads;
    return std::pair{Cell{first, 0, 0}, Cell{std::min(first + threads, extent_.x), 1, 1}};
  }
  const std::uint32_t tile = output_tiles().tile;
  const Cell low{who.block.x * tile, who.block.y * tile, who.block.z * tile};
  return std::pair{low, Cell{std::min(low.x + tile, extent_.x), std::min(low.y + tile, extent_.y),
                             std::min(low.z + tile, extent_.z)}};
}

bool BinsTrack::launched(const Owner& who) const {
  return who.launch == 0 && who.turn == 0 && is_inside(who.block, launches()[0].blocks) &&
         is_inside(who.thread, launches()[0].threads);
}

std::uint64_t BinsTrack::address(Cell cell) const {
  return linear_index(cell, extent_) * application_.components * sizeof(float);
}

Counts BinsTrack::counted_by_shape() const {
  const LaunchShape shape = launches()[0];
  const std::uint64_t threads = volume(shape.threads);
  Counts counts;
  counts.blocks = counts.blocks_useful = shape.block_count();
  // So many blocks whose threads serve what useful(i) says: by outputs, one that serves several counts once for each.
  const auto add = [&](std::uint64_t times, const auto& useful) {
    for (std::uint64_t first = 0; first < threads; first += warp_size) {
      const std::uint64_t end = std::min(threads, first + warp_size);
      unsigned full = 0;
      for (std::uint64_t i = first; i < end; ++i) full += useful(i);
      (full == warp_size ? counts.warps_full : full ? counts.warps_partial : counts.warps_idle) += times;
    }
  };
  if (moves() || variant_.spreads) {
    counts.launched = shape.thread_count();
    counts.useful = count();
    const std::uint64_t whole = count() / threads, rest = count() % threads;
    add(whole, [](std::uint64_t) { return true; });
    if (whole < counts.blocks) add(counts.blocks - whole, [&](std::uint64_t i) { return i < rest; });
  } else {
    const OutputTiles tiles = output_tiles();
    counts.launched = counts.blocks * tiles.tile * tiles.tile * tiles.tile;
    counts.useful = cells_;
    // Blocks differ at the far border of each axis alone.
    const Index3 blocks = shape.blocks;
    for (unsigned border = 0; border < 8; ++border) {
      const auto along = [&](std::uint32_t n, unsigned bit) { return border & bit ? std::uint64_t{1} : n - 1; };
      const std::uint64_t times = along(blocks.x, 1) * along(blocks.y, 2) * along(blocks.z, 4);
      if (!times) continue;
      const Index3 block{border & 1 ? blocks.x - 1 : 0, border & 2 ? blocks.y - 1 : 0, border & 4 ? blocks.z - 1 : 0};
      for (std::uint32_t k = 0; k < tiles.per_thread; ++k)
        add(times, [&](std::uint64_t i) {
          const Index3 at = tiles.first(block, unfold(i, shape.threads));
          return tiles.inside({at.x, at.y, at.z + k});
        });
    }
  }
  counts.launched_stated = counts.launched;
  counts.useful_stated = counts.useful;
  return counts;
}

// ---- bins
// -------------------------------------------------------------------------------------------------------------
std::optional<Reach> BinsTrack::reach_of(const Selected& selected) const {
  const BinSpace& space = this->space();
  if (selected.selection.space == bin_space) {
    const Index3 bin = selected.selection.at;
    if (!is_inside(bin, space.grid.bins) || !moves()) return std::nullopt;
    // Those that a body in its middle looks at.
    Float3 middle;
    for (int a = 0; a < 3; ++a)
      middle[a] = space.grid.origin[a] + space.grid.side[a] * (static_cast<float>(coordinate(bin, a)) + .5f);
    return reach_at(middle.at, space.margin);
  }
  if (moves() || !selected.owner || variant_.spreads) return std::nullopt;
  return output_tiles().reach(selected.owner->block, space.margin);
}

std::optional<BinBox> BinsTrack::bins_read(const Selected& selected) const {
  const auto reach = reach_of(selected);
  return reach ? std::optional(reach->bins(space().grid)) : std::nullopt;
}

std::vector<BinRow> BinsTrack::rows_read(const Selected& selected) const {
  const auto reach = reach_of(selected);
  if (!reach) return {};
  std::vector<BinRow> rows;
  with_access(variant_.number, BinAccesses{}, [&]<class Access>() {
    each_row_of<Access>(space().grid, *reach, [&](const BinRow& row) { rows.push_back(row); });
  });
  return rows;
}

std::shared_ptr<const BinsSnapshot> BinsTrack::snapshot() const {
  const std::lock_guard lock(snapshot_mutex_);
  return snapshot_;
}

std::uint64_t BinsTrack::late_looks() {
  auto due = look_due_.load();
  if (due && std::chrono::steady_clock::now().time_since_epoch().count() >= due &&
      look_due_.compare_exchange_strong(due, 0))
    ++late_looks_;
  return late_looks_;
}

void BinsTrack::look(Queue& queue, const Reading& reading) {
  if (!has_bins()) return;
  const std::unique_lock one(look_mutex_, std::try_to_lock);
  if (!one) return;
  const auto begin = std::chrono::steady_clock::now();
  if (const auto before = snapshot(); before && before->serial == reading.serial()) return;
  // A twentieth of the time at most.
  if (const auto due = looked_ + 20 * look_took_; snapshot() && begin < due) {
    look_due_ = due.time_since_epoch().count();
    return;
  }
  look_due_ = 0;
  auto made = std::make_shared<BinsSnapshot>();
  made->serial = reading.serial();
  made->elements = count();
  made->bins = space().grid.count();
  static_cast<BinShape&>(*made) = reading.shape();
  count_depths(queue, reading.slots().counts, variant_.access->pads_bins ? slots_of_32_bytes() : 1, *made);
  look_took_ = std::chrono::steady_clock::now() - begin;
  looked_ = begin + look_took_;
  auto figures = std::make_shared<const std::vector<CurveFigure>>(figures_of(*made));
  const std::lock_guard lock(snapshot_mutex_);
  snapshot_ = std::move(made);
  figures_ = std::move(figures);
}

std::shared_ptr<const std::vector<CurveFigure>> BinsTrack::curves() const {
  const std::lock_guard lock(snapshot_mutex_);
  return figures_;
}

namespace {

void add_point(CurveFigure::Line& line, double x, double y) {
  line.x.push_back(x);
  line.y.push_back(y);
}

}  // namespace

std::vector<CurveFigure> BinsTrack::figures_of(const BinsSnapshot& snapshot) const {
  CurveFigure figure;
  figure.key = "depths";
  figure.title = "Depth of bins";
  figure.help =
      "how many bins hold how many elements; dashed: a Poisson distribution of the same mean, as elements thrown "
      "at random would have it";
  figure.x = "elements in a bin";
  figure.y = "bins";
  figure.logarithmic_y = true;
  const std::uint64_t most = std::min<std::uint64_t>(snapshot.deepest, snapshot.of_depth.size() - 1);
  CurveFigure::Line seen{"bins", {}, {}}, poisson{"Poisson", {}, {}, CurveFigure::Line::Kind::theory};
  const auto all = static_cast<double>(snapshot.bins);
  double log_factorial = 0;  // of depth; std::lgamma writes a global, and painters call this beside the stepper
  for (std::uint64_t depth = 0; depth <= most; ++depth) {
    const auto d = static_cast<double>(depth);
    if (depth > 0) log_factorial += std::log(d);
    add_point(seen, d, static_cast<double>(snapshot.of_depth[depth]));
    const double expected =
        snapshot.mean > 0 ? all * std::exp(d * std::log(snapshot.mean) - snapshot.mean - log_factorial) : 0;
    // Below half a bin none is to be expected.
    add_point(poisson, d, expected >= .5 ? expected : std::nan(""));
  }
  if (snapshot.deepest > most) figure.x += "; the last bar: " + grouped(most) + " and more";
  figure.lines = {seen, poisson};
  const std::uint64_t kept = snapshot.elements - snapshot.spilled;
  if (variant_.spills)
    figure.handle =
        CurveFigure::Handle{"cap", static_cast<double>(std::min<std::uint64_t>(snapshot.cap, snapshot.deepest)),
                            fmt::format("cap {}: {} of {} spilled, {} of {} padding", grouped(snapshot.cap),
                                        grouped(snapshot.spilled), counted(snapshot.elements, "element"),
                                        grouped(snapshot.slots - kept), counted(snapshot.slots, "slot"))};
  figure.rows.emplace_back("mean, deviation", fmt::format("{:.4g}, {:.4g}", snapshot.mean, snapshot.deviation));
  figure.rows.emplace_back("deepest", grouped(snapshot.deepest));
  figure.rows.emplace_back("empty", fmt::format("{} of {}", grouped(snapshot.empty), grouped(snapshot.bins)));
  figure.rows.emplace_back("padding",
                           fmt::format("{} of {}", grouped(snapshot.slots - kept), counted(snapshot.slots, "slot")));
  if (variant_.spills)
    figure.rows.emplace_back("spilled", fmt::format("{}, cap {}", grouped(snapshot.spilled), grouped(snapshot.cap)));
  if (!variant_.spills) return {figure};
  return {figure, cap_figure()};
}

CurveFigure BinsTrack::cap_figure() const {
  CurveFigure figure;
  figure.key = "caps";
  figure.title = "Gather and spill";
  figure.help =
      "what the backend gathers while the host scatters what bins had no room for: the longer of the two counts. Where "
      "the cap is searched for, the times of the caps that were tried: the gather rises with the cap, the spill falls";
  figure.kernels = {"bins.gather", "bins.spill"};
  if (found_.curve.empty()) return figure;
  figure.x = "cap, logarithmic";
  figure.y = "ms";
  figure.logarithmic_x = figure.logarithmic_y = true;
  auto tried = found_.curve;
  std::sort(tried.begin(), tried.end(), [](const CapTime& a, const CapTime& b) { return a.cap < b.cap; });
  constexpr auto points = CurveFigure::Line::Kind::points;
  CurveFigure::Line gather{"gather", {}, {}, points}, spill{"spill", {}, {}, points};
  for (const CapTime& time : tried) {
    add_point(gather, time.cap, time.gather);
    add_point(spill, time.cap, time.spill);
  }
  figure.lines = {gather, spill};
  figure.mark = found_.cap;
  figure.rows.emplace_back("found", fmt::format("cap {}, of {} tried", grouped(found_.cap), found_.curve.size()));
  return figure;
}

std::vector<BudgetBar> BinsTrack::budget() const {
  const auto snapshot = this->snapshot();
  if (!snapshot) return {};
  const double bins = static_cast<double>(snapshot->bins);
  std::vector<BudgetBar> bars{{"regular", regular_bytes(*snapshot, application_.width), 4 * bins},
                              {"compact", compact_bytes(*snapshot, application_.width), 4 * (bins + 1)}};
  for (auto& bar : bars)
    bar.own = !variant_.spills && bar.name == info_.map && variant_.access->layout == BinLayout::records &&
              !variant_.access->pads_bins;
  if (std::none_of(bars.begin(), bars.end(), [](const BudgetBar& bar) { return bar.own; }))
    bars.push_back(
        {full_title(info_), static_cast<double>(snapshot->slots) * slot_bytes() + index_bytes(), index_bytes(), true});
  return bars;
}

}  // namespace warploom
