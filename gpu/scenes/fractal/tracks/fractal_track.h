#pragma once
#include "gpu/core/launch.h"
#include "gpu/scenes/fractal/maps/question.h"
#include "gpu/scenes/fractal/tracks/entry.h"
#include "gpu/scenes/fractal/tracks/state.h"
#include "gpu/scenes/fractal/works/map_program.h"

namespace warploom {

/// A fractal track: one map, one storage.
template <class Map, class Storage>
class FractalTrack final : public FractalStateTrack<Storage> {
  using Base = FractalStateTrack<Storage>;
  using Base::cells_, Base::domain_, Base::info_, Base::kernel_, Base::settings_, Base::states_, Base::sums_;
  using Base::count_mutex_, Base::counts_, Base::useful_in_block_;

 public:
  FractalTrack(Queue& queue, const FractalSettings& settings, const TrackInfo& info)
      : Base(queue, settings, info),
        table_(Map::table(domain_, settings.block_digits)),
        device_table_(queue, table_),
        host_map_(domain_, settings.block_digits, table_.data()) {
    map_ = Map(domain_, settings.block_digits, device_table_.data());
    std::vector<LaunchShape> launches;
    launches.reserve(static_cast<std::size_t>(map_.launches()));
    for (int i = 0; i < map_.launches(); ++i) launches.push_back(map_.shape(i));
    this->make_stage(queue, launches, cells_);
    this->state_bytes_ = this->held() + device_table_.bytes();
  }

  void advance(Queue& queue, const std::uint8_t* from, std::uint8_t* to, std::uint64_t, bool) override {
    for_each_type(FractalWorks{}, [&]<class Work>() {
      if (Work::info.key != settings_.work) return;
      using At = typename Work::template At<Storage>;
      using Program = MapProgram<Map, At>;
      const WorkArguments<Storage> arguments{this->readable(from), this->writable(to), settings_.rule};
      if (Program::folds) sums_.zero(queue);
      for (int i = 0; i < map_.launches(); ++i)
        launch(kernel_.c_str(), queue, map_.shape(i), Program{map_, At(arguments), i, SumSlots{sums_.data()}},
               Work::info.bytes_per_cell * cells_);
    });
  }

  void count(Queue& queue) override {
    using Program = CountProgram<Map, Storage>;
    const std::uint64_t blocks = this->board_.visits;
    Buffer<MapCounts> counters(queue.backend(), Program::slots);
    counters.zero(queue);
    // Past 2^28 blocks the per-block numbers are not kept: half a gigabyte for a picture of pixels.
    Buffer<std::uint16_t> useful(queue.backend(), blocks <= Base::most_pictured_visits ? blocks : 0);
    std::uint64_t first = 0;
    for (int i = 0; i < map_.launches(); ++i) {
      launch("fractal.count", queue, map_.shape(i),
             Program{map_, this->finished(), i, first, counters.data(), useful.data()});
      first += map_.shape(i).block_count();
    }
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
    counts.launched_stated = Map::launched(domain_, settings_.block_digits);
    counts.useful_stated = cells_;
    counts.blocks = blocks;
    const std::lock_guard lock(count_mutex_);
    useful_in_block_ = std::move(useful);
    counts_ = counts;
    this->state_bytes_ = this->held() + device_table_.bytes();
  }

  std::vector<DumpArray> dumps(Queue& queue) override {
    if (!this->counts()) count(queue);
    check_dump(16. * static_cast<double>(this->board_.visits));  // of map_blocks
    const auto useful = useful_in_block_.download(queue);
    std::vector<std::int32_t> rows;
    std::uint64_t number = 0;
    for (int i = 0; i < host_map_.launches(); ++i) {
      const LaunchShape shape = host_map_.shape(i);
      for (std::uint64_t b = 0; b < shape.block_count(); ++b, ++number) {
        const Index3 at = unfold(b, shape.blocks);
        SoloGroup solo;
        Cell origin;
        const bool serves = number < useful.size() && useful[number] && host_map_.block(solo, i, at, 0, origin);
        rows.insert(rows.end(), {static_cast<std::int32_t>(at.x), static_cast<std::int32_t>(at.y),
                                 serves ? static_cast<std::int32_t>(origin.x) : -1,
                                 serves ? static_cast<std::int32_t>(origin.y) : -1});
      }
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
    return arrays;
  }

  bool owner(Cell cell, Owner& who) const override { return host_map_.owner(cell, who); }

  std::optional<Target> target(const Owner& who) const override {
    SoloGroup solo;
    Cell origin;
    if (!host_map_.block(solo, who.launch, who.block, who.turn, origin)) return std::nullopt;
    Target target;
    target.useful = host_map_.thread(origin, who.thread, target.cell);
    return target;
  }

  std::optional<std::pair<Cell, Cell>> footprint(const Owner& who) const override {
    SoloGroup solo;
    Cell low;
    if (!host_map_.block(solo, who.launch, who.block, who.turn, low)) return std::nullopt;
    const Index3 side = this->block_cells();
    return std::pair{low, Cell{low.x + side.x, low.y + side.y, 1}};
  }

  Formula formula(const Owner& who) const override {
    const auto to = target(who);
    return Map::explain({domain_, settings_.block_digits, who, to ? std::optional(to->cell) : std::nullopt});
  }

  void paint_cells(Queue& queue, const PictureRequest& request) override {
    if (request.solid.morph < 1 && this->flies()) {
      if (this->served_by_visit_.size() == 0) {
        const GridLayout board = this->device_grid();
        Buffer<std::uint32_t> served(queue.backend(), board.visits);
        launch("fractal.served", queue, row_shape(board.visits),
               FindServed<Map>{map_, board, this->blocks(), served.data()});
        this->served_by_visit_ = std::move(served);  // only once it is written
      }
      return this->paint_flight(queue, request);
    }
    this->land();
    this->paint_by(queue, request, FractalGrid<Map>{map_, map_.shape(0)});
  }

  void paint_launches(Queue& queue, const PictureRequest& request) override {
    if (const auto* useful = this->useful_in_block().data())
      this->paint_board(queue, request, FractalGrid<Map>{map_, map_.shape(0), useful});
  }

 private:
  MapTable table_;
  Buffer<std::uint32_t> device_table_;
  Map map_, host_map_;
};

/// The tracks of a line of the list of maps: each of its maps with every storage.
template <class Line>
std::vector<detail::FractalEntry> detail::fractal_entries_of() {
  std::vector<FractalEntry> entries;
  int storage = 0;
  for_each_type(FractalStorages{}, [&]<class Storage>() {
    bool first_way = true;
    for_each_type(FractalMapsOf<Line>{}, [&]<class Map>() {
      const MapInfo* intra = intra_info<Map>();
      entries.push_back({track_info(Map::info, intra, Storage::info, first_way, storage == 0), storage,
                         make_track_of<FractalTrack<Map, Storage>>, Map::launched, Storage::bytes,
                         detail::refusal_of<Map>()});
      first_way = false;
    });
    ++storage;
  });
  return entries;
}

}  // namespace warploom
