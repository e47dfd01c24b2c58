#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/core/error.h"
#include "gpu/scenes/fractal/bench/case.h"
#include "gpu/scenes/fractal/bench/paper_figures.h"
#include "gpu/scenes/fractal/files/masks.h"
#include "gpu/scenes/fractal/works/list.h"

namespace warploom::bench {

namespace {

Mask mask_of(const Bench& bench, const std::string& key) {
  for (auto& mask : read_masks_within(bench.settings().data))
    if (mask.key == key) return mask;
  throw UsageError("fractal '" + key + "' is not there");
}

/// Bytes of a state counted from what the storages say of themselves, not from their code: a byte a place of k^(r - j)
/// tiles, or a bit a cell in words of 32.
double counted_bytes(const Mask& mask, int level, int digits, const std::string& track) {
  const double k = mask.copies();
  if (track == "sliced") {
    // The fewest top digits that fill 0.87 of their words: see docs/scenes/fractals.md.
    for (int m = 0; m <= level; ++m) {
      const double lanes = std::pow(k, m), chunks = std::ceil(lanes / 32);
      if (lanes >= .87 * 32 * chunks || m == level) return std::pow(k, level - m) * chunks * 4;
    }
  }
  const double side_x = std::pow(mask.side_x(), digits), side_y = std::pow(mask.side_y(), digits);
  return std::pow(k, level - digits) * side_x * side_y;
}

class PaperSuite {
 public:
  PaperSuite(Bench& bench, const PaperFigure& figure, std::vector<Figure>& figures)
      : bench_(bench), paper_(figure), mask_(mask_of(bench, figure.fractal)), figures_(figures) {}

  void run(double from, double to) {
    const auto& levels = bench_.backend() == Backend::cuda ? paper_.levels : paper_.cpu_levels;
    const std::vector<int> all =
        paper_.across == PaperFigure::Across::block ? legal_block_digits(mask_, levels[0]) : levels;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const int level = paper_.across == PaperFigure::Across::block ? levels[0] : all[i];
      const int digits = paper_.across == PaperFigure::Across::block ? all[i] : digits_of(level);
      bench_.part(fmt::format("figures/{}/{}", paper_.key, all[i]), figures_, [&] {
        bench_.report(paper_.key + fmt::format(" {} of {}", i + 1, all.size()),
                      from + (to - from) * static_cast<double>(i) / static_cast<double>(all.size()));
        if (paper_.shows == PaperFigure::Shows::memory_gain)
          memory(level, digits);
        else
          times(level, digits);
      });
    }
  }

 private:
  /// Of the block's side that the figure fixes: -1 where each track has its best.
  int digits_of(int level) const {
    if (!paper_.block) return -1;
    int digits = 0;
    while (digits < level && block_side(mask_, digits) < static_cast<std::uint32_t>(paper_.block)) ++digits;
    return digits;
  }

  Figure named(const FractalCase& c, const PaperTrack& curve, int digits) const {
    Figure figure;
    figure.suite = "figures";
    const bool by_side = paper_.across == PaperFigure::Across::side;
    const double x = by_side ? c.side_x() : block_side(mask_, digits);
    figure.name = fmt::format("{}/{}/{}", paper_.key, curve.name, count_text(x));
    figure.parameters = {{"figure", paper_.key},
                         {"curve", curve.name},
                         {paper_.x_name(), count_text(x)},
                         {"fractal", mask_.key},
                         {"level", std::to_string(c.settings.level)},
                         {"work", paper_.work},
                         {"track", curve.track}};
    if (digits >= 0) figure.parameters.emplace_back("block", std::to_string(block_side(mask_, digits)));
    figure.unit = paper_.shows == PaperFigure::Shows::memory_gain ? "x" : "ms";
    return figure;
  }
  void skipped(const FractalCase& c, const PaperTrack& curve, int digits, const std::string& why) {
    Figure figure = named(c, curve, digits);
    figure.verified = true;
    figure.note = "skipped: " + why;
    figures_.push_back(std::move(figure));
  }

  FractalCase case_of(int level) {
    FractalCase c;
    c.settings.mask = mask_;
    c.settings.level = level;
    c.settings.work = paper_.work;
    c.seed = bench_.fresh_seed();
    for_each_type(FractalWorks{}, [&]<class Work>() {
      if (Work::info.key == paper_.work) c.folds = !Work::info.writes_state;
    });
    return c;
  }

