#pragma once
#include <algorithm>

#include "gpu/core/launch.h"
#include "gpu/scenes/fractal/tracks/entry.h"
#include "gpu/scenes/fractal/tracks/state.h"
#include "gpu/scenes/fractal/works/row_program.h"
#include "gpu/scenes/fractal/works/sliced_tables.h"

namespace warploom {

/// The launch grid of threads that have rows of tiles; turns of persistent blocks downwards.
template <class Ways>
struct RowGrid {
  Ways ways;

  WARPLOOM_HD Index3 blocks() const {
    const LaunchShape shape = ways.shape();
    return ways.turns() > 1 ? Index3{shape.blocks.x, static_cast<std::uint32_t>(ways.turns()), 1} : shape.blocks;
  }
  WARPLOOM_HD Index3 threads() const { return ways.shape().threads; }
  WARPLOOM_HD std::uint64_t visits() const { return ways.visits(); }
  WARPLOOM_HD Owner who(Index3 at) const {
    Owner found;
    found.block = ways.turns() > 1 ? Index3{at.x, 0, 0} : at;
    found.turn = ways.turns() > 1 ? static_cast<int>(at.y) : 0;
    return found;
  }
  WARPLOOM_HD std::uint64_t visit(const Owner& who) const {
    const LaunchShape shape = ways.shape();
    return static_cast<std::uint64_t>(who.turn) * volume(shape.blocks) + linear_index(who.block, shape.blocks);
  }
  WARPLOOM_HD GridBlock block(Index3 at) const {
    std::uint32_t rows = 0;
    for (std::uint32_t i = 0; i < threads().x; i += warp_size) {
      for (std::uint32_t lane = 0; lane < warp_size && useful(at, {i + lane, 0, 0}); ++lane) ++rows;
    }
    return {true, false, rows, visit(who(at))};
  }
  WARPLOOM_HD bool useful(Index3 at, Index3 thread) const {
    Owner one = who(at);
    one.thread = thread;
    Index2 first;
    return thread.x % warp_size / ways.tiles.high() * ways.tiles.high() + ways.tiles.high() <= warp_size &&
           ways.tile(one, first) && ways.row(one) < ways.tiles.high();
  }
  WARPLOOM_HD bool serves(Cell cell, Served& by) const {
    Owner who;
    if (!ways.owner(cell, who)) return false;
    by = {visit(who), who.thread.x};
    return true;
  }
};

/// A fractal track whose threads have rows of tiles, eight cells in 64 bits. `Ways`: how warps come to tiles.
template <class Ways, class Storage>
class RowTrack final : public FractalStateTrack<Storage> {
  using Base = FractalStateTrack<Storage>;
  using Base::cells_, Base::counts_, Base::count_mutex_, Base::domain_, Base::kernel_, Base::settings_, Base::sums_;

 public:
  RowTrack(Queue& queue, const FractalSettings& settings, const TrackInfo& info)
      : Base(queue, settings, info), digits_(row_digits(domain_, settings.block_digits)), rule_(settings.rule) {
    make_variants(queue);
    make_members(queue);
    this->make_stage(queue, {ways_.shape()}, cells_, ways_.turns(), ways_.visits());
    this->state_bytes_ = this->held() + device_table_.bytes() + members_.bytes() + digit_tables_.bytes();
  }

  void count(Queue&) override {
    const LaunchShape shape = ways_.shape();
    const std::uint64_t tiles = domain_.boxes(digits_);
    const std::uint64_t high = ways_.tiles.high(), in_warp = tiles_of_warp(),
                        warps_of_visit = shape.threads.x / warp_size;
    Counts counts;
    counts.items = ways_.tiles.wide();
    counts.launched = counts.launched_stated = ways_.visits() * shape.threads.x * counts.items;
    counts.useful = counts.useful_stated = cells_;
    counts.blocks = ways_.visits();
    counts.blocks_useful = (tiles + in_warp * warps_of_visit - 1) / (in_warp * warps_of_visit);
    const std::uint64_t whole = tiles / in_warp, rest = tiles % in_warp;
    (in_warp * high == warp_size ? counts.warps_full : counts.warps_partial) += whole;
    counts.warps_partial += rest != 0;
    counts.warps_idle = ways_.visits() * warps_of_visit - counts.warps_full - counts.warps_partial;
    counts.sectors = tiles * high * ((ways_.tiles.wide() + 31) / 32);
    const std::lock_guard lock(count_mutex_);
    counts_ = counts;
  }

  bool owner(Cell cell, Owner& who) const override { return host_variants_.owner(cell, who); }
  std::optional<Target> target(const Owner& who) const override {
    Index2 first;
    if (!RowGrid<Ways>{host_variants_}.useful(place(who), who.thread) || !host_variants_.tile(who, first) ||
        who.item >= host_variants_.tiles.wide())
      return std::nullopt;
    const Cell cell{first.x + who.item, first.y + host_variants_.row(who), 0};
    return Target{cell, domain_.contains(cell)};
  }
  std::optional<std::pair<Cell, Cell>> footprint(const Owner& who) const override {
    Index2 first;
    if (!host_variants_.tile(who, first)) return std::nullopt;
    return std::pair{Cell{first.x, first.y, 0},
                     Cell{first.x + host_variants_.tiles.wide(), first.y + host_variants_.tiles.high(), 1}};
  }
  Formula formula(const Owner& who) const override {
    const auto to = target(who);
    return Ways::explain({domain_, digits_, who, to ? std::optional(to->cell) : std::nullopt});
  }

