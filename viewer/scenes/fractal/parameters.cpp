#include "viewer/scenes/fractal/parameters.h"

#include "gpu/core/format.h"
#include "gpu/core/types.h"
#include "gpu/files/states.h"
#include "gpu/maps/rule.h"
#include "gpu/scenes/fractal/maps/domain.h"
#include "viewer/model/own_rules.h"

namespace warploom {

void FractalParams::describe(Describer& d, std::vector<Choice> fractals, std::vector<Choice> works,
                             std::vector<Choice> maps) {
  const auto has_rule = [this] { return work == "life" ? "" : "work '" + work + "' has no rule"; };
  const auto no_sliced = [this] {
    for (const auto& track : tracks)
      if (track.starts_with("sliced")) return std::string();
    return std::string("no track is sliced, and maps run on one device");
  };
  d.section("Domain");
  d.choice("fractal", "Fractal", fractal, std::move(fractals),
           "the mask that is repeated inside itself, or a mask file")
      .taking({".toml"})
      .counted_by_content();
  d.integer("level", "Level", level, 0, FractalDomain::most_levels,
            "how often the mask is put into itself; the side is n = (side of the mask)^level");
  d.integer("block", "Block", block, 0, max_block_threads,
            "the block's side along x, a power of the mask's side; auto: the largest with at most 256 threads")
      .or_auto(std::int64_t{0})
      .as(Role::settings)
      .following({"fractal", "level"});
  d.section("Devices");
  d.integer("devices", "Devices", devices, 1, 16,
            "how many devices share a sliced state out, which a track may say itself: sliced@2; on the CPU pools stand "
            "for them")
      .as(Role::settings)
      .among([] {
        return std::vector<std::int64_t>{1, 2, 4, 8, 16};
      })
      .where(no_sliced);
  d.integer("device_memory", "Memory", device_memory, 0, 1 << 20,
            "MiB that the tracks may take of each device, so that a state that fits several alone shows anywhere")
      .as(Role::settings)
      .saying([this] { return std::string(device_memory ? "MiB each" : "what there is"); })
      .where(no_sliced);
  d.section("Work");
  d.choice("work", "Work", work, std::move(works), "what a thread does at its cell").as(Role::logic);
  d.text("rule", "Rule", rule, "a life-like automaton: B digits /S digits")
      .as(Role::logic)
      .where(has_rule)
      .checked([](const std::string& text) { (void)parse_rule(text); });
  d.real("density", "Density", density, 0, 1, "share of cells that are alive at the start");
  d.natural("seed", "Seed", seed, "seed of the random start state");
  d.path("state", "State", state, "start from a " + state_file_kinds() + " file; empty: random")
      .taking(texts_of(state_readers(), &StateReader::extension));
  d.section("Tracks");
  d.list("tracks", "Tracks", tracks, std::move(maps), 1, 4, "thread maps side by side: map[/intra[/storage]][@devices]")
      .as(Role::settings)
      .once("lanes");
  d.choice("constants", "Constants", constants, constants_choices(), constants_help).as(Role::settings).where([this] {
    return no_own_track(tracks);
  });
}

}  // namespace warploom
