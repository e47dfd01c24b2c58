#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "gpu/core/error.h"
#include "gpu/scenes/bins/bench/case.h"
#include "gpu/scenes/bins/bench/records.h"
#include "gpu/scenes/bins/kernels/application.h"
#include "gpu/scenes/bins/kernels/cap_search.h"
#include "gpu/tracks/facets/numbers.h"

namespace warploom::bench {

namespace {

/// What obeid2010binning prints of a whole step, in ms, on a GTX 280 and a C1060.
struct Printed {
  const char* application;
  double regular, compact;
};
constexpr Printed table_5[] = {
    {"cutcp", 3.91, 3.47}, {"mri", 1.47, .98}, {"blinn", 14.42, 1.81}, {"nbody", 14.90, 14.60}};

/// The figures of the thesis and what performance asks beside, by the first word of their names.
struct FigureInfo {
  const char *key, *about;
};
constexpr FigureInfo figure_list[] = {
    {"table5", "whole steps of regular and compact bins"},
    {"accesses", "fig. 25: the accesses"},
    {"layouts", "fig. 27: layouts and alignments"},
    {"caps", "figs. 23, 30 to 34: over caps"},
    {"tuned", "against a Parboil-style gather"},
    {"sides", "over sides of bins"},
    {"cutoffs", "over cutoffs"},
    {"counts", "over numbers of elements"},
    {"misaligned", "fig. 13: misaligned reads"},
    {"records", "binning by ranks against sorting"},
    {"histogram", "histograms"},
};

const Samples& stage_of(const StageSamples& stages, const std::string& stage) {
  static const Samples missing;
  if (const auto at = stages.find(stage); at != stages.end()) return at->second;
  // What spreads has no gather; a wrong result has no stage but the whole.
  if (stage == "bins.gather")
    if (const auto at = stages.find("bins.spread"); at != stages.end()) return at->second;
  if (const auto at = stages.find("bins.total"); at != stages.end() && !at->second.verified) return at->second;
  return missing;
}

bool has_bin_track(const std::string& application, const std::string& name) {
  const auto& all = bin_tracks(application);
  return std::any_of(all.begin(), all.end(), [&](const TrackInfo& track) { return track.name == name; });
}

class BinningSuite : public TrackBench {
 public:
  explicit BinningSuite(Bench& bench) : TrackBench(bench, "binning") {
    for (const BinApplicationInfo* application : bin_applications()) {
      const std::string key = application->key;
      for (const auto& input : inputs(key)) {
        add_figure("table5", key, input, &BinningSuite::table5);
        add_figure("accesses", key, input, &BinningSuite::accesses);
        if (!application->periodic) add_figure("layouts", key, input, &BinningSuite::layouts);
      }
      const std::string usual = inputs(key).front();
      add_figure("caps", key, usual, &BinningSuite::caps);
      add_figure("sides", key, usual, &BinningSuite::sides);
      add_figure("cutoffs", key, usual, &BinningSuite::cutoffs);
      if (!bench.settings().given("input")) add_figure("counts", key, "counts", &BinningSuite::counts);
    }
    for (const auto& input : inputs("cutcp")) add_figure("tuned", "cutcp", input, &BinningSuite::tuned);
    add_records("misaligned", misaligned_figures);
    add_records("records", record_figures);
    add_records("histogram", histogram_figures);
  }

 private:
  // ---- what is measured ------------------------------------------------------------------------------------------

  /// The sizes of the thesis' table on a device; counts that a CPU does in a moment, times the settings' scale.
  std::vector<std::string> inputs(const std::string& application) const {
    if (const auto* given = bench().settings().given("input")) return words_of(*given);
    if (cuda()) {
      if (application == "blinn") return {"small", "large", "random"};
      if (application == "nbody") return {"small"};
      return {"small", "large"};
    }
    const double usual = application == "cutcp"   ? 1500
                         : application == "mri"   ? 5187
                         : application == "blinn" ? 1200
                                                  : 4096;
    return {
        std::to_string(static_cast<std::uint64_t>(std::max(60., usual * std::min(1., 16 * bench().settings().scale))))};
  }

