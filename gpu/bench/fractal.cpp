#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "gpu/bench/fractal_case.h"
#include "gpu/core/error.h"
#include "gpu/core/words.h"
#include "gpu/files/masks.h"
#include "gpu/works/fractal/list.h"

namespace warploom::bench {

namespace {

/// What the papers measured, to stand beside ours.
std::string published(const FractalCase& c) {
  if (c.settings.mask.key != "sierpinski_gasket") return {};
  if (c.settings.work == "single_write" && c.settings.level == 16)
    return "published, TITAN V: bounding box 108.5 / 27.1 / 9.06 ms at block 8 / 16 / 32, lambda 2.59 / 1.07 / 1.47 "
           "ms, best "
           "against best 8.5x [navarro2020fractals]";
  if (c.settings.work == "life" && c.settings.level == 15)
    return "published, TITAN V, block 16: bounding box 6.80 ms, lambda 1.76, compact 1.99, compact with tensor cores "
           "1.49 "
           "[quezada2022squeeze]";
  return {};
}

/// Fractals by their keys, "a,b", or all of them. Throws UsageError with the nearest key.
std::vector<Mask> masks_named(const Settings& settings, const std::string& wish) {
  std::vector<Mask> known = read_masks_within(settings.data);
  if (wish == "all") return known;
  std::vector<Mask> chosen;
  std::vector<std::string> keys{"all"};
  for (const auto& mask : known) keys.push_back(mask.key);
  for (std::size_t from = 0; from <= wish.size();) {
    const std::size_t end = std::min(wish.find(',', from), wish.size());
    const std::string key = wish.substr(from, end - from);
    const auto mask = std::find_if(known.begin(), known.end(), [&](const Mask& m) { return m.key == key; });
    if (mask == known.end()) throw UsageError(unknown_message("fractal", key, keys));
    chosen.push_back(*mask);
    from = end + 1;
  }
  return chosen;
}

std::vector<Mask> masks_of(const Settings& settings) {
  const auto* given = settings.given("fractal");
  return masks_named(settings, given ? *given : "sierpinski_gasket,sierpinski_carpet");
}

/// The largest level, from its text.
int level_of(const std::string& text) {
  constexpr int most = 20;
  int level = -1;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), level);
  if (failed != std::errc() || end != text.data() + text.size() || level < 0 || level > most)
    throw UsageError("level '" + text + "': expected a whole number from 0 to " + std::to_string(most));
  return level;
}

/// Levels from a side about 2^8 to the largest of the backend, or to the level asked for.
std::pair<int, int> level_range(const Bench& bench, const Mask& mask) {
  const double per_level = std::log2(double{static_cast<double>(mask.side_x())});
  int high = static_cast<int>((bench.backend() == Backend::cuda ? 16 : 11) / per_level);
  if (const auto* level = bench.settings().given("level")) high = level_of(*level);
  return {std::min(high, static_cast<int>(std::lround(8 / per_level))), high};
}

class FractalSuite {
 public:
  explicit FractalSuite(Bench& bench) : bench_(bench), masks_(masks_of(bench.settings())) {
    for (const auto& track : fractal_tracks())
      if (track.exact && track.name != baseline)
        tracks_.push_back(track.name);  // what is meant to be wrong has no time
  }

  std::vector<Figure> run() {
    double points = 0, done = 0;
    for (const auto& mask : masks_)
      points += (level_range(bench_, mask).second - level_range(bench_, mask).first + 1.) * fractal_works().size();
    for (const auto& mask : masks_) {
      const auto [low, high] = level_range(bench_, mask);
      for (int level = low; level <= high; ++level)
        for_each_type(FractalWorks{}, [&]<class Work>() {
          FractalCase c;
          c.settings.mask = mask;
          c.settings.level = level;
          c.settings.work = Work::info.key;
          c.seed = bench_.fresh_seed();
          c.bytes_per_cell = Work::info.bytes_per_cell;
          c.folds = !Work::info.writes_state;
          share_ = 1 / points;
          start_ = done++ / points;
          bench_.part("fractal/" + c.text(), figures_, [&] { point(c); });
        });
    }
    return std::move(figures_);
  }

