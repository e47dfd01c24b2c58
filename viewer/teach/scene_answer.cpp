#include "viewer/teach/scene_answer.h"

#include <algorithm>

#include "gpu/core/error.h"

namespace warploom {

Settings answer_of(Scene& scene, const Puzzle& puzzle, bool strict) {
  if (scene.key() != puzzle.scene)
    throw UsageError("the answer is a scene of '" + std::string(scene.key()) + "', the puzzle is of '" + puzzle.scene +
                     "'");
  Settings answer;
  for (const Parameter& parameter : scene.parameters()) {
    const std::string value = to_text(parameter.get());
    if (parameter.key == "tracks") {
      const auto& tracks = scene.tracks();
      std::string own = tracks.back();
      for (const auto& track : tracks)
        if (track != puzzle.reference) own = track;
      if (std::ranges::count(puzzle.free, "tracks")) answer.emplace_back("tracks", own);
      continue;
    }
    if (std::ranges::count(puzzle.free, parameter.key)) {
      answer.emplace_back(parameter.key, value);
      continue;
    }
    const auto fixed = std::ranges::find(puzzle.parameters, parameter.key, &std::pair<std::string, std::string>::first);
    if (strict && fixed != puzzle.parameters.end() && to_text(parameter.parse(fixed->second)) != value)
      throw UsageError(parameter.key + "=" + value + ": it is not free in this puzzle, which has " + fixed->second);
  }
  return answer;
}

}  // namespace warploom
