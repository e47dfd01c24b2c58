#include "gpu/scenes/simplex/own/own_map.h"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <set>

#include "gpu/core/format.h"
#include "gpu/core/shared_pages.h"
#include "gpu/own/kit.h"
#include "gpu/own/type_name.h"
#include "gpu/scenes/simplex/own/arguments.h"
#include "gpu/scenes/simplex/tracks/simplex_track.h"
#include "gpu/scenes/simplex/works/list.h"
#include "gpu/tracks/own_run.h"

namespace warploom {

namespace {

template <int Dimensions>
std::string layout_type(const std::string& layout) {
  std::string type;
  for_each_type(SimplexLayouts<Dimensions>{}, [&]<class Layout>() {
    if (Layout::info.key == layout) type = type_name<Layout>();
  });
  return type;
}
template <int Dimensions>
OwnScene scene_over(const std::string& work, const std::string& layout) {
  return {{"gpu/scenes/simplex/own/entry.h", "gpu/scenes/simplex/works/list.h"},
          fmt::format("SimplexState<{}, {}>", Dimensions, layout_type<Dimensions>(layout)),
          {},
          names_own(work) ? find_own(work) : nullptr};
}

void put(own::Arguments& with, own::Memory which, const void* memory) {
  with.memory[static_cast<std::size_t>(which)] = const_cast<void*>(memory);
}

/// A built-in map whose steps run an own rule, in a process of their own.
template <int Dimensions>
class RuledPlacedMap final : public PlacedMap<Dimensions> {
 public:
  RuledPlacedMap(Queue& queue, const SimplexSettings& settings, const TrackInfo& info,
                 std::unique_ptr<PlacedMap<Dimensions>> map)
      : map_(std::move(map)),
        domain_(settings.n, settings.rho, settings.kind->corner),
        run_(queue, settings.work, scene_of(settings.work, info.layout, map_->type())) {
    run_.with.domain = domain_;
    put(run_.with, own::Memory::table, map_->table());
    run_.begin();
  }

  void step(Queue& queue, const PlacedStep<Dimensions>& with) const override {
    if (!names_own(std::string(with.work))) return map_->step(queue, with);  // the map alone
    own::SimplexRun<Dimensions> run = run_.with;
    put(run, own::Memory::in, with.from);
    put(run, own::Memory::out, with.to);
    run_.step(queue, with.kernel, run, with.cell_bytes * domain_.cells(),
              [&] { zero_bytes(queue, with.to, with.state_bytes); });
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

  bool exact() const override { return map_->exact(); }
  int launches() const override { return map_->launches(); }
  LaunchShape shape(int launch) const override { return map_->shape(launch); }
  int turns(int launch) const override { return map_->turns(launch); }
  std::uint64_t launched() const override { return map_->launched(); }
  const std::uint32_t* table() const override { return map_->table(); }
  std::uint64_t bytes() const override { return map_->bytes(); }
  void count(Queue& queue, const PlacedCount<Dimensions>& with) const override { map_->count(queue, with); }
  void find_astray(Queue& queue, const GridLayout& board, const SimplexTables& tables,
                   std::uint64_t* wrong) const override {
    map_->find_astray(queue, board, tables, wrong);
  }
  FirstWrong search(Queue& queue) const override { return map_->search(queue); }
  bool locate(int launch, Index3 at, int turn, Index3& block) const override {
    return map_->locate(launch, at, turn, block);
  }
  std::uint32_t items() const override { return map_->items(); }
  bool thread(Cell origin, Index3 at, std::uint32_t item, Cell& cell) const override {
    return map_->thread(origin, at, item, cell);
  }
  bool owner(Cell cell, Owner& who) const override { return map_->owner(cell, who); }
  Formula explain(const SimplexQuestion& question) const override { return map_->explain(question); }

 private:
  static OwnScene scene_of(const std::string& work, const std::string& layout, const std::string& map) {
    OwnScene scene = scene_over<Dimensions>(work, layout);
    for (const std::string_view file : kit_files_of("gpu/scenes/simplex/maps/", map)) scene.headers.push_back(file);
    scene.uses =
        fmt::format("using Scene = MappedSimplex<{}, {}, RuleWork<TheRule>>;", layout_type<Dimensions>(layout), map);
    return scene;
  }

  std::unique_ptr<PlacedMap<Dimensions>> map_;
  SimplexDomain<Dimensions> domain_;
  mutable OwnRun<own::SimplexRun<Dimensions>> run_;  ///< steps change what is known of it
};

/// An own map of a simplex: its steps run in a process of their own.
template <int Dimensions>
class OwnPlacedMap final : public PlacedMap<Dimensions> {
  using Domain = SimplexDomain<Dimensions>;

