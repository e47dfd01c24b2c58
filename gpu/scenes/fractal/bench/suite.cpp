#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/scenes/fractal/bench/case.h"
#include "gpu/scenes/fractal/bench/lambdas.h"
#include "gpu/scenes/fractal/bench/sliced.h"
#include "gpu/scenes/fractal/files/masks.h"
#include "gpu/scenes/fractal/works/list.h"

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

/// Fractals by their keys or files, "a,b.toml", or all of the shipped ones. Throws UsageError with the nearest key.
std::vector<Mask> masks_named(const Settings& settings, const std::string& wish) {
  std::vector<Mask> known = read_masks_within(settings.data);
  if (wish == "all") return known;
  std::vector<Mask> chosen;
  std::vector<std::string> keys{"all"};
  for (const auto& mask : known) keys.push_back(mask.key);
  for (std::size_t from = 0; from <= wish.size();) {
    const std::size_t end = std::min(wish.find(',', from), wish.size());
    const std::string key = wish.substr(from, end - from);
    from = end + 1;
    if (key.ends_with(".toml")) {
      chosen.push_back(read_mask(key));
      continue;
    }
    const auto mask = std::find_if(known.begin(), known.end(), [&](const Mask& m) { return m.key == key; });
    if (mask == known.end()) throw UsageError(unknown_message("fractal", key, keys));
    chosen.push_back(*mask);
  }
  return chosen;
}

std::vector<Mask> masks_of(const Settings& settings) {
  const auto* given = settings.given("fractal");
  return masks_named(settings, given ? *given : "sierpinski_gasket,sierpinski_carpet");
}

/// The largest level, from its text.
int level_of(const std::string& text) {
  constexpr int most = 31;
  int level = -1;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), level);
  if (failed != std::errc() || end != text.data() + text.size() || level < 0 || level > most)
    throw UsageError("level '" + text + "': expected a whole number from 0 to " + std::to_string(most));
  return level;
}

/// Throws UsageError for a word that is none of these.
void check_word(const char* what, const std::string& word, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), word) == known.end()) throw UsageError(unknown_message(what, word, known));
}

/// Tracks by their names, "a,b". Throws UsageError with the nearest.
std::vector<std::string> tracks_named(const std::string& wish) {
  std::vector<std::string> names;
  for (const auto& word : words_of(wish)) names.push_back(find_fractal_track(word).name);
  return names;
}

/// Levels from a side about 2^8 to the largest of the backend, or to the level asked for.
std::pair<int, int> level_range(const Bench& bench, const Mask& mask) {
  const double per_level = std::log2(double{static_cast<double>(mask.side_x())});
  int high = static_cast<int>((bench.backend() == Backend::cuda ? 16 : 11) / per_level);
  if (const auto* level = bench.settings().given("level")) high = level_of(words_of(*level).back());
  return {std::min(high, static_cast<int>(std::lround(8 / per_level))), high};
}

class FractalSuite {
 public:
  explicit FractalSuite(Bench& bench) : bench_(bench), masks_(masks_of(bench.settings())) {
    const auto* given = bench.settings().given("track");
    const auto chosen = given ? tracks_named(*given) : std::vector<std::string>{};
    for (const auto& track : fractal_tracks())
      if (track.exact && track.name != baseline &&
          (!given || std::find(chosen.begin(), chosen.end(), track.name) != chosen.end()))
        tracks_.push_back(track.name);  // what is meant to be wrong has no time
  }

  std::vector<Figure> run() {
    if (wants("tracks")) curves();
    if (wants("sliced")) sliced();
    if (wants("peers")) peers();
    if (wants("lambda"))
      for (const auto& mask : masks_)
        bench_.part("fractal/" + mask.key + "/lambda", figures_, [&] {
          bench_.report("lambda alone, " + mask.key);
          const auto more = lambda_figures(bench_, mask);
          figures_.insert(figures_.end(), more.begin(), more.end());
        });
    return std::move(figures_);
  }

