#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/files/input.h"
#include "gpu/scenes/fractal/bench/case.h"
#include "gpu/scenes/fractal/bench/parts.h"
#include "gpu/scenes/fractal/bench/suites.h"
#include "gpu/scenes/fractal/files/masks.h"

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
  std::vector<Mask> known = read_masks_within(settings.data).masks;
  if (wish == "all") return known;
  std::vector<Mask> chosen;
  std::vector<std::string> keys = texts_of(known, &Mask::key);
  keys.insert(keys.begin(), "all");
  for (const auto& key : words_of(wish + ",")) {
    if (extension_of(key) == ".toml") {
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

/// Tracks by their names, "a,b". Throws UsageError with the nearest.
std::vector<std::string> tracks_named(const std::string& wish) {
  return texts_of(words_of(wish), [](const auto& word) { return find_fractal_track(word).name; });
}

/// Levels from a side about 2^8 to the largest of the backend, or to the level asked for.
std::pair<int, int> level_range(const Bench& bench, const Mask& mask) {
  const double per_level = std::log2(static_cast<double>(mask.side_x()));
  int high = static_cast<int>((bench.backend() == Backend::cuda ? 16 : 11) / per_level);
  if (const auto* level = bench.settings().given("level")) high = level_of(words_of(*level).back());
  return {std::min(high, static_cast<int>(std::lround(8 / per_level))), high};
}

class FractalSuite : public TrackBench {
 public:
  explicit FractalSuite(Bench& bench) : TrackBench(bench, "fractal") {
    for (const auto& track : fractal_tracks())
      if (track.exact && track.name != baseline)
        tracks_.push_back(track.name);  // what is meant to be wrong has no time
    if (const auto* given = bench.settings().given("track")) {
      const auto chosen = tracks_named(*given);
      std::erase_if(tracks_, [&](const std::string& track) {
        return std::find(chosen.begin(), chosen.end(), track) == chosen.end();
      });
    }
    // Asked for devices, it has figures of them alone.
    const char* const usual = bench.settings().given("devices") ? "devices" : "tracks";
    const auto wanted = [&](const char* part) { return bench.settings().wants("part", part, usual); };
    const std::vector<Mask> masks = masks_of(bench.settings());
    if (wanted("tracks"))
      for (const auto& mask : masks) add_curves(mask);
    if (wanted("sliced"))
      for (const auto& mask : masks) add_sliced(mask);
    if (wanted("devices"))
      for (const auto& mask : masks) add_over_devices(mask);
    if (wanted("peers"))
      for (const auto& mask : masks) {
        FractalCase c = fractal_case(bench, mask, level_range(bench, mask).second, "life");
        add_part(c.text() + "/peers", [this, c]() mutable { peers(c); });
      }
    if (wanted("lambda"))
      for (const auto& mask : masks)
        add_part(mask.key + "/lambda", [this, mask] { add(lambda_figures(TrackBench::bench(), mask)); });
  }

 private:
  void add_curves(const Mask& mask) {
    const auto [low, high] = level_range(bench(), mask);
    for (int level = low; level <= high; ++level)
      for (const auto& work : fractal_works()) {
        if (!wants("work", work.key)) continue;
        FractalCase c = fractal_case(bench(), mask, level, work.key);
        add_part(
            c.text(), [this, c]() mutable { point(c); }, [this, c] { return figure_of(c, baseline); });
      }
  }

  /// Sliced steps beside copies of as many bytes: at the levels that were asked for, or the largest.
  void add_sliced(const Mask& mask) {
    std::vector<int> levels;
    if (const auto* given = bench().settings().given("level"))
      for (const auto& word : words_of(*given)) levels.push_back(level_of(word));
    else
      levels.push_back(largest_sliced_level(bench(), mask));
    for (const int level : levels)
      add_part(fmt::format("{}/{}/sliced", mask.key, level),
               [this, mask, level] { add(sliced_figures(bench(), mask, level)); });
  }

  /// Sliced states on several devices beside one: at the levels that were asked for, or the largest of the backend.
  void add_over_devices(const Mask& mask) {
    std::vector<int> levels;
    if (const auto* given = bench().settings().given("level"))
      for (const auto& word : words_of(*given)) levels.push_back(level_of(word));
    else
      levels.push_back(level_range(bench(), mask).second);
    for (const int level : levels)
      add_part(fmt::format("{}/{}/devices", mask.key, level), [this, mask, level] { over_devices(mask, level); });
  }
  void over_devices(const Mask& mask, int level) {
    FractalCase c = fractal_case(bench(), mask, level, "life");
    c.expected = expect(bench(), c, "sliced");
    std::vector<std::string> names;
    std::vector<Contestant> all;
    for (const int devices : devices_wished(bench().settings(), "1,2")) {
      const std::string name = fmt::format("sliced@{}", devices);
      if (const std::string why = fractal_devices_refusal(c.settings, name); !why.empty()) {
        skip(figure_of(c, name), why);
        continue;
      }
      names.push_back(name);
      all.push_back(fractal_contestant(bench(), c, name, default_block_digits(mask, level)));
    }
    if (all.empty()) return;
    // By the stopwatch: of several devices a step takes as long as the longest of them.
    const std::string kernel = "fractal.life";
    auto samples = measure_steps(bench(), all, kernel);
    for (std::size_t i = 0; i < all.size(); ++i) {
      Figure figure = figure_of(c, names[i]);
      set_times(figure, samples[i][kernel]);
      if (i) set_peer(figure, names.front(), samples[i][kernel], samples.front()[kernel]);
      add(std::move(figure));
    }
  }

  /// An automaton by every storage and way at its best, in turn in one run: each against the sliced state, and lambda
  /// against the box in both forms, with a thread per cell and with whole rows.
  void peers(FractalCase& c) {
    const Mask& mask = c.settings.mask;
    const int digits = default_block_digits(mask, c.settings.level);
    double room = .7 * static_cast<double>(free_bytes(bench().backend()));
    std::vector<std::string> names;
    for (const char* name : {baseline, "bounding_box_walk", "lambda_table/lookup", "lambda_table/rows", "compact",
                             "lambda_table/lookup/compact", "sliced"}) {
      const double own = fractal_track_bytes(mask, c.settings.level, digits, name);
      if (own > room) continue;
      room -= own;
      names.emplace_back(name);
    }
    c.expected = expect(bench(), c, "sliced");
    std::vector<BestBlock> best;
    std::vector<Contestant> contestants;
    for (const auto& name : names) {
      report(c.text() + " " + name);
      best.push_back(name == "sliced" ? BestBlock{digits, 0, {}} : find_best_block(bench(), c, name));
      contestants.push_back(fractal_contestant(bench(), c, name, best.back().digits));
    }
    const auto samples = measure(bench(), contestants);
    // How many times as quick one track is as another.
    const auto against = [&](const std::string& track, const std::string& peer) {
      const auto i = std::find(names.begin(), names.end(), track), j = std::find(names.begin(), names.end(), peer);
      if (i == names.end() || j == names.end()) return;
      Figure figure = figure_of(c, track);
      figure.name += " against " + peer;
      const Samples& own = samples[static_cast<std::size_t>(i - names.begin())];
      set_times(figure, own);
      set_peer(figure, peer, own, samples[static_cast<std::size_t>(j - names.begin())]);
      add(std::move(figure));
    };
    for (std::size_t i = 0; i < names.size(); ++i) {
      add_times(c, names[i], best[i], samples[i], nullptr, Cache::warm);
      if (names[i] != "sliced") against("sliced", names[i]);
    }
    against("lambda_table/lookup", baseline);
    against("lambda_table/rows", "bounding_box_walk");
  }

  /// All tracks at one point of a curve.
  void point(FractalCase& c) {
    FractalSettings largest = c.settings;
    largest.block_digits = std::min(1, c.settings.level);
    const std::string reference = reference_of(c.settings);
    check_fractal_memory(bench().backend(), largest, {baseline, reference});
    c.expected = expect(bench(), c, reference);
    const BestBlock base = find_best_block(bench(), c, baseline);
    const std::size_t at_once = tracks_at_once(c);
    for (std::size_t first = 0; first < tracks_.size(); first += at_once)
      round(c, base, first, std::min(tracks_.size(), first + at_once));
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

  /// As many tracks beside the bounding box as memory holds with room to spare, so that it need not run for each anew.
  std::size_t tracks_at_once(const FractalCase& c) const {
    const double room = .7 * static_cast<double>(free_bytes(bench().backend()));
    return static_cast<std::size_t>(std::clamp(room / c.box_bytes() - 1, 1., static_cast<double>(tracks_.size())));
  }

  /// The bounding box and tracks first..end - 1, each at its best block, in turn.
  void round(const FractalCase& c, const BestBlock& base, std::size_t first, std::size_t end) {
    std::vector<BestBlock> best{base};
    std::vector<Contestant> all{fractal_contestant(bench(), c, baseline, base.digits)};
    for (std::size_t i = first; i < end; ++i) {
      if (!is_compiled(c.settings, tracks_[i])) continue;
      report(c.text() + " " + tracks_[i], static_cast<double>(i) / static_cast<double>(tracks_.size()));
      BestBlock own = find_best_block(bench(), c, tracks_[i]);
      if (own.digits < 0) {
        skip(figure_of(c, tracks_[i]), own.note);
        continue;
      }
      all.push_back(fractal_contestant(bench(), c, tracks_[i], own.digits));
      best.push_back(std::move(own));
    }
    for (const Cache cache : caches_of(bench(), c.box_bytes())) {
      const auto samples = measure(bench(), all, cache);
      for (std::size_t i = first > 0; i < all.size(); ++i)
        add_times(c, all[i].name, best[i], samples[i], i ? &samples[0] : nullptr, cache);
    }
  }

  void add_times(const FractalCase& c, const std::string& track, const BestBlock& best, const Samples& samples,
                 const Samples* base, Cache cache) {
    Figure figure = figure_of(c, track);
    figure.parameters.insert(figure.parameters.end(),
                             {{"block", std::to_string(block_side(c.settings.mask, best.digits))},
                              {"cache", cache_text(bench(), cache, c.box_bytes())},
                              {"verified_by", c.expected.source}});
    figure.note = best.note;
    set_times(figure, samples);
    if (base) set_peer(figure, baseline, samples, *base);
    set_share(bench(), figure, "copy", static_cast<double>(c.bytes_per_cell) * c.cells());
    figure.add_note(published(c));
    add(std::move(figure));
  }

  Figure figure_of(const FractalCase& c, const std::string& track) const {
    return make_figure(c.text() + "/" + track, "ms",
                       {{"fractal", c.settings.mask.key},
                        {"level", std::to_string(c.settings.level)},
                        {"n", count_text(c.side_x())},
                        {"cells", count_text(c.cells())},
                        {"work", c.settings.work},
                        {"track", track},
                        {"rule", text(c.settings.rule)},
                        {"density", fmt::format("{}", c.density)},
                        {"seed", std::to_string(c.seed)}});
  }

  std::vector<std::string> tracks_;  ///< but for the bounding box
};

}  // namespace

/// Every track on fractals: whole curves against the bounding box.
Suite fractal_suite() {
  return {
      "fractal",
      "every track on fractals over a curve of sizes, against the bounding box",
      [](Bench& bench) { return FractalSuite(bench).run(); },
      {{"level",
        [](const Settings&, const std::string& text) {
          for (const auto& word : words_of(text)) (void)level_of(word);
        }},
       {"part",
        [](const Settings&, const std::string& text) {
          check_words("part", text, {"tracks", "sliced", "devices", "peers", "lambda"});
        }},
       {"work", [](const Settings&,
                   const std::string& text) { check_words("work", text, texts_of(fractal_works(), &NamedInfo::key)); }},
       {"track", [](const Settings&, const std::string& text) { (void)tracks_named(text); }},
       {"devices", check_devices_wished},
       {"fractal", [](const Settings& settings, const std::string& text) { (void)masks_named(settings, text); }}}};
}

}  // namespace warploom::bench
