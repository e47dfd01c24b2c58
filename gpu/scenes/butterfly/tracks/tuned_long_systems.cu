// Systems that are longer than a block by tuned programs: tiles, the system of their ends, and the tiles once more.
#include "gpu/core/scoped_member.h"
#include "gpu/scenes/butterfly/tracks/flagged_systems.h"
#include "gpu/scenes/butterfly/tracks/long_transform.h"
#include "gpu/scenes/butterfly/tuned/system_ring.h"

namespace warploom {

namespace {

class LongTunedSystems final : public Transform {
  using Form = TunedForm<WangMou>;

 public:
  LongTunedSystems(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant)
      : Transform(settings),
        variant_(variant),
        of_row_(settings.n - Form::tile),
        ends_(queue.backend(), 2 * tiles()),
        unknowns_(queue.backend(), 2 * tiles()),
        flagged_(queue, settings, variant) {
    if (queue.backend() == Backend::cpu || of_row_ > TunedSystemRing::most_of_row) return;
    const auto ring = ring_of(nullptr, nullptr);
    // So far behind that the ends are solved when a tile is read again, and that it is still in the second cache.
    const std::uint32_t resident = resident_blocks(queue, ring, TunedSystemRing::exact_threads);
    lag_ = std::max(resident * 4 / 5, 1u << of_row_);
    told_ = Buffer<std::uint64_t>(queue.backend(), RingBoard::words(batch_));
  }

  void run(Queue& queue, const void* in, void* out, std::uint64_t* singular) override {
    flagged_.clear(queue);
    const auto* rows = static_cast<const SystemRow*>(in);
    auto* unknowns = static_cast<float*>(out);
    // Each tile is read twice.
    TimedSpan span(queue, kernel_, bytes_moved_ + (sizeof(SystemRow) * batch_ << settings_.n));
    if (is_ring()) {
      told_.zero(queue);
      if constexpr (compiled_for_devices) {
        const auto ring = ring_of(rows, unknowns);
        launch(kernel_, queue, {row_of_blocks(ring.tickets()), {TunedSystemRing::exact_threads, 1, 1}}, ring);
      }
    } else {
      UnitSystems pass = tiles_of(rows, unknowns);
      pass.ends = ends_.data();
      launch(kernel_, queue, shape(), Tiles{{pass, {}}});
      solve_ends(queue);
      pass = tiles_of(rows, unknowns);
      pass.known = unknowns_.data();
      launch(kernel_, queue, shape(), Tiles{{pass, {}}});
    }
    span.finish();
    flagged_.solve(queue, rows, unknowns, singular);
  }
  std::optional<KernelResources> resources(const Queue& queue) const override {
    if (is_ring()) return resources_of(queue, ring_of(nullptr, nullptr), TunedSystemRing::exact_threads);
    return resources_of(queue, Tiles{{tiles_of(nullptr, nullptr), {}}}, volume(shape().threads));
  }
  LaunchShape shape() const override { return tiles_shape(tiles(), Tiles::log_threads); }
  std::uint64_t bytes() const override { return ends_.bytes() + unknowns_.bytes() + told_.bytes() + flagged_.bytes(); }

  NetworkReport report() const override {
    const auto tile = network_of<WangMouByEnds>(Form::tile), ends = network_of<WangMouByEnds>(of_row_ + 1);
    NetworkReport report = begun_report(network_of<WangMou>(settings_.n), variant_.mapping, tiles());
    Plan plan = SystemForm::plan_of(Form::tile, 0, Tiles::log_threads, tile.stages());
    plan.seams = Form::tile - SystemForm::digits_of_warp + 1;
    plan.first_seam = SystemForm::digits_of_warp + 1;
    report.tuned = std::make_shared<const Plan>(plan);
    report.launches = is_ring() ? 1 : 3;
    if (is_ring()) report.ring = {(sizeof(SystemRow) * lag_) << Form::tile, lag_};
    // Tiles twice, the first time without what leads back, and the ends without their lowest digit.
    const std::uint64_t back = (std::uint64_t{1} << Form::tile) / 4 * 3, lowest = std::uint64_t{1} << ends.n;
    report.stages = 2 * tile.stages() - 1 + ends.stages() - 1;
    report.operators = ((2 * tile.nodes() - back) << of_row_) + ends.nodes() - lowest;
    report.word_bytes = sizeof(float);
    // Rows come twice and leave once, ends of tiles come and leave; and between their warps there are seams, those of
    // the first pass without what leads back.
    const int of_ends = ends.n > SystemForm::digits_of_warp ? ends.n - SystemForm::digits_of_warp + 1 : 0;
    const int exchanges = 5 + 2 * plan.seams - 1 + of_ends;
    report.exchanges = static_cast<std::uint64_t>(exchanges);
    report.shared_bytes = Tiles{{{nullptr, nullptr, {}, Form::tile, 1}, {}}}.dynamic_shared_bytes();
    return report;
  }

 private:
  using Tiles = TunedWangMou<0, Form::threads(Form::tile), true>;
  /// Of the longest rows.
  using Ends = TunedWangMou<0, Form::threads(Form::tile) + 1, true>;
  static_assert(Form::most - Form::tile + 1 <= Ends::tile);

  std::uint64_t tiles() const { return batch_ << of_row_; }
  bool is_ring() const { return lag_ > 0; }
  UnitSystems tiles_of(const SystemRow* rows, float* unknowns) const {
    UnitSystems of_tiles{rows, unknowns, flagged_.flags(), Form::tile, tiles()};
    of_tiles.of_row = of_row_;
    return of_tiles;
  }
  OnDevices<TunedSystemRing> ring_of(const SystemRow* rows, float* unknowns) const {
    return {{tiles_of(rows, unknowns), ends_.data(), unknowns_.data(), RingBoard::in(told_.data(), batch_), lag_}};
  }
  /// Two rows a tile.
  void solve_ends(Queue& queue) {
    UnitSystems ends{ends_.data(), unknowns_.data(), flagged_.flags(), of_row_ + 1, batch_};
    ends.paired = true;
    const auto by = [&](const auto& program) {
      const std::uint64_t of_block = std::uint64_t{1} << (program.tile - ends.n);
      launch(kernel_, queue, tiles_shape((batch_ + of_block - 1) / of_block, program.log_threads), program);
    };
    if (ends.n <= Tiles::tile)
      by(Tiles{{ends, {}}});
    else
      by(Ends{{ends, {}}});
  }

  ButterflyVariant variant_;
  int of_row_;             ///< log2 of the tiles of a system
  std::uint32_t lag_ = 0;  ///< of a ring: tiles; 0: three launches
  Buffer<std::uint64_t> told_;
  Buffer<SystemRow> ends_;
  Buffer<float> unknowns_;
  FlaggedSystems flagged_;
};

}  // namespace

std::unique_ptr<Transform> make_tuned_long_systems(Queue& queue, const ButterflySettings& settings,
                                                   const ButterflyVariant& variant) {
  return std::make_unique<LongTunedSystems>(queue, settings, variant);
}

}  // namespace warploom
