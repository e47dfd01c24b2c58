// Systems that are longer than a block: tiles, the system of their ends, and back.
// nvcc: by itself
#include "gpu/core/scoped_member.h"
#include "gpu/scenes/butterfly/tracks/long_transform.h"
#include "gpu/scenes/butterfly/tracks/wang_mou_tiles.h"

namespace warploom {

namespace {

constexpr int last_stage = 1 << 20;  // of the way back: after all others

/// As many problems of 2^n rows a block as fill it.
NetworkMapping filled(int n, const NetworkMapping& mapping) {
  const int p = std::min(n, mapping.p);
  return {n, p, std::max(n, std::min(mapping.s, p + 10))};
}

template <class Blocks>
void add(NetworkReport& report, const Blocks& blocks, std::uint64_t problems) {
  report.stages += blocks.rule().network.stages();
  report.operators += blocks.rule().network.nodes() * problems;
  report.exchanges += blocks.exchanges();
}

}  // namespace

template <class Network>
TileSystemRule<Network> WangMouTiles::rule(int digits, const SystemRow* in, const Level* level) const {
  TileSystemRule<Network> rule{};
  rule.network = network_of<Network>(digits);
  rule.in = in;
  rule.whole = std::is_same_v<Network, WangMou> ? rows_.n : 0;
  rule.begins = rows_.begins;
  rule.ends_system = rows_.ends_system;
  if (!level) return rule;
  rule.made = level->made.data();
  rule.ends = level->ends.data();
  rule.singular = level->singular.data();
  return rule;
}

WangMouTiles::WangMouTiles(Queue& queue, const Rows& rows, const NetworkMapping& mapping, bool shuffles)
    : rows_(rows),
      s_(std::min(mapping.s, rows.n)),
      left_(rows.n),
      first_(rule<WangMou>(s_), rows.n > mapping.s ? NetworkMapping{s_, mapping.p, s_} : filled(s_, mapping),
             shuffles) {
  const Backend backend = queue.backend();
  const auto descend = [&](int digits) {
    Level level{left_, digits, left_ - digits, {}, {}, {}, {}};
    const std::uint64_t tiles = rows_.batch << level.of_problem;
    level.made = Buffer<SystemRow>(backend, rows_.batch << left_);
    level.ends = Buffer<SystemRow>(backend, 2 * tiles);
    level.unknowns = Buffer<float>(backend, 2 * tiles);
    level.singular = Buffer<std::uint64_t>(backend, tiles);
    levels_.push_back(std::move(level));
    left_ = levels_.back().of_problem + 1;
  };
  descend(s_);
  while (left_ > mapping.s) {
    if (!next_) next_.emplace(rule<PairedWangMou>(s_), first_.mapping(), shuffles);
    descend(s_);
  }
  if (!rows_.is_part || left_ == 1) return;
  last_.emplace(rule<PairedWangMou>(left_), filled(left_, mapping), shuffles);
  descend(left_);
}

const SystemRow* WangMouTiles::down(const char* kernel, Queue& queue, const SystemRow* in) {
  for (const Level& level : levels_) fill_with_ones(queue, level.singular.data(), level.singular.bytes());
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const Level& level = levels_[i];
    const std::uint64_t tiles = rows_.batch << level.of_problem;
    if (i == 0)
      first_.launch(kernel, queue, rule<WangMou>(level.digits, in, &level), tiles);
    else
      (last_ && i + 1 == levels_.size() ? last_ : next_)
          ->launch(kernel, queue, rule<PairedWangMou>(level.digits, levels_[i - 1].ends.data(), &level), tiles);
  }
  return levels_.back().ends.data();
}

void WangMouTiles::up(const char* kernel, Queue& queue, float* out, const float* outside) {
  for (std::size_t i = levels_.size(); i-- > 0;) {
    const Level& level = levels_[i];
    const std::uint64_t rows = rows_.batch << level.n;
    launch(kernel, queue, row_shape(rows),
           SolveTiles{level.made.data(), level.unknowns.data(), outside, i ? levels_[i - 1].unknowns.data() : out,
                      level.singular.data(), level.digits, level.of_problem, last_stage, rows});
  }
}

void WangMouTiles::note_singular(Queue& queue, std::uint64_t* singular) const {
  int before = 0;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const Level& level = levels_[i];
    launch("butterfly.singular", queue, row_shape(level.singular.size()),
           FoldSingular{level.singular.data(), singular, level.singular.size(), level.digits, level.of_problem,
                        static_cast<int>(i), s_, before, rows_.first});
    before += level.digits - (i > 0);
  }
}

