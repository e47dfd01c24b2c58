#include "viewer/scenes/bins/parameters.h"

#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/scenes/bins/bins.h"
#include "viewer/base/numbers.h"

namespace warploom {

namespace {

/// -1: searched for.
std::int64_t parse_cap(const std::string& text) {
  if (text == "auto") return -1;
  const auto cap = parse_number<std::int64_t>(text);
  if (!cap || *cap < 0 || *cap > most_cap)
    throw UsageError("cap '" + text + "': expected auto, or a number from 0 to 2147483647");
  return *cap;
}

bool is_count(const std::string& input) {
  return !input.empty() && input.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

BinSettings BinsParams::settings(const std::filesystem::path& folder) const {
  BinSettings all;
  all.application = application;
  all.input = input;
  all.seed = seed;
  all.bin = bin;
  all.cutoff = cutoff;
  all.spacing = spacing;
  all.grid = static_cast<std::uint32_t>(grid);
  all.blobbiness = blobbiness;
  all.time_step = time_step;
  all.tile = static_cast<int>(tile);
  all.per_thread = static_cast<int>(per_thread);
  all.cap = parse_cap(cap);
  all.binning = binning == "sort" ? Binning::sort : Binning::rank;
  all.folder = folder;
  return all;
}

std::string BinsParams::only(std::initializer_list<const char*> applications, const char* thing) const {
  if (std::find(applications.begin(), applications.end(), application) != applications.end()) return {};
  return "application '" + application + "' has no " + thing;
}

std::string BinsParams::not_random() const {
  const bool count = is_count(input), usual = input == "small" || input == "large" || count;
  if (application == "nbody" && (usual || input == "demo" || input == "few")) return {};
  if (application == "cutcp" && usual) return {};
  if (input == "random") return {};
  return "input '" + input + "' of '" + application + "' is not random";
}

void BinsParams::describe(Describer& d, std::vector<Choice> applications, std::vector<Choice> maps) {
  d.section("Elements");
  d.choice("application", "Application", application, std::move(applications), "what is computed from the bins");
  d.path("input", "Input", input, "demo, small, large, random (blobs), a count, or a .npy, .pdb, .pqr or .xyz file")
      .following({"application"})
      .taking({".npy", ".pdb", ".pqr", ".xyz"});
  d.natural("seed", "Seed", seed, "seed of the hash that places random elements").where([this] {
    return not_random();
  });
  d.section("Reach");
  d.real("cutoff", "Cutoff", cutoff, 0, 1e30,
         "distance beyond which an element has no effect; auto: the application's own; for MRI in cells, 0.75 to 4")
      .or_auto(0.)
      .following({"application"})
      .where([this] { return application == "blinn" ? "of blobs it follows from blobbiness" : std::string(); });
  d.real("spacing", "Spacing", spacing, 0, 1e30, "spacing of the output lattice; auto: the application's own")
      .or_auto(0.)
      .following({"application"})
      .where([this] {
        return only({"cutcp", "blinn"}, "spacing of its own");
      });
  d.integer("grid", "Grid", grid, 0, 4096,
            "output points per side: 2^a 3^b 5^c, a multiple of 4; auto: what the input asks for")
      .or_auto(std::int64_t{0})
      .following({"application", "input"})
      .where([this] { return only({"mri"}, "grid of its own"); });
  d.real("blobbiness", "Blobbiness", blobbiness, .1, 20, "how sharply blobs fall off").where([this] {
    return only({"blinn"}, "blobs");
  });
  d.real("time_step", "Time step", time_step, 0, 1, "time step of bodies, in their own unit; 0: at rest")
      .as(Role::logic)
      .where([this] { return only({"nbody"}, "time"); });
  d.section("Binning");
  d.real("bin", "Bin side", bin, 0, 1e30, "side of a bin; auto: the application's own")
      .or_auto(0.)
      .as(Role::settings)
      .following({"application"});
  d.text("cap", "Cap", cap,
         "the most slots that a bin has in tracks that spill: auto (found by a search), or a number; 0: no bins")
      .as(Role::settings)
      .checked([](const std::string& text) { (void)parse_cap(text); })
      .where([this] {
        return std::ranges::any_of(tracks, [](const auto& track) { return track.ends_with("/spill"); })
                   ? ""
                   : "no track spills";
      });
  d.choice("binning", "Ranks", binning,
           {{"rank", "in arrival order", "an atomic add gives each element its rank in its bin"},
            {"sort", "in input order", "a stable sort by bin: the same in every run"}},
           "how elements find their place in a bin")
      .as(Role::settings);
  d.integer("tile", "Tile", tile, 4, 8, "outputs per side of a block: 4 or 8")
      .as(Role::settings)
      .among([] {
        return std::vector<std::int64_t>{4, 8};
      })
      .where([this] {
        return only({"cutcp", "mri", "blinn"}, "tiles");
      });
  d.integer("per_thread", "Per thread", per_thread, 1, 8, "outputs per thread, along z: 1, 2, 4 or 8, at most the tile")
      .as(Role::settings)
      .among([this] {
        std::vector<std::int64_t> legal;
        for (std::int64_t n = 1; n <= tile; n *= 2) legal.push_back(n);
        return legal;
      })
      .where([this] {
        return only({"cutcp", "mri", "blinn"}, "tiles");
      });
  d.section("Tracks");
  d.list("tracks", "Tracks", tracks, std::move(maps), 1, 4, "bins side by side: structure/access[/layout][/spill]")
      .as(Role::settings)
      .once("lanes");
}

}  // namespace warploom