  BinSettings settings_of(const std::string& application, const std::string& input) const {
    BinSettings settings;
    settings.application = application;
    settings.input = input;
    settings.seed = bench().settings().seed.value_or(7);
    return settings;
  }

  /// A part a figure, an application and an input; its name begins the names of its figures.
  void add_figure(const char* figure, const std::string& application, const std::string& input,
                  void (BinningSuite::*body)(const std::string& name, const BinSettings&)) {
    if (!wants("figure", figure) || !wants("application", application)) return;
    const std::string name = fmt::format("{}/{}/{}", figure, application, input);
    add_part(
        name, [this, name, application, input, body] { (this->*body)(name, settings_of(application, input)); },
        [this, name] { return make_figure(name, "ms"); });
  }

  /// Of no application.
  void add_records(const char* figure, std::vector<Figure> (*figures_of)(Bench&)) {
    if (!wants("figure", figure) || bench().settings().given("application")) return;
    add_part(
        figure, [this, figures_of] { add(figures_of(bench())); }, [this, figure] { return make_figure(figure, "ms"); });
  }

  /// Regular against compact, whole steps, and what is quickest today; the printed ratio beside.
  void table5(const std::string& at, const BinSettings& settings) {
    const BinningCase c = make_binning_case(bench(), settings);
    // As the thesis has them: regular MRI spills, bodies are read bin by bin.
    std::vector<std::string> names{settings.application == "mri" ? "regular/count/spill" : "regular/count",
                                   settings.application == "nbody" ? "compact/bin" : "compact/range"};
    for (const char* more : {"compact/range", "compact/trimmed", "compact/subproblem", "none/scatter"})
      if (has_bin_track(settings.application, more) && names[1] != more) names.push_back(more);
    const std::size_t before = figures.size();
    measure(at, c, names, {"bins.total"});
    // The thesis printed them of its smaller inputs.
    if (settings.input == "large" || settings.input == "random") return;
    for (const Printed& printed : table_5)
      for (std::size_t i = before; i < figures.size() && settings.application == printed.application; ++i) {
        auto& parameters = figures[i].parameters;
        const std::string track = figures[i].parameter("track");
        if (track != names[0] && track != names[1]) continue;
        parameters.emplace_back("printed_ms",
                                fmt::format("{:g}", track == names[0] ? printed.regular : printed.compact));
        if (track == names[1])
          parameters.emplace_back("printed_ratio", fmt::format("{:.2f}", printed.regular / printed.compact));
      }
  }

  /// The stage that makes the outputs, of several tracks against the first.
  void compare(const std::string& at, const BinSettings& settings, const std::vector<std::string>& names) {
    measure(at, make_binning_case(bench(), settings), names, {"bins.gather", "bins.total"});
  }
  void accesses(const std::string& at, const BinSettings& settings) {
    compare(at, settings,
            {"regular/count", "regular/sentinel", "regular/range", "compact/bin", "compact/range", "compact/trimmed"});
  }
  void layouts(const std::string& at, const BinSettings& settings) {
    compare(at, settings,
            {"compact/range", "compact/range/arrays", "compact/range/vectors", "compact/range/padded_elements",
             "compact/bin", "compact/bin/padded_bins"});
  }

  /// The Parboil-style gather: sentinels, eight slots per bin, the rest on the host.
  void tuned(const std::string& at, const BinSettings& settings) {
    BinSettings capped = settings;
    capped.cap = 8;
    const std::vector<std::string> tracks{"regular/sentinel/spill", "regular/count", "compact/range",
                                          "compact/trimmed"};
    measure(at, make_binning_case(bench(), capped), tracks, {"bins.total", "bins.gather"});
    // All at their best: more outputs per thread, fewer warps to test for.
    capped.per_thread = 8;
    measure(fmt::format("{}/per_thread{}", at, capped.per_thread), make_binning_case(bench(), capped), tracks,
            {"bins.total", "bins.gather"});
  }

