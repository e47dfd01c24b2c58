#include "gpu/scenes/fractal/own/own_map.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <mutex>

#include "gpu/core/format.h"
#include "gpu/core/shared_pages.h"
#include "gpu/own/kit.h"
#include "gpu/own/type_name.h"
#include "gpu/scenes/fractal/own/arguments.h"
#include "gpu/scenes/fractal/own/judged_pictures.h"
#include "gpu/scenes/fractal/tracks/fractal_track.h"
#include "gpu/tracks/own_run.h"

namespace warploom {

namespace {

template <class Storage>
OwnScene scene_over(const std::string& work) {
  return {{"gpu/scenes/fractal/own/entry.h", "gpu/scenes/fractal/works/embedded.h",
           "gpu/scenes/fractal/works/compact.h", "gpu/scenes/fractal/works/list.h"},
          fmt::format("FractalState<{}>", type_name<Storage>()),
          {},
          names_own(work) ? find_own(work) : nullptr};
}

/// A domain as statements that make it (arguments.h).
std::string constants_of(const FractalDomain& domain, int block_digits) {
  std::string all = fmt::format(
      "run.block_digits = {}; auto& d = run.domain; d.side_x = {}; d.side_y = {}; d.copies = {}; d.level = {}; "
      "d.extent = {{{}, {}, 1}}; d.powers_of_k = {}; d.packed_replicas = {}u; d.hole_x = {}; d.hole_y = {};",
      block_digits, domain.side_x, domain.side_y, domain.copies, domain.level, domain.extent.x, domain.extent.y,
      domain.powers_of_k, domain.packed_replicas, domain.hole_x, domain.hole_y);
  for (int i = 0; i <= FractalDomain::most_levels; ++i)
    for (const auto& [name, powers] :
         {std::pair{'x', domain.power_x}, std::pair{'y', domain.power_y}, std::pair{'k', domain.power_k}})
      all += fmt::format(" d.power_{}[{}] = Divider({}u);", name, i, powers[i].divisor);
  for (int i = 0; i < 64; ++i)
    all += fmt::format(" d.replica[{0}] = {1}; d.copy_at[{0}] = {2};", i, domain.replica[i], domain.copy_at[i]);
  return all;
}

/// A built-in map whose steps run an own rule, in a process of their own.
template <class Storage>
class RuledMap final : public StoredMap<Storage> {
 public:
  RuledMap(Queue& queue, const FractalSettings& settings, std::unique_ptr<StoredMap<Storage>> map)
      : map_(std::move(map)), run_(queue, settings.work, scene_of(settings.work, map_->type())) {
    run_.with.domain = FractalDomain(settings.mask, settings.level);
    run_.with.block_digits = settings.block_digits;
    const auto put = [&](own::Memory which, const std::uint32_t* table) {
      run_.with.memory[static_cast<std::size_t>(which)] = const_cast<std::uint32_t*>(table);
    };
    put(own::Memory::placing, map_->tables().first);
    put(own::Memory::table, map_->tables().second);
    run_.begin();
  }

  void step(Queue& queue, const char* kernel, const std::string&, const WorkArguments<Storage>& with,
            Buffer<std::uint64_t>&, std::uint64_t bytes) const override {
    own::FractalArguments run = run_.with;
    run.memory[static_cast<std::size_t>(own::Memory::in)] = with.in.data;
    run.memory[static_cast<std::size_t>(own::Memory::out)] = with.out.data;
    run_.step(queue, kernel, run, bytes, [&] {
      zero_bytes(queue, with.out.data, static_cast<std::uint64_t>(Storage::bytes(run.domain, run.block_digits)));
    });
  }
  std::string type() const override { return map_->type(); }
  std::vector<SourceFile> sources() const override { return run_.sources(map_->sources()); }
  std::optional<SourceValues> values(const Owner& who, const std::atomic<bool>& cancel) const override {
    return map_->values(who, cancel);
  }
  std::optional<SourceValues> rule_values(Cell cell, const StateCopy& state,
                                          const std::atomic<bool>& cancel) const override {
    return run_.rule_values(cell, state, map_->sources().size(), cancel);
  }
  Written* written() override { return &run_; }