  void memory(int level, int digits) {
    const FractalCase c = case_of(level);
    const double box = std::pow(mask_.side_x(), level) * std::pow(mask_.side_y(), level);
    for (const auto& curve : paper_.tracks) {
      Figure figure = named(c, curve, digits);
      figure.median = figure.low = figure.high = fractal_memory_gain(mask_, level, digits, curve.track);
      figure.samples = 1;
      figure.verified = std::abs(figure.median * counted_bytes(mask_, level, digits, curve.track) / box - 1) < 1e-9;
      if (!figure.verified) figure.median = figure.low = figure.high = none;
      figures_.push_back(std::move(figure));
    }
  }

  /// All tracks of a point in turn, in one run.
  void times(int level, int digits) {
    FractalCase c = case_of(level);
    try {
      c.expected = expect(bench_, c, "lambda_table");
    } catch (const UsageError& error) {  // no room
      for (const auto& curve : paper_.tracks) skipped(c, curve, digits, error.what());
      return;
    }
    std::vector<std::string> names, refusals;
    std::vector<BestBlock> blocks;
    std::vector<Contestant> contestants;
    const auto enter = [&](const std::string& track) {
      if (track.empty() || std::find(names.begin(), names.end(), track) != names.end()) return;
      bench_.report(c.text() + " " + track);
      names.push_back(track);
      refusals.emplace_back();
      BestBlock block{digits, 0, {}};
      const int any = digits >= 0 ? digits : default_block_digits(mask_, level);
      if (fractal_track_bytes(mask_, level, any, track) > .7 * static_cast<double>(free_bytes(bench_.backend()))) {
        refusals.back() = "no memory is left for it";
      } else if (digits >= 0) {
        refusals.back() = fractal_refusal(mask_, level, digits, track);
      } else {
        block = find_best_block(bench_, c, track);
        if (block.digits < 0) refusals.back() = block.note;
      }
      blocks.push_back(block);
      if (!refusals.back().empty()) return;
      contestants.push_back(fractal_contestant(bench_, c, track, block.digits));
    };
    for (const auto& curve : paper_.tracks) enter(curve.against), enter(curve.track);
    const auto samples = measure(bench_, contestants, Cache::warm);
    const auto at = [&](const std::string& track) {
      return static_cast<std::size_t>(std::find(names.begin(), names.end(), track) - names.begin());
    };
    const auto sample = [&](const std::string& track) -> const Samples* {
      for (std::size_t i = 0; i < contestants.size(); ++i)
        if (contestants[i].name == track) return &samples[i];
      return nullptr;
    };
    for (const auto& curve : paper_.tracks) {
      const Samples* const own = sample(curve.track);
      const Samples* const peer = curve.against.empty() ? own : sample(curve.against);
      if (!own || !peer) {
        skipped(c, curve, digits, refusals[at(own ? curve.against : curve.track)]);
        continue;
      }
      Figure figure = named(c, curve, blocks[at(curve.track)].digits);
      figure.note = own->note;
      if (!curve.against.empty() && digits < 0)
        figure.parameters.emplace_back("block_of_peer",
                                       std::to_string(block_side(mask_, blocks[at(curve.against)].digits)));
      set_times(figure, *own);
      if (!curve.against.empty()) set_peer(figure, curve.against, *own, *peer);
      figures_.push_back(std::move(figure));
    }
  }

  Bench& bench_;
  const PaperFigure& paper_;
  Mask mask_;
  std::vector<Figure>& figures_;
};

std::vector<const PaperFigure*> wanted(const Settings& settings) {
  std::vector<const PaperFigure*> chosen;
  const auto* given = settings.given("paper");
  for (const auto& word : given ? words_of(*given) : std::vector<std::string>{})
    chosen.push_back(&find_paper_figure(paper_figures(), word));
  if (!given)
    for (const auto& figure : paper_figures()) chosen.push_back(&figure);
  return chosen;
}

}  // namespace

/// What papers of fractals show, measured here.
Suite figures_suite() {
  return {"figures",
          "the figures of the papers on fractals, made again here (with --out DIR as CSV and PNG)",
          [](Bench& bench) {
            std::vector<Figure> figures;
            const auto chosen = wanted(bench.settings());
            for (std::size_t i = 0; i < chosen.size(); ++i)
              PaperSuite(bench, *chosen[i], figures)
                  .run(static_cast<double>(i) / static_cast<double>(chosen.size()),
                       static_cast<double>(i + 1) / static_cast<double>(chosen.size()));
            return figures;
          },
          {{"paper", [](const Settings&, const std::string& text) {
              for (const auto& word : words_of(text)) (void)find_paper_figure(paper_figures(), word);
            }}}};
}

}  // namespace warploom::bench
