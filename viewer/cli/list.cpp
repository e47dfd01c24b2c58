#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "gpu/bench/suites.h"
#include "gpu/core/files.h"
#include "gpu/core/format.h"
#include "viewer/base/json_text.h"
#include "viewer/base/paths.h"
#include "viewer/base/say.h"
#include "viewer/cli/command.h"
#include "viewer/cli/fields.h"
#include "viewer/model/commands.h"
#include "viewer/model/presets.h"
#include "viewer/model/scene.h"
#include "viewer/model/scene_parts.h"
#include "viewer/model/user_files.h"
#include "viewer/teach/learning.h"
#include "viewer/teach/lines.h"
#include "viewer/teach/puzzle.h"
#include "viewer/ui/colormaps.h"

namespace warploom {

namespace {

using Json = nlohmann::ordered_json;

using Scenes = std::vector<std::unique_ptr<Scene>>;

/// A topic as it is listed.
struct Listed {
  Topic topic;
  const char* first = "key";  ///< what JSON calls a row's first column
};

Topic parameters_topic(const Scenes& scenes) {
  Topic topic{"parameters", {}};
  for (const auto& scene : scenes)
    for (const auto& parameter : scene->parameters())
      topic.rows.push_back({parameter.key,
                            {{"scene", scene->key()},
                             {"range", parameter.range()},
                             {"default", parameter.automatic == parameter.preset ? "auto" : to_text(parameter.preset)},
                             {"role", name(parameter.role)},
                             {"help", parameter.help}},
                            texts_of(parameter.choices, &Choice::key)});
  return topic;
}

Row row_of_term(const Term& term) {
  std::string key = term.word;
  std::erase(key, ',');
  std::ranges::replace(key, ' ', '_');
  return {key, {{"word", term.word}, {"meaning", term.text}}};
}

/// The maps in the user's language that come with the program: their files, and what the first lines say.
Topic own_topic() {
  Topic topic{"own", {}};
  std::error_code none;
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(data_folder() / "assets/own", none))
    if (entry.path().extension() == ".h") files.push_back(entry.path());
  std::ranges::sort(files);
  for (const auto& file : files) {
    const std::string text = read_file(file);
    std::string words;
    for (std::size_t begin = 0; text.compare(begin, 3, "// ") == 0;) {
      const auto end = std::min(text.find('\n', begin), text.size());
      words += (words.empty() ? "" : " ") + text.substr(begin + 3, end - begin - 3);
      begin = std::min(end + 1, text.size());
    }
    topic.rows.push_back({file.stem().string(), {{"file", file.string()}, {"description", words}}});
  }
  return topic;
}

/// Reading a list changes nothing; what is wrong is said once.
const Learning& learned_so_far() {
  static const Learning learned = [] {
    Learning read = read_learning(false);
    if (!read.remark.empty()) say("{}", read.remark);
    return read;
  }();
  return learned;
}

Topic tours_topic() {
  const Learning& learned = learned_so_far();
  return topic_of("tours", known_tours(), [&](const TourRow& tour) {
    return Row{tour.key,
               {{"scene", tour.scene},
                {"title", tour.title},
                {"minutes", tour.minutes ? std::to_string(tour.minutes) : ""},
                {"steps", std::to_string(tour.steps)},
                {"done", learned.done(tour.key) ? "yes" : "no"}}};
  });
}

/// Commands, and the lines that scripts have beside them.
Topic commands_topic() {
  Topic topic = topic_of("commands", all_commands(), [](const Command& command) {
    return Row{command.name,
               {{"key", key_text(command)}, {"title", command.title}, {"group", group_of(command).title}}};
  });
  for (const LineKind* line : line_kinds())
    topic.rows.push_back({std::string(line->name) + (*line->takes ? " " : "") + line->takes,
                          {{"key", ""}, {"title", line->help}, {"group", "Scripts"}}});
  return topic;
}

/// The scenes, the topics of each, and those of the program.
std::vector<Listed> all_topics() {
  const Scenes scenes = make_scenes();
  std::vector<Listed> all{{topic_of("scenes", scenes, [](const auto& scene) {
    return Row{scene->key(), {{"title", scene->title()}, {"description", scene->description()}}};
  })}};
  for (const auto& scene : scenes)
    for (auto& topic : scene->catalogue()) {
      const auto known =
          std::ranges::find_if(all, [&](const Listed& listed) { return listed.topic.name == topic.name; });
      if (known == all.end())
        all.push_back({std::move(topic)});
      else
        known->topic.rows.insert(known->topic.rows.end(), topic.rows.begin(), topic.rows.end());
    }
  all.push_back({parameters_topic(scenes)});
  all.push_back({commands_topic(), "name"});
  all.push_back({topic_of("options", cli_words(), [](const CliWord& word) {
    return Row{word.name, {{"command", word.command}, {"takes", word.takes}, {"help", word.help}}};
  })});
  all.push_back({topic_of("presets", known_presets(), [](const Preset& preset) {
    return Row{preset.key, {{"scene", preset.scene}, {"title", preset.title}}};
  })});
  all.push_back({tours_topic()});
  all.push_back({topic_of("puzzles", known_puzzles(), [&learned = learned_so_far()](const PuzzleRow& puzzle) {
    return Row{puzzle.key,
               {{"scene", puzzle.scene},
                {"title", puzzle.title},
                {"task", puzzle.task},
                {"unit", puzzle.unit},
                {"best", learned.best(puzzle.key)}}};
  })});
  all.push_back({own_topic()});
  all.push_back({topic_of("suites", bench::all_suites(), [](const bench::Suite& suite) {
    return Row{suite.key, {{"description", suite.description}}};
  })});
  all.push_back(
      {topic_of("colormaps", ui::load_colormaps(data_folder() / "assets" / "colormaps"), [](const ui::Colormap& map) {
        return Row{map.name, {}};
      })});
  all.push_back({topic_of("glossary", glossary(), row_of_term)});
  return all;
}

/// Columns of a terminal, as code points.
std::size_t width(const std::string& text) {
  std::size_t columns = 0;
  for (const char c : text) columns += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return columns;
}

void print_table(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  const auto note = [&](std::size_t i, const std::string& text) {
    if (widths.size() <= i) widths.resize(i + 1);
    widths[i] = std::max(widths[i], std::min<std::size_t>(width(text), 44));
  };
  for (const auto& row : rows) {
    note(0, row.key);
    for (std::size_t i = 0; i < row.columns.size(); ++i) note(i + 1, row.columns[i].second);
  }
  for (const auto& row : rows) {
    std::string line = row.key, cell = row.key;
    for (std::size_t i = 0; i < row.columns.size(); ++i) {
      line.append(widths[i] + 2 - std::min(width(cell), widths[i]), ' ');
      cell = row.columns[i].second;
      line += cell;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
}

struct ListOptions {
  std::vector<std::string> words;
  bool json = false;
};

/// A topic as a table or as JSON, on stdout. Throws UsageError with the nearest topic.
ExitCode list(const ListOptions& options) {
  check_one_word(options.words, "list");
  for (const auto& line : files_left_out(make_scenes())) say("{}", line);
  const auto topics = all_topics();
  const auto known = texts_of(topics, [](const auto& listed) { return listed.topic.name; });
  const std::string wanted = options.words.empty() ? "" : options.words[0];
  if (!options.words.empty() && !std::ranges::count(known, wanted))
    throw UsageError(unknown_message("topic", wanted, known));
  Json all = Json::object();
  for (const auto& [topic, first] : topics) {
    if (!wanted.empty() && wanted != topic.name) continue;
    if (options.json) {
      Json entries = Json::array();
      for (const auto& row : topic.rows) {
        Json entry{{first, row.key}};
        for (const auto& [name, value] : row.columns) entry[name] = value;
        if (!row.choices.empty()) entry["choices"] = row.choices;
        entries.push_back(entry);
      }
      all[topic.name] = entries;
    } else {
      if (wanted.empty()) fmt::print("{}{}\n", topic.name == known[0] ? "" : "\n", topic.name);
      print_table(topic.rows);
    }
  }
  if (options.json) fmt::print("{}", json_text(wanted.empty() ? all : all[wanted]));
  return ExitCode::done;
}

}  // namespace

CliCommand list_command() {
  // Written out, as --help must not depend on reading the scenes' files.
  return {"list",
          "scenes, maps, works, fractals, parameters, commands, options, presets, tours, puzzles, own, suites, "
          "colormaps or glossary",
          [](CLI::App& app) -> std::function<ExitCode()> {
            const auto options = std::make_shared<ListOptions>();
            add_words(app, "TOPIC", options->words, "topic to list; default: all");
            add_flag(app, "--json", options->json, "as JSON");
            return [options] { return list(*options); };
          }};
}

}  // namespace warploom
