// Sorts of rows that are longer than a block: tiles, then merges whose digits above a tile go by registers.
#include "gpu/scenes/butterfly/rules/long_sort.h"

#include "gpu/scenes/butterfly/networks/bitonic.h"
#include "gpu/scenes/butterfly/networks/bitonic_merge.h"
#include "gpu/scenes/butterfly/tracks/long_transform.h"

namespace warploom {

namespace {

class LongBitonic final : public LongTransform {
 public:
  LongBitonic(const ButterflySettings& settings, const ButterflyVariant& variant)
      : LongTransform(settings, variant),
        sort_(sort_rule(nullptr, nullptr), tile(), variant.exchange == Exchange::shuffle),
        merge_(merge_rule(nullptr, -1), tile(), variant.exchange == Exchange::shuffle) {}

  void run(Queue& queue, const void* in, void* out, std::uint64_t*) override {
    const int n = variant_.mapping.n, s = variant_.mapping.s;
    auto* keys = static_cast<std::uint32_t*>(out);
    // Every launch reads all keys, and writes them.
    TimedSpan span(queue, kernel_, launches() * bytes_moved_);
    sort_.launch(kernel_, queue, sort_rule(static_cast<const std::uint32_t*>(in), keys), tiles());
    for (int k = s + 1; k <= n; ++k) {
      for (int high = k; high > s;) {
        const int digits = std::min(most_digits, high - s);
        high -= digits;
        merge(queue, keys, k, high + 1, digits);
      }
      merge_.launch(kernel_, queue, merge_rule(keys, k < n ? k - s : -1), tiles());
    }
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
    report.exchanges = sort_.exchanges() + merge_.exchanges() * static_cast<std::uint64_t>(whole.n - tile().n);
    report.shared_bytes = sort_.shared_bytes();
    return report;
  }

 private:
  static constexpr int most_digits = 4;
  using Sort = TileSortRule<Bitonic>;
  using Merge = TileSortRule<BitonicMerge>;

  template <class Rule>
  Rule rule_of(const std::uint32_t* in, std::uint32_t* out, int descending) const {
    Rule rule{};
    rule.network = network_of<typename Rule::Network>(tile().n);
    rule.in = in;
    rule.out = out;
    rule.descending = descending;
    return rule;
  }
  Sort sort_rule(const std::uint32_t* in, std::uint32_t* out) const { return rule_of<Sort>(in, out, 0); }
  Merge merge_rule(std::uint32_t* keys, int descending) const { return rule_of<Merge>(keys, keys, descending); }
  std::uint64_t launches() const { return sort_launches(variant_.mapping.n, variant_.mapping.s, most_digits); }
  void merge(Queue& queue, std::uint32_t* keys, int k, int low, int digits) {
    const std::uint64_t all = batch_ << variant_.mapping.n;
    const auto by = [&](auto count) {
      constexpr int of = decltype(count)::value;
      if (of == digits)
        launch(kernel_, queue, row_shape(all >> of), MergeDigits<of>{keys, all >> of, variant_.mapping.n, k, low});
    };
    by(std::integral_constant<int, 1>{});
    by(std::integral_constant<int, 2>{});
    by(std::integral_constant<int, 3>{});
    by(std::integral_constant<int, 4>{});
  }

  InPlaceBlocks<Sort> sort_;
  InPlaceBlocks<Merge> merge_;
};

}  // namespace

std::unique_ptr<Transform> make_long_sort(Queue&, const ButterflySettings& settings, const ButterflyVariant& variant) {
  // Comparators of the odd-even merge go across tiles at all distances.
  if (variant.variant != Bitonic::info.key) return nullptr;
  return std::make_unique<LongBitonic>(settings, variant);
}

}  // namespace warploom
