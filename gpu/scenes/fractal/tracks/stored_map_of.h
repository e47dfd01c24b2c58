#pragma once
#include <memory>

#include "gpu/core/launch.h"
#include "gpu/core/shared_pages.h"
#include "gpu/own/registry.h"
#include "gpu/own/type_name.h"
#include "gpu/scenes/fractal/own/own_map.h"
#include "gpu/scenes/fractal/own/sources.h"
#include "gpu/scenes/fractal/tracks/entry.h"
#include "gpu/scenes/fractal/tracks/fractal_track.h"

// For sources of maps: their kernels.
namespace warploom {

template <class Map, class Storage>
class StoredMapOf final : public StoredMap<Storage> {
 public:
  StoredMapOf(Queue& queue, const FractalDomain& domain, int block_digits)
      : block_digits_(block_digits),
        table_(Map::table(domain, block_digits)),
        device_table_(queue, table_),
        map_(domain, block_digits, device_table_.data()),
        host_map_(domain, block_digits, table_.data()),
        launched_(Map::launched(domain, block_digits)) {}

  std::vector<LaunchShape> launches() const override {
    std::vector<LaunchShape> all;
    all.reserve(static_cast<std::size_t>(map_.launches()));
    for (int i = 0; i < map_.launches(); ++i) all.push_back(map_.shape(i));
    return all;
  }
  std::uint64_t launched() const override { return launched_; }
  std::uint64_t bytes() const override { return device_table_.bytes(); }

  void step(Queue& queue, const char* kernel, const std::string& work, const WorkArguments<Storage>& with,
            Buffer<std::uint64_t>& sums, std::uint64_t bytes) const override {
    for_each_type(FractalWorks{}, [&]<class Work>() {
      if (Work::info.key != work) return;
      using At = typename Work::template At<Storage>;
      using Program = MapProgram<Map, At>;
      if (Program::folds) sums.zero(queue);
      for (int i = 0; i < map_.launches(); ++i)
        launch(kernel, queue, map_.shape(i), Program{map_, At(with), i, SumSlots{sums.data()}}, bytes);
    });
  }
  void count(Queue& queue, const Storage& state, MapCounts* counters, std::uint16_t* useful_in_block) const override {
    std::uint64_t first = 0;
    for (int i = 0; i < map_.launches(); ++i) {
      launch("fractal.count", queue, map_.shape(i),
             CountProgram<Map, Storage>{map_, state, i, first, counters, useful_in_block});
      first += map_.shape(i).block_count();
    }
  }
  void find_served(Queue& queue, const GridLayout& board, const FractalBlocks& blocks,
                   std::uint32_t* served) const override {
    launch("fractal.served", queue, row_shape(board.visits), FindServed<Map>{map_, board, blocks, served});
  }
  void paint_cells(FractalTrack<Storage>& track, Queue& queue, const PictureRequest& request) const override {
    track.paint_cells_by(queue, request, FractalGrid<Map>{map_, map_.shape(0)});
  }
  void paint_launches(FractalTrack<Storage>& track, Queue& queue, const PictureRequest& request,
                      const std::uint16_t* useful_in_block) const override {
    track.paint_launches_by(queue, request, FractalGrid<Map>{map_, map_.shape(0), useful_in_block});
  }

  bool block(int launch, Index3 at, int turn, Cell& origin) const override {
    SoloGroup solo;
    return host_map_.block(solo, launch, at, turn, origin);
  }
  std::optional<Target> target(const Owner& who) const override {
    Cell origin;
    if (!block(who.launch, who.block, who.turn, origin)) return std::nullopt;
    Target target;
    target.useful = host_map_.thread(origin, who.thread, target.cell);
    return target;
  }
  bool owner(Cell cell, Owner& who) const override { return host_map_.owner(cell, who); }
  Formula explain(const FractalQuestion& question) const override { return Map::explain(question); }
  std::string type() const override { return type_name<Map>(); }
  std::vector<SourceFile> sources() const override { return detail::fractal_map_sources(type()); }
  std::optional<SourceValues> values(const Owner& who, const std::atomic<bool>&) const override {
    return detail::fractal_map_values(type(), host_map_.domain, block_digits_, table_.data(), who);
  }
  std::pair<const std::uint32_t*, const std::uint32_t*> tables() const override {
    // Neither where there is nothing in it: an address past the end is of no memory.
    const auto* end = device_table_.data() + device_table_.size();
    const auto known = [&](const std::uint32_t* table) { return table == end ? nullptr : table; };
    if constexpr (requires { map_.placing_table; })
      return {known(map_.placing_table), known(map_.intra_table)};
    else
      return {device_table_.data(), nullptr};
  }

 private:
  int block_digits_;
  MapTable table_;
  Buffer<std::uint32_t> device_table_;
  Map map_, host_map_;
  std::uint64_t launched_;
};

template <class Map, class Storage>
std::unique_ptr<Track> make_map_track(Queue& queue, const FractalSettings& settings, const TrackInfo& info) {
  const FractalDomain domain(settings.mask, settings.level);
  const bool ruled = names_own(settings.work);
  const ScopedSharedPages shared(ruled);
  std::unique_ptr<StoredMap<Storage>> map =
      std::make_unique<StoredMapOf<Map, Storage>>(queue, domain, settings.block_digits);
  if constexpr (contains<Storage>(FractalStorages{}))
    if (ruled) map = detail::OwnRuleUnder<Storage>::made(queue, settings, std::move(map));
  return std::make_unique<FractalTrack<Storage>>(queue, settings, info, std::move(map));
}

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
                         make_map_track<Map, Storage>, Map::launched, Storage::bytes, detail::refusal_of<Map>(),
                         nullptr, nullptr, true});
      first_way = false;
    });
    ++storage;
  });
  return entries;
}

}  // namespace warploom
