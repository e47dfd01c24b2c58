// Systems that are longer than a block: tiles, the system of their ends, and back.
// nvcc: by itself
#include "gpu/scenes/butterfly/rules/long_systems.h"

#include <vector>

#include "gpu/core/scoped_member.h"
#include "gpu/scenes/butterfly/tracks/long_transform.h"

namespace warploom {

namespace {

class LongWangMou final : public LongTransform {
 public:
  LongWangMou(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant)
      : LongTransform(settings, variant),
        first_(tile_rule<WangMou>(), tile(), shuffles()),
        next_(tile_rule<PairedWangMou>(), tile(), shuffles()),
        top_(top_rule(rows_of_top()), mapping_of_top(), shuffles()) {
    const Backend backend = queue.backend();
    for (int n = variant.mapping.n; n > variant.mapping.s; n = rows_of_next(n)) {
      Level level{n, n - variant.mapping.s, {}, {}, {}, {}};
      const std::uint64_t tiles = batch_ << level.of_problem;
      level.made = Buffer<SystemRow>(backend, batch_ << n);
      level.ends = Buffer<SystemRow>(backend, 2 * tiles);
      level.unknowns = Buffer<float>(backend, 2 * tiles);
      level.singular = Buffer<std::uint64_t>(backend, tiles);
      levels_.push_back(std::move(level));
    }
    top_singular_ = Buffer<std::uint64_t>(backend, batch_);
  }

  void run(Queue& queue, const void* in, void* out, std::uint64_t* singular) override {
    TimedSpan span(queue, kernel_, bytes_moved_ + 2 * levels_.front().made.bytes());
    for (auto& level : levels_) fill_with_ones(queue, level.singular.data(), level.singular.bytes());
    fill_with_ones(queue, top_singular_.data(), top_singular_.bytes());
    const auto* rows = static_cast<const SystemRow*>(in);
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      const std::uint64_t tiles = batch_ << levels_[i].of_problem;
      if (i == 0)
        first_.launch(kernel_, queue, tile_rule<WangMou>(rows, &levels_[i]), tiles);
      else
        next_.launch(kernel_, queue, tile_rule<PairedWangMou>(rows, &levels_[i]), tiles);
      rows = levels_[i].ends.data();
    }
    EndsRule top = top_rule(rows_of_top());
    top.in = rows;
    top.out = levels_.back().unknowns.data();
    top.singular = top_singular_.data();
    top_.launch(kernel_, queue, top, batch_);
    for (std::size_t i = levels_.size(); i-- > 0;) {
      Level& level = levels_[i];
      float* const to = i ? levels_[i - 1].unknowns.data() : static_cast<float*>(out);
      const std::uint64_t rows_here = batch_ << level.n;
      launch(kernel_, queue, row_shape(rows_here),
             SolveTiles{level.made.data(), level.unknowns.data(), to, level.singular.data(), variant_.mapping.s,
                        level.of_problem, last_stage, rows_here});
    }
    span.finish();
    const ScopedUntimed aside(queue);
    for (std::size_t i = 0; i < levels_.size(); ++i)
      fold(queue, levels_[i].singular, levels_[i].of_problem, variant_.mapping.s, static_cast<int>(i), singular);
    fold(queue, top_singular_, 0, rows_of_top(), static_cast<int>(levels_.size()), singular);
  }
  std::optional<KernelResources> resources(const Queue& queue) const override {
    return first_.resources(queue, tile_rule<WangMou>(), tiles());
  }
  NetworkReport report() const override {
    NetworkReport report;
    report.elements = std::uint64_t{1} << variant_.mapping.n;
    report.mapping = variant_.mapping;
    report.blocks = tiles();
    report.launches = 2 * levels_.size() + 1;
    report.word_bytes = sizeof(SystemRow);
    report.shared_bytes = first_.shared_bytes();
    const auto add = [&](const auto& blocks, std::uint64_t problems) {
      report.stages += blocks.rule().network.stages();
      report.operators += blocks.rule().network.nodes() * problems;
      report.exchanges += blocks.exchanges();
    };
    for (const Level& level : levels_) {
      const std::uint64_t tiles = std::uint64_t{1} << level.of_problem;
      if (&level == &levels_.front())
        add(first_, tiles);
      else
        add(next_, tiles);
      ++report.stages;
      report.operators += std::uint64_t{1} << level.n;  // back
    }
    add(top_, 1);
    return report;
  }
  std::uint64_t bytes() const override {
    std::uint64_t all = top_singular_.bytes();
    for (const Level& level : levels_)
      all += level.made.bytes() + level.ends.bytes() + level.unknowns.bytes() + level.singular.bytes();
    return all;
  }

 private:
  /// Tiles of rows, or of the ends of the tiles before.
  struct Level {
    int n, of_problem;  ///< log2 of its rows of a problem, and of its tiles
    Buffer<SystemRow> made, ends;
    Buffer<float> unknowns;  ///< those of `ends`
    Buffer<std::uint64_t> singular;
  };
  static constexpr int last_stage = 1 << 20;  ///< of the way back: after all others

  bool shuffles() const { return variant_.exchange == Exchange::shuffle; }
  int rows_of_next(int n) const { return n - variant_.mapping.s + 1; }
  int rows_of_top() const {
    int n = variant_.mapping.n;
    while (n > variant_.mapping.s) n = rows_of_next(n);
    return std::max(2, n);  // two ends of two tiles at least
  }
  NetworkMapping mapping_of_top() const {
    const int n = rows_of_top(), p = std::min(n, variant_.mapping.p);
    // As many systems a block as fill it.
    return {n, p, std::max(n, std::min(variant_.mapping.s, p + 10))};
  }
  template <class Network>
  TileSystemRule<Network> tile_rule(const SystemRow* in = nullptr, Level* level = nullptr) const {
    TileSystemRule<Network> rule{};
    rule.network = network_of<Network>(tile().n);
    rule.in = in;
    rule.whole = std::is_same_v<Network, WangMou> ? variant_.mapping.n : 0;
    if (!level) return rule;
    rule.made = level->made.data();
    rule.ends = level->ends.data();
    rule.singular = level->singular.data();
    return rule;
  }
  EndsRule top_rule(int n) const {
    EndsRule rule{};
    rule.network = network_of<PairedWangMou>(n);
    return rule;
  }
  void fold(Queue& queue, const Buffer<std::uint64_t>& noted, int of_problem, int digits, int level,
            std::uint64_t* singular) {
    const int s = variant_.mapping.s, before = level == 0 ? 0 : s + (level - 1) * (s - 1);
    launch("butterfly.singular", queue, row_shape(noted.size()),
           FoldSingular{noted.data(), singular, noted.size(), digits, of_problem, level, s, before});
  }

  std::vector<Level> levels_;
  Buffer<std::uint64_t> top_singular_;
  InPlaceBlocks<TileSystemRule<WangMou>> first_;
  InPlaceBlocks<TileSystemRule<PairedWangMou>> next_;
  InPlaceBlocks<EndsRule> top_;
};

}  // namespace

std::unique_ptr<Transform> make_long_systems(Queue& queue, const ButterflySettings& settings,
                                             const ButterflyVariant& variant) {
  // The others leave no equations on what lies outside a tile.
  if (variant.variant != WangMou::info.key) return nullptr;
  return std::make_unique<LongWangMou>(queue, settings, variant);
}

}  // namespace warploom
