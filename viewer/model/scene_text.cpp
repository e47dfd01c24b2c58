#include "viewer/model/scene_text.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <sstream>

#include "gpu/core/files.h"
#include "gpu/core/format.h"
#include "gpu/files/input.h"
#include "viewer/base/png.h"
#include "viewer/model/own_texts.h"
#include "viewer/model/parameters.h"
#include "viewer/model/small_scene.h"
#include "viewer/model/view_text.h"

namespace warploom {

namespace {

/// The name of a file that a parameter was given, for a text in `folder`.
std::string file_for(const Model& model, const std::string& name, const std::filesystem::path& folder) {
  const std::filesystem::path given = name;
  if (given.is_absolute()) return name;
  const auto whole = std::filesystem::absolute(model.folder / given).lexically_normal();
  if (folder.empty()) return whole.string();
  const auto there = whole.lexically_relative(std::filesystem::absolute(folder).lexically_normal());
  return there.empty() ? whole.string() : there.string();
}

toml::array to_toml(const std::vector<std::string>& words) {
  toml::array all;
  for (const auto& word : words) all.push_back(word);
  return all;
}

toml::table parameters_table(Model& model, const std::filesystem::path& folder) {
  toml::table table;
  for (const auto& parameter : model.scene().parameters()) {
    const Value value = parameter.get();
    if (const auto* list = std::get_if<std::vector<std::string>>(&value)) {
      table.insert(parameter.key, to_toml(*list));
    } else if (const auto* natural = std::get_if<std::uint64_t>(&value)) {
      // TOML's integers are signed: larger numbers are written as text, and read back from it.
      if (*natural <= 0x7fffffffffffffffull)
        table.insert(parameter.key, static_cast<std::int64_t>(*natural));
      else
        table.insert(parameter.key, std::to_string(*natural));
    } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      table.insert(parameter.key, *integer);
    } else if (const auto* real = std::get_if<double>(&value)) {
      table.insert(parameter.key, *real);
    } else {
      const auto& word = std::get<std::string>(value);
      table.insert(parameter.key, parameter.takes(word) ? file_for(model, word, folder) : word);
    }
  }
  return table;
}

Value from_toml(const Parameter& parameter, const toml::node& node, const BroughtOwn& own) {
  if (const auto* list = node.as_array()) {
    std::vector<std::string> words;
    for (const auto& word : *list) {
      if (!word.is_string()) throw UsageError(parameter.key + ": expected a list of names, " + parameter.range());
      words.push_back(own.known_as(word.value<std::string>().value()));
      words.back() = parameter.short_name(words.back());
    }
    parameter.check(words);
    return words;
  }
  if (node.is_string()) return parameter.parse(own.known_as(node.value<std::string>().value()));
  if (node.is_integer()) return parameter.parse(std::to_string(node.value<std::int64_t>().value()));
  if (node.is_floating_point()) return parameter.parse(to_text(Value(node.value<double>().value())));
  throw UsageError(parameter.key + ": expected " + parameter.range());
}

toml::table to_toml(const std::vector<TextField>& fields) {
  toml::table table;
  for (const auto& [key, value] : fields)
    if (const auto* word = std::get_if<std::string>(&value))
      table.insert(key, *word);
    else
      table.insert(key, to_toml(std::get<std::vector<std::string>>(value)));
  return table;
}

/// Gives a scene its own section of a text. The key of the parameter that it stands for; empty: the text has none.
std::string read_own_text(Model& model, const toml::table& table) {
  std::string found;
  for (const auto& scene : model.scenes()) {
    const auto* known = scene->facet<OwnText>();
    const auto* section = known ? table[known->section()].as_table() : nullptr;
    if (!section) continue;
    if (scene->key() != std::string(model.scene().key()))
      throw UsageError(std::string("scene '") + model.scene().key() + "' takes no [" + known->section() + "]");
    std::vector<TextField> fields;
    for (const auto& [key, value] : *section) {
      const std::string name(key.str());
      if (const auto word = value.value<std::string>()) {
        fields.push_back({name, *word});
        continue;
      }
      const auto* list = value.as_array();
      if (!list) throw UsageError(std::string(known->section()) + "." + name + ": expected text, or a list of texts");
      std::vector<std::string> lines;
      for (const auto& line : *list) lines.push_back(line.value_or(std::string()));
      fields.push_back({name, lines});
    }
    model.scene().need<OwnText>().read(fields);
    found = known->parameter();
  }
  return found;
}

/// Leaves out what [view] names and the scene has not: each value alone. What is told of them.
std::string fit_view(Scene& scene, ViewSettings& view) {
  std::string told;
  const auto leave_out = [&](const std::string& why) { told += (told.empty() ? "" : "; ") + why + "; it is left out"; };
  const std::size_t tracks = scene.tracks().size();
  if (view.baseline >= tracks) {
    leave_out(fmt::format("view.baseline '{:c}': the scene has {}", scene.letters()[view.baseline],
                          counted(tracks, "track")));
    view.baseline = 0;
  }
  const auto* own = scene.facet<OwnPictures>();
  const std::vector<std::string> known = own ? own->picture_keys() : std::vector<std::string>{"data", "launch"};
  for (std::string& word : view.pictures) {
    if (word.empty() || std::ranges::count(known, word)) continue;
    leave_out(unknown_message("view.pictures", word, known));
    word.clear();
  }
  auto plots = texts_of(base_plots(), &PlotKind::key);
  for (const PlotKind& plot : scene.parts().plots) plots.emplace_back(plot.key);
  for (std::size_t i = 0; i < view.plots.size(); ++i) {
    if (std::ranges::count(plots, view.plots[i])) continue;
    leave_out(unknown_message("view.plots", view.plots[i], plots));
    view.plots[i] = ViewSettings().plots[i];
  }
  return told;
}

/// The state that tracks which are not there yet start from, where one was given by hand. Returns how it came about.
std::string read_start(Model& model, EditedState& state) {
  state = {};
  auto* stored = model.scene().facet<StoredState>();
  if (!stored || !stored->start_state()) return {};
  const auto [step, history] = stored->start_origin();
  state.step = step;
  const Index3 extent = stored->domain_extent();
  if (!history.empty()) state.cells = pack_state(*stored->start_state(), extent.x, extent.y);
  return history;
}

}  // namespace

