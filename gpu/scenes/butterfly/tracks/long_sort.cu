// Sorts of rows that are longer than a block: tiles, then merges whose digits above a tile go by registers.
#include "gpu/scenes/butterfly/networks/bitonic.h"
#include "gpu/scenes/butterfly/tracks/bitonic_merges.h"
#include "gpu/scenes/butterfly/tracks/long_transform.h"

namespace warploom {

BitonicMerges::BitonicMerges(const NetworkMapping& tile, bool shuffles)
    : digits_(tile.n), tiles_(rule(tile, nullptr, -1), tile, shuffles) {}

BitonicMerges::Merge BitonicMerges::rule(const NetworkMapping& tile, std::uint32_t* keys, int descending) {
  Merge rule{};
  rule.network = network_of<BitonicMerge>(tile.n);
  rule.in = rule.out = keys;
  rule.descending = descending;
  return rule;
}

void BitonicMerges::launch(const char* kernel, Queue& queue, std::uint32_t* keys, std::uint64_t batch, int n,
                           int k) const {
  const std::uint64_t all = batch << n;
  for (int high = k; high > digits_;) {
    const int digits = std::min(most_digits, high - digits_);
    high -= digits;
    const auto by = [&](auto count) {
      constexpr int of = decltype(count)::value;
      if (of == digits)
        warploom::launch(kernel, queue, row_shape(all >> of), MergeDigits<of>{keys, all >> of, n, k, high + 1});
    };
    by(std::integral_constant<int, 1>{});
    by(std::integral_constant<int, 2>{});
    by(std::integral_constant<int, 3>{});
    by(std::integral_constant<int, 4>{});
  }
  tiles_.launch(kernel, queue, rule(tiles_.mapping(), keys, k < n ? k - digits_ : -1), all >> digits_);
}

std::uint64_t BitonicMerges::launches(int k) const {
  return 1 + static_cast<std::uint64_t>((k - digits_ + most_digits - 1) / most_digits);
}

namespace {

class LongBitonic final : public LongTransform {
 public:
  LongBitonic(const ButterflySettings& settings, const ButterflyVariant& variant)
      : LongTransform(settings, variant),
        sort_(sort_rule(nullptr, nullptr), tile(), variant.exchange == Exchange::shuffle),
        merges_(tile(), variant.exchange == Exchange::shuffle) {}

  void run(Queue& queue, const void* in, void* out, std::uint64_t*) override {
    const int n = variant_.mapping.n;
    auto* keys = static_cast<std::uint32_t*>(out);
    // Every launch reads all keys, and writes them.
    TimedSpan span(queue, kernel_, launches() * bytes_moved_);
    sort_.launch(kernel_, queue, sort_rule(static_cast<const std::uint32_t*>(in), keys), tiles());
    for (int k = tile().n + 1; k <= n; ++k) merges_.launch(kernel_, queue, keys, batch_, n, k);
    span.finish();
  }
  std::optional<KernelResources> resources(const Queue& queue) const override {
    return sort_.resources(queue, sort_rule(nullptr, nullptr), tiles());
  }
  NetworkReport report() const override {
    const auto whole = network_of<Bitonic>(variant_.mapping.n);
    NetworkReport report = begun_report(whole, variant_.mapping, tiles());
    report.launches = launches();
    report.word_bytes = sizeof(std::uint32_t);
    report.exchanges = sort_.exchanges() + merges_.exchanges() * static_cast<std::uint64_t>(whole.n - tile().n);
    report.shared_bytes = sort_.shared_bytes();
    return report;
  }

 private:
  using Sort = TileSortRule<Bitonic>;

  Sort sort_rule(const std::uint32_t* in, std::uint32_t* out) const {
    Sort rule{};
    rule.network = network_of<Bitonic>(tile().n);
    rule.in = in;
    rule.out = out;
    rule.descending = 0;
    return rule;
  }
  std::uint64_t launches() const {
    std::uint64_t all = 1;
    for (int k = tile().n + 1; k <= variant_.mapping.n; ++k) all += merges_.launches(k);
    return all;
  }

  InPlaceBlocks<Sort> sort_;
  BitonicMerges merges_;
};

}  // namespace

std::unique_ptr<Transform> make_long_sort(Queue&, const ButterflySettings& settings, const ButterflyVariant& variant) {
  // Comparators of the odd-even merge go across tiles at all distances.
  if (variant.variant != Bitonic::info.key) return nullptr;
  return std::make_unique<LongBitonic>(settings, variant);
}

}  // namespace warploom