 public:
  OwnPlacedMap(Queue& queue, const SimplexSettings& settings, const TrackInfo& info, const Domain& domain)
      : domain_(domain), run_(queue, info.name, scene_of(settings, info.layout)) {
    run_.with.domain = domain;
    run_.with.value_bytes = find_simplex_work(*settings.kind, settings.work).value_bytes;
    run_.with.rule = settings.rule;
    run_.place_of = [this](Cell cell) {
      return domain_.contains(cell) ? std::optional(domain_.index(cell)) : std::nullopt;
    };
    Buffer<std::uint8_t> empty;
    if (run_.text().form == "kernel") {
      // It is judged on an empty state; the caller allocates shared pages.
      empty = Buffer<std::uint8_t>(queue.backend(),
                                   static_cast<std::uint64_t>(simplex_layout_elements(settings, info.layout)));
      empty.zero(queue);
    }
    run_.begin_judging(
        queue, domain.cells(), domain.cells(), domain.block_count(), domain.block_extent(),
        [this](auto&& body) { this->each_cell(body); }, std::move(empty),
        [this](const JudgedTables& judged) {
          if (!run_.places_blocks()) find_blocks(judged);
        });
  }

  bool exact() const override { return true; }
  int launches() const override { return run_.launches(); }
  LaunchShape shape(int launch) const override { return {run_.grid_of(launch), run_.shape().threads}; }
  int turns(int) const override { return 1; }
  std::uint64_t launched() const override { return run_.own().judgement.visits; }
  const std::uint32_t* table() const override { return nullptr; }
  std::uint64_t bytes() const override { return run_.table_bytes(); }

  void step(Queue& queue, const PlacedStep<Dimensions>& with) const override {
    own::SimplexRun<Dimensions> run = run_.with;
    put(run, own::Memory::in, with.from);
    put(run, own::Memory::out, with.to);
    put(run, own::Memory::sums, with.sums.data());
    put(run, own::Memory::points, with.points);
    with.sums.zero(queue);
    run_.step(queue, with.kernel, run, with.cell_bytes * domain_.cells(), [&] {
      if (with.to) zero_bytes(queue, with.to, with.state_bytes);
      with.sums.zero(queue);
    });
  }
  void count(Queue& queue, const PlacedCount<Dimensions>& with) const override {
    using Counters = SimplexCounters<Dimensions>;
    const JudgedTables* judged = run_.tables();
    if (!judged || run_.fell()) return;
    const own::Tally all = judged->tally();
    const SimplexCountWords words{
        run_.own().judgement.visits, all.served, all.warps_full, all.warps_full + all.warps_partial, all.warps_idle,
        all.blocks_useful,           0};
    std::uint64_t counters[Counters::words] = {};
    static_assert(sizeof words == Counters::fixed * sizeof *counters);
    std::memcpy(counters, &words, sizeof words);
    for (std::uint64_t i = Counters::fixed; i < Counters::words; ++i) counters[i] = all.sectors[i - Counters::fixed];
    upload_bytes(queue, with.counters, counters, sizeof counters);
    if (!with.tables.useful || !judged->useful()) return;
    const std::uint64_t visits = block_visits(run_.shape());
    upload_bytes(queue, with.tables.useful, judged->useful(), visits * sizeof *with.tables.useful);
    const std::uint32_t* served = run_.places_blocks() ? judged->served() : first_blocks_.data();
    if (!served) return;
    upload_bytes(queue, with.tables.block_of_visit, served, visits * sizeof *served);
    std::vector<std::uint32_t> visit_of_block(domain_.block_count(), 0);
    for (std::uint64_t visit = 0; visit < visits; ++visit)
      if (const std::uint32_t block = served[visit]; block && !visit_of_block[block - 1])
        visit_of_block[block - 1] = static_cast<std::uint32_t>(visit + 1);
    upload_bytes(queue, with.tables.visit_of_block, visit_of_block.data(),
                 visit_of_block.size() * sizeof visit_of_block[0]);
  }
  void find_astray(Queue&, const GridLayout&, const SimplexTables&, std::uint64_t*) const override {}
  FirstWrong search(Queue&) const override { return {}; }