 private:
  bool wants(const char* figure) const {
    const auto* given = bench_.settings().given("part");
    const auto words = given ? words_of(*given) : std::vector<std::string>{"tracks"};
    return std::find(words.begin(), words.end(), figure) != words.end();
  }
  bool wants_work(const char* work) const {
    const auto* given = bench_.settings().given("work");
    const auto words = given ? words_of(*given) : std::vector<std::string>{};
    return !given || std::find(words.begin(), words.end(), work) != words.end();
  }

  /// Sliced steps beside copies of as many bytes: at the levels that were asked for, or the largest.
  void sliced() {
    for (const auto& mask : masks_) {
      const auto* given = bench_.settings().given("level");
      std::vector<int> levels;
      if (given)
        for (const auto& word : words_of(*given)) levels.push_back(level_of(word));
      else
        levels.push_back(largest_sliced_level(bench_, mask));
      for (const int level : levels)
        bench_.part(fmt::format("fractal/{}/{}/sliced", mask.key, level), figures_, [&] {
          const auto more = sliced_figures(bench_, mask, level);
          figures_.insert(figures_.end(), more.begin(), more.end());
        });
    }
  }

  /// An automaton by every storage and way at its best, in turn in one run: each against the sliced state, and lambda
  /// against the box in both forms, with a thread a cell and with whole rows.
  void peers() {
    const std::vector<std::string> all{baseline,
                                       "bounding_box_walk",
                                       "lambda_table/lookup",
                                       "lambda_table/rows",
                                       "compact",
                                       "lambda_table/lookup/compact",
                                       "sliced"};
    for (const auto& mask : masks_) {
      const int level = level_range(bench_, mask).second;
      FractalCase c = life_case(mask, level);
      bench_.part("fractal/" + c.text() + "/peers", figures_, [&] {
        std::vector<std::string> names;
        double bytes = 0;
        for (const auto& name : all) {
          const double own = fractal_track_bytes(mask, level, default_block_digits(mask, level), name);
          if (bytes + own > .7 * static_cast<double>(free_bytes(bench_.backend()))) continue;
          bytes += own;
          names.push_back(name);
        }
        c.expected = expect(bench_, c, "sliced");
        std::vector<BestBlock> best;
        std::vector<Contestant> contestants;
        for (const auto& name : names) {
          bench_.report(c.text() + " " + name);
          best.push_back(name == "sliced" ? BestBlock{default_block_digits(mask, level), 0, {}}
                                          : find_best_block(bench_, c, name));
          contestants.push_back(fractal_contestant(bench_, c, name, best.back().digits));
        }
        const auto samples = measure(bench_, contestants, Cache::warm);
        const auto at = [&](const char* name) {
          return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
        };
        for (std::size_t i = 0; i < names.size(); ++i) {
          add(c, names[i], best[i], samples[i], nullptr, Cache::warm);
          if (names[i] != "sliced") against(c, samples, "sliced", at("sliced"), names[i], i);
        }
        if (at("lambda_table/lookup") < names.size())
          against(c, samples, "lambda_table/lookup", at("lambda_table/lookup"), baseline, 0);
        if (at("lambda_table/rows") < names.size() && at("bounding_box_walk") < names.size())
          against(c, samples, "lambda_table/rows", at("lambda_table/rows"), "bounding_box_walk",
                  at("bounding_box_walk"));
      });
    }
  }
  /// How many times as quick one track is as another.
  void against(const FractalCase& c, const std::vector<Samples>& samples, const std::string& name, std::size_t i,
               const std::string& peer, std::size_t j) {
    Figure figure = named(c, name);
    figure.name += " against " + peer;
    set_times(figure, samples[i]);
    set_peer(figure, peer, samples[i], samples[j]);
    figures_.push_back(std::move(figure));
  }

  FractalCase life_case(const Mask& mask, int level) {
    FractalCase c;
    c.settings.mask = mask;
    c.settings.level = level;
    c.settings.work = Life::info.key;
    c.seed = bench_.fresh_seed();
    c.bytes_per_cell = Life::info.bytes_per_cell;
    return c;
  }

