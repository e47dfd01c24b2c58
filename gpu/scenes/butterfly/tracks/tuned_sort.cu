// Sorts of rows whose digits were placed when the program was compiled.
// nvcc: by itself
#include "gpu/core/buffer.h"
#include "gpu/scenes/butterfly/rules/long_sort.h"
#include "gpu/scenes/butterfly/tracks/long_transform.h"
#include "gpu/scenes/butterfly/tuned/sort_block.h"

namespace warploom {

/// In a source of its own, which compiles as long as all others together.
void launch_sort_trace(Queue& queue, const LaunchShape& shape, const std::uint32_t* in, std::uint32_t* out, int n,
                       std::uint64_t rows, const StageTrace<std::uint32_t>& trace);

namespace {

/// Rows that fit a block, or tiles of longer ones.
class TunedSorts : public Transform {
 public:
  TunedSorts(const Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant)
      : Transform(settings),
        variant_(variant),
        network_(network_of<Bitonic>(variant.mapping.n)),
        places_(SortForm::plan_of(std::min(variant.mapping.n, variant.mapping.s), variant.mapping.s - SortForm::p)) {
    with_program(keys(nullptr, nullptr, 0),
                 [&](const auto& program) { check_shared_memory(queue, variant, program.dynamic_shared_bytes()); });
  }

  std::optional<KernelResources> resources(const Queue& queue) const override {
    std::optional<KernelResources> found;
    with_program(keys(nullptr, nullptr, 0),
                 [&](const auto& program) { found = resources_of(queue, program, volume(shape().threads)); });
    return found;
  }
  NetworkReport report() const override {
    const Plan& plan = places_.plan();
    NetworkReport report = begun_report(network_, variant_.mapping, blocks_of(variant_.mapping, batch_));
    report.tuned = std::make_shared<const Plan>(plan);
    report.word_bytes = sizeof(std::uint32_t);
    report.exchanges = static_cast<std::uint64_t>(plan.exchanges());
    with_program(keys(nullptr, nullptr, 0),
                 [&](const auto& program) { report.shared_bytes = program.dynamic_shared_bytes(); });
    return report;
  }

 protected:
  /// The keys of a launch.
  struct Keys {
    const std::uint32_t* in;
    std::uint32_t* out;
    std::uint64_t count;
    int falls_by = -1;
    bool only_merges = false;
  };
  Keys keys(const void* in, void* out, std::uint64_t rows) const {
    return {static_cast<const std::uint32_t*>(in), static_cast<std::uint32_t*>(out), rows << settings_.n};
  }
  /// body(program): the kernel for the threads of a block.
  template <class Body>
  void with_program(const Keys& of, Body&& body) const {
    const int threads = variant_.mapping.s - SortForm::p, n = places_.plan().n;
    if (threads == 7) body(TunedSort<7>{of.in, of.out, n, of.count, of.falls_by, of.only_merges, {}});
    if (threads == 8) body(TunedSort<8>{of.in, of.out, n, of.count, of.falls_by, of.only_merges, {}});
    if (threads == 9) body(TunedSort<9>{of.in, of.out, n, of.count, of.falls_by, of.only_merges, {}});
  }

  ButterflyVariant variant_;
  Bitonic network_;
  PlanPlaces places_;
};

class TunedSortTransform final : public TunedSorts {
 public:
  using TunedSorts::TunedSorts;

  void run(Queue& queue, const void* in, void* out, std::uint64_t*) override {
    with_program(keys(in, out, batch_),
                 [&](const auto& program) { launch(kernel_, queue, shape(), program, bytes_moved_); });
  }
  LaunchShape shape() const override { return block_shape(variant_.mapping, batch_); }
  NetworkReport report() const override {
    NetworkReport report = TunedSorts::report();
    if (!tells_stages()) return report;
    tell_stages(report, network_, places_, accesses());
    return report;
  }
  std::vector<NetworkEdge> edges() const override {
    if (!tells_stages()) return {};
    return edges_of(network_, places_, Exchange::tuned);
  }
  std::vector<SharedAccess> accesses() const override {
    if (!tells_stages()) return {};
    return planned_accesses(places_, sizeof(std::uint32_t));
  }
  std::vector<std::int32_t> locations() const override {
    if (!tells_stages()) return {};
    return locations_of(places_, network_.stages(), accesses());
  }
  TransformTrace trace(Queue& queue, const void* in, const Wanted& wanted, std::uint64_t*) override {
    constexpr int l = SortForm::threads(0);
    constexpr std::uint32_t items = 1u << SortForm::p;
    Buffer<std::uint32_t> out(queue.backend(), wanted.rows << settings_.n);
    // Rows leave by an exchange behind the last stage.
    const TracedStages<std::uint32_t> told(queue, network_, wanted.problems, {items, items}, 1u << l, wanted.accesses,
                                           1);
    launch_sort_trace(queue, block_shape(variant_.mapping, wanted.rows), static_cast<const std::uint32_t*>(in),
                      out.data(), settings_.n, wanted.rows, told.view());
    return told.read(queue);
  }