  bool locate(int launch, Index3 at, int, Index3& block) const override {
    const std::uint32_t served = run_.served(launch, at);
    block = served ? domain_.at(served - 1) : Index3{~0u, ~0u, ~0u};
    return served != 0;
  }
  std::uint32_t items() const override { return 1; }
  bool thread(Cell origin, Index3 at, std::uint32_t, Cell& cell) const override {
    cell = {origin.x + at.x, origin.y + at.y, origin.z + at.z};
    return domain_.contains(cell);
  }
  bool owner(Cell cell, Owner& who) const override {
    return domain_.contains(cell) && run_.owner(domain_.index(cell), who);
  }
  Formula explain(const SimplexQuestion& question) const override {
    std::optional<Cell> cell;
    if (question.block)
      cell = domain_.first_cell(*question.block);
    else if (!run_.places_blocks())
      if (const auto target = run_.ask(question.who)) cell = target->cell;
    return run_.explain(question.who.block, Dimensions == 2, cell);
  }

  std::vector<SourceFile> sources() const override { return run_.sources(); }
  std::optional<SourceValues> values(const Owner& who, const std::atomic<bool>& cancel) const override {
    return run_.values(who, cancel);
  }
  std::optional<SourceValues> rule_values(Cell cell, const StateCopy& state,
                                          const std::atomic<bool>& cancel) const override {
    return run_.rule_values(cell, state, 1, cancel);
  }

  bool by_cells() const override { return !run_.places_blocks(); }
  bool is_map() const override { return run_.text().form != "kernel"; }
  std::optional<Target> target(const Owner& who) const override { return run_.ask(who); }
  SimplexCellsServed cells_served() const override {
    if (!run_.tables()) return {};
    const JudgedTables::Pictured tables = run_.tables()->pictured();
    const std::uint32_t* twice = run_.own().judgement.doubled ? tables.twice : nullptr;
    if (run_.places_blocks()) return {{0, 0, 0}, nullptr, nullptr, twice};
    return {run_.shape().threads, tables.threads, tables.owner, twice};
  }
  Written* written() override { return &run_; }
  void add_dumps(std::vector<DumpArray>& arrays) const override {
    run_.add_visits(arrays, domain_.extent(), Dimensions == 2, [&](auto&& body) { each_cell(body); });
  }

 private:
  static OwnScene scene_of(const SimplexSettings& settings, const std::string& layout) {
    const std::string& work = settings.work;
    std::string type = "RuleWork<TheRule>";
    for_each_type(SimplexWorks<Dimensions>{}, [&]<class Work>() {
      if (Work::info.key == work) type = type_name<Work>();
    });
    OwnScene scene = scene_over<Dimensions>(work, layout);
    if (settings.constants)
      scene.constants = fmt::format("run.domain = {{{}u, {}u, {}}};", settings.n, settings.rho, settings.kind->corner);
    scene.uses =
        fmt::format("using Scene = SimplexScene<{}, {}, {}>;", Dimensions, layout_type<Dimensions>(layout), type);
    return scene;
  }
  template <class Body>
  void each_cell(Body&& body) const {
    for (std::uint64_t i = 0; i < domain_.cells(); ++i) body(domain_.at(i), i);
  }
  /// Of `cell`: the block of the first cell that each launched block serves, as `served` tells of `place`. Pictures of
  /// whole blocks show it.
  void find_blocks(const JudgedTables& judged) {
    if (!judged.owner() || !judged.useful()) return;
    first_blocks_.assign(block_visits(run_.shape()), 0);
    const std::uint64_t threads = volume(run_.shape().threads);
    each_cell([&](Cell cell, std::uint64_t place) {
      const std::uint64_t visit = judged.owner()[place];
      if (visit == ~std::uint64_t{0} || first_blocks_[visit / threads]) return;
      first_blocks_[visit / threads] = static_cast<std::uint32_t>(1 + domain_.index(domain_.block_of(cell)));
    });
  }