  void curves() {
    double points = 0, done = 0;
    for (const auto& mask : masks_)
      points += (level_range(bench_, mask).second - level_range(bench_, mask).first + 1.) * fractal_works().size();
    for (const auto& mask : masks_) {
      const auto [low, high] = level_range(bench_, mask);
      for (int level = low; level <= high; ++level)
        for_each_type(FractalWorks{}, [&]<class Work>() {
          if (!wants_work(Work::info.key)) return;
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
  }

  /// All tracks at one point of a curve.
  void point(FractalCase& c) {
    bench_.report(c.text(), start_);
    try {
      FractalSettings largest = c.settings;
      largest.block_digits = std::min(1, c.settings.level);
      const std::string reference = reference_of(c.settings);
      check_fractal_memory(bench_.backend(), largest, {baseline, reference});
      c.expected = expect(bench_, c, reference);
      const BestBlock base = find_best_block(bench_, c, baseline);
      const std::size_t at_once = tracks_at_once(c);
      for (std::size_t first = 0; first < tracks_.size(); first += at_once)
        round(c, base, first, std::min(tracks_.size(), first + at_once));
    } catch (const UsageError& error) {
      skipped(c, baseline, error.what());
    }
  }

  /// The last of the tracks that serves its default block.
  std::string reference_of(const FractalSettings& settings) const {
    for (auto name = tracks_.rbegin(); name != tracks_.rend(); ++name)
      if (is_compiled(settings, *name) &&
          fractal_refusal(settings.mask, settings.level, default_block_digits(settings.mask, settings.level), *name)
              .empty())
        return *name;
    return "lambda_table";
  }

  static bool is_compiled(const FractalSettings& settings, const std::string& track) {
    return compiled_fractal_track(find_fractal_track(track), settings.work).name == track;
  }

  /// A figure that says why there is none.
  void skipped(const FractalCase& c, const std::string& track, const std::string& why) {
    Figure figure = named(c, track);
    figure.unit = "ms";
    figure.verified = true;
    figure.note = "skipped: " + why;
    figures_.push_back(std::move(figure));
  }

  /// As many tracks beside the bounding box as memory holds with room to spare, so that it need not run for each anew.
  std::size_t tracks_at_once(const FractalCase& c) const {
    const double track = 2 * c.side_x() * c.side_y(), room = .7 * static_cast<double>(free_bytes(bench_.backend()));
    return static_cast<std::size_t>(std::clamp(room / track - 1, 1., static_cast<double>(tracks_.size())));
  }

  /// The bounding box and tracks first..end - 1, each at its best block, in turn.
  void round(const FractalCase& c, const BestBlock& base, std::size_t first, std::size_t end) {
    std::vector<BestBlock> best{base};
    std::vector<Contestant> all{fractal_contestant(bench_, c, baseline, base.digits)};
    for (std::size_t i = first; i < end; ++i) {
      if (!is_compiled(c.settings, tracks_[i])) continue;
      bench_.report(c.text() + " " + tracks_[i],
                    start_ + share_ * static_cast<double>(i) / static_cast<double>(tracks_.size()));
      BestBlock own = find_best_block(bench_, c, tracks_[i]);
      if (own.digits < 0) {
        skipped(c, tracks_[i], own.note);
        continue;
      }
      all.push_back(fractal_contestant(bench_, c, tracks_[i], own.digits));
      best.push_back(std::move(own));
    }
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
          {{"level",
            [](const Settings&, const std::string& text) {
              for (const auto& word : words_of(text)) (void)level_of(word);
            }},
           {"part",
            [](const Settings&, const std::string& text) {
              for (const auto& word : words_of(text)) check_word("part", word, {"tracks", "sliced", "peers", "lambda"});
            }},
           {"work",
            [](const Settings&, const std::string& text) {
              std::vector<std::string> known;
              for (const auto& work : fractal_works()) known.push_back(work.key);
              for (const auto& word : words_of(text)) check_word("work", word, known);
            }},
           {"track", [](const Settings&, const std::string& text) { (void)tracks_named(text); }},
           {"fractal", [](const Settings& settings, const std::string& text) { (void)masks_named(settings, text); }}}};
}

}  // namespace warploom::bench
