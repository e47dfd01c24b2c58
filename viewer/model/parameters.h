#pragma once
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/model/scene.h"

namespace warploom {

class Model;

/// Fills a request's hashes and `logic_name` from the roles of its scene's parameters. What has no effect is in none.
/// `content` is the hash of what values of `by_content` name, and of a start state that was given as bytes.
void hash_by_roles(BuildRequest& request, std::span<const Parameter> parameters, Backend backend,
                   std::uint64_t content);

/// The values a scene starts with, by key: `describe` describes fields that are not set.
std::map<std::string, Value> presets_of(const std::function<void(Describer&)>& describe);

/// Brings parameters that were not given, and that follow one that was, back to their presets.
void follow_given(Scene& scene, const std::set<std::string>& given);

/// One line for each given parameter that has no effect now: "rule has no effect here: work 'map_only' has no rule"; or
/// none on a part: "p has no effect on index_digit: its mapping is its own". Takes a resolved scene.
std::vector<std::string> without_effect(Scene& scene, const std::set<std::string>& given);

/// The parameter that a file is for, by its extension: the first that takes it and has an effect now, else the first
/// that takes it; null: none does.
const Parameter* taker_of(std::span<const Parameter> parameters, std::string_view file);

/// A file that was dropped on the window: a scene, or the value of the parameter that taker_of finds.
/// Throws UsageError naming what is taken, or what the file's reader throws.
void take_file(Model& model, const std::string& file);

}  // namespace warploom
