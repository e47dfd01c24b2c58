#include "gpu/scenes/fractal/own/own_map.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <map>
#include <mutex>

#include "gpu/core/format.h"
#include "gpu/core/launch.h"
#include "gpu/core/shared_pages.h"
#include "gpu/own/judgement.h"
#include "gpu/own/registry.h"
#include "gpu/own/type_name.h"
#include "gpu/scenes/fractal/own/arguments.h"
#include "gpu/scenes/fractal/tracks/fractal_track.h"

// Plain C++ in a build with CUDA, too: these tracks are the CPU's alone.
namespace warploom {

namespace {

/// The launch grid of a map that cannot be asked: by what judging it found.
struct JudgedGrid {
  LaunchShape shape;
  std::uint32_t width = 0;  ///< of the box
  const std::uint16_t* useful_in_block = nullptr;
  const std::uint32_t* useful_threads = nullptr;
  const std::uint64_t* owners = nullptr;

  WARPLOOM_HD Index3 blocks() const { return shape.blocks; }
  WARPLOOM_HD Index3 threads() const { return shape.threads; }
  WARPLOOM_HD std::uint64_t visits() const { return volume(shape.blocks); }
  WARPLOOM_HD std::uint64_t number(Index3 at) const { return std::uint64_t{at.y} * shape.blocks.x + at.x; }
  WARPLOOM_HD GridBlock block(Index3 at) const { return {true, false, useful_in_block[number(at)], number(at)}; }
  WARPLOOM_HD bool useful(Index3 at, Index3 thread) const {
    if (!useful_threads) return true;
    const std::uint64_t visit = number(at) * volume(shape.threads) + linear_index(thread, shape.threads);
    return useful_threads[visit / 32] >> visit % 32 & 1;
  }
  WARPLOOM_HD bool serves(Cell cell, Served& by) const {
    if (!owners) return false;
    const std::uint64_t visit = owners[std::uint64_t{cell.y} * width + cell.x];
    if (visit == ~std::uint64_t{0}) return false;
    by = {visit / volume(shape.threads), visit % volume(shape.threads)};
    return true;
  }
};

/// An own map over a storage: its steps run in a process of their own. Judged as it is made.
template <class Storage, class Intra>
class OwnMap final : public StoredMap<Storage>, public Written {
 public:
  OwnMap(Queue& queue, const FractalSettings& settings, const std::string& track)
      : text_(find_own(track)), domain_(settings.mask, settings.level) {
    std::string work;
    for_each_type(FractalWorks{}, [&]<class Work>() {
      if (Work::info.key == settings.work) work = type_name<Work>();
    });
    const OwnScene scene{
        {"gpu/scenes/fractal/own/entry.h", "gpu/scenes/fractal/works/embedded.h", "gpu/scenes/fractal/works/compact.h",
         "gpu/scenes/fractal/works/list.h"},
        fmt::format("using Scene = FractalScene<{}, {}, {}>;", type_name<Storage>(), type_name<Intra>(), work)};
    const CompiledOwn compiled = compile_own(*text_, scene, queue.cancel);
    state_ = {track.substr(0, track.find('/')),
              text_->file,
              text_->form,
              fmt::format("{:016x}", text_->hash),
              compiled.compiler,
              compiled.milliseconds,
              compiled.cached,
              false,
              {},
              {}};
    runner_ = std::make_unique<OwnRunner>(*text_, compiled, queue.pool().threads());
    with_.domain = domain_;
    with_.block_digits = settings.block_digits;
    with_.rule = settings.rule;
    offsets_ = Intra::table(domain_, settings.block_digits);
    {
      const ScopedSharedPages shared;
      table_ = Buffer<std::uint32_t>(queue.backend(), offsets_.size());
    }
    table_.upload(queue, offsets_);
    with_.memory[static_cast<std::size_t>(own::Memory::table)] = table_.data();
    judge(queue);
  }

