#include "viewer/scenes/simplex/shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "gpu/core/error.h"
#include "gpu/core/format.h"

namespace warploom {

namespace {

/// What `tell` says of how the tracks' blocks are shared out, each text once; nothing of a track that is refused, as
/// what refuses it says why.
template <class Tell>
std::string told(const SimplexSettings& settings, const std::vector<TrackInfo>& tracks, Tell&& tell) {
  std::vector<std::string> said;
  for (const auto& info : tracks) try {
      const std::string one = tell(info, simplex_shares(settings, info));
      if (!one.empty() && std::find(said.begin(), said.end(), one) == said.end()) said.push_back(one);
    } catch (const UsageError&) {
    }
  return join(said);
}

}  // namespace

std::vector<Choice> coarsen_choices(const SimplexSettings& settings, const std::vector<TrackInfo>& tracks) {
  // What every exact track has: other numbers would be refused.
  std::set<std::uint32_t> all{1};
  bool first = true;
  for (const auto& info : tracks) {
    if (!info.exact) continue;
    const auto listed = simplex_coarsenings(settings, info.layout);
    if (std::exchange(first, false)) all.insert(listed.begin(), listed.end());
    std::erase_if(all, [&](std::uint32_t cells) {
      return cells > 1 && std::find(listed.begin(), listed.end(), cells) == listed.end();
    });
  }
  std::vector<Choice> choices;
  choices.reserve(all.size() + 1);
  for (const std::uint32_t cells : all)
    choices.push_back({std::to_string(cells), counted(cells, "cell"),
                       cells == 1 ? "a thread per cell" : fmt::format("a thread serves {} cells", cells)});
  choices.push_back({"auto", "auto", "the best box that the work lists for its block and layout"});
  return choices;
}

std::string boxes_text(const SimplexSettings& settings, const std::vector<TrackInfo>& tracks) {
  return told(settings, tracks, [&](const TrackInfo&, const CellShares& shares) {
    const ThreadBox& box = shares.box;
    if (box == ThreadBox{}) return std::string(settings.coarsen == 1 ? "" : "a cell");
    return fmt::format("{} \u00d7 {} \u00d7 {}", box.x, box.y, box.z);
  });
}

std::string without_shapes(const SimplexSettings& settings, const std::vector<TrackInfo>& tracks) {
  if (settings.coarsen == 1) return {};
  const std::string names = told(settings, tracks, [](const TrackInfo& info, const CellShares& shares) {
    return shares.box == ThreadBox{} ? info.name : "";
  });
  return names.empty()
             ? ""
             : fmt::format("{}: work '{}' lists nothing for their blocks of {}", names, settings.work, settings.rho);
}

std::string gangs_text(const SimplexSettings& settings, const std::vector<TrackInfo>& tracks) {
  return told(settings, tracks, [](const TrackInfo&, const CellShares& shares) { return std::to_string(shares.gang); });
}

bool shares_fit(const SimplexSettings& settings, const std::vector<TrackInfo>& tracks) {
  for (const auto& info : tracks) try {
      (void)simplex_shares(settings, info);
    } catch (const UsageError&) {
      return false;
    }
  return true;
}

void follow_shares(SimplexParams& params, const std::set<std::string>& given, const std::function<bool()>& fits) {
  if (fits()) return;
  if (!given.contains("gang") && params.gang != "1") {
    const std::string wanted = std::exchange(params.gang, "1");
    if (fits()) {
      params.gang = "auto";
      return;
    }
    params.gang = wanted;
  }
  if (given.contains("coarsen") || params.coarsen == "1") return;
  const std::string wanted = std::exchange(params.coarsen, "auto");
  if (fits()) return;
  if (given.contains("block") || given.contains("gang")) {
    params.coarsen = wanted;  // what was asked for is refused, with the reason
    return;
  }
  params.block = SimplexParams::usual_block;
  if (!fits()) params.coarsen = "1";
}

}  // namespace warploom