  std::vector<LaunchShape> launches() const override { return map_->launches(); }
  std::uint64_t launched() const override { return map_->launched(); }
  std::uint64_t bytes() const override { return map_->bytes(); }
  void count(Queue& queue, const Storage& state, MapCounts* counters, std::uint16_t* useful_in_block) const override {
    map_->count(queue, state, counters, useful_in_block);
  }
  void find_served(Queue& queue, const GridLayout& board, const FractalBlocks& blocks,
                   std::uint32_t* served) const override {
    map_->find_served(queue, board, blocks, served);
  }
  void paint_cells(FractalTrack<Storage>& track, Queue& queue, const PictureRequest& request) const override {
    map_->paint_cells(track, queue, request);
  }
  void paint_launches(FractalTrack<Storage>& track, Queue& queue, const PictureRequest& request,
                      const std::uint16_t* useful_in_block) const override {
    map_->paint_launches(track, queue, request, useful_in_block);
  }
  bool block(int launch, Index3 at, int turn, Cell& origin) const override {
    return map_->block(launch, at, turn, origin);
  }
  std::optional<Target> target(const Owner& who) const override { return map_->target(who); }
  bool owner(Cell cell, Owner& who) const override { return map_->owner(cell, who); }
  Formula explain(const FractalQuestion& question) const override { return map_->explain(question); }

 private:
  static OwnScene scene_of(const std::string& work, const std::string& map) {
    OwnScene scene = scene_over<Storage>(work);
    for (const std::string_view file : kit_files_of("gpu/scenes/fractal/maps/", map)) {
      scene.headers.push_back(file);
      scene.products = scene.products || file == "gpu/scenes/fractal/maps/tensor_map.h";
    }
    scene.uses = fmt::format("using Scene = MappedFractal<{}, {}, RuleWork<TheRule>>;", type_name<Storage>(), map);
    return scene;
  }

  std::unique_ptr<StoredMap<Storage>> map_;
  mutable OwnRun<own::FractalArguments> run_;  ///< steps change what is known of it
};

/// An own map over a storage: its steps run in a process of their own.
template <class Storage, class Intra>
class OwnMap final : public StoredMap<Storage> {
 public:
  OwnMap(Queue& queue, const FractalSettings& settings, const std::string& track)
      : domain_(settings.mask, settings.level), run_(queue, track, scene_of(settings, domain_)) {
    own::FractalArguments& with = run_.with;
    with.domain = domain_;
    with.block_digits = settings.block_digits;
    with.rule = settings.rule;
    run_.place_of = [this](Cell cell) { return domain_.contains(cell) ? std::optional(place(cell)) : std::nullopt; };
    offsets_ = Intra::table(domain_, settings.block_digits);
    {
      const ScopedSharedPages shared;
      table_ = Buffer<std::uint32_t>(queue.backend(), offsets_.size());
    }
    if (!offsets_.empty()) table_.upload(queue, offsets_);
    with.memory[static_cast<std::size_t>(own::Memory::table)] = table_.data();
    run_.table.assign(offsets_.begin(), offsets_.end());
    // Of a far larger box only the cells have places, so that owners of most of them can be kept.
    with.by_number = volume(domain_.extent) > JudgedTables::most_places_with_owner;
    const auto blocks = [&](const Divider* powers) -> std::uint64_t {
      return powers[domain_.level - settings.block_digits].divisor;
    };
    Buffer<std::uint8_t> empty;
    if (run_.text().form == "kernel") {
      const ScopedSharedPages shared;  // it is judged on an empty state
      empty = Buffer<std::uint8_t>(queue.backend(),
                                   static_cast<std::uint64_t>(Storage::bytes(domain_, settings.block_digits)));
      empty.zero(queue);
    }
    run_.begin_judging(
        queue, with.by_number ? domain_.cells() : volume(domain_.extent), domain_.cells(),
        blocks(domain_.power_x) * blocks(domain_.power_y), Intra::threads(domain_, settings.block_digits),
        [this](auto&& body) { this->each_cell(body); }, std::move(empty));
  }

  std::vector<LaunchShape> launches() const override {
    std::vector<LaunchShape> all;
    all.reserve(static_cast<std::size_t>(run_.launches()));
    for (int i = 0; i < run_.launches(); ++i) all.push_back({run_.grid_of(i), run_.shape().threads});
    return all;
  }
  std::uint64_t launched() const override { return run_.own().judgement.visits; }
  std::uint64_t bytes() const override { return table_.bytes() + run_.table_bytes(); }