  std::vector<LaunchShape> launches() const override {
    std::vector<LaunchShape> all;
    for (int i = 0; i < shape_.count; ++i)
      for (int turn = 0; turn < shape_.turns; ++turn) all.push_back({shape_.grids[i], shape_.threads});
    return all;
  }
  std::uint64_t launched() const override { return state().judgement.visits; }
  std::uint64_t bytes() const override { return table_.bytes() + (tables_ ? tables_->bytes() : 0); }

  void step(Queue& queue, const char* kernel, const std::string&, const WorkArguments<Storage>& with,
            Buffer<std::uint64_t>& sums, std::uint64_t bytes) const override {
    sums.zero(queue);
    own::FractalArguments run = with_;
    const auto put = [&](own::Memory which, void* memory) { run.memory[static_cast<std::size_t>(which)] = memory; };
    put(own::Memory::in, with.in.data);
    put(own::Memory::out, with.out.data);
    put(own::Memory::sums, sums.data());
    const bool trusted = state().trusted;
    // What a wrong map leaves out must not look like the last step's right answer.
    const auto empty = [&] {
      if (with.out.data)
        zero_bytes(queue, with.out.data, static_cast<std::uint64_t>(Storage::bytes(domain_, with_.block_digits)));
    };
    if (!trusted) empty();
    if (state().fault) return;
    const auto took = runner_->run(trusted ? own::Job::trusted_step : own::Job::checked_step, run, queue.cancel);
    if (!took) {
      empty();
      sums.zero(queue);
      return take_fault();
    }
    if (queue.stopwatch) queue.stopwatch->record(kernel, bytes, *took);
  }
  void count(Queue&, const Storage&, MapCounts* counters, std::uint16_t* useful_in_block) const override {
    const own::Tally all = tables_->tally();
    counters[0] = {all.served, all.warps_full, all.warps_partial, all.warps_idle, all.blocks_useful, all.sectors};
    if (useful_in_block && tables_->useful())
      std::memcpy(useful_in_block, tables_->useful(), block_visits(shape_) * sizeof *useful_in_block);
  }
  void find_served(Queue&, const GridLayout& board, const FractalBlocks&, std::uint32_t* served) const override {
    if (tables_ && tables_->served())
      std::memcpy(served, tables_->served(), board.visits * sizeof *served);
    else
      std::memset(served, 0, board.visits * sizeof *served);
  }
  void paint_cells(FractalTrack<Storage>& track, Queue& queue, const PictureRequest& request) const override {
    track.paint_cells_by(queue, request, grid(tables_ ? tables_->useful() : nullptr));
  }
  void paint_launches(FractalTrack<Storage>& track, Queue& queue, const PictureRequest& request,
                      const std::uint16_t* useful_in_block) const override {
    track.paint_launches_by(queue, request, grid(useful_in_block));
  }

  bool block(int launch, Index3 at, int, Cell& origin) const override {
    if (!tables_ || !tables_->served()) return false;
    const std::uint32_t served = tables_->served()[visit_of(launch, at)];
    if (served == 0) return false;
    origin = FractalBlocks{domain_, with_.block_digits}.first_cell(served - 1);
    return true;
  }
  /// The window asks: where the map places blocks, what judging found answers; else the map's process, unless it is at
  /// work.
  std::optional<Target> target(const Owner& who) const override {
    if (state().fault) return std::nullopt;
    Target target;
    if (text_->form == "place") {
      Cell first;
      if (!block(who.launch, who.block, who.turn, first)) return std::nullopt;
      Index2 in;
      target.useful = Intra::place(domain_, with_.block_digits, offsets_.data(), who.thread, in);
      target.cell = {first.x + in.x, first.y + in.y, 0};
      return target;
    }
    const auto answer =
        runner_->ask(with_, {who.launch / shape_.turns, who.launch % shape_.turns, who.block, who.thread});
    if (answer) return Target{answer->cell, answer->serves};
    take_fault();
    return std::nullopt;
  }
  bool owner(Cell cell, Owner& who) const override {
    if (!tables_ || !tables_->owner() || !domain_.contains(cell)) return false;
    const std::uint64_t visit = tables_->owner()[place(cell)];
    if (visit == ~std::uint64_t{0}) return false;
    const std::uint64_t threads = volume(shape_.threads);
    who = owner_of(visit / threads);
    who.thread = unfold(visit % threads, shape_.threads);
    return true;
  }
  Formula explain(const FractalQuestion& question) const override {
    const Index3 at = question.who.block;
    Formula formula;
    formula.title = fmt::format("{}, block ({}, {})", text_->file, at.x, at.y);
    formula.result = {"cell", "",
                      question.cell ? fmt::format("({}, {})", question.cell->x, question.cell->y) : "nowhere"};
    return formula;
  }

