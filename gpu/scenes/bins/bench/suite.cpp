#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/scenes/bins/bench/meter.h"
#include "gpu/scenes/bins/bench/records.h"
#include "gpu/scenes/bins/kernels/application.h"

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

class BinningSuite {
 public:
  explicit BinningSuite(Bench& bench) : bench_(bench), meter_(bench), cuda_(bench.backend() == Backend::cuda) {}

  std::vector<Figure> run() {
    add_parts();
    for (std::size_t i = 0; i < parts_.size(); ++i) {
      bench_.report(parts_[i].name, static_cast<double>(i) / static_cast<double>(parts_.size()));
      bench_.part("binning/" + parts_[i].name, meter_.figures, parts_[i].run);
    }
    return std::move(meter_.figures);
  }

 private:
  struct Part {
    std::string name;
    std::function<void()> run;
  };

  // ---- what is measured ------------------------------------------------------------------------------------------

  bool wants(const char* key, const char* setting) const {
    const auto* given = bench_.settings().given(setting);
    if (!given) return true;
    const auto words = words_of(*given);
    return std::find(words.begin(), words.end(), key) != words.end();
  }

  /// The sizes of the thesis' table on a device; counts that a CPU does in a moment, times the settings' scale.
  std::vector<std::string> inputs(const std::string& application) const {
    if (const auto* given = bench_.settings().given("input")) return words_of(*given);
    if (cuda_) {
      if (application == "blinn") return {"small", "large", "random"};
      if (application == "nbody") return {"small"};
      return {"small", "large"};
    }
    const double usual = application == "cutcp"   ? 1500
                         : application == "mri"   ? 5187
                         : application == "blinn" ? 1200
                                                  : 4096;
    return {
        std::to_string(static_cast<std::uint64_t>(std::max(60., usual * std::min(1., 16 * bench_.settings().scale))))};
  }

  BinSettings settings_of(const std::string& application, const std::string& input) const {
    BinSettings settings;
    settings.application = application;
    settings.input = input;
    settings.seed = bench_.settings().seed.value_or(7);
    return settings;
  }

  /// A part a figure, an application and an input. What does not fit, or cannot be, is said.
  void add(const char* figure, const std::string& application, const std::string& input,
           const std::function<void(const BinSettings&)>& body) {
    if (!wants(figure, "figure") || !wants(application.c_str(), "application")) return;
    const std::string name = fmt::format("{}/{}/{}", figure, application, input);
    parts_.push_back({name, [this, name, application, input, body] {
                        const BinningMeter::Within within(meter_, name);
                        try {
                          body(settings_of(application, input));
                        } catch (const UsageError& error) {
                          meter_.skip(error.what());
                        }
                      }});
  }

  void add_parts() {
    for (const BinApplicationInfo* application : bin_applications()) {
      const std::string key = application->key;
      for (const auto& input : inputs(key)) {
        add("table5", key, input, [this](const BinSettings& s) { table5(s); });
        add("accesses", key, input, [this](const BinSettings& s) {
          compare(s, {"regular/count", "regular/sentinel", "regular/range", "compact/bin", "compact/range",
                      "compact/trimmed"});
        });
        if (!application->periodic)
          add("layouts", key, input, [this](const BinSettings& s) {
            compare(s, {"compact/range", "compact/range/arrays", "compact/range/vectors",
                        "compact/range/padded_elements", "compact/bin", "compact/bin/padded_bins"});
          });
      }
      const std::string usual = inputs(key).front();
      add("caps", key, usual, [this](const BinSettings& s) { caps(s); });
      add("sides", key, usual, [this](const BinSettings& s) { sides(s); });
      add("cutoffs", key, usual, [this](const BinSettings& s) { cutoffs(s); });
      if (!bench_.settings().given("input")) add("counts", key, "counts", [this](const BinSettings& s) { counts(s); });
    }
    for (const auto& input : inputs("cutcp")) add("tuned", "cutcp", input, [this](const BinSettings& s) { tuned(s); });
    add_records("misaligned", misaligned_figures);
    add_records("records", record_figures);
    add_records("histogram", histogram_figures);
  }

