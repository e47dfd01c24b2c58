#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/core/hash.h"
#include "gpu/own/registry.h"
#include "gpu/scenes/simplex/simplex.h"
#include "gpu/tracks/facets/failure.h"
#include "gpu/tracks/facets/numbers.h"
#include "viewer/model/own_rules.h"
#include "viewer/model/scene_of.h"
#include "viewer/scenes/simplex/parameters.h"
#include "viewer/scenes/simplex/point_source.h"
#include "viewer/scenes/simplex/shares.h"
#include "viewer/scenes/simplex/theory.h"

namespace warploom {

/// What the scene brings along for the window, scene texts, stats and benchmarks.
const SceneParts& simplex_parts();

namespace {

const char* usual_rule(int dimensions) { return dimensions == 2 ? "B3/S23" : "B1/S12"; }

/// What a copy of the scene takes with it.
struct SimplexValues {
  SimplexParams params_;
  ScenePoints points_;
  std::string history_;  ///< of a start state that was given
  StartCells start_;
  TrackSubstitutes substitutes_;
  mutable std::string curves_of_;
  mutable std::vector<TheoryCurve> curves_;
};

class SimplexScene final : public SceneOf<SimplexScene, SimplexValues, Theory, GainTheory, Breakable, StoredState,
                                          Substituting, Captioned, TakesOwnMaps> {
 public:
  explicit SimplexScene(const SimplexValues& values = {})
      : SceneOf({"simplex", "Simplices", "automata, distances, energies and stencils on triangles and tetrahedra"},
                simplex_parts(), values) {}

  void describe(Describer& d) {
    params_.describe(d, choices_of(simplex_kinds()), with_own_rules(choices_of(simplex_works(dimensions()))),
                     track_choices(track_kinds(), false), coarsen_choices(settings(), known_tracks()));
    d.at("n").saying([this] { return short_count(static_cast<unsigned long long>(cells())) + " cells"; });
    d.at("block").saying([this] { return fmt::format("n_b = {}", settings().blocks()); });
    Parameter& coarsen = d.at("coarsen");
    coarsen.where([this] {
      const auto sides = simplex_coarse_sides(settings());
      return sides.empty() ? "work '" + params_.work + "' has only a thread per cell" : "";
    });
    coarsen.sparing([this] { return without_shapes(settings(), known_tracks()); });
    coarsen.saying([this] { return boxes_text(settings(), known_tracks()); });
    // Numbers of cells that other blocks and layouts list are known too, and works of other domains: their refusal
    // says why.
    coarsen.also_numbers = true;
    for (const auto& work : all_works()) d.at("work").also.push_back(work.key);
    d.at("gang").saying([this] { return gangs_text(settings(), known_tracks()); });
    d.at("density").where([this] {
      const auto live = [](const SimplexWork& work) { return work.cells_live; };
      return start_.cells ? why_not_random() : params_.lacks(live, "has no cells that live");
    });
    d.at("seed").where([this] { return why_not_random(); });
    d.at("tracks").canonical = [dimensions = dimensions()](const std::string& name) {
      return find_simplex_track(dimensions, name).name;
    };
  }

  void resolve(const std::set<std::string>& given, const std::filesystem::path& folder) override {
    const SimplexKind& kind = find_simplex_kind(params_.domain);
    if (params_.n < 1 || params_.n > most_simplex_side)
      throw UsageError(fmt::format("n {}: a side is from 1 to {}", params_.n, most_simplex_side));
    if (params_.block > params_.most_block() && given.contains("block"))
      throw UsageError(
          params_.coarsen == "1"
              ? fmt::format("block {}: at most {} in a {}, where a block has rho^{} \u2264 1024 threads; up "
                            "to {} where threads serve several cells (coarsen)",
                            params_.block, kind.most_block, kind.key, kind.dimensions, most_simplex_block)
              : fmt::format("block {}: at most {}", params_.block, most_simplex_block));
    follow_domain(given);
    (void)find_simplex_work(kind, params_.work);
    for (auto& track : params_.tracks) track = find_simplex_track(kind.dimensions, track).name;
    substitutes_.apply(params_.tracks, given.contains("tracks"), [&](const std::string& name) {
      const TrackInfo& asked = find_simplex_track(kind.dimensions, name);
      const TrackInfo& runs = compiled_simplex_track(kind.dimensions, asked, params_.work);
      return Substitute{name, runs.name,
                        asked.map == runs.map ? "layout " + asked.layout + " is, under bounding_box and root_exact"
                                              : "an inexact root is, under automaton, single_write and map_only"};
    });
    const Rule rule = parse_rule(params_.rule);
    if (kind.dimensions == 3 && ((rule.born | rule.survive) >> 7))
      throw UsageError("rule " + params_.rule + ": a cell of a tetrahedron has 6 neighbours, no digit above 6");
    params_.rule = text(rule);
    follow_shares(params_, given, [this] { return shares_fit(settings(), known_tracks()); });
    for (const auto& track : params_.tracks)
      (void)simplex_shares(settings(), find_simplex_track(kind.dimensions, track));  // throws
    points_.resolve(params_, given, folder);
  }

  std::string mend(const std::string& key) override {
    const std::int64_t before = params_.block;
    const std::string coarsen = params_.coarsen, gang = params_.gang, work = params_.work;
    if (key == "domain" || key == "coarsen") follow_domain({});
    follow_shares(params_, {key}, [this] { return shares_fit(settings(), known_tracks()); });
    std::string said;
    const auto add = [&said](const std::string& more) { said += (said.empty() ? "" : "; ") + more; };
    if (params_.work != work) add("work '" + work + "' is none of this domain: now " + params_.work);
    if (params_.block != before && before != 0)
      add(fmt::format("block {} is not legal here: now {}", before, params_.block));
    if (params_.coarsen != coarsen) add("no " + coarsen + " cells per thread here: now " + params_.coarsen);
    if (params_.gang != gang) add("no " + gang + " joined blocks here: now " + params_.gang);
    return said;
  }

  std::vector<std::string> foreign_words() const override { return {"d.level", "d.copy", "d.k"}; }
  bool is_map(const TrackInfo& track) const override {
    return !names_own(track.name) || find_own(track.name)->form != "kernel";
  }
  const std::vector<TrackInfo>& track_kinds() const override { return simplex_tracks(dimensions(), params_.work); }
  std::vector<Topic> catalogue() const override {
    return {maps_topic(key(), all_track_kinds()), works_topic(key(), all_works())};
  }

  BuildRequest build_request(Backend backend) override {
    const SimplexSettings settings = this->settings();
    (void)find_simplex_work(kind(), params_.work);  // throws
    BuildRequest request;
    request.dump_bytes = 4 * std::pow(double(params_.n), dimensions());
    const std::uint64_t points = text_hash(points_.points() ? std::to_string(points_.hash()) : "");
    hash_by_roles(request, parameters(), backend, start_.hash(points));
    hash_rule(request, params_.work);
    if (start_.cells) request.history = history_;
    const bool inexact = std::none_of(params_.tracks.begin(), params_.tracks.end(), [&](const std::string& track) {
      return find_simplex_track(dimensions(), track).exact;
    });
    auto counted = params_.tracks;
    if (inexact) counted.emplace_back("bounding_box");
    for (const auto& track : counted) request.memory += simplex_track_bytes(settings, track);
    request.check_memory = [settings, backend, counted](std::uint64_t released) {
      check_simplex(backend, settings, counted, released);
    };
    request.make_tracks = make_each(params_.tracks, [settings](Queue& queue, const std::string& track) {
      return make_simplex_track(queue, settings, track);
    });
    if (inexact)
      request.make_hidden = [settings](Queue& queue) { return make_simplex_track(queue, settings, "bounding_box"); };
    request.start_state = start_.starting(params_.seed, params_.density);
    return request;
  }

  Results results(const Simulation& simulation, Queue& queue) const override {
    const SimplexWork& work = find_simplex_work(kind(), params_.work);
    Track& right = simulation.reference_track();
    const TrackStatus status = simulation.reference_status();
    Results all{{"cells", right.cells()}, {"padding_blocked", blocked_padding(settings())}};
    if (work.cells_live && status.sealed) all.emplace_back("alive_cells", status.seal.sum);
    if (!work.odd.empty() && status.folded) all.emplace_back(work.odd, *status.folded);
    if (!work.odd.empty() && !status.folded) all.emplace_back(work.odd, std::nan(""));  // not counted yet
    if (auto* numbers = right.facet<Numbers>())
      for (const auto& [name, value] : numbers->numbers(queue))
        if (!tells_shares(name)) all.emplace_back(name, value);
    for (std::size_t i = 0; i < simulation.size(); ++i)
      if (const auto* failing = simulation.track(i).facet<FailureFacet>())
        if (const FirstWrong wrong = failing->first_wrong(); wrong.found)
          all.emplace_back(fmt::format("track{}_first_wrong", i), wrong.index);
    return all;
  }

  std::string caption() const override {
    return fmt::format("{}, n = {}: {} cells, blocks of {}{}", kind().title, params_.n, grouped(std::llround(cells())),
                       settings().rho, dimensions() == 2 ? "\u00b2" : "\u00b3");
  }
  std::string look_at(const Simulation&, const std::vector<std::string>& pictures) const override {
    return std::ranges::count(pictures, "launch") ? "Hatched blocks below are threads without work." : std::string();
  }

  std::string sentence(const Simulation&) const override {
    const double n = double(params_.n), box = std::pow(n, dimensions());
    return fmt::format("The bounding box has {:.2f} places per cell.", box / cells());
  }
  std::vector<TheoryCurve> waste() const override {
    // Called every frame; some closed forms count up to a root.
    const std::string now = fmt::format("{}|{}|{}|{}", params_.domain, params_.n, params_.block, join(params_.tracks));
    if (now != curves_of_) curves_ = waste_curves(settings(), params_.tracks);
    curves_of_ = now;
    return curves_;
  }
  std::vector<TheoryCurve> gains(const Simulation& simulation) const override {
    return gain_curves(settings(), simulation);
  }
  std::vector<std::string> layout_lines(const Simulation& simulation) const override {
    return layout_theory(settings(), simulation);
  }

  std::optional<BreakIt> break_it(const FirstWrong& wrong) const override {
    if (!wrong.found) return std::nullopt;
    return BreakIt{"n",
                   std::int64_t{wrong.blocks} * params_.block,
                   {{"n", std::int64_t{wrong.blocks}}, {"block", std::int64_t{1}}}};
  }
  FirstWrong first_wrong(Queue& queue, const std::string& track) const override {
    SimplexSettings one_cell = settings();  // it does not depend on the size
    one_cell.n = one_cell.rho = one_cell.coarsen = one_cell.gang = 1;
    return make_simplex_track(queue, one_cell, track)->need<FailureFacet>().first_wrong();
  }

  void forget_file() override {}
  void forget_state() override {
    start_ = {};
    history_.clear();
  }
  Index3 domain_extent() const override {
    const auto n = static_cast<std::uint32_t>(params_.n);
    return {n, n, dimensions() == 2 ? 1 : n};
  }
  void set_state(std::vector<std::uint8_t> cells, std::uint32_t width, std::uint32_t height, std::uint64_t step,
                 std::string history) override {
    if (dimensions() != 2 || width != params_.n || height != params_.n)
      throw FileError("its stored state belongs to another domain");
    start_ = {std::move(cells), step};
    history_ = std::move(history);
  }
  const std::vector<std::uint8_t>* start_state() const override { return start_.cells ? &*start_.cells : nullptr; }
  std::pair<std::uint64_t, std::string> start_origin() const override { return {start_.step, history_}; }
  std::vector<Substitute> substitutes() const override {
    auto all = substitutes_.of(params_.tracks);
    const SimplexSettings now = settings();
    for (Substitute& one : all) {
      const TrackInfo* info = one.requested.empty() && now.coarsen > 1 ? known_track(one.runs) : nullptr;
      if (!info || !info->exact || names_own(info->name) || compiles_all_shapes(dimensions(), *info)) continue;
      const std::uint32_t cells = simplex_shares(now, *info).box.cells();
      if (cells == now.coarsen) continue;
      one = {fmt::format("{} coarsen={}", one.runs, now.coarsen), fmt::format("coarsen {}", cells),
             "every shape is, under bounding_box and root_exact"};
    }
    return all;
  }

 private:
  /// The tracks that the domain has: before the values are resolved, others may be named.
  std::vector<TrackInfo> known_tracks() const {
    std::vector<TrackInfo> all;
    for (const auto& track : params_.tracks)
      if (const TrackInfo* info = known_track(track)) all.push_back(*info);
    return all;
  }
  /// Null where the domain has no such track.
  const TrackInfo* known_track(const std::string& name) const {
    for (const auto& info : track_kinds())
      if (info.name == name || info.map + "/" + info.layout == name) return &info;
    return nullptr;
  }

  static std::vector<TrackInfo> all_track_kinds() {
    // One of each name; those of a single dimension say so.
    std::vector<TrackInfo> all = simplex_tracks(2);
    add_new_tracks(all, simplex_tracks(3));
    for (auto& info : all)
      for (const int only : {2, 3})
        if (!has_track(simplex_tracks(5 - only), info.name))
          info.description += only == 2 ? " \u00b7 triangle only" : " \u00b7 tetrahedra only";
    return all;
  }
  static std::vector<Choice> all_works() {
    std::vector<Choice> all = choices_of(simplex_works(2));
    for (const Choice& work : choices_of(simplex_works(3)))
      if (!simplex_work_of(2, work.key)) all.push_back(work);
    return all;
  }
  const SimplexKind& kind() const { return find_simplex_kind(params_.domain); }
  int dimensions() const { return kind().dimensions; }
  double cells() const { return simplex_number_real(dimensions(), double(params_.n)); }
  SimplexSettings settings() const {
    return {&kind(),
            static_cast<std::uint32_t>(params_.n),
            static_cast<std::uint32_t>(params_.block ? params_.block : SimplexParams::usual_block),
            SimplexParams::number_of(params_.coarsen),
            SimplexParams::number_of(params_.gang),
            params_.work,
            parse_rule(params_.rule),
            points_.points(),
            params_.constants == "on"};
  }

  /// Empty where a hash of the seed decides something.
  std::string why_not_random() const {
    if (start_.cells) return "the start state is given: no cell is random";
    const SimplexWork* work = params_.known_work();
    if (!work || work->reads_state) return "";
    if (!work->more_points) return "work '" + params_.work + "' has nothing random";
    const bool counted = params_.points.find_first_not_of("0123456789") == std::string::npos;
    return counted ? "" : "the points are read from a file";
  }

  /// What was not asked for follows the domain: a legal block, a work and maps that are there, its usual rule.
  void follow_domain(const std::set<std::string>& given) {
    const int dimensions = this->dimensions();
    if (params_.block == 0 || params_.block > params_.most_block()) params_.block = SimplexParams::usual_block;
    if (!given.contains("work") && !params_.known_work()) params_.work = simplex_works(dimensions)[0].key;
    if (!given.contains("rule") && params_.rule == usual_rule(5 - dimensions)) params_.rule = usual_rule(dimensions);
    if (!given.contains("tracks"))
      for (auto& track : params_.tracks)
        if (!names_own(track) && !has_track(simplex_tracks(dimensions), track)) track = "root_exact";
    if (start_.cells && start_.cells->size() != std::pow(double(params_.n), dimensions)) start_.cells.reset();
  }
};

}  // namespace

std::unique_ptr<Scene> make_simplex_scene() { return std::make_unique<SimplexScene>(); }

}  // namespace warploom
