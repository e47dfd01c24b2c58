#pragma once
#include <string>
#include <vector>

#include "gpu/core/hash.h"
#include "gpu/own/registry.h"
#include "viewer/model/scene_of.h"

namespace warploom {

/// Works to choose from, with the own rules of this process after them.
inline std::vector<Choice> with_own_rules(std::vector<Choice> works) {
  for (const auto& rule : own_rules()) works.push_back({rule, rule, "your rule, " + find_own(rule)->file});
  return works;
}

/// Of the parameter that says whether own maps are compiled for the very domain that they run over.
inline std::vector<Choice> constants_choices() {
  return {{"off", "off", "compiled once for all sizes, as built-in maps are"},
          {"on", "on", "compiled anew for each size: faster steps, and a wait at each change"}};
}
inline constexpr const char* constants_help =
    "of own maps: whether the compiler is told the numbers of the domain (d.n, d.blocks, d.rho, d.levels, ...)";
/// Empty where a track is an own map.
inline std::string no_own_track(const std::vector<std::string>& tracks) {
  for (const auto& track : tracks)
    if (names_own(track)) return "";
  return "no track is an own map";
}

/// The text of an own rule is a part of what a step does.
inline void hash_rule(BuildRequest& request, const std::string& work) {
  if (!names_own(work)) return;
  request.logic = key_hash(request.logic, find_own(work)->hash);
  request.settings = key_hash(request.settings, find_own(work)->hash);
}

}  // namespace warploom