  Written* written() override { return this; }
  OwnState own() const override { return state(); }
  /// How often each place is served: 255 where there is no cell.
  void add_dumps(std::vector<DumpArray>& arrays) const override {
    if (!tables_ || state().fault) return;
    std::vector<std::uint8_t> visits(volume(domain_.extent), 255);
    each_cell([&](Cell cell) {
      visits[std::uint64_t{cell.y} * domain_.extent.x + cell.x] =
          static_cast<std::uint8_t>(tables_->once(place(cell)) + tables_->twice(place(cell)));
    });
    arrays.push_back({"visits",
                      "|u1",
                      "uint8",
                      {domain_.extent.y, domain_.extent.x},
                      std::move(visits),
                      "threads that serve a cell, (y, x): 0, 1, 2 for more; 255 where there is no cell"});
  }

 private:
  OwnState state() const {
    const std::lock_guard lock(mutex_);
    return state_;
  }
  void take_fault() const {
    const auto fault = runner_->fault();
    if (!fault) return;
    const std::lock_guard lock(mutex_);
    state_.fault = fault;
    state_.trusted = false;
  }
  /// Where marks of a cell lie: in the box, or by its number where that is far larger.
  std::uint64_t place(Cell cell) const {
    return with_.by_number ? domain_.number(cell.x, cell.y, domain_.level)
                           : std::uint64_t{cell.y} * domain_.extent.x + cell.x;
  }
  /// Row by row where marks lie so.
  template <class Body>
  void each_cell(Body&& body) const {
    if (with_.by_number) {
      for (std::uint64_t i = 0; i < domain_.cells(); ++i) body(domain_.member_number(i));
    } else {
      for (std::uint32_t y = 0; y < domain_.extent.y; ++y)
        for (std::uint32_t x = 0; x < domain_.extent.x; ++x)
          if (domain_.contains({x, y, 0})) body(Cell{x, y, 0});
    }
  }

  void judge(Queue& queue) {
    const auto launches = runner_->launches(with_);
    if (launches) {
      if (const auto fault = impossible(*launches))
        runner_->refuse(*fault);
      else
        shape_ = *launches;
    }
    if (runner_->fault()) return take_fault();
    constexpr std::uint64_t largest_box = 1u << 28;
    with_.by_number = volume(domain_.extent) > largest_box;
    Judgement& judged = state_.judgement;
    judged.cells = domain_.cells();
    const std::uint64_t visits = block_visits(shape_), threads = volume(shape_.threads);
    judged.visits = visits * threads;
    tables_.emplace(with_.by_number ? judged.cells : volume(domain_.extent), visits, threads, text_->form == "place");
    own::FractalArguments run = with_;
    tables_->place_into(run);
    const auto took = runner_->run(own::Job::judge, run, queue.cancel);
    if (!took) return take_fault();
    judged.milliseconds = *took;
    tables_->take(queue, judged.visits,
                  std::uint64_t{domain_.power_x[domain_.level - with_.block_digits].divisor} *
                      domain_.power_y[domain_.level - with_.block_digits].divisor);
    const own::Tally tally = tables_->tally();
    judged.served = tally.served;
    judged.outside = tally.outside;
    const auto first = [](std::optional<Cell>& known, Cell cell) {
      if (!known || cell.y < known->y || (cell.y == known->y && cell.x < known->x)) known = cell;
    };
    each_cell([&](Cell cell) {
      if (!tables_->once(place(cell))) {
        ++judged.missed;
        first(judged.first_missed, cell);
      } else if (tables_->twice(place(cell))) {
        ++judged.doubled;
        first(judged.first_doubled, cell);
      }
    });
    judged.whole = true;
    state_.trusted = judged.keeps();
    with_.tests = tally.outside > 0;
  }