  /// Of no application.
  void add_records(const char* figure, std::vector<Figure> (*figures)(Bench&)) {
    if (!wants(figure, "figure") || bench_.settings().given("application")) return;
    parts_.push_back({figure, [this, figure, figures] {
                        const BinningMeter::Within within(meter_, figure);
                        try {
                          for (Figure& one : figures(bench_)) meter_.figures.push_back(std::move(one));
                        } catch (const UsageError& error) {
                          meter_.skip(error.what());
                        }
                      }});
  }

  /// Regular against compact, whole steps, and what is quickest today; the printed ratio beside.
  void table5(const BinSettings& settings) {
    const BinningCase c = make_binning_case(bench_, settings);
    // As the thesis has them: regular MRI spills, bodies are read bin by bin.
    std::vector<std::string> names{settings.application == "mri" ? "regular/count/spill" : "regular/count",
                                   settings.application == "nbody" ? "compact/bin" : "compact/range"};
    for (const char* more : {"compact/range", "compact/trimmed", "compact/subproblem", "none/scatter"})
      if (has_bin_track(settings.application, more) && names[1] != more) names.push_back(more);
    const std::size_t before = meter_.figures.size();
    meter_.measure(c, names, {"bins.total"});
    // The thesis printed them of its smaller inputs.
    if (settings.input == "large" || settings.input == "random") return;
    for (const Printed& printed : table_5)
      for (std::size_t i = before; i < meter_.figures.size() && settings.application == printed.application; ++i) {
        Figure& figure = meter_.figures[i];
        const std::string track = figure_parameter(figure, "track");
        if (track != names[0] && track != names[1]) continue;
        figure.parameters.emplace_back("printed_ms",
                                       fmt::format("{:g}", track == names[0] ? printed.regular : printed.compact));
        if (track == names[1])
          figure.parameters.emplace_back("printed_ratio", fmt::format("{:.2f}", printed.regular / printed.compact));
      }
  }

  /// The stage that makes the outputs, of several tracks against the first.
  void compare(const BinSettings& settings, const std::vector<std::string>& names) {
    const BinningCase c = make_binning_case(bench_, settings);
    meter_.measure(c, names, {"bins.gather", "bins.total"});
  }

  /// The Parboil-style gather: sentinels, eight slots a bin, the rest on the host.
  void tuned(BinSettings settings) {
    settings.cap = 8;
    const std::vector<std::string> tracks{"regular/sentinel/spill", "regular/count", "compact/range",
                                          "compact/trimmed"};
    meter_.measure(make_binning_case(bench_, settings), tracks, {"bins.total", "bins.gather"});
    // All at their best: more outputs a thread, fewer warps to test for.
    settings.per_thread = 8;
    const BinningMeter::Within within(meter_, fmt::format("per_thread{}", settings.per_thread));
    meter_.measure(make_binning_case(bench_, settings), tracks, {"bins.total", "bins.gather"});
  }

  /// Three tracks that spill, over caps from none to the deepest bin; and what the search finds, against the best.
  void caps(const BinSettings& settings) {
    const BinningCase c = make_binning_case(bench_, settings);
    const std::vector<std::string> tracks{"regular/count/spill", "regular/sentinel/spill", "compact/range/spill"};
    const std::uint64_t deepest = deepest_bin(c);
    std::map<std::string, std::pair<double, std::int64_t>> best;
    for (const std::int64_t cap : ladder(deepest)) {
      BinSettings capped = settings;
      capped.cap = cap;
      const BinningMeter::Within within(meter_, fmt::format("cap{}", cap));
      try {
        const BinningCase one = rebinned(bench_, c, capped);
        const std::size_t before = meter_.figures.size();
        meter_.measure(one, tracks, {"bins.gather", "bins.spill", "bins.total"});
        for (std::size_t i = before; i < meter_.figures.size(); ++i) {
          const Figure& figure = meter_.figures[i];
          if (!figure.name.ends_with("/total") || figure.samples == 0) continue;
          auto& least = best[figure_parameter(figure, "track")];
          if (least.first == 0 || figure.median < least.first) least = {figure.median, cap};
        }
      } catch (const UsageError& error) {
        meter_.skip(error.what());
      }
    }
    for (const auto& track : tracks) try {
        if (best.contains(track)) meter_.measure_search(c, track, best.at(track).second);
      } catch (const UsageError& error) {
        meter_.skip(error.what());
      }
  }