 private:
  /// All tracks at one point of a curve.
  void point(FractalCase& c) {
    bench_.report(c.text(), start_);
    try {
      FractalSettings largest = c.settings;
      largest.block_digits = std::min(1, c.settings.level);
      check_fractal_memory(bench_.backend(), largest, {baseline, tracks_.back()});
      c.expected = expect(bench_, c, tracks_.back());
      const BestBlock base = find_best_block(bench_, c, baseline);
      const std::size_t at_once = tracks_at_once(c);
      for (std::size_t first = 0; first < tracks_.size(); first += at_once)
        round(c, base, first, std::min(tracks_.size(), first + at_once));
    } catch (const UsageError& error) {
      Figure figure = named(c, baseline);
      figure.unit = "ms";
      figure.verified = true;
      figure.note = std::string("skipped: ") + error.what();
      figures_.push_back(figure);
    }
  }

  /// As many tracks beside the bounding box as memory holds with room to spare, so that it need not run for each anew.
  std::size_t tracks_at_once(const FractalCase& c) const {
    const double track = 2 * c.side_x() * c.side_y(), room = .7 * static_cast<double>(free_bytes(bench_.backend()));
    return static_cast<std::size_t>(std::clamp(room / track - 1, 1., static_cast<double>(tracks_.size())));
  }

  /// The bounding box and tracks first..end - 1, each at its best block, in turn.
  void round(const FractalCase& c, const BestBlock& base, std::size_t first, std::size_t end) {
    std::vector<BestBlock> best{base};
    for (std::size_t i = first; i < end; ++i) {
      bench_.report(c.text() + " " + tracks_[i],
                    start_ + share_ * static_cast<double>(i) / static_cast<double>(tracks_.size()));
      best.push_back(find_best_block(bench_, c, tracks_[i]));
    }
    std::vector<Contestant> all{fractal_contestant(bench_, c, baseline, base.digits)};
    for (std::size_t i = first; i < end; ++i)
      all.push_back(fractal_contestant(bench_, c, tracks_[i], best[i - first + 1].digits));
    for (const Cache cache : {Cache::warm, Cache::cold}) {
      if (cache == Cache::cold && !fits_cache(c)) continue;
      const auto samples = measure(bench_, all, cache);
      if (first == 0) add(c, baseline, base, samples[0], nullptr, cache);
      for (std::size_t i = 1; i < all.size(); ++i) add(c, all[i].name, best[i], samples[i], &samples[0], cache);
    }
  }

  /// Some of the states could still be in the cache from the run before.
  bool fits_cache(const FractalCase& c) const {
    return 2 * c.side_x() * c.side_y() < 4. * static_cast<double>(bench_.cache_bytes());
  }

  void add(const FractalCase& c, const std::string& track, const BestBlock& best, const Samples& samples,
           const Samples* base, Cache cache) {
    Figure figure = named(c, track);
    const char* cached = bench_.backend() == Backend::cpu ? "as found"
                         : cache == Cache::cold           ? "cold"
                         : fits_cache(c)                  ? "warm"
                                                          : "streamed";
    figure.parameters.insert(figure.parameters.end(),
                             {{"block", std::to_string(block_side(c.settings.mask, best.digits))},
                              {"cache", cached},
                              {"verified_by", c.expected.source}});
    figure.note = best.note;
    set_times(figure, samples);
    if (base) set_peer(figure, baseline, samples, *base);
    set_share(bench_, figure, "copy", static_cast<double>(c.bytes_per_cell) * c.cells());
    if (const std::string papers = published(c); !papers.empty()) figure.note += "; " + papers;
    figures_.push_back(std::move(figure));
  }

  static Figure named(const FractalCase& c, const std::string& track) {
    Figure figure;
    figure.suite = "fractal";
    figure.name = c.text() + "/" + track;
    figure.parameters = {{"fractal", c.settings.mask.key}, {"level", std::to_string(c.settings.level)},
                         {"n", count_text(c.side_x())},    {"cells", count_text(c.cells())},
                         {"work", c.settings.work},        {"track", track},
                         {"rule", text(c.settings.rule)},  {"density", fmt::format("{}", c.density)},
                         {"seed", std::to_string(c.seed)}};
    return figure;
  }

  Bench& bench_;
  std::vector<Mask> masks_;
  std::vector<std::string> tracks_;  ///< but for the bounding box
  std::vector<Figure> figures_;
  double start_ = 0, share_ = 1;
};

}  // namespace

/// Every track on fractals: whole curves against the bounding box.
Suite fractal_suite() {
  return {"fractal",
          "every track on fractals over a curve of sizes, against the bounding box",
          [](Bench& bench) { return FractalSuite(bench).run(); },
          {{"level", [](const Settings&, const std::string& text) { (void)level_of(text); }},
           {"fractal", [](const Settings& settings, const std::string& text) { (void)masks_named(settings, text); }}}};
}

}  // namespace warploom::bench
