#pragma once
#include <memory>
#include <utility>

#include "gpu/own/type_name.h"
#include "gpu/scenes/fractal/own/export.h"
#include "gpu/scenes/fractal/own/sources.h"
#include "gpu/scenes/fractal/tracks/state.h"
#include "gpu/scenes/fractal/tracks/stored_map.h"
#include "gpu/tracks/facets/sourced.h"

namespace warploom {

/// The track of a map over a storage, whatever the map.
template <class Storage>
class FractalTrack final : public FractalStateTrack<Storage>, public Exported, public Sourced {
  using Base = FractalStateTrack<Storage>;
  using Base::cells_, Base::domain_, Base::kernel_, Base::settings_, Base::sums_;
  using Base::count_mutex_, Base::counts_, Base::useful_in_block_;

 public:
  FractalTrack(Queue& queue, const FractalSettings& settings, const TrackInfo& info,
               std::unique_ptr<StoredMap<Storage>> map)
      : Base(queue, settings, info), map_(std::move(map)) {
    this->make_stage(queue, map_->launches(), cells_);
    this->state_bytes_ = this->held() + map_->bytes();
    if (Written* written = map_->written()) this->template offer<Written>(*written);
    if (!map_->type().empty()) this->template offer<Exported>(*this);
    this->template offer<Sourced>(*this);
  }

  void advance(Queue& queue, const std::uint8_t* from, std::uint8_t* to, std::uint64_t, bool) override {
    map_->step(queue, kernel_.c_str(), settings_.work, {this->readable(from), this->writable(to), settings_.rule},
               sums_, this->stages_[0].bytes);
  }

  ExportParts export_parts() const override {
    return detail::export_fractal(settings_, this->info(), type_name<Storage>(), map_->type());
  }

  std::vector<SourceFile> sources() const override {
    auto all = map_->sources();
    for (auto& file : detail::fractal_work_sources(settings_.work)) all.push_back(std::move(file));
    return all;
  }
  std::optional<SourceValues> values(const Owner& who, const std::atomic<bool>& cancel) override {
    const auto to = this->target(who);
    auto rule = to && to->useful ? map_->rule_values(to->cell, this->state_copy(), cancel) : std::nullopt;
    return joined(map_->values(who, cancel), rule);
  }

  void count(Queue& queue) override {
    // Of one that fell there is nothing to count, and of one that is being judged not yet.
    if (const Written* written = map_->written(); written && !written->counted()) return;
    const std::uint64_t blocks = this->board_.visits;
    Buffer<MapCounts> counters(queue.backend(), slots_of_counts);
    counters.zero(queue);
    // Past 2^28 blocks the per-block numbers are not kept: half a gigabyte for a picture of pixels.
    Buffer<std::uint16_t> useful(queue.backend(), blocks <= Base::most_pictured_visits ? blocks : 0);
    map_->count(queue, this->finished(), counters.data(), useful.data());
    Counts counts;
    for (const MapCounts& slot : counters.download(queue)) {
      counts.useful += slot.useful;
      counts.warps_full += slot.warps_full;
      counts.warps_partial += slot.warps_partial;
      counts.warps_idle += slot.warps_idle;
      counts.blocks_useful += slot.blocks_useful;
      counts.sectors += slot.sectors;
    }
    for (const auto& shape : this->launches()) counts.launched += shape.thread_count();
    counts.launched_stated = map_->launched();
    counts.useful_stated = cells_;
    counts.blocks = blocks;
    const std::lock_guard lock(count_mutex_);
    useful_in_block_ = std::move(useful);
    counts_ = counts;
    this->state_bytes_ = this->held() + map_->bytes();
  }

  std::vector<DumpArray> dumps(Queue& queue) override {
    if (!this->counts()) count(queue);
    check_dump(16. * static_cast<double>(this->board_.visits));  // of map_blocks
    const auto useful = useful_in_block_.download(queue);
    std::vector<std::int32_t> rows;
    std::uint64_t number = 0;
    int launch = 0;
    for (const LaunchShape& shape : this->launches()) {
      for (std::uint64_t b = 0; b < shape.block_count(); ++b, ++number) {
        const Index3 at = unfold(b, shape.blocks);
        Cell origin;
        const bool serves = number < useful.size() && useful[number] && map_->block(launch, at, 0, origin);
        rows.insert(rows.end(), {static_cast<std::int32_t>(at.x), static_cast<std::int32_t>(at.y),
                                 serves ? static_cast<std::int32_t>(origin.x) : -1,
                                 serves ? static_cast<std::int32_t>(origin.y) : -1});
      }
      ++launch;
    }
    std::vector<DumpArray> arrays;
    arrays.push_back(this->state_dump(queue));
    arrays.push_back({"map_blocks",
                      "<i4",
                      "int32",
                      {rows.size() / 4, 4},
                      array_bytes(rows),
                      "a row a launched block in launch order: w_x, w_y, x, y of its first cell, or -1, -1 for a waste "
                      "block"});
    map_->add_dumps(arrays);
    return arrays;
  }

  bool owner(Cell cell, Owner& who) const override { return map_->owner(cell, who); }

  std::optional<Target> target(const Owner& who) const override { return map_->target(who); }

  std::optional<std::pair<Cell, Cell>> footprint(const Owner& who) const override {
    Cell low;
    if (!map_->block(who.launch, who.block, who.turn, low)) return std::nullopt;
    const Index3 side = this->block_cells();
    return std::pair{low, Cell{low.x + side.x, low.y + side.y, 1}};
  }

  Formula formula(const Owner& who) const override {
    const auto to = target(who);
    return map_->explain({domain_, settings_.block_digits, who, to ? std::optional(to->cell) : std::nullopt});
  }

  void paint_cells(Queue& queue, const PictureRequest& request) override {
    if (request.solid.morph < 1 && this->flies()) {
      if (this->served_by_visit_.size() == 0) {
        const GridLayout board = this->device_grid();
        Buffer<std::uint32_t> served(queue.backend(), board.visits);
        map_->find_served(queue, board, this->blocks(), served.data());
        this->served_by_visit_ = std::move(served);  // only once it is written
      }
      return this->paint_flight(queue, request);
    }
    this->land();
    map_->paint_cells(*this, queue, request);
  }
  void paint_launches(Queue& queue, const PictureRequest& request) override {
    if (const auto* useful = this->useful_in_block().data()) map_->paint_launches(*this, queue, request, useful);
  }

  // For its map, which knows the board.
  template <class Board>
  void paint_cells_by(Queue& queue, const PictureRequest& request, const Board& board) {
    this->paint_by(queue, request, board);
  }
  template <class Value>
  void paint_values(Queue& queue, const PictureRequest& request, const Value& value) {
    this->paint(queue, request, value);
  }
  template <class Board>
  void paint_launches_by(Queue& queue, const PictureRequest& request, const Board& board) {
    this->paint_board(queue, request, board);
  }

 private:
  std::unique_ptr<StoredMap<Storage>> map_;
};

// state.cu
#define WARPLOOM_COMPILED_ELSEWHERE(Storage) extern template class FractalTrack<Storage>;
WARPLOOM_FRACTAL_STORAGES(WARPLOOM_COMPILED_ELSEWHERE)
#undef WARPLOOM_COMPILED_ELSEWHERE

}  // namespace warploom
