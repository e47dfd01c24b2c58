#include <fmt/format.h>

#include <cmath>
#include <map>

#include "gpu/core/error.h"
#include "gpu/scenes/fractal/bench/case.h"
#include "gpu/scenes/fractal/bench/suites.h"
#include "gpu/scenes/fractal/files/masks.h"

namespace warploom::bench {

namespace {

Mask mask_of(const Bench& bench, const std::string& key) {
  for (auto& mask : read_masks_within(bench.settings().data).masks)
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

/// A point of all curves of a figure.
struct PaperPoint {
  const PaperFigure& paper;
  Mask mask;
  int level, digits;  ///< digits of the block: -1 where each track has its best
};

class PaperSuite : public TrackBench {
 public:
  explicit PaperSuite(Bench& bench) : TrackBench(bench, "figures") {
    const std::string* given = bench.settings().given("paper");
    for (const auto& word : given ? words_of(*given) : std::vector<std::string>{})
      add_points(find_paper_figure(paper_figures(), word));
    if (!given)
      for (const auto& paper : paper_figures()) add_points(paper);
  }

 private:
  void add_points(const PaperFigure& paper) {
    const Mask mask = mask_of(bench(), paper.fractal);
    const bool by_block = paper.across == PaperFigure::Across::block;
    const auto& levels = cuda() ? paper.levels : paper.cpu_levels;
    for (const int x : by_block ? legal_block_digits(mask, levels[0]) : levels) {
      const int level = by_block ? levels[0] : x;
      const PaperPoint point{paper, mask, level, by_block ? x : digits_of(paper, mask, level)};
      add_part(fmt::format("{}/{}", paper.key, x), [this, point] {
        if (point.paper.shows == PaperFigure::Shows::memory_gain)
          memory(point);
        else
          times(point);
      });
    }
  }

  /// Of the block's side that the figure fixes.
  static int digits_of(const PaperFigure& paper, const Mask& mask, int level) {
    if (!paper.block) return -1;
    int digits = 0;
    while (digits < level && block_side(mask, digits) < static_cast<std::uint32_t>(paper.block)) ++digits;
    return digits;
  }

  Figure figure_of(const PaperPoint& at, const FractalCase& c, const PaperTrack& curve, int digits) const {
    const bool by_side = at.paper.across == PaperFigure::Across::side;
    const std::string x = count_text(by_side ? c.side_x() : block_side(at.mask, digits));
    Figure figure = make_figure(fmt::format("{}/{}/{}", at.paper.key, curve.name, x),
                                at.paper.shows == PaperFigure::Shows::memory_gain ? "x" : "ms",
                                {{"figure", at.paper.key},
                                 {"curve", curve.name},
                                 {at.paper.x_name(), x},
                                 {"fractal", at.mask.key},
                                 {"level", std::to_string(at.level)},
                                 {"work", at.paper.work},
                                 {"track", curve.track}});
    if (digits >= 0) figure.parameters.emplace_back("block", std::to_string(block_side(at.mask, digits)));
    return figure;
  }

  FractalCase case_of(const PaperPoint& at) const { return fractal_case(bench(), at.mask, at.level, at.paper.work); }

  void memory(const PaperPoint& at) {
    const FractalCase c = case_of(at);
    const double box = c.side_x() * c.side_y();
    for (const auto& curve : at.paper.tracks) {
      Figure figure = figure_of(at, c, curve, at.digits);
      figure.samples = 1;
      const double gain = fractal_memory_gain(at.mask, at.level, at.digits, curve.track);
      figure.verified = std::abs(gain * counted_bytes(at.mask, at.level, at.digits, curve.track) / box - 1) < 1e-9;
      if (figure.verified) figure.median = figure.low = figure.high = gain;
      add(std::move(figure));
    }
  }

  /// A track of a point: its block, and why it is not measured, or where its samples are.
  struct Entry {
    BestBlock block;
    std::string refusal;
    std::size_t number = 0;
  };

  Entry enter(const PaperPoint& at, const FractalCase& c, const std::string& track) {
    report(c.text() + " " + track);
    Entry entry{{at.digits, 0, {}}, {}};
    const int any = at.digits >= 0 ? at.digits : default_block_digits(at.mask, at.level);
    if (fractal_track_bytes(at.mask, at.level, any, track) > .7 * static_cast<double>(free_bytes(bench().backend()))) {
      entry.refusal = "no memory is left for it";
    } else if (at.digits >= 0) {
      entry.refusal = fractal_refusal(at.mask, at.level, at.digits, track);
    } else {
      entry.block = find_best_block(bench(), c, track);
      if (entry.block.digits < 0) entry.refusal = entry.block.note;
    }
    return entry;
  }

  /// All tracks of a point in turn, in one run.
  void times(const PaperPoint& at) {
    FractalCase c = case_of(at);
    try {
      c.expected = expect(bench(), c, "lambda_table");
    } catch (const UsageError& error) {  // no room
      for (const auto& curve : at.paper.tracks) skip(figure_of(at, c, curve, at.digits), error.what());
      return;
    }
    std::map<std::string, Entry> entries;
    std::vector<Contestant> contestants;
    for (const auto& curve : at.paper.tracks)
      for (const auto& track : {curve.against, curve.track}) {
        if (track.empty() || entries.contains(track)) continue;
        Entry& entry = entries[track] = enter(at, c, track);
        entry.number = contestants.size();
        if (entry.refusal.empty()) contestants.push_back(fractal_contestant(bench(), c, track, entry.block.digits));
      }
    const auto samples = measure(bench(), contestants);
    for (const auto& curve : at.paper.tracks) {
      const Entry &own = entries[curve.track], &peer = curve.against.empty() ? own : entries[curve.against];
      if (const std::string& refusal = own.refusal.empty() ? peer.refusal : own.refusal; !refusal.empty()) {
        skip(figure_of(at, c, curve, at.digits), refusal);
        continue;
      }
      Figure figure = figure_of(at, c, curve, own.block.digits);
      figure.note = samples[own.number].note;
      if (!curve.against.empty() && at.digits < 0)
        figure.parameters.emplace_back("block_of_peer", std::to_string(block_side(at.mask, peer.block.digits)));
      set_times(figure, samples[own.number]);
      if (!curve.against.empty()) set_peer(figure, curve.against, samples[own.number], samples[peer.number]);
      add(std::move(figure));
    }
  }
};

}  // namespace

/// What papers of fractals show, measured here.
Suite figures_suite() {
  return {"figures",
          "the figures of the papers on fractals, made again here (with --out DIR as CSV and PNG)",
          [](Bench& bench) { return PaperSuite(bench).run(); },
          {{"paper", [](const Settings&, const std::string& text) {
              for (const auto& word : words_of(text)) (void)find_paper_figure(paper_figures(), word);
            }}}};
}

}  // namespace warploom::bench