  /// Three tracks that spill, over caps from none to the deepest bin; and what the search finds, against the best.
  void caps(const std::string& at, const BinSettings& settings) {
    const BinningCase c = make_binning_case(bench(), settings);
    const std::vector<std::string> tracks{"regular/count/spill", "regular/sentinel/spill", "compact/range/spill"};
    std::map<std::string, std::pair<double, std::int64_t>> best;
    for (const std::int64_t cap : cap_ladder(deepest_bin(c))) {
      BinSettings capped = settings;
      capped.cap = cap;
      const std::size_t before = figures.size();
      sweep(fmt::format("{}/cap{}", at, cap), tracks, {"bins.gather", "bins.spill", "bins.total"},
            [&] { return rebinned(bench(), c, capped); });
      for (std::size_t i = before; i < figures.size(); ++i) {
        const Figure& figure = figures[i];
        if (!figure.name.ends_with("/total") || figure.samples == 0) continue;
        auto& least = best[figure.parameter("track")];
        if (least.first == 0 || figure.median < least.first) least = {figure.median, cap};
      }
    }
    for (const auto& track : tracks)
      unless_refused(
          [&] {
            if (best.contains(track)) measure_search(at, c, track, best.at(track).second);
          },
          [&] { return make_figure(at, "ms"); });
  }

  /// Sides of bins as shares of the usual one.
  void sides(const std::string& at, const BinSettings& settings) {
    const BinningCase c = make_binning_case(bench(), settings);
    const double usual = double{c.problem->space.grid.side[0]};
    for (const double share : {.5, .75, 1., 1.5, 2., 3.}) {
      BinSettings other = settings;
      other.bin = usual * share;
      sweep(fmt::format("{}/side{:g}", at, other.bin), [&] { return rebinned(bench(), c, other); });
    }
  }

  void cutoffs(const std::string& at, const BinSettings& settings) {
    if (settings.application == "blinn")
      return skip(make_figure(at, "ms"), "the reach of blobs follows from their blobbiness");
    const BinningCase c = make_binning_case(bench(), settings);
    const double usual = double{c.problem->space.cutoff};
    for (const double share : {.5, .75, 1., 1.25, 1.5}) {
      BinSettings other = settings;
      other.cutoff = usual * share;
      sweep(fmt::format("{}/cutoff{:g}", at, other.cutoff), [&] { return make_binning_case(bench(), other); });
    }
  }

  void counts(const std::string& at, const BinSettings& settings) {
    const std::uint64_t least = cuda() ? 4096 : 64;
    const double most = cuda() ? 1 << 20 : 1024 * std::min(1., 16 * bench().settings().scale);
    for (std::uint64_t count = least; static_cast<double>(count) <= most; count *= 4) {
      BinSettings other = settings;
      other.input = std::to_string(count);
      sweep(at + "/n" + other.input, [&] { return make_binning_case(bench(), other); });
    }
  }

  /// One point of a sweep. A case that is refused says so in a figure of that name.
  void sweep(const std::string& at, const std::vector<std::string>& names, const std::vector<std::string>& stages,
             const std::function<BinningCase()>& make) {
    unless_refused([&] { measure(at, make(), names, stages); }, [&] { return make_figure(at, "ms"); });
  }
  void sweep(const std::string& at, const std::function<BinningCase()>& make) {
    sweep(at, {"regular/count", "compact/range"}, {"bins.gather", "bins.total"}, make);
  }

  // ---- how -------------------------------------------------------------------------------------------------------

  Figure figure_of(const std::string& at, const BinningCase& c, const std::string& track,
                   const std::string& stage) const {
    const BinSpace& space = c.problem->space;
    return make_figure(fmt::format("{}/{}/{}", at, track, stage.substr(stage.find('.') + 1)), "ms",
                       {{"application", c.settings().application},
                        {"input", c.settings().input},
                        {"elements", std::to_string(c.problem->input.count())},
                        {"bins", std::to_string(space.grid.count())},
                        {"bin", fmt::format("{:g}", space.grid.side[0])},
                        {"cutoff", fmt::format("{:g}", space.cutoff)},
                        {"track", track},
                        {"stage", stage},
                        {"seed", std::to_string(c.settings().seed)},
                        {"verified_by", fmt::format("{} outputs in double, and the seal", c.expected->at.size())}});
  }