std::string scene_text(Model& model, const std::filesystem::path& folder, const EditedState* known, bool apart) {
  toml::table run;
  const auto simulation = model.runner().simulation();
  // First: at the end of a replay it is 0, and the step is there.
  const std::uint64_t replays_to = model.runner().replays_to();
  // Step and cells are read together, as steps may be running.
  EditedState edited = known ? *known : edited_state(model);
  // Those of the tracks that are shown are not the parameters' while others are made from a start state.
  const bool anew = model.starts_anew() || !simulation;
  std::string history = model.runner().history();
  if (anew) history = read_start(model, edited);
  const std::uint64_t steps = anew ? edited.step + model.steps_to_come()
                                   : std::max(replays_to, edited.cells.empty() ? simulation->steps() : edited.step);
  run.insert("steps", static_cast<std::int64_t>(steps));
  const bool solids = anew || shows(*simulation, PictureInfo::Shape::solid);
  std::ostringstream out;
  out << scene_text_head(model.scene());
  out << "[parameters]\n" << parameters_table(model, folder) << "\n";
  if (toml::array own = written_own(model.scene()); !own.empty())
    out << toml::toml_formatter{toml::table{{"own", std::move(own)}}, toml::format_flags::allow_unicode_strings}
        << "\n\n";
  if (const auto* own = model.scene().facet<OwnText>())
    if (const auto fields = own->written(); !fields.empty())
      out << "[" << own->section() << "]\n" << to_toml(fields) << "\n";
  if (!history.empty()) {
    toml::table stored;
    stored.insert("step", static_cast<std::int64_t>(edited.cells.empty() ? steps : edited.step));
    // The seal identifies the state, which a captured PNG holds beside the text.
    if (!anew)
      stored.insert("hash", fmt::format("{:016x}",
                                        edited.cells.empty() ? simulation->reference_status().seal.hash : edited.hash));
    stored.insert("history", history);
    if (!apart && !edited.cells.empty() && edited.cells.size() <= most_state_text) stored.insert("cells", edited.cells);
    out << "[state]\n" << stored << "\n";
  }
  out << "[run]\n" << run << "\n[view]\n" << written_view(model.view, model.picked, model.scene(), solids) << "\n";
  return valid_utf8(out.str());
}

