#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "gpu/bench/track_bench.h"
#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/scenes/irregular/bench/skewed_matrix.h"
#include "gpu/scenes/irregular/bench/suites.h"
#include "gpu/scenes/irregular/tracks/spmv_track.h"
#include "gpu/tracks/facets/approximate.h"
#include "gpu/tracks/facets/numbers.h"
#include "gpu/tracks/facets/rate.h"

namespace warploom::bench {

namespace {

/// What is measured, each over one or several sizes.
const std::vector<std::string> curves{"stencil27", "rmat",   "circuit", "skew", "pairs",
                                      "load",      "points", "blocks",  "grain"};

/// A track that is compared with others on the same input.
struct Entry {
  std::string name, track;
  void (*tune)(IrregularSettings&) = nullptr;  ///< settings of its own
};
/// What is told of each: a stage of its step, as a figure with that suffix.
struct Told {
  const char *suffix, *stage;
};

struct Comparison {
  std::string name;
  IrregularSettings settings;
  std::vector<std::pair<std::string, std::string>> parameters;
  std::vector<Entry> entries;
  const char* whole;  ///< the stage that a step is
  std::vector<Told> told;
  std::string peer = {};                                      ///< the entry that others are compared with
  std::shared_ptr<const IrregularProblem> problem = nullptr;  ///< null: the one of the settings
  bool busy = false;                                          ///< the share of their time that blocks work is told
};

class IrregularSuite : public TrackBench {
 public:
  explicit IrregularSuite(Bench& bench) : TrackBench(bench, "irregular") {
    const auto wanted = [this](const char* curve) { return wants("curve", curve); };
    if (wanted("stencil27")) add_part("stencil27", [this] { measure_stencil27(); });
    if (wanted("rmat")) add_part("rmat", [this] { measure_rmat(); });
    if (wanted("circuit")) add_part("circuit", [this] { measure_circuit(); });
    if (wanted("skew"))
      for (int tenths = 0; tenths <= 10; tenths += 2)
        add_part(fmt::format("skew/{}", tenths / 10.), [this, tenths] { measure_skew(tenths / 10.); });
    if (wanted("pairs")) add_part("pairs", [this] { measure_pairs(); });
    if (wanted("load"))
      for (const double load : {.1, .2, .3, .4, .5, .6, .7, .8, .9, .95, .99})
        add_part(fmt::format("load/{}", load), [this, load] { measure_load(load); });
    if (wanted("points"))
      for (int n = 10; n == 10 || std::ldexp(1, n) <= std::ldexp(bench.settings().scale, cuda() ? 24 : 16); n += 2)
        add_part(fmt::format("points/n{}", n), [this, n] { measure_points(n); });
    if (wanted("blocks"))
      for (int blocks = cuda() ? 4096 : 8;; blocks /= 2) {  // 0: as many as are resident
        add_part(fmt::format("blocks/{}", blocks ? std::to_string(blocks) : "resident"),
                 [this, blocks] { measure_blocks(blocks); });
        if (!blocks) break;
      }
    if (wanted("grain"))
      for (const int grain : {0, 16, 64, 256, 1024, 4096})
        if (cuda() || grain <= 256) add_part(fmt::format("grain/{}", grain), [this, grain] { measure_grain(grain); });
  }

 private:
  // ---- spmv: 2 z operations a product; a share of copy by the bytes that each format moves at least ---------------
  void measure_stencil27() {
    Comparison all = spmv("stencil27", scaled(cuda() ? 256 : 40));
    for (const char* track : {"dia/row", "ell/row", "hyb/row", "sell/row", "coo/element"})
      all.entries.push_back({track, track});
    compare(all);
  }
  void measure_rmat() {
    Comparison all = spmv("rmat", std::bit_ceil(scaled(cuda() ? 1 << 22 : 1 << 16)));
    for (const char* track : {"hyb/row", "sell/row", "coo/element"}) all.entries.push_back({track, track});
    compare(all);
  }
  /// The default scene: one long row a warp.
  void measure_circuit() {
    Comparison all = spmv("circuit", 64);
    for (const char* track : {"ell/row", "hyb/row", "sell/row", "coo/element"}) all.entries.push_back({track, track});
    all.peer = "ell/row";
    compare(all);
  }
  void measure_skew(double skew) {
    const auto rows = static_cast<std::uint32_t>(scaled(cuda() ? 1 << 21 : 1 << 14));
    Comparison all = spmv("skew", rows);
    all.name = fmt::format("skew/{}", skew);
    all.parameters = {{"skew", fmt::format("{}", skew)}};
    all.problem = skewed_matrix(rows, std::uint64_t{rows} * 16, skew, all.settings.seed);
    for (const char* track : {"hyb/row", "sell/row", "coo/element"}) all.entries.push_back({track, track});
    compare(all);
  }
  Comparison spmv(const std::string& matrix, std::uint64_t n) {
    IrregularSettings settings = fresh("spmv");
    settings.matrix = matrix;
    settings.n = static_cast<std::int64_t>(n);
    Comparison all{matrix, settings, {{"n", std::to_string(n)}}, {}, "spmv.multiply", {{"", "spmv.multiply"}}};
    all.entries = {{"csr/row", "csr/row"},
                   {"csr/warp", "csr/warp"},
                   {"csr/warp of 8 lanes", "csr/warp", [](IrregularSettings& own) { own.row_lanes = 8; }},
                   {"csr/merge", "csr/merge"},
                   {"vendor", "vendor"}};
    if (cuda())
      all.entries.push_back({"vendor/csr", "vendor", [](IrregularSettings& own) { own.vendor_csr_alone = true; }});
    all.peer = cuda() ? "vendor" : "csr/row";
    return all;
  }