 private:
  /// Of blocks that are traced: longer rows have more threads.
  bool tells_stages() const { return variant_.mapping.s == SortForm::p + SortForm::threads(0); }
};

/// Tiles, then merges whose digits above a tile go by registers: four columns and up to four digits a launch.
class LongTunedSort final : public TunedSorts {
 public:
  using TunedSorts::TunedSorts;

  void run(Queue& queue, const void* in, void* out, std::uint64_t*) override {
    TimedSpan span(queue, kernel_, launches_of_rows() * bytes_moved_);
    // So many rows at a time that their keys stay in a device's second cache from launch to launch.
    for (std::uint64_t row = 0; row < batch_; row += rows_at_once()) {
      const std::uint64_t rows = std::min(rows_at_once(), batch_ - row), first = row << settings_.n;
      auto* const keys = static_cast<std::uint32_t*>(out) + first;
      sort_rows(queue, static_cast<const std::uint32_t*>(in) + first, keys, rows);
    }
    span.finish();
  }
  /// Of all rows, however many go at once.
  LaunchShape shape() const override { return shape_of(batch_ << settings_.n); }
  NetworkReport report() const override {
    NetworkReport report = TunedSorts::report();
    report.launches = launches_of_rows() * ((batch_ + rows_at_once() - 1) / rows_at_once());
    // Of merges alone: keys come and leave by one exchange each, and go through the windows of the last merge.
    std::uint64_t of_merge = 2;
    const Plan& plan = places_.plan();
    for (int i = 2; i + 1 < plan.steps; ++i) of_merge += SortStages::step(plan.step[i].first).k == plan.n;
    report.exchanges += of_merge * static_cast<std::uint64_t>(settings_.n - plan.n);
    return report;
  }

 private:
  static constexpr int most_digits = 4;
  LaunchShape shape_of(std::uint64_t keys) const {
    return tiles_shape(keys >> variant_.mapping.s, variant_.mapping.s - variant_.mapping.p);
  }
  std::uint64_t rows_at_once() const {
    constexpr int kept = 23;  // log2 of keys: 32 MiB
    return settings_.n < kept ? std::uint64_t{1} << (kept - settings_.n) : 1;
  }
  std::uint64_t launches_of_rows() const { return sort_launches(settings_.n, variant_.mapping.s, most_digits); }
  void sort_rows(Queue& queue, const std::uint32_t* in, std::uint32_t* keys, std::uint64_t rows) {
    const int n = settings_.n, s = variant_.mapping.s;
    const std::uint64_t count = rows << n;
    const auto tiles = [&](const std::uint32_t* from, int falls_by, bool only_merges) {
      with_program({from, keys, count, falls_by, only_merges},
                   [&](const auto& program) { launch(kernel_, queue, shape_of(count), program); });
    };
    tiles(in, 0, false);
    for (int k = s + 1; k <= n; ++k) {
      for (int high = k; high > s;) {
        const int digits = std::min(most_digits, high - s);
        high -= digits;
        by_digits<1>(queue, keys, count, k, high + 1, digits);
      }
      tiles(keys, k < n ? k - s : -1, true);
    }
  }
  template <int digits>
  void by_digits(Queue& queue, std::uint32_t* keys, std::uint64_t count, int k, int low, int wanted) {
    if (digits == wanted) {
      constexpr unsigned columns = 4;
      const std::uint64_t threads = (count >> digits) / columns;
      launch(kernel_, queue, row_shape(threads), MergeDigits<digits, columns>{keys, threads, settings_.n, k, low});
    } else if constexpr (digits < most_digits) {
      by_digits<digits + 1>(queue, keys, count, k, low, wanted);
    }
  }
};

}  // namespace

std::unique_ptr<Transform> make_tuned_sort(Queue& queue, const ButterflySettings& settings,
                                           const ButterflyVariant& variant) {
  if (variant.mapping.n > variant.mapping.s) return std::make_unique<LongTunedSort>(queue, settings, variant);
  return std::make_unique<TunedSortTransform>(queue, settings, variant);
}

}  // namespace warploom
