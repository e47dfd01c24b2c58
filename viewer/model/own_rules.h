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

/// The text of an own rule is a part of what a step does.
inline void hash_rule(BuildRequest& request, const std::string& work) {
  if (!names_own(work)) return;
  request.logic = key_hash(request.logic, find_own(work)->hash);
  request.settings = key_hash(request.settings, find_own(work)->hash);
}

}  // namespace warploom
