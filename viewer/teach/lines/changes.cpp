// Other scenes, and other values.
#include <fmt/format.h>

#include <algorithm>

#include "gpu/core/format.h"
#include "viewer/model/presets.h"
#include "viewer/model/scene_text.h"
#include "viewer/teach/lines/kinds.h"
#include "viewer/teach/toml_file.h"

namespace warploom {

namespace {

Act read_scene(const std::vector<ScriptWord>& words, ScriptReading& reading) {
  check_count(words, 1, 1, scene_line);
  const std::string key = words[0].text;
  const auto known = texts_of(make_scenes(), [](const auto& scene) { return scene->key(); });
  if (!std::ranges::count(known, key)) throw FileError(unknown_message("scene", key, known));
  reading.scene = key;
  return [key, asked = false](ScriptStage& stage) mutable {
    if (!std::exchange(asked, true)) show_scene(stage.model, key);
    return stage.model.scene().key() == key;
  };
}

Act read_preset_line(const std::vector<ScriptWord>& words, ScriptReading& reading) {
  check_count(words, 1, 1, preset_line);
  const Preset& preset = find_preset(words[0].text);
  reading.scene = preset.scene;
  return [preset, asked = false](ScriptStage& stage) mutable {
    Model& model = stage.model;
    if (!std::exchange(asked, true)) {
      model.tell("");
      open_scene(model, "preset: " + preset.title,
                 [&model, file = preset.file] { return read_scene_file(model, file); });
    }
    if (model.reading()) return false;
    if (model.notice_is_error && !model.notice.empty()) throw Error(model.notice);
    return true;
  };
}

const Parameter* find_parameter(const std::vector<Parameter>& all, const std::string& key) {
  const auto at = std::ranges::find_if(all, [&](const Parameter& one) { return one.called(key); });
  return at == all.end() ? nullptr : &*at;
}

/// The values of a line, each read where those before it hold: ranges depend on other parameters.
Model::Wanted values_of(ScriptStage& stage, const std::vector<Assignment>& given) {
  const auto scene = stage.model.scene().copy();
  const auto order = scene->parameters();
  auto sorted = given;
  const auto rank = [&](const Assignment& one) { return find_parameter(order, one.key); };
  std::ranges::stable_sort(sorted, {}, rank);
  Model::Wanted wanted;
  for (const Assignment& one : sorted) {
    const auto parameters = scene->parameters();
    const Parameter* parameter = find_parameter(parameters, one.key);
    if (!parameter) throw UsageError(unknown_message("parameter", one.key, texts_of(parameters, &Parameter::key)));
    const std::string value = parameter->takes(one.value) ? script_file(stage, one.value).string() : one.value;
    const Value read = parameter->parse(value);
    parameter->set(read);
    (void)scene->mend(parameter->key);
    wanted.emplace_back(parameter->key, read);
  }
  return wanted;
}

Act read_set(const std::vector<ScriptWord>& words, ScriptReading& reading) {
  check_count(words, 1, 64, set_line);
  std::vector<Assignment> given;
  for (auto& scene : make_scenes()) {
    if (scene->key() != reading.scene) continue;
    const auto parameters = scene->parameters();
    for (const ScriptWord& word : words) {
      given.push_back(assignment_of(word, set_line));
      if (!find_parameter(parameters, given.back().key))
        throw FileError(unknown_message("parameter", given.back().key, texts_of(parameters, &Parameter::key)));
      if (reading.tour && find_parameter(parameters, given.back().key)->takes(given.back().value) &&
          leads_out(given.back().value))
        throw FileError(fmt::format("'{}': a tour names files of its own folder alone", given.back().value));
    }
  }
  return [given](ScriptStage& stage) {
    Model& model = stage.model;
    model.tell("");
    if (!model.set(values_of(stage, given))) throw Error(model.notice);
    model.tell("");  // what was mended on the way to the values given
    return true;
  };
}

}  // namespace

const LineKind scene_line{"scene", "KEY", "another scene, as its tab does", read_scene};
const LineKind preset_line{"preset", "KEY", "a preset (warploom list presets)", read_preset_line};
const LineKind set_line{"set", "KEY=VALUE ...", "parameters, all of a line one step of undo; values as of --set",
                        read_set};

}  // namespace warploom