  void step(Queue& queue, const char* kernel, const std::string&, const WorkArguments<Storage>& with,
            Buffer<std::uint64_t>& sums, std::uint64_t bytes) const override {
    if (!run_.gathering()) sums.zero(queue);
    own::FractalArguments run = run_.with;
    const auto put = [&](own::Memory which, void* memory) { run.memory[static_cast<std::size_t>(which)] = memory; };
    put(own::Memory::in, with.in.data);
    put(own::Memory::out, with.out.data);
    put(own::Memory::sums, sums.data());
    run_.step(queue, kernel, run, bytes, [&] {
      if (with.out.data)
        zero_bytes(queue, with.out.data, static_cast<std::uint64_t>(Storage::bytes(domain_, run.block_digits)));
      sums.zero(queue);
    });
  }
  void count(Queue& queue, const Storage&, MapCounts* counters, std::uint16_t* useful_in_block) const override {
    if (!run_.tables()) return;
    const JudgedTables& tables = *run_.tables();
    const own::Tally all = tables.tally();
    const MapCounts counts{all.served,     all.warps_full,    all.warps_partial,
                           all.warps_idle, all.blocks_useful, all.sectors[0]};
    upload_bytes(queue, counters, &counts, sizeof counts);
    if (useful_in_block && tables.useful())
      upload_bytes(queue, useful_in_block, tables.useful(), block_visits(run_.shape()) * sizeof *useful_in_block);
  }
  void find_served(Queue& queue, const GridLayout& board, const FractalBlocks&, std::uint32_t* served) const override {
    const JudgedTables* tables = run_.tables();
    if (tables && tables->served())
      upload_bytes(queue, served, tables->served(), board.visits * sizeof *served);
    else
      zero_bytes(queue, served, board.visits * sizeof *served);
  }
  void paint_cells(FractalTrack<Storage>& track, Queue& queue, const PictureRequest& request) const override {
    const JudgedGrid board = grid(pictured().useful);
    const Judgement judged = run_.own().judgement;
    paint_judged_cells(track, queue, request, board, board.once && (judged.missed || judged.doubled));
  }
  void paint_launches(FractalTrack<Storage>& track, Queue& queue, const PictureRequest& request,
                      const std::uint16_t* useful_in_block) const override {
    paint_judged_launches(track, queue, request, grid(useful_in_block));
  }

  bool block(int launch, Index3 at, int, Cell& origin) const override {
    const std::uint32_t served = run_.served(launch, at);
    if (served == 0) return false;
    origin = FractalBlocks{domain_, run_.with.block_digits}.first_cell(served - 1);
    return true;
  }
  /// The window asks: where the map places blocks, what judging found answers; else the map's process, unless it is at
  /// work.
  std::optional<Target> target(const Owner& who) const override {
    if (!run_.places_blocks() || run_.fell()) return run_.ask(who);
    Target target;
    Cell first;
    if (!block(who.launch, who.block, who.turn, first)) return std::nullopt;
    Index2 in;
    target.useful = Intra::place(domain_, run_.with.block_digits, offsets_.data(), who.thread, in);
    target.cell = {first.x + in.x, first.y + in.y, 0};
    return target;
  }
  bool owner(Cell cell, Owner& who) const override { return domain_.contains(cell) && run_.owner(place(cell), who); }
  Formula explain(const FractalQuestion& question) const override {
    return run_.explain(question.who.block, true, question.cell);
  }

  std::string type() const override { return run_.text().form == "kernel" ? "" : type_name<Intra>(); }
  std::vector<SourceFile> sources() const override { return run_.sources(); }
  std::optional<SourceValues> values(const Owner& who, const std::atomic<bool>& cancel) const override {
    return run_.values(who, cancel);
  }
  std::optional<SourceValues> rule_values(Cell cell, const StateCopy& state,
                                          const std::atomic<bool>& cancel) const override {
    return run_.rule_values(cell, state, 1, cancel);
  }
  Written* written() override { return &run_; }
  void add_dumps(std::vector<DumpArray>& arrays) const override {
    run_.add_visits(arrays, domain_.extent, true, [&](auto&& body) { each_cell(body); });
  }

 private:
  static OwnScene scene_of(const FractalSettings& settings, const FractalDomain& domain) {
    const std::string& work = settings.work;
    std::string type = "RuleWork<TheRule>";
    for_each_type(FractalWorks{}, [&]<class Work>() {
      if (Work::info.key == work) type = type_name<Work>();
    });
    OwnScene scene = scene_over<Storage>(work);
    if (settings.constants) scene.constants = constants_of(domain, settings.block_digits);
    scene.uses = fmt::format("using Scene = FractalScene<{}, {}, {}>;", type_name<Storage>(), type_name<Intra>(), type);
    return scene;
  }
  /// Where marks of a cell lie: in the box, or by its number where that is far larger.
  std::uint64_t place(Cell cell) const {
    return run_.with.by_number ? domain_.number(cell.x, cell.y, domain_.level)
                               : std::uint64_t{cell.y} * domain_.extent.x + cell.x;
  }
  template <class Body>
  void each_cell(Body&& body) const {
    if (run_.with.by_number) {
      for (std::uint64_t i = 0; i < domain_.cells(); ++i) body(domain_.member_number(i), i);
    } else {
      for (std::uint32_t y = 0; y < domain_.extent.y; ++y)
        for (std::uint32_t x = 0; x < domain_.extent.x; ++x)
          if (domain_.contains({x, y, 0})) body(Cell{x, y, 0}, place({x, y, 0}));
    }
  }
  JudgedTables::Pictured pictured() const {
    return run_.tables() ? run_.tables()->pictured() : JudgedTables::Pictured{};
  }
  JudgedGrid grid(const std::uint16_t* useful) const {
    const JudgedTables::Pictured tables = pictured();
    return {{run_.shape().grids[0], run_.shape().threads},
            domain_,
            run_.with.by_number,
            useful,
            tables.threads,
            tables.owner,
            tables.once,
            tables.twice};
  }