  /// Turns are shown as launches, one after the other: `number` counts both.
  std::uint64_t visit_of(int number, Index3 at) const {
    std::uint64_t first = 0;
    for (int i = 0; i < number; ++i) first += volume(grid_of(i));
    return first + linear_index(at, grid_of(number));
  }
  Index3 grid_of(int number) const { return shape_.grids[number / shape_.turns]; }
  Owner owner_of(std::uint64_t visit) const {
    Owner who;
    while (who.launch + 1 < shape_.count * shape_.turns && visit >= volume(grid_of(who.launch)))
      visit -= volume(grid_of(who.launch++));
    who.block = unfold(visit, grid_of(who.launch));
    return who;
  }
  JudgedGrid grid(const std::uint16_t* useful) const {
    const bool has = tables_.has_value();
    return {{shape_.grids[0], shape_.threads},
            domain_.extent.x,
            useful,
            has ? tables_->threads() : nullptr,
            has && !with_.by_number ? tables_->owner() : nullptr};
  }

  std::shared_ptr<const OwnSource> text_;
  FractalDomain domain_;
  own::FractalArguments with_;
  /// One block of one thread, until the map has said its own.
  own::Launches shape_{1, 1, {1, 1, 1}, {{1, 1, 1}}};
  std::unique_ptr<OwnRunner> runner_;
  MapTable offsets_;             ///< what the way inside a block looks up
  Buffer<std::uint32_t> table_;  ///< the same, for the map's process
  std::optional<JudgedTables> tables_;
  mutable std::mutex mutex_;
  mutable OwnState state_;  ///< under the mutex, once it is made
};

template <class Storage, class Intra>
std::unique_ptr<Track> make_own_track(Queue& queue, const FractalSettings& settings, const TrackInfo& info) {
  if (queue.backend() != Backend::cpu)
    throw UsageError("track '" + info.name + "': own maps run on the CPU so far; add --backend cpu");
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
      const bool cells = text.form == "cell";
      if (!cells || way == 0)
        entries.push_back(
            {detail::track_info(of_map, cells ? nullptr : &Intra::info, Storage::info, way == 0, storage == 0), storage,
             makers[static_cast<std::size_t>(storage)][way],
             [](const FractalDomain&, int) -> std::uint64_t { return 0; }, Storage::bytes});
      ++way;
    });
    ++storage;
  });
  return entries;
}

}  // namespace

std::vector<std::string> detail::own_fractal_names(const std::string& map) {
  std::vector<std::string> names;
  for (const FractalEntry& entry : entries_of(map, *find_own(map))) names.push_back(entry.info.name);
  return names;
}

const detail::FractalEntry& detail::own_fractal_entry(const std::string& track) {
  const auto text = find_own(track);
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin != std::string::npos;) {
    const auto slash = track.find('/', begin);
    parts.push_back(track.substr(begin, slash == track.npos ? slash : slash - begin));
    begin = slash == track.npos ? slash : slash + 1;
  }
  static std::mutex mutex;
  static std::map<std::string, FractalEntry> known;
  const std::lock_guard lock(mutex);
  std::vector<std::string> all;
  for (const FractalEntry& entry : entries_of(parts[0], *text)) {
    const TrackInfo& info = entry.info;
    const bool way = parts.size() < 2 || parts[1] == info.intra || (info.intra.empty() && parts[1] == info.storage);
    if (way && parts.size() <= 3 && (parts.size() < 3 || parts[2] == info.storage))
      return known.try_emplace(info.name, entry).first->second;
    all.push_back(info.name);
  }
  throw UsageError("unknown track '" + track + "'; did you mean '" + nearest(track, all) + "'? (known: " + join(all) +
                   ")");
}

}  // namespace warploom
