#include "viewer/scenes/simplex/parameters.h"

#include "gpu/core/format.h"
#include "gpu/files/points.h"
#include "gpu/maps/rule.h"
#include "gpu/own/registry.h"
#include "viewer/model/own_rules.h"

namespace warploom {

void SimplexParams::describe(Describer& d, std::vector<Choice> domains, std::vector<Choice> works,
                             std::vector<Choice> maps, std::vector<Choice> coarsenings) {
  // Where values are sums over blocks, the block is part of what is computed.
  const Role of_blocks = known_work() && known_work()->per_block ? Role::start : Role::settings;
  const auto has_rule = [this] {
    if (names_own(work)) return "work '" + work + "' is a rule itself";
    return lacks([](const auto& w) { return w.cells_live; }, "has no rule");
  };
  const auto has_points = [this] {
    return lacks([](const auto& w) { return w.more_points.has_value(); }, "needs no points");
  };
  d.section("Domain");
  d.choice("domain", "Domain", domain, std::move(domains), "shape of the domain");
  d.integer("n", "Side n", n, 1, double(most_simplex_side), "cells per side, any number");
  d.integer("block", "Block", block, 0, double(most_simplex_block),
            "cells per side of a block (\u03c1 in papers): up to 32 in a triangle, 10 in a tetrahedron, 64 where "
            "threads serve several cells; auto: the usual 8")
      .or_auto(std::int64_t{0})
      .as(of_blocks)
      .following({"domain"});
  d.choice("coarsen", "Per thread", coarsen, std::move(coarsenings),
           "how many cells a thread serves, a box of them; auto: the best that the work lists for its block and layout")
      .as(of_blocks);
  d.choice("gang", "Joined", gang,
           {{"1", "none", "each block is launched by itself"},
            {"2", "2 blocks", "two blocks are launched as one, each with a barrier of its own"},
            {"4", "4 blocks", "four blocks are launched as one"},
            {"8", "8 blocks", "eight blocks are launched as one"},
            {"auto", "auto", "the smallest number whose launch is hidden by the memory traffic"}},
           "how many blocks of the map are launched as one thread block: fewer to start, the same map")
      .as(Role::settings);
  d.section("Work");
  d.choice("work", "Work", work, std::move(works), "what a thread does at its cell");
  d.text("rule", "Rule", rule,
         "a life-like automaton: B digits /S digits; 8 neighbours in a triangle, 6 in a tetrahedron")
      .as(Role::logic)
      .where(has_rule)
      .checked([](const std::string& text) { (void)parse_rule(text); });
  d.real("density", "Density", density, 0, 1, "share of the cells that are alive at the start");
  d.natural("seed", "Seed", seed, "seed of states and points");
  d.path("points", "Points", points,
         "number of random points (0: as many as needed), or a " + point_file_kinds() + " file")
      .where(has_points)
      .taking(texts_of(point_readers(), &PointReader::extension));
  d.section("Tracks");
  d.list("tracks", "Tracks", tracks, std::move(maps), 1, 4, "thread maps side by side: map[/layout]")
      .as(Role::settings)
      .once("lanes");
  d.choice("constants", "Constants", constants, constants_choices(), constants_help).as(Role::settings).where([this] {
    return no_own_track(tracks);
  });
}

}  // namespace warploom
