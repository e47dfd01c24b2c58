#pragma once
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "gpu/core/scoped_member.h"
#include "gpu/core/statistics.h"
#include "gpu/core/stopwatch.h"
#include "gpu/scenes/simplex/own/export.h"
#include "gpu/scenes/simplex/own/sources.h"
#include "gpu/scenes/simplex/tracks/entry.h"
#include "gpu/scenes/simplex/tracks/placed_map.h"
#include "gpu/scenes/simplex/tracks/state.h"
#include "gpu/scenes/simplex/works/map_only.h"
#include "gpu/tracks/facets/sourced.h"

namespace warploom {

/// The track of a map, whatever the map; its layout is the track's.
template <int Dimensions>
class SimplexTrack final : public SimplexStateTrack<Dimensions>, public FailureFacet, public Exported, public Sourced {
  using Base = SimplexStateTrack<Dimensions>;
  using Base::board_, Base::counts_, Base::domain_, Base::info_, Base::kernel_, Base::layout_, Base::settings_,
      Base::shares_, Base::states_, Base::sums_, Base::useful_, Base::work_;
  using typename Base::Domain;

 public:
  using MakeMap = std::function<std::unique_ptr<PlacedMap<Dimensions>>(Queue&, const Domain&, const CellShares&)>;

  SimplexTrack(Queue& queue, const SimplexSettings& settings, const TrackInfo& info, const MakeMap& make_map)
      : Base(queue, settings, info),
        map_(make_map(queue, domain_, shares_)),
        coarse_(detail::find_coarse(settings, info, shares_)) {
    std::vector<int> turns;
    std::vector<std::uint64_t> visits;
    std::vector<LaunchShape> shapes;
    for (int i = 0; i < map_->launches(); ++i) {
      shapes.push_back(map_->shape(i));
      turns.push_back(map_->turns(i));
      // A persistent launch is the only one of its map.
      visits.push_back(turns.back() > 1 ? map_->launched() / volume(domain_.block_extent())
                                        : shapes.back().block_count());
    }
    this->stages_ = {{kernel_, shapes, work_.bytes_per_cell * domain_.cells(), false}};
    this->make_grid_layout(queue, turns, visits);
    this->make_pictures();
    if (!map_->exact()) {
      first_wrong_ = map_->search(queue);
      first_wrong_.block = domain_.unstacked(first_wrong_.right);
      this->template offer<FailureFacet>(*this);
    }
    if (Written* written = map_->written()) this->template offer<Written>(*written);
    if (map_->is_map()) this->template offer<Exported>(*this);
    this->template offer<Sourced>(*this);
    this->cells_served_ = map_->cells_served();
    this->state_bytes_ = this->held() + map_->bytes();
  }

  FirstWrong first_wrong() const override { return first_wrong_; }

  void advance(Queue& queue, const std::uint8_t* from, std::uint8_t* to, std::uint64_t, bool) override {
    if (coarse_) return run_coarse(queue, kernel_.c_str(), from, to);
    map_->step(queue, step_of(kernel_.c_str(), settings_.work, from, to));
  }

  double time_map(Queue& queue, int times) override {
    Stopwatch stopwatch(queue.backend());
    std::vector<double> milliseconds;
    stopwatch.on_sample = [&](const TimingSample& sample) { milliseconds.push_back(sample.milliseconds); };
    const ScopedUntimed warming_up(queue);
    for (int i = 0; i <= times; ++i) {
      map_->step(queue, step_of("simplex.map_only", SimplexMapOnly::info.key, states_.finished(), nullptr));
      queue.wait();
      queue.stopwatch = &stopwatch;  // the first run was warm-up
    }
    stopwatch.collect(true);
    return summarize(milliseconds).median;
  }

  ExportParts export_parts() const override { return detail::export_simplex(settings_, info_, map_->type()); }

  std::vector<SourceFile> sources() const override {
    auto all = map_->sources();
    for (auto& file : detail::simplex_work_sources(Dimensions, settings_.work)) all.push_back(std::move(file));
    return all;
  }
  std::optional<SourceValues> values(const Owner& who, const std::atomic<bool>& cancel) override {
    const auto to = this->target(who);
    auto rule = to && to->useful ? map_->rule_values(to->cell, this->state_copy(), cancel) : std::nullopt;
    return joined(map_->values(who, cancel), rule);
  }

  void count(Queue& queue) override;
  std::vector<DumpArray> dumps(Queue& queue) override {
    auto arrays = Base::dumps(queue);
    map_->add_dumps(arrays);
    return arrays;
  }

  bool owner(Cell cell, Owner& who) const override { return map_->owner(cell, who); }
  Index3 served_box(Index3 threads) const override { return map_->by_cells() ? threads : domain_.block_extent(); }
  void take_place(Index3 in, Owner& who) const override {
    if (map_->by_cells()) return Base::take_place(in, who);
    who.thread = shares_.thread_of(in);
    who.item = shares_.item_of(in);
  }

