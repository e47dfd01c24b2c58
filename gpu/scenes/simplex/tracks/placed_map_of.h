#pragma once
#include <array>
#include <memory>
#include <mutex>

#include "gpu/core/launch.h"
#include "gpu/core/shared_pages.h"
#include "gpu/own/registry.h"
#include "gpu/own/type_name.h"
#include "gpu/scenes/simplex/own/own_map.h"
#include "gpu/scenes/simplex/own/sources.h"
#include "gpu/scenes/simplex/tracks/simplex_track.h"
#include "gpu/scenes/simplex/works/compiled.h"
#include "gpu/scenes/simplex/works/list.h"
#include "gpu/scenes/simplex/works/program.h"

// For sources of maps: their kernels.
namespace warploom {

template <class Map>
class PlacedMapOf final : public PlacedMap<Map::dimensions> {
  static constexpr int dimensions = Map::dimensions;
  using Domain = typename Map::Domain;
  using Step = PlacedStep<dimensions>;

 public:
  PlacedMapOf(Queue& queue, const Domain& domain, const CellShares& shares)
      : domain_(domain),
        table_(Map::table(domain)),
        device_table_(queue.backend(), table_.size()),
        map_(domain, device_table_.data(), shares),
        host_map_(domain, table_.data(), shares) {
    device_table_.upload(queue, table_);
  }

  bool exact() const override { return Map::info.exact; }
  int launches() const override { return host_map_.launches(); }
  LaunchShape shape(int launch) const override { return host_map_.shape(launch); }
  int turns(int launch) const override { return host_map_.turns(launch); }
  std::uint64_t launched() const override { return Map::launched(domain_); }
  const std::uint32_t* table() const override { return device_table_.data(); }
  std::uint64_t bytes() const override { return device_table_.bytes(); }

  void step(Queue& queue, const Step& with) const override {
    // Every map has it, to be timed alone.
    if (with.work == SimplexMapOnly::info.key) return run<SimplexMapOnly>(queue, with);
    for_each_type(SimplexWorks<dimensions>{}, [&]<class Work>() {
      if constexpr (!std::is_same_v<Work, SimplexMapOnly> && compiles_work<Map, Work>)
        if (Work::info.key == with.work) run<Work>(queue, with);
    });
  }
  void count(Queue& queue, const PlacedCount<dimensions>& with) const override {
    for (int i = 0; i < map_.launches(); ++i) {
      const auto number = static_cast<std::size_t>(i);
      const LaunchShape& shape = with.launches[number];
      launch("simplex.count", queue, shape,
             SimplexCount<Map>{map_, with.layouts, with.value_bytes, i, with.first_visits[number], shape.block_count(),
                               with.counters, with.tables, with.ascending});
    }
  }
  void find_astray([[maybe_unused]] Queue& queue, [[maybe_unused]] const GridLayout& board,
                   [[maybe_unused]] const SimplexTables& tables, [[maybe_unused]] std::uint64_t* wrong) const override {
    if constexpr (!Map::info.exact)
      launch("simplex.astray", queue, row_shape(domain_.block_count()), FindAstray<Map>{map_, board, tables, wrong});
  }
  FirstWrong search([[maybe_unused]] Queue& queue) const override {
    FirstWrong found;
    if constexpr (!Map::info.exact) {
      using Placing = typename Map::Placing;
      static std::mutex once;
      static std::array<std::optional<FirstWrong>, 2> known;
      const std::lock_guard lock(once);
      auto& mine = known[queue.backend() == Backend::cuda];
      if (mine) return *mine;
      constexpr std::uint64_t most = std::uint64_t{1} << 26;
      std::uint64_t chunk = 1u << 12;  // the first failure can be among the first
      const std::uint64_t none = ~std::uint64_t{0};
      Buffer<std::uint64_t> first(queue.backend(), 1);
      first.upload(queue, {&none, 1});
      while (!found.found && most > found.index) {
        launch("simplex.search", queue, row_shape(chunk), FirstWrongRoot<Placing>{found.index, chunk, first.data()});
        const std::uint64_t at = first.download(queue)[0];
        found.found = at != none;
        found.index = found.found ? at : found.index + chunk;
        chunk = std::min<std::uint64_t>(2 * chunk, 1u << 24);
      }
      found.published = Placing::RootOf::first_wrong[dimensions - 2];
      found.right = simplex_place<dimensions>(found.index);
      Buffer<Index3> answer(queue.backend(), 1);
      launch("simplex.search", queue, {{1, 1, 1}, {1, 1, 1}}, AskRoot<Placing>{found.index, answer.data()});
      found.answer = answer.download(queue)[0];
      found.blocks = 1 + (dimensions == 3 ? found.right.z : found.right.y);
      mine = found;
    }
    return found;
  }