  // ---- hash: pairs built, and queries answered, found ones and others apart ---------------------------------------
  void measure_pairs() {
    for (const bool hits : {true, false}) {
      Comparison all = hash(hits, cuda() ? 1 << 26 : 100000);
      all.name = "pairs";
      all.entries = {{"two_level", "two_level"},
                     {"bucketed", "bucketed", [](IrregularSettings& own) { own.load = .8; }},
                     {"linear", "linear", [](IrregularSettings& own) { own.load = .71; }},
                     {"sort", "sort"}};
      if (hits) {
        all.told.push_back({"/cuckoo", "hash.cuckoo"});
        all.told.push_back({"/both", "hash.total"});
      }
      all.peer = "sort";
      compare(all);
    }
  }
  void measure_load(double load) {
    for (const bool hits : {true, false}) {
      Comparison all = hash(hits, cuda() ? 1 << 22 : 1 << 14);
      all.settings.load = load;
      all.name = fmt::format("load/{}", load);
      all.parameters.emplace_back("load", fmt::format("{}", load));
      for (const char* track : {"linear", "double", "chaining", "bucketed"}) all.entries.push_back({track, track});
      all.peer = "linear";
      compare(all);
    }
  }
  Comparison hash(bool hits, double count) {
    IrregularSettings settings = fresh("hash");
    settings.keys = "random";
    settings.count = static_cast<std::int64_t>(scaled(count));
    settings.hits = hits;
    Comparison all{"", settings, {{"pairs", std::to_string(settings.count)}}, {}, "hash.total", {}};
    if (hits) all.told.push_back({"/build", "hash.build"});
    all.told.push_back({hits ? "/hits" : "/misses", "hash.lookup"});
    return all;
  }

  // ---- tree: points to boxes, and of that the nodes alone ---------------------------------------------------------
  void measure_points(int n) {
    IrregularSettings settings = fresh("tree");
    settings.points = "uniform";
    settings.dimension = 3;
    // What the program is asked to do in 25 ms of a CPU lies between two powers of two.
    settings.count = n == 14 && !cuda() ? 20000 : std::int64_t{1} << n;
    Comparison all{fmt::format("points/n{}", n),
                   settings,
                   {{"points", std::to_string(settings.count)}},
                   {{"levels/scan", "levels/scan"}, {"levels/atomic", "levels/atomic"}, {"radix", "radix"}},
                   "tree.total",
                   {{"/boxes", "tree.total"}, {"/nodes", "tree.build"}, {"/sort", "tree.sort"}, {"/fit", "tree.fit"}},
                   "levels/scan"};
    compare(all);
  }

  // ---- tasks: of all strategies, over blocks and over the work of a task ------------------------------------------
  void measure_blocks(int blocks) {
    IrregularSettings settings = fresh("tasks");
    settings.size = cuda() ? 1024 : 512;
    settings.iterations = cuda() ? 1024 : 256;
    settings.blocks = blocks;
    Comparison all = tasks(settings);
    const std::string told = blocks ? std::to_string(blocks) : "resident";
    all.name = "blocks/" + told;
    all.parameters = {{"blocks", told}};
    compare(all);
  }
  void measure_grain(int grain) {
    IrregularSettings settings = fresh("tasks");
    settings.application = "random_tree";
    settings.grain = grain;
    settings.capacity = 1 << 22;             // each block's share has room
    if (!cuda()) settings.probability = .1;  // 10,000 tasks
    Comparison all = tasks(settings);
    all.name = fmt::format("grain/{}", grain);
    all.parameters = {{"grain", std::to_string(grain)}};
    compare(all);
  }
  Comparison tasks(const IrregularSettings& settings) {
    Comparison all{"", settings, {}, {}, "tasks.run", {{"", "tasks.run"}}, "static_list"};
    for (const TrackInfo& info : find_irregular_system("tasks").tracks) all.entries.push_back({info.name, info.name});
    all.busy = true;
    return all;
  }
  /// How much of their time the blocks work: by the chart, which is measured on CUDA and modelled on a CPU.
  void add_busy(Figure busy, Track& track) {
    busy.unit = "% of the blocks' time";
    busy.note = cuda() ? "measured chart" : "modelled chart";
    for (const auto& [key, value] : track.need<Numbers>().numbers(bench().queue()))
      if (key == "busy_share") busy.median = busy.low = busy.high = 100 * value;
    busy.samples = 1;
    busy.verified = true;
    add(std::move(busy));
  }