  /// Sides of bins as shares of the usual one.
  void sides(const BinSettings& settings) {
    const BinningCase c = make_binning_case(bench_, settings);
    const double usual = double{c.problem->space.grid.side[0]};
    for (const double share : {.5, .75, 1., 1.5, 2., 3.}) {
      BinSettings other = settings;
      other.bin = usual * share;
      swept(fmt::format("side{:g}", other.bin), [&] { return rebinned(bench_, c, other); });
    }
  }

  void cutoffs(const BinSettings& settings) {
    if (settings.application == "blinn") return meter_.skip("the reach of blobs follows from their blobbiness");
    const BinningCase c = make_binning_case(bench_, settings);
    const double usual = double{c.problem->space.cutoff};
    for (const double share : {.5, .75, 1., 1.25, 1.5}) {
      BinSettings other = settings;
      other.cutoff = usual * share;
      swept(fmt::format("cutoff{:g}", other.cutoff), [&] { return make_binning_case(bench_, other); });
    }
  }

  void counts(const BinSettings& settings) {
    const std::uint64_t least = cuda_ ? 4096 : 64;
    const double most = cuda_ ? 1 << 20 : 1024 * std::min(1., 16 * bench_.settings().scale);
    for (std::uint64_t count = least; static_cast<double>(count) <= most; count *= 4) {
      BinSettings other = settings;
      other.input = std::to_string(count);
      swept("n" + other.input, [&] { return make_binning_case(bench_, other); });
    }
  }

  void swept(const std::string& at, const std::function<BinningCase()>& make) {
    const BinningMeter::Within within(meter_, at);
    try {
      meter_.measure(make(), {"regular/count", "compact/range"}, {"bins.gather", "bins.total"});
    } catch (const UsageError& error) {
      meter_.skip(error.what());
    }
  }

  // ---- how -------------------------------------------------------------------------------------------------------

  /// 0, 1, 2, 3, 4, then by the root of 2, the deepest.
  static std::vector<std::int64_t> ladder(std::uint64_t deepest) {
    std::vector<std::int64_t> all{0, 1, 2, 3, 4};
    // 4 is two to the power of four halves.
    for (int halves = 5; std::exp2(halves / 2.) < static_cast<double>(deepest); ++halves)
      all.push_back(std::lround(std::exp2(halves / 2.)));
    while (!all.empty() && all.back() >= static_cast<std::int64_t>(deepest)) all.pop_back();
    all.push_back(static_cast<std::int64_t>(deepest));
    return all;
  }

  std::uint64_t deepest_bin(const BinningCase& c) {
    const auto track = make_bins_track(bench_.queue(), c.problem, "compact/range");
    start_bins(*track, bench_.queue());
    bench_.queue().wait();
    track->publish(bench_.queue());
    return bin_depths(*track, bench_.queue()).deepest;
  }

  Bench& bench_;
  BinningMeter meter_;
  const bool cuda_;
  std::vector<Part> parts_;
};

void check_figures(const Settings&, const std::string& text) {
  std::vector<std::string> known;
  for (const FigureInfo& figure : figure_list) known.emplace_back(figure.key);
  for (const auto& word : words_of(text))
    if (std::find(known.begin(), known.end(), word) == known.end())
      throw UsageError(unknown_message("figure", word, known));
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