  bool locate(int launch, Index3 at, int turn, Index3& block) const override {
    return host_map_.locate(launch, at, turn, block);
  }
  std::uint32_t items() const override { return host_map_.items(); }
  bool thread(Cell origin, Index3 at, std::uint32_t item, Cell& cell) const override {
    return host_map_.thread(origin, at, item, cell);
  }
  bool owner(Cell cell, Owner& who) const override { return host_map_.owner(cell, who); }
  Formula explain(const SimplexQuestion& question) const override { return Map::explain(question); }
  std::string type() const override { return type_name<Map>(); }
  std::vector<SourceFile> sources() const override { return detail::simplex_map_sources(type()); }
  std::optional<SourceValues> values(const Owner& who, const std::atomic<bool>&) const override {
    return detail::simplex_map_values<dimensions>(type(), domain_, host_map_.shares, table_.data(), who);
  }

 private:
  template <class Work>
  void run(Queue& queue, const Step& with) const {
    using Value = typename Work::template Value<dimensions>;
    if constexpr (std::is_same_v<Work, SimplexMapOnly> || Work::info.per_block) {
      // Needs no address of a cell: one kernel serves every layout.
      run_in<Work, LinearLayout<dimensions>, Value>(queue, LinearLayout<dimensions>(domain_), with);
    } else {
      for_each_type(SimplexLayouts<dimensions>{}, [&]<class Layout>() {
        if constexpr (compiles_layout<Map, Layout>)
          if (with.layout == Layout::info.key) run_in<Work, Layout, Value>(queue, Layout(domain_), with);
      });
    }
  }
  template <class Work, class Layout, class Value>
  void run_in(Queue& queue, const Layout& layout, const Step& with) const {
    using Storage = SimplexStorage<Layout, Value, !Map::info.exact>;
    using Program = SimplexProgram<Map, Work, Storage>;
    auto* out = reinterpret_cast<Value*>(with.to);
    const Storage read{layout, reinterpret_cast<Value*>(const_cast<std::uint8_t*>(with.from))}, written{layout, out};
    const SimplexArguments<dimensions, Storage> arguments{domain_, read, written, with.rule, with.points};
    // What an inexact map leaves out must not look like the last step's right answer.
    if (!Program::folds && !Map::info.exact) zero_bytes(queue, out, with.state_bytes);
    if (Program::folds || Program::counts_odd) with.sums.zero(queue);
    TimedSpan span(queue, with.kernel, with.cell_bytes * domain_.cells());
    for (int i = 0; i < map_.launches(); ++i)
      launch(with.kernel, queue, with.launches[static_cast<std::size_t>(i)],
             Program{map_, typename Program::At(arguments), layout, i, SumSlots{with.sums.data()}, out});
    span.finish();
  }

  Domain domain_;
  MapTable table_;
  Buffer<std::uint32_t> device_table_;
  Map map_, host_map_;
};

template <class Map>
detail::SimplexEntry detail::simplex_entry() {
  using Domain = typename Map::Domain;
  return {Map::info, Map::compiles_all,
          [](Queue& queue, const SimplexSettings& settings, const TrackInfo& info) -> std::unique_ptr<Track> {
            const ScopedSharedPages shared(names_own(settings.work));
            return std::make_unique<SimplexTrack<Map::dimensions>>(
                queue, settings, info,
                [&](Queue& on, const Domain& domain,
                    const CellShares& shares) -> std::unique_ptr<PlacedMap<Map::dimensions>> {
                  auto map = std::make_unique<PlacedMapOf<Map>>(on, domain, shares);
                  if (!names_own(settings.work)) return map;
                  return detail::under_own_rule<Map::dimensions>(on, settings, info, std::move(map));
                });
          },
          [](std::uint32_t n, std::uint32_t rho) { return Map::launched(Domain(n, rho, false)); },
          [](std::uint32_t n, std::uint32_t rho) { return Map::table_bytes(Domain(n, rho, false)); }};
}

}  // namespace warploom