  bool flies() const override { return false; }
  void paint_cells(Queue& queue, const PictureRequest& request) override {
    this->paint_by(queue, request, RowGrid<Ways>{ways_});
  }
  void paint_launches(Queue& queue, const PictureRequest& request) override {
    if (this->counts()) this->paint_board(queue, request, RowGrid<Ways>{ways_});
  }

 protected:
  void advance(Queue& queue, const std::uint8_t* from, std::uint8_t* to, std::uint64_t, bool) override {
    const RowArguments with{from, to, members_.data(), rule_};
    if (settings_.work == "life") return run<RowLife>(queue, with);
    if constexpr (!requires { Ways::only_work; }) {
      if (settings_.work == "single_write") return run<RowWrite>(queue, with);
      sums_.zero(queue);
      if (settings_.work == "reduction")
        run<RowSum>(queue, with);
      else
        run<RowPlaces>(queue, with);
    }
  }

 private:
  static constexpr bool compact = std::is_same_v<Storage, Compact>;

  void make_variants(Queue& queue) {
    if constexpr (compact) {
      const Storage state = this->writable(nullptr);
      digit_tables_ = DigitTables(queue, domain_);
      typename Ways::Tiles tiles(domain_, digits_, state.pitch);
      tiles.steps = digit_tables_.view();
      tiles.tells = state.tiles() < CompactTiles::told_nowhere;
      ways_ = Ways(tiles, state.tiles());
      host_variants_ = ways_;
    } else {
      table_ = Ways::make_table(domain_, digits_);
      device_table_ = {queue, table_};
      ways_ = Ways(domain_, digits_, device_table_.data());
      host_variants_ = Ways(domain_, digits_, table_.data());
    }
  }
  void make_members(Queue& queue) {
    const std::uint32_t wide = ways_.tiles.wide(), high = ways_.tiles.high();
    std::vector<std::uint64_t> members(std::size_t{high} * most_row_words);
    for (std::uint32_t y = 0; y < high; ++y)
      for (std::uint32_t x = 0; x < wide; ++x)
        if (domain_.member(x, y, digits_)) members[y * most_row_words + x / 8] |= std::uint64_t{1} << 8 * (x % 8);
    members_ = {queue, members};
  }
  std::uint64_t tiles_of_warp() const {
    if constexpr (compact)
      return ways_.in_warp;
    else
      return 1;
  }
  /// Where the board has a visit.
  Index3 place(const Owner& who) const {
    return ways_.turns() > 1 ? Index3{who.block.x, static_cast<std::uint32_t>(who.turn), 0} : who.block;
  }

  template <class Work>
  void run(Queue& queue, const RowArguments& with) {
    const std::uint32_t words = (ways_.tiles.wide() + 7) / 8;
    if (words == 1)
      run_in<Work, 1>(queue, with);
    else if (words == 2)
      run_in<Work, 2>(queue, with);
    else
      run_in<Work, most_row_words>(queue, with);
  }
  template <class Work, int words>
  void run_in(Queue& queue, const RowArguments& with) {
    constexpr std::uint32_t bytes = 8 * words;
    const auto& tiles = ways_.tiles;
    if (tiles.wide() == bytes && tiles.pitch % bytes == 0) return go<Work, words, RowKind::full>(queue, with);
    if constexpr (compact && words > 1)
      if (tiles.pitch == bytes) return go<Work, words, RowKind::padded>(queue, with);
    go<Work, words, RowKind::any>(queue, with);
  }
  template <class Work, int words, RowKind kind>
  void go(Queue& queue, const RowArguments& with) {
    launch(kernel_.c_str(), queue, ways_.shape(), RowProgram<Ways, Work, words, kind>{ways_, with, {sums_.data()}},
           this->stages_[0].bytes);
  }

  int digits_;
  RowRule rule_;
  MapTable table_;
  Buffer<std::uint32_t> device_table_;
  Buffer<std::uint64_t> members_;
  DigitTables digit_tables_;  ///< of compact states
  Ways ways_, host_variants_;
};

/// Its line in the list of tracks.
template <class Ways, class Storage>
detail::FractalEntry row_entry(TrackInfo info) {
  return {info,
          0,
          detail::make_track_of<RowTrack<Ways, Storage>>,
          [](const FractalDomain& domain, int block_digits) -> std::uint64_t {
            const int digits = row_digits(domain, block_digits);
            const std::uint64_t tiles = domain.boxes(digits), wide = domain.power_x[digits].divisor;
            if constexpr (std::is_same_v<Storage, Compact>) {
              return Ways(typename Ways::Tiles(domain, digits, 1), tiles).shape().thread_count() * wide;
            } else if constexpr (std::is_same_v<Ways, WalkRows>) {
              return WalkRows(domain, digits, nullptr).visits() * warp_size * wide;
            } else {
              return tiles * warp_size * wide;
            }
          },
          Storage::bytes,
          detail::refusal_of<Ways>()};
}

}  // namespace warploom
