// Trees as a system of the scene.
#include <fmt/format.h>

#include <algorithm>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/scenes/irregular/tracks/tree.h"
#include "gpu/scenes/irregular/tree/list.h"

namespace warploom {

const std::vector<TreeKind>& tree_kinds() {
#define WARPLOOM_LISTED(name) name##_tree(),
  static const std::vector<TreeKind> all{WARPLOOM_TREES(WARPLOOM_LISTED)};
#undef WARPLOOM_LISTED
  return all;
}

namespace {

const TreeProblem& tree_of(const IrregularProblem& problem) { return dynamic_cast<const TreeProblem&>(problem); }

double tree_bytes(const IrregularProblem& problem, const IrregularSettings& settings, const std::string& track) {
  const TreeProblem& tree = tree_of(problem);
  const auto points = static_cast<double>(tree.points.count());
  // Codes, order, nodes and boxes of two states; points and codes of one; what sorting takes.
  double each = 2 * (4 + 4 + 8 + 8) + 8 * tree.points.dimension + 4 + 16;
  // Lists of nodes: no level has more than half of the points, spread over as many slots as until the next compaction;
  // of both states, with a quarter to spare.
  if (track != "radix") each += 2 * 8;
  if (track == "levels/scan") each += 10.5 * (1 << settings.compact_every);
  return each * points;
}

double tree_dump_bytes(const IrregularSettings& settings) {
  std::error_code none;
  const std::uint64_t count = recipe_count(settings);
  // A file has four bytes a coordinate or more.
  const auto size = count ? 0 : std::filesystem::file_size(settings.folder / settings.points, none);
  const double points = count  ? static_cast<double>(count)
                        : none ? 0
                               : static_cast<double>(size) / 4 / settings.dimension;
  return 8. * settings.dimension * points;
}

/// What the levels or the one launch are at, of the first track that was painted.
std::string tree_look_at(const Simulation& simulation, const std::vector<std::string>& pictures) {
  for (std::size_t i = 0; i < simulation.size(); ++i) {
    const auto* track = dynamic_cast<const TreeTrack*>(&simulation.track(i));
    const auto seen = track ? track->look() : nullptr;
    if (!seen || seen->levels.empty()) continue;
    std::uint64_t visits = 0, split = 0;
    for (std::size_t l = 0; l < seen->levels.size(); ++l)
      visits += seen->levels[l].nodes, split += seen->split_at[l].size();
    if (std::ranges::count(pictures, std::string("launch")) == 0)
      return "Each split node has a box around its points: [ and ] go through the levels.";
    return fmt::format(
        "Level by level {:.0f} % of {} visits split nothing, as all points of the node agree in the bit that is "
        "tested.",
        100 * static_cast<double>(visits - split) / static_cast<double>(visits), grouped(visits));
  }
  return {};
}

}  // namespace

const IrregularSystem& tree_system() {
  static const IrregularSystem system{
      .key = "tree",
      .title = "Trees",
      .description = "bounding boxes over points in the order of their Morton codes: level by level, or all at once",
      .citation = "karras2012trees",
      .tracks = {[] {
        std::vector<TrackInfo> all;
        for (const TreeKind& kind : tree_kinds()) all.push_back(kind.info);
        return all;
      }()},
      .usual_tracks = "levels/scan,radix",
      .pictures = {"space", "launch"},
      .step_words =
          "Each step moves the points and makes the whole tree anew: in the picture Space boxes follow their points. "
          "[ and ] look at another level.",
      .check = [](const IrregularSettings& settings, const std::vector<std::string>&) { check_points(settings); },
      .problem_key =
          [](const IrregularSettings& settings) {
            return key_hash(points_key(settings, settings.dimension), static_cast<std::uint64_t>(settings.leaf));
          },
      .problem = [](const IrregularSettings& settings) -> std::shared_ptr<const IrregularProblem> {
        return std::make_shared<const TreeProblem>(make_points(settings, settings.dimension),
                                                   static_cast<std::uint32_t>(settings.leaf));
      },
      .bytes = tree_bytes,
      .dump_bytes = tree_dump_bytes,
      .make = [](Queue& queue, const std::shared_ptr<const IrregularProblem>& problem,
                 const IrregularSettings& settings, const TrackInfo& info) -> std::unique_ptr<Track> {
        const auto& kinds = tree_kinds();
        const auto kind =
            std::find_if(kinds.begin(), kinds.end(), [&](const TreeKind& one) { return one.info.name == info.name; });
        return std::make_unique<TreeTrack>(queue, std::dynamic_pointer_cast<const TreeProblem>(problem), settings,
                                           *kind);
      },
      .caption =
          [](const IrregularProblem& problem) {
            const GridPoints& points = tree_of(problem).points;
            std::string name = points.name;
            if (std::ranges::count(point_recipes(), name)) name[0] = static_cast<char>(name[0] - 'a' + 'A');
            return fmt::format("{}, {} in {}", name, counted(points.count(), "point"),
                               points.dimension == 2 ? "the plane" : "space");
          },
      .look_at = tree_look_at,
  };
  return system;
}

}  // namespace warploom