  std::optional<Target> target(const Owner& who) const override {
    if (map_->by_cells()) return map_->target(who);
    Index3 block;
    const bool serves = located(who, block);
    if (!serves && block.x == ~0u) return std::nullopt;
    Target target;
    target.useful = map_->thread(domain_.first_cell(block), who.thread, who.item, target.cell) && serves;
    return target;
  }

  std::vector<std::pair<Cell, Cell>> thread_boxes(const Owner& who) const override {
    Index3 block;
    if (shares_.box == ThreadBox{} || !located(who, block)) return {};
    const Cell origin = domain_.first_cell(block);
    const ThreadBox& box = shares_.box;
    Cell low{origin.x + who.thread.x * box.x, origin.y + who.thread.y * box.y, origin.z + who.thread.z * box.z};
    if (!shares_.sector) return {{low, {low.x + box.x, low.y + box.y, low.z + box.z}}};
    std::vector<std::pair<Cell, Cell>> rows;
    for (std::uint32_t item = 0; item < shares_.items(); item += box.x)
      if (map_->thread(origin, who.thread, item, low)) rows.push_back({low, {low.x + box.x, low.y + 1, low.z + 1}});
    return rows;
  }
  Threads::Served served(const Owner& who) const override {
    if (map_->by_cells()) return Base::served(who);
    Threads::Served served{0, shares_.box.cells()};
    Index3 block;
    if (located(who, block)) served.cells = shares_.cells_of(domain_, domain_.first_cell(block), who.thread);
    served.places = std::max(served.places, served.cells);  // some may have more than their box
    return served;
  }
  Owner at_work(const Owner& who) const override {
    Owner found = who;
    Index3 block;
    if (!located(who, block)) return who;
    const Cell origin = domain_.first_cell(block);
    Cell cell;
    for (found.item = 0; found.item < shares_.items(); ++found.item)
      if (map_->thread(origin, who.thread, found.item, cell)) return found;
    return who;
  }

  std::optional<std::pair<Cell, Cell>> footprint(const Owner& who) const override {
    Index3 block;
    if (!located(who, block)) return std::nullopt;
    const Cell low = domain_.first_cell(block);
    const Index3 side = domain_.block_extent();
    // Shares by sectors begin, and end, up to a sector later.
    const std::uint32_t later = shares_.sector ? shares_.sector - 1 : 0;
    return std::pair{low, Cell{low.x + side.x + later, low.y + side.y, low.z + side.z}};
  }

  Formula formula(const Owner& who) const override {
    Index3 block;
    const bool serves = located(who, block);
    const LaunchShape& shape = this->launches()[static_cast<std::size_t>(who.launch)];
    return map_->explain({Dimensions, domain_.corner, domain_.blocks, shape.blocks, who,
                          serves || block.x != ~0u ? std::optional(block) : std::nullopt, serves,
                          !serves && mismapped(who)});
  }

 protected:
  std::vector<std::optional<Cell>> warp_cells(const Owner& who) const override {
    const Index3 threads = this->launches()[static_cast<std::size_t>(who.launch)].threads;
    const std::uint32_t items = map_->items();
    std::vector<std::optional<Cell>> cells(warp_size * std::size_t{items});
    const std::uint64_t first = linear_index(who.thread, threads) / warp_size * warp_size;
    if (map_->by_cells()) {
      for (std::uint32_t i = 0; i < warp_size && first + i < volume(threads); ++i) {
        Owner lane = who;
        lane.thread = unfold(first + i, threads);
        const auto target = map_->target(lane);
        if (target && target->useful) cells[i] = target->cell;
      }
      return cells;
    }
    Index3 block;
    if (!located(who, block)) return cells;
    for (std::uint32_t i = 0; i < warp_size && first + i < volume(threads); ++i)
      for (std::uint32_t item = 0; item < items; ++item) {
        Cell cell;
        if (map_->thread(domain_.first_cell(block), unfold(first + i, threads), item, cell))
          cells[i * std::size_t{items} + item] = cell;
      }
    return cells;
  }

 private:
  /// Where a block went on the backend. Inexact roots differ between machines: there the counted visits decide, not the
  /// host's arithmetic.
  bool located(const Owner& who, Index3& block) const {
    if (!map_->exact()) {
      const std::lock_guard lock(this->count_mutex_);
      const std::uint64_t visit = this->board().number_of(who);
      if (visit < host_blocks_.size()) {
        const std::uint32_t served = host_useful_[visit] == SimplexTables::mismapped ? 0 : host_blocks_[visit];
        block = served ? domain_.at(served - 1) : Index3{~0u, ~0u, ~0u};
        return served != 0;
      }
    }
    return map_->locate(who.launch, who.block, who.turn, block);
  }
  bool mismapped(const Owner& who) const {
    const std::lock_guard lock(this->count_mutex_);
    const std::uint64_t visit = this->board().number_of(who);
    return visit < host_useful_.size() && host_useful_[visit] == SimplexTables::mismapped;
  }