std::string scene_text_head(const Scene& scene) { return std::string("schema = 1\nscene = \"") + scene.key() + "\"\n"; }

std::string lost_with(Model& model, const std::string& text) {
  if (model.runner().history().empty() || text.find("\ncells = ") != std::string::npos) return {};
  return "; its state, " + model.runner().history() + ", is not part of it";
}

LoadedScene read_scene_text(Model& model, const std::string& text, const std::string& origin,
                            const std::filesystem::path& folder, const std::string& beside) {
  toml::table table;
  try {
    table = toml::parse(text);
  } catch (const toml::parse_error& error) {
    throw FileError(fmt::format("{}:{}: not TOML: {}", origin, error.source().begin.line, error.description()));
  }
  LoadedScene loaded;
  const std::string state = beside.empty() ? table["state"]["cells"].value_or(std::string()) : beside;
  std::vector<std::string> sections{"schema", "scene", "title", "own", "parameters", "state", "run", "view"};
  for (const auto& scene : model.scenes())
    if (const auto* own = scene->facet<OwnText>()) sections.emplace_back(own->section());
  const auto refuse = [&](const toml::node& at, const std::string& why) {
    throw FileError(fmt::format("{}:{}: {}", origin, at.source().begin.line, why));
  };
  const auto check_keys = [&](const toml::table* section, const char* kind, const std::vector<std::string>& known) {
    if (!section) return;
    for (const auto& [key, value] : *section)
      if (!std::ranges::count(known, key.str())) refuse(value, unknown_message(kind, key.str(), known));
  };
  check_keys(&table, "key", sections);
  for (const auto& [key, value] : table)
    if (!std::ranges::count(sections.begin(), sections.begin() + 4, key.str()) && !value.is_table())
      refuse(value, fmt::format("key '{}': expected a table, [{}]", key.str(), key.str()));
  check_keys(table["run"].as_table(), "key of [run]", {"steps"});
  check_keys(table["state"].as_table(), "key of [state]", {"step", "hash", "history", "cells"});
  if (const auto* steps = table["run"]["steps"].node(); steps && !steps->is_integer())
    refuse(*steps, "run.steps: expected a whole number");
  if (const auto* title = table.get("title"); title && !title->is_string())
    refuse(*title, "key 'title': expected text");
  if (table["schema"].value_or(0) != 1) throw FileError(origin + ": key 'schema': expected 1");
  BroughtOwn own(table, origin, model.trust, [&](const OwnSource& code) {
    if (model.trust != OwnTrust::known) return;  // there is no window
    model.editing.show(code.file, code.source, "");
    model.editing.open = true;
  });
  std::uint32_t value_line = 0;  // of the value that is being read
  auto before = model.keep();
  try {
    select_scene(model, table["scene"].value_or(std::string()));
    if (model.starts_small) end_small(model);  // what the text leaves out is as everywhere
    auto* stored = model.scene().facet<StoredState>();
    // Cells that were given by hand are of the text that had them.
    if (stored && !stored->start_origin().second.empty()) stored->forget_state();
    const std::string written_out = read_own_text(model, table);
    std::set<std::string> given;
    const auto parameters = model.scene().parameters();
    const auto known = texts_of(parameters, &Parameter::key);
    if (const auto* values = table["parameters"].as_table()) {
      for (const auto& [key, node] : *values)
        if (std::ranges::none_of(parameters, [word = key.str()](const auto& p) { return p.called(word); }))
          refuse(node, unknown_message("parameter", key.str(), known));
      // In the scene's order, and read again each time: ranges and choices can depend on earlier values.
      for (std::size_t i = 0; i < known.size(); ++i) {
        const auto* node = values->get(known[i]);
        if (!node && !parameters[i].former_key.empty()) node = values->get(parameters[i].former_key);
        if (!node) continue;
        if (known[i] == written_out) {  // the text itself holds it
          given.insert(known[i]);
          continue;
        }
        const auto current = model.scene().parameters();
        value_line = node->source().begin.line;
        current[i].set(from_toml(current[i], *node, own));
        value_line = 0;
        given.insert(known[i]);
      }
    }
    follow_given(model.scene(), given);
    model.folder = folder;
    const auto state_step =
        static_cast<std::uint64_t>(std::max<std::int64_t>(0, table["state"]["step"].value_or(std::int64_t{0})));
    // A loaded or painted state that the PNG holds needs no file.
    if (!state.empty() && !stored)
      throw UsageError(std::string("scene '") + model.scene().key() + "' takes no stored state");
    if (!state.empty()) stored->forget_file();
    model.scene().resolve(given, folder);
    if (!state.empty()) {
      unpack_state(*stored, state, state_step, table["state"]["history"].value_or(std::string("given")));
      model.scene().resolve(given, folder);  // its live cells must lie in the domain
    }
    model.picked = {};
    model.active_track = std::min(model.active_track, model.scene().tracks().size() - 1);
    model.scene().set_letters({});
    if (const auto* view = table["view"].as_table()) {
      read_view(*view, model.view, model.picked, model.scene());
      loaded.warning = fit_view(model.scene(), model.view);
    }
    const auto steps = table["run"]["steps"].value_or(std::int64_t{0});
    if (steps < 0) throw UsageError("run.steps: expected 0 or more");
    loaded.steps = static_cast<std::uint64_t>(steps);
    if (!state.empty()) loaded.steps -= std::min(loaded.steps, state_step);
    if (const auto history = table["state"]["history"].value<std::string>(); history && state.empty())
      loaded.warning += std::string(loaded.warning.empty() ? "" : "; ") + "this scene was " + *history +
                        ": its state is only in the PNG; shows the start state of its parameters";
    if (const auto* substituting = model.scene().facet<Substituting>())
      for (const auto& line : substituting->lines()) loaded.warning += (loaded.warning.empty() ? "" : "; ") + line;
  } catch (const Error& error) {
    model.bring_back(before);
    const std::string message = error.what();
    throw FileError(message.starts_with(origin)
                        ? message
                        : origin + (value_line ? ":" + std::to_string(value_line) : "") + ": " + message);
  }
  own.keep();
  return loaded;
}

bool holds_scene(const std::filesystem::path& file) {
  try {
    if (extension_of(file) == ".png")
      return std::ranges::count(read_png(file).texts, "warploom-scene", [](const auto& text) { return text.first; }) >
             0;
    const auto table = toml::parse(read_file(file));
    return table.contains("scene") || !table.contains("rows");
  } catch (const toml::parse_error&) {
    return true;  // opened as one it says where it is wrong
  } catch (const Error&) {
    return false;
  }
}

LoadedScene read_scene_file(Model& model, const std::filesystem::path& file) {
  const auto folder = std::filesystem::absolute(file).parent_path();
  if (extension_of(file) != ".png") return read_scene_text(model, read_file(file), file.string(), folder);
  std::string text, state;
  for (const auto& [key, value] : read_png(file).texts) {
    if (key == "warploom-scene") text = value;
    if (key == "warploom-state") state = value;
  }
  if (text.empty()) throw FileError(file.string() + ": no scene in it; only PNGs captured by Warploom have one");
  return read_scene_text(model, text, file.string(), folder, state);
}

}  // namespace warploom