  /// These stages of the tracks that the application has and that fit, all in turn; ratios are against the first name.
  void measure(const std::string& at, const BinningCase& c, const std::vector<std::string>& names,
               const std::vector<std::string>& stages) {
    std::vector<Contestant> all;
    for (const auto& name : names) {
      if (!has_bin_track(c.settings().application, name)) continue;
      report(fmt::format("{}/{}", at, name));
      unless_refused([&] { all.push_back(binning_contestant(bench(), c, name)); },
                     [&] { return figure_of(at, c, name, stages.front()); });
    }
    const auto samples = measure_steps(bench(), all, "bins.total");
    std::vector<std::vector<std::pair<std::string, std::string>>> numbers(all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
      for (const auto& [name, value] : all[i].track->need<Numbers>().numbers(bench().queue()))
        for (const char* key : {"capacity", "cap", "spilled", "pairs_tested", "pairs_hit"})
          if (name == key && value >= 0) numbers[i].emplace_back(name, count_text(value));
    for (const auto& stage : stages)
      for (std::size_t i = 0; i < all.size(); ++i) {
        const Samples& own = stage_of(samples[i], stage);
        if (own.verified ? own.milliseconds.empty() : stage != stages.front()) continue;
        Figure figure = figure_of(at, c, all[i].name, stage);
        figure.parameters.insert(figure.parameters.end(), numbers[i].begin(), numbers[i].end());
        set_times(figure, own);
        if (i && all.front().name == names.front())
          set_peer(figure, names.front(), own, stage_of(samples.front(), stage));
        add(std::move(figure));
      }
  }

  /// The cap that the search finds for a track against another one, in turn.
  void measure_search(const std::string& at, const BinningCase& c, const std::string& track, std::int64_t cap) {
    const std::string name = at + "/" + track + "/auto";
    report(name);
    BinSettings settings = c.settings();
    settings.cap = cap;
    const BinningCase given = rebinned(bench(), c, settings);
    settings.cap = -1;
    const BinningCase found = rebinned(bench(), c, settings);
    const std::vector<Contestant> both{binning_contestant(bench(), given, track),
                                       binning_contestant(bench(), found, track)};
    double chosen = none;
    for (const auto& [key, value] : both[1].track->need<Numbers>().numbers(bench().queue()))
      if (key == "cap") chosen = value;
    const auto samples = measure_steps(bench(), both, "bins.total");
    const Samples& own = stage_of(samples[1], "bins.total");
    Figure figure = figure_of(at, found, track, "bins.total");
    figure.name = name;
    figure.parameters.emplace_back("cap", count_text(chosen));
    figure.parameters.emplace_back("best_of_sweep", std::to_string(cap));
    set_times(figure, own);
    set_peer(figure, fmt::format("cap {}, the best of the sweep", cap), own, stage_of(samples[0], "bins.total"));
    add(std::move(figure));
  }

  std::uint32_t deepest_bin(const BinningCase& c) const {
    const auto track = make_bins_track(bench().queue(), c.problem, "compact/range");
    start_bins(*track, bench().queue());
    finish_step(*track, bench().queue());
    return static_cast<std::uint32_t>(bin_depths(*track, bench().queue()).deepest);
  }
};

void check_figures(const Settings&, const std::string& text) {
  std::vector<std::string> known;
  for (const FigureInfo& figure : figure_list) known.emplace_back(figure.key);
  check_words("figure", text, known);
}
void check_applications(const Settings&, const std::string& text) {
  for (const auto& word : words_of(text)) (void)find_bin_application(word);
}
void check_inputs(const Settings&, const std::string& text) {
  if (text.empty()) throw UsageError("input: a recipe's name or a count is asked for");
}

}  // namespace

/// Bins of four applications: the thesis' figures and its table, sweeps, and records against CUB.
Suite binning_suite() {
  return {"binning",
          "bins of elements: the figures of the thesis again, sweeps over caps, sides, cutoffs and counts, CUB's sort",
          [](Bench& bench) { return BinningSuite(bench).run(); },
          {{"figure", check_figures}, {"application", check_applications}, {"input", check_inputs}}};
}

}  // namespace warploom::bench