  PlacedStep<Dimensions> step_of(const char* kernel, std::string_view work, const std::uint8_t* from,
                                 std::uint8_t* to) {
    return {kernel,
            work,
            info_.layout,
            this->launches(),
            from,
            to,
            states_.one_bytes(),
            work_.bytes_per_cell,
            settings_.rule,
            this->points_.data(),
            sums_};
  }
  void run_coarse(Queue& queue, const char* kernel, const std::uint8_t* from, std::uint8_t* to) {
    if (!work_.odd.empty()) sums_.zero(queue);
    TimedSpan span(queue, kernel, work_.bytes_per_cell * domain_.cells());
    const detail::CoarseRun with{
        queue, kernel, domain_.n,      domain_.corner,       map_->table(), shares_, this->launches(),
        from,  to,     settings_.rule, this->points_.data(), sums_.data()};
    coarse_->run(with);
    span.finish();
  }

  std::unique_ptr<PlacedMap<Dimensions>> map_;
  const detail::CoarseEntry* coarse_;  ///< null: a thread per cell
  FirstWrong first_wrong_;
  std::vector<std::uint16_t> host_useful_;  ///< of inexact maps
  std::vector<std::uint32_t> host_blocks_;
};

template <int Dimensions>
void SimplexTrack<Dimensions>::count(Queue& queue) {
  // Of one that fell there is nothing to count, and of one that is being judged not yet.
  if (const Written* written = map_->written(); written && !written->counted()) return;
  const SimplexCellsServed cells_served = map_->cells_served();  // known once the map is judged
  using Counters = SimplexCounters<Dimensions>;
  Buffer<std::uint64_t> counters(queue.backend(), Counters::slots * Counters::words), wrong(queue.backend(), 1);
  counters.zero(queue);
  wrong.zero(queue);
  const bool pictured = board_.visits <= Base::most_pictured_visits;
  Buffer<std::uint16_t> useful(queue.backend(), pictured ? board_.visits : 0);
  Buffer<std::uint32_t> blocks(queue.backend(), pictured ? board_.visits : 0),
      visits(queue.backend(), pictured && (!map_->by_cells() || cells_served.owner) ? domain_.block_count() : 0);
  useful.zero(queue);
  blocks.zero(queue);
  visits.zero(queue);
  const SimplexTables tables{useful.data(), blocks.data(), visits.data(), {}};
  std::vector<std::uint64_t> first_visits;
  const GridLayout board = this->board();
  for (std::size_t i = 0; i < this->launches().size(); ++i) first_visits.push_back(board.rows[i].first_visit);
  map_->count(queue, {layout_, work_.value_bytes, this->launches(), first_visits, counters.data(), tables,
                      layout_.ascending(shares_.sector > 0)});
  if (!map_->exact() && pictured) map_->find_astray(queue, this->device_grid(), tables, wrong.data());
  std::array<std::uint64_t, Counters::words> sums{};
  const auto words = counters.download(queue);
  for (std::size_t i = 0; i < words.size(); ++i) sums[i % Counters::words] += words[i];
  Counts counts;
  counts.items = shares_.box.cells();
  counts.launched = sums[0];
  counts.useful = sums[1];
  counts.warps_full = sums[2];
  counts.warps_partial = sums[3] - sums[2];
  counts.warps_idle = sums[4];
  counts.blocks_useful = sums[5];
  counts.wrong = wrong.download(queue)[0];
  counts.launched_stated = map_->launched();
  counts.useful_stated = domain_.cells();
  for (const auto& shape : this->launches()) counts.blocks += shape.block_count();
  std::vector<LayoutCounts> layouts;
  int number = 0;
  for_each_type(SimplexLayouts<Dimensions>{}, [&]<class Layout>() {
    const auto elements = static_cast<std::uint64_t>(Layout::elements(domain_));
    layouts.push_back({Layout::info.key, info_.layout == Layout::info.key, sums[Counters::fixed + 2 * number],
                       sums[Counters::fixed + 2 * number + 1], elements, elements - domain_.cells()});
    if (layouts.back().own) counts.sectors = layouts.back().sectors;
    ++number;
  });
  auto host_useful = map_->exact() ? std::vector<std::uint16_t>{} : useful.download(queue);
  auto host_blocks = map_->exact() ? std::vector<std::uint32_t>{} : blocks.download(queue);
  const std::lock_guard lock(this->count_mutex_);
  this->cells_served_ = cells_served;
  host_useful_ = std::move(host_useful);
  host_blocks_ = std::move(host_blocks);
  useful_ = std::move(useful);
  this->block_of_visit_ = std::move(blocks);
  this->visit_of_block_ = std::move(visits);
  this->layout_counts_ = std::move(layouts);
  counts_ = counts;
  this->state_bytes_ = this->held() + map_->bytes();
}

// state_2.cu, state_3.cu
extern template class SimplexTrack<2>;
extern template class SimplexTrack<3>;

}  // namespace warploom