  // -----------------------------------------------------------------------------------------------------------------
  IrregularSettings fresh(const char* system) {
    IrregularSettings settings;
    settings.system = system;
    settings.seed = bench().fresh_seed() >> 32;
    return settings;
  }
  /// So much of the usual size.
  std::uint64_t scaled(double usual) const {
    return static_cast<std::uint64_t>(std::max(4., usual * bench().settings().scale));
  }

  Figure figure_of(const Comparison& all, const Entry& entry, const char* suffix) const {
    auto parameters = all.parameters;
    parameters.emplace(parameters.begin(), "system", all.settings.system);
    parameters.emplace_back("track", entry.name);
    parameters.emplace_back("seed", std::to_string(all.settings.seed));
    parameters.emplace_back("verified_by", "the host's oracle");
    return make_figure(all.name + "/" + entry.name + suffix, "", std::move(parameters));
  }

  /// Measures all entries in turn on one input, and adds their figures.
  void compare(const Comparison& all) {
    const IrregularSystem& system = find_irregular_system(all.settings.system);
    Queue& queue = bench().queue();
    std::shared_ptr<const IrregularProblem> problem = all.problem;
    std::vector<Contestant> contestants;
    std::vector<const Entry*> entries;
    for (const Entry& entry : all.entries) {
      const auto of_this = [&] { return figure_of(all, entry, all.told[0].suffix); };
      if (const std::string why = system.unavailable ? system.unavailable(bench().backend(), entry.track) : "";
          !why.empty()) {
        skip(of_this(), why);
        continue;
      }
      report(all.name + ": " + entry.name);
      unless_refused(
          [&] {
            IrregularSettings own = all.settings;
            if (entry.tune) entry.tune(own);
            if (!problem) {
              system.check(own, {entry.track});
              problem = system.problem(own);
            }
            // A track that does not fit is refused before it is made.
            const double needed = system.bytes(*problem, own, entry.track),
                         room = static_cast<double>(free_bytes(bench().backend()));
            if (needed > room) throw UsageError(fmt::format("needs {}, {} free", bytes_text(needed), bytes_text(room)));
            const std::shared_ptr<Track> track =
                system.make(queue, problem, own, find_irregular_track(system, entry.track));
            track->need<IrregularFacet>().start(queue);
            finish_step(*track, queue);
            contestants.push_back(track_contestant(
                entry.name, track, [](Track& one, Queue& in) { one.need<IrregularFacet>().poison(in); },
                [](Track& one, Queue& in) { return one.need<Approximate>().verdict(in, one).holds(); }));
            entries.push_back(&entry);
          },
          of_this);
    }
    auto samples = measure_steps(bench(), contestants, all.whole);
    const auto peer =
        static_cast<std::size_t>(std::ranges::find(contestants, all.peer, &Contestant::name) - contestants.begin());
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      Track& track = *contestants[i].track;
      const bool right = samples[i][all.whole].verified;
      for (const Told& told : all.told) {
        // A stage that a strategy does not have is none of its figures.
        if (right && !samples[i].contains(told.stage)) continue;
        Figure figure = figure_of(all, *entries[i], told.suffix);
        const auto work = track.need<RateFacet>().work();
        figure.unit = work.unit;
        const Samples& own = samples[i][right ? told.stage : all.whole];
        set_rates(figure, own, work.amount, 1);
        if (peer < contestants.size() && peer != i && samples[peer].contains(told.stage))
          set_peer(figure, all.peer, own, samples[peer][told.stage]);
        if (const auto* product = dynamic_cast<const SpmvTrack*>(&track); product && product->layout())
          set_rate_share(bench(), figure, "copy", static_cast<double>(product->layout()->moved_bytes()) / work.amount);
        add(std::move(figure));
      }
      if (right && all.busy) add_busy(figure_of(all, *entries[i], "/busy"), track);
    }
  }
};

}  // namespace

/// Sparse products, hash tables, trees and task queues: what evening work out costs, against vendors and each other.
Suite irregular_suite() {
  return {"irregular",
          "sparse products, hash tables, trees and task queues over skew, load, points, blocks and grain",
          [](Bench& bench) { return IrregularSuite(bench).run(); },
          {{"curve", [](const Settings&, const std::string& text) { check_words("curve", text, curves); }}}};
}

}  // namespace warploom::bench