int WangMouTiles::stages() const {
  int all = 1 - levels();
  for (const Level& level : levels_) all += level.digits;
  return all;
}

void WangMouTiles::tell(NetworkReport& report) const {
  report.word_bytes = sizeof(SystemRow);
  report.shared_bytes = first_.shared_bytes();
  report.blocks = tiles();
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    const Level& level = levels_[i];
    const std::uint64_t tiles = std::uint64_t{1} << level.of_problem;
    if (i == 0)
      add(report, first_, tiles);
    else
      add(report, *(last_ && i + 1 == levels_.size() ? last_ : next_), tiles);
    ++report.stages;
    report.operators += std::uint64_t{1} << level.n;  // back
  }
}

std::optional<KernelResources> WangMouTiles::resources(const Queue& queue) const {
  return first_.resources(queue, rule<WangMou>(s_), tiles());
}

std::uint64_t WangMouTiles::bytes() const {
  std::uint64_t all = 0;
  for (const Level& level : levels_)
    all += level.made.bytes() + level.ends.bytes() + level.unknowns.bytes() + level.singular.bytes();
  return all;
}

EndsSystems::EndsSystems(Queue& queue, int n, std::uint64_t batch, const NetworkMapping& mapping, bool shuffles)
    : n_(n), batch_(batch), blocks_(rule(), filled(n, mapping), shuffles), singular_(queue.backend(), batch) {}

EndsRule EndsSystems::rule() const {
  EndsRule rule{};
  rule.network = network_of<PairedWangMou>(n_);
  return rule;
}

void EndsSystems::solve(const char* kernel, Queue& queue, const SystemRow* rows, float* unknowns) {
  fill_with_ones(queue, singular_.data(), singular_.bytes());
  EndsRule own = rule();
  own.in = rows;
  own.out = unknowns;
  own.singular = singular_.data();
  blocks_.launch(kernel, queue, own, batch_);
}

void EndsSystems::note_singular(Queue& queue, std::uint64_t* singular, int stages, int levels, int digits) const {
  launch("butterfly.singular", queue, row_shape(batch_),
         FoldSingular{singular_.data(), singular, batch_, n_, 0, levels, digits, stages, 0});
}

void EndsSystems::tell(NetworkReport& report) const { add(report, blocks_, 1); }

namespace {

class LongWangMou final : public LongTransform {
 public:
  LongWangMou(Queue& queue, const ButterflySettings& settings, const ButterflyVariant& variant)
      : LongTransform(settings, variant),
        tiles_(queue, {variant.mapping.n, settings.batch}, variant.mapping, shuffles()),
        top_(queue, tiles_.left(), settings.batch, variant.mapping, shuffles()) {}

  void run(Queue& queue, const void* in, void* out, std::uint64_t* singular) override {
    TimedSpan span(queue, kernel_, bytes_moved_ + 2 * tiles_.made_bytes());
    const SystemRow* rows = tiles_.down(kernel_, queue, static_cast<const SystemRow*>(in));
    top_.solve(kernel_, queue, rows, tiles_.unknowns());
    tiles_.up(kernel_, queue, static_cast<float*>(out), nullptr);
    span.finish();
    const ScopedUntimed aside(queue);
    tiles_.note_singular(queue, singular);
    top_.note_singular(queue, singular, tiles_.stages(), tiles_.levels(), variant_.mapping.s);
  }
  std::optional<KernelResources> resources(const Queue& queue) const override { return tiles_.resources(queue); }
  NetworkReport report() const override {
    NetworkReport report;
    report.elements = std::uint64_t{1} << variant_.mapping.n;
    report.mapping = variant_.mapping;
    report.launches = 2 * static_cast<std::uint64_t>(tiles_.levels()) + 1;
    tiles_.tell(report);
    top_.tell(report);
    return report;
  }
  std::uint64_t bytes() const override { return tiles_.bytes() + top_.bytes(); }

 private:
  bool shuffles() const { return variant_.exchange == Exchange::shuffle; }

  WangMouTiles tiles_;
  EndsSystems top_;
};

}  // namespace

std::unique_ptr<Transform> make_long_systems(Queue& queue, const ButterflySettings& settings,
                                             const ButterflyVariant& variant) {
  // The others leave no equations on what lies outside a tile.
  if (variant.variant != WangMou::info.key) return nullptr;
  return std::make_unique<LongWangMou>(queue, settings, variant);
}

}  // namespace warploom
