#include "viewer/model/parameters.h"

#include <toml++/toml.h>

#include <algorithm>

#include "gpu/core/format.h"
#include "gpu/core/hash.h"
#include "gpu/files/input.h"
#include "gpu/own/registry.h"
#include "viewer/model/model.h"
#include "viewer/model/recent_scenes.h"
#include "viewer/model/scene_text.h"

namespace warploom {

void hash_by_roles(BuildRequest& request, std::span<const Parameter> parameters, Backend backend,
                   std::uint64_t content) {
  request.start = text_hash(name(backend), content);
  request.logic = text_hash({});
  std::uint64_t others = text_hash({});
  for (const auto& parameter : parameters) {
    // Tracks are no part of it: those that stay keep their samples when others change.
    if (parameter.by_content || parameter.key == "tracks" || !parameter.applies().empty()) continue;
    const std::string value = to_text(parameter.get());
    std::uint64_t& hash = parameter.role == Role::start   ? request.start
                          : parameter.role == Role::logic ? request.logic
                                                          : others;
    hash = text_hash(parameter.key + "=" + value + "\n", hash);
    // The last one names it: the rule if there is one, else the work.
    if (parameter.role == Role::logic) request.logic_name = parameter.key + " " + value;
  }
  // After a text was edited samples are others.
  if (const std::uint64_t edits = own_edits()) others = key_hash(others, edits);
  request.settings = key_hash(key_hash(request.start, request.logic), others);
}

std::map<std::string, Value> presets_of(const std::function<void(Describer&)>& describe) {
  Describer describer;
  describe(describer);
  std::map<std::string, Value> all;
  for (const auto& parameter : describer.parameters) all[parameter.key] = parameter.preset;
  return all;
}

void follow_given(Scene& scene, const std::set<std::string>& given) {
  for (const auto& parameter : scene.parameters())
    if (!given.contains(parameter.key) &&
        std::ranges::any_of(parameter.follows, [&](const auto& key) { return given.contains(key); }))
      parameter.set(parameter.preset);
}

std::vector<std::string> without_effect(Scene& scene, const std::set<std::string>& given) {
  std::vector<std::string> lines;
  for (const auto& parameter : scene.parameters()) {
    if (!given.contains(parameter.key)) continue;
    if (const std::string why = parameter.applies(); !why.empty())
      lines.push_back(parameter.key + " has no effect here: " + why);
    else if (const std::string what = parameter.spares(); !what.empty())
      lines.push_back(parameter.key + " has no effect on " + what);
  }
  return lines;
}

void set_parameter(Scene& scene, const std::string& assignment, std::set<std::string>& given) {
  const auto equals = assignment.find('=');
  const auto parameters = scene.parameters();
  const auto known = texts_of(parameters, &Parameter::key);
  if (equals == std::string::npos || equals == 0)
    throw UsageError("--set " + assignment + ": expected KEY=VALUE, with KEY one of " + join(known));
  const std::string key = assignment.substr(0, equals);
  for (const auto& parameter : parameters)
    if (parameter.called(key)) {
      parameter.set(parameter.parse(assignment.substr(equals + 1)));
      given.insert(parameter.key);
      return;
    }
  throw UsageError(unknown_message("parameter", key, known));
}

const Parameter* taker_of(std::span<const Parameter> parameters, std::string_view file) {
  const auto takes = [&](const Parameter& parameter) { return parameter.takes(file); };
  auto found = std::ranges::find_if(
      parameters, [&](const Parameter& parameter) { return takes(parameter) && parameter.applies().empty(); });
  if (found == parameters.end()) found = std::ranges::find_if(parameters, takes);
  return found == parameters.end() ? nullptr : &*found;
}

void take_file(Model& model, const std::string& file) {
  const std::string extension = extension_of(file);
  if (extension == ".toml") try {
      const toml::table table = toml::parse(read_input(file, "a scene, a tour, a puzzle or a mask"));
      Teaching& teaching = model.teaching;
      for (const auto& [key, wanted] : {std::pair{"tour", &teaching.tour_wanted}, {"puzzle", &teaching.puzzle_wanted}})
        if (table.contains(key) && table.contains("scene")) {
          *wanted = file;
          return;
        }
    } catch (const toml::parse_error&) {
      // Whoever reads it below says what is wrong.
    }
  if (extension == ".h") return open_own_file(model, file);
  // A .toml may be a scene or a mask, a .png a capture or a picture: what it holds decides.
  const bool may_be_scene = extension == ".toml" || extension == ".png";
  const auto parameters = model.scene().parameters();
  const Parameter* const taker = taker_of(parameters, file);
  if (taker && !(may_be_scene && holds_scene(file))) {
    const std::string notice = model.notice;
    if (!model.set(taker->key, file)) return;
    if (model.notice == notice) model.tell(taker->title + " is " + std::filesystem::path(file).filename().string());
    for (const auto& line : without_effect(model.scene(), {taker->key})) model.tell(line);
    return;
  }
  if (!may_be_scene) {
    std::vector<std::string> known;
    const auto knows = [&](const std::string& kind) {
      if (!std::ranges::count(known, kind)) known.push_back(kind);
    };
    for (const auto& parameter : parameters) std::ranges::for_each(parameter.extensions, knows);
    for (const char* scene : {".toml", ".png", ".h"}) knows(scene);
    throw UsageError(file + ": the scene '" + model.scene().key() + "' takes no such file, only " + join(known));
  }
  open_scene(model, "opened " + file, [&model, file] {
    auto read = read_scene_file(model, file);
    remember_recent_scene(file, model.scene().key());
    return read;
  });
}

}  // namespace warploom