  FractalDomain domain_;
  MapTable offsets_;                           ///< what the way inside a block looks up
  Buffer<std::uint32_t> table_;                ///< the same, for the map's process, which ends before it
  mutable OwnRun<own::FractalArguments> run_;  ///< steps and questions change what is known of it
};

template <class Storage, class Intra>
std::unique_ptr<Track> make_own_track(Queue& queue, const FractalSettings& settings, const TrackInfo& info) {
  if (find_own(info.name)->form == "kernel" && settings.work != Life::info.key)
    throw UsageError(
        fmt::format("track '{}' is a kernel, a whole step of an automaton; choose work={}", info.name, Life::info.key));
  auto map = std::make_unique<OwnMap<Storage, Intra>>(queue, settings, info.name);
  const ScopedSharedPages shared;  // the track's states
  return std::make_unique<FractalTrack<Storage>>(queue, settings, info, std::move(map));
}

using MakeTrack = decltype(detail::FractalEntry::make);
template <class Storage, class... Ways>
std::vector<MakeTrack> makers_of(TypeList<Ways...>) {
  return {&make_own_track<Storage, Ways>...};
}
template <class... Storages>
std::vector<std::vector<MakeTrack>> all_makers(TypeList<Storages...>) {
  return {makers_of<Storages>(FractalIntraWays{})...};
}

/// Each track of an own map, an entry each.
std::vector<detail::FractalEntry> entries_of(const std::string& map, const OwnSource& text) {
  const std::string description = "your map, " + text.file;
  const MapInfo of_map{map.c_str(), map.c_str(), description.c_str(), ""};
  static const auto makers = all_makers(FractalStorages{});
  std::vector<detail::FractalEntry> entries;
  int storage = 0;
  for_each_type(FractalStorages{}, [&]<class Storage>() {
    std::size_t way = 0;
    for_each_type(FractalIntraWays{}, [&]<class Intra>() {
      // Where a cell is answered there is no way inside a block.
      const bool cells = text.form != "place";
      if (!cells || way == 0)
        entries.push_back(
            {detail::track_info(of_map, cells ? nullptr : &Intra::info, Storage::info, way == 0, storage == 0), storage,
             makers[static_cast<std::size_t>(storage)][way],
             [](const FractalDomain&, int) -> std::uint64_t { return 0; }, Storage::bytes, nullptr, nullptr, nullptr,
             true});
      ++way;
    });
    ++storage;
  });
  return entries;
}

}  // namespace

template <class Storage>
std::unique_ptr<StoredMap<Storage>> detail::OwnRuleUnder<Storage>::made(Queue& queue, const FractalSettings& settings,
                                                                        std::unique_ptr<StoredMap<Storage>> map) {
  return std::make_unique<RuledMap<Storage>>(queue, settings, std::move(map));
}
#define WARPLOOM_RULED(Storage) template struct detail::OwnRuleUnder<Storage>;
WARPLOOM_FRACTAL_STORAGES(WARPLOOM_RULED)
#undef WARPLOOM_RULED

std::vector<std::string> detail::own_fractal_names(const std::string& map) {
  std::vector<std::string> names;
  for (const FractalEntry& entry : entries_of(map, *find_own(map))) names.push_back(entry.info.name);
  return names;
}

const detail::FractalEntry& detail::own_fractal_entry(const std::string& track) {
  const auto text = find_own_map(track);
  const auto parts = parts_of_own(track);
  static std::mutex mutex;
  static std::map<std::pair<std::string, std::uint64_t>, FractalEntry> known;
  const std::lock_guard lock(mutex);
  std::vector<std::string> all;
  for (const FractalEntry& entry : entries_of(parts[0], *text)) {
    const TrackInfo& info = entry.info;
    const bool way = parts.size() < 2 || parts[1] == info.intra || (info.intra.empty() && parts[1] == info.storage);
    if (way && parts.size() <= 3 && (parts.size() < 3 || parts[2] == info.storage))
      return known.try_emplace({info.name, own_version()}, entry).first->second;
    all.push_back(info.name);
  }
  throw UsageError("unknown track '" + track + "'; did you mean '" + nearest(track, all) + "'? (known: " + join(all) +
                   ")");
}

}  // namespace warploom