  Domain domain_;
  mutable OwnRun<own::SimplexRun<Dimensions>> run_;  ///< steps and questions change what is known of it
  std::vector<std::uint32_t> first_blocks_;
};

template <int Dimensions>
std::unique_ptr<Track> make_track(Queue& queue, const SimplexSettings& settings, const TrackInfo& info) {
  const ScopedSharedPages shared;  // states and points
  return std::make_unique<SimplexTrack<Dimensions>>(
      queue, settings, info, [&](Queue& on, const SimplexDomain<Dimensions>& domain, const CellShares&) {
        return std::make_unique<OwnPlacedMap<Dimensions>>(on, settings, info, domain);
      });
}

std::vector<TrackInfo> tracks_of(const std::string& map) {
  const auto text = find_own_map(map);
  std::vector<TrackInfo> all;
  for_each_type(SimplexLayouts<2>{}, [&]<class Layout>() {
    const std::string layout = Layout::info.key, name = all.empty() ? map : map + ("/" + layout);
    all.push_back({name, map, "", "", layout, map, "your map, " + text->file, "", true});
  });
  return all;
}

}  // namespace

std::vector<TrackInfo> detail::own_simplex_tracks() {
  std::vector<TrackInfo> all;
  for (const auto& map : own_names())
    for (const auto& track : tracks_of(map)) all.push_back(track);
  return all;
}

const TrackInfo& detail::own_simplex_track(const std::string& track) {
  const auto parts = parts_of_own(track);
  static std::mutex mutex;
  static std::map<std::string, TrackInfo> known;
  const std::lock_guard lock(mutex);
  std::vector<std::string> all;
  for (const TrackInfo& info : tracks_of(parts[0])) {
    if (parts.size() == 1 || (parts.size() == 2 && parts[1] == info.layout))
      return known.try_emplace(info.name, info).first->second;
    all.push_back(info.name);
    if (const std::string whole = parts[0] + "/" + info.layout; whole != info.name) all.push_back(whole);
  }
  throw UsageError("unknown track '" + track + "'; did you mean '" + nearest(track, all) + "'? (known: " + join(all) +
                   ")");
}

std::unique_ptr<Track> detail::make_own_simplex_track(Queue& queue, const SimplexSettings& settings,
                                                      const TrackInfo& info) {
  const SimplexWork& work = find_simplex_work(*settings.kind, settings.work);
  if (find_own(info.map)->form == "kernel" && settings.work != SimplexAutomaton::info.key)
    throw UsageError(fmt::format("track '{}' is a kernel, a whole step of an automaton; choose work={}", info.name,
                                 SimplexAutomaton::info.key));
  if (work.per_block && find_own(info.map)->form == "cell")
    throw UsageError(
        fmt::format("track '{}': work '{}' sums over blocks, and a map with `cell` places cells one by "
                    "one; define `place`, or choose another work",
                    info.name, work.key));
  return settings.kind->dimensions == 2 ? make_track<2>(queue, settings, info) : make_track<3>(queue, settings, info);
}

template <int Dimensions>
std::unique_ptr<PlacedMap<Dimensions>> detail::under_own_rule(Queue& queue, const SimplexSettings& settings,
                                                              const TrackInfo& info,
                                                              std::unique_ptr<PlacedMap<Dimensions>> map) {
  return std::make_unique<RuledPlacedMap<Dimensions>>(queue, settings, info, std::move(map));
}
template std::unique_ptr<PlacedMap<2>> detail::under_own_rule(Queue&, const SimplexSettings&, const TrackInfo&,
                                                              std::unique_ptr<PlacedMap<2>>);
template std::unique_ptr<PlacedMap<3>> detail::under_own_rule(Queue&, const SimplexSettings&, const TrackInfo&,
                                                              std::unique_ptr<PlacedMap<3>>);

double detail::own_simplex_bytes(const SimplexSettings& settings) {
  const double cells = simplex_number_real(settings.kind->dimensions, settings.n);
  return (cells <= 0x1p24 ? 8 * cells : 0) + cells / 4;
}

}  // namespace warploom
