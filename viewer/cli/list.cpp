#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "gpu/bench/suites.h"
#include "gpu/core/words.h"
#include "gpu/maps/fractal/mask.h"
#include "viewer/app/paths.h"
#include "viewer/cli/command.h"
#include "viewer/cli/fields.h"
#include "viewer/model/commands.h"
#include "viewer/model/scene.h"
#include "viewer/scenes/fractal/fractal.h"
#include "viewer/ui/colormaps.h"

namespace warploom {

namespace {

using Json = nlohmann::ordered_json;

/// One row: its key, and named columns.
struct Row {
  std::string key;
  std::vector<std::pair<std::string, std::string>> columns;
};
struct Topic {
  const char* name;
  std::vector<Row> (*rows)();
  const char* first = "key";  ///< what JSON calls a row's first column
};

std::vector<Row> scenes() {
  std::vector<Row> rows;
  for (const auto& scene : make_scenes())
    rows.push_back({scene->key(), {{"title", scene->title()}, {"description", scene->description()}}});
  return rows;
}
std::vector<Row> maps() {
  std::vector<Row> rows;
  for (const auto& scene : make_scenes())
    for (const auto& track : scene->all_track_kinds())
      rows.push_back({track.name,
                      {{"scene", scene->key()},
                       {"title", track.title},
                       {"description", track.description},
                       {"source", track.citation},
                       {"exact", track.exact ? "exact" : "inexact"}}});
  return rows;
}
std::vector<Row> works() {
  std::vector<Row> rows;
  for (const auto& scene : make_scenes())
    for (const auto& work : scene->all_works())
      rows.push_back({work.key, {{"scene", scene->key()}, {"title", work.title}, {"description", work.help}}});
  return rows;
}
std::vector<Row> fractals() {
  std::vector<Row> rows;
  for (const auto& mask : known_masks())
    rows.push_back({mask.key,
                    {{"name", mask.name},
                     {"k", std::to_string(mask.copies())},
                     {"s", mask.side_x() == mask.side_y() ? std::to_string(mask.side_x())
                                                          : fmt::format("{}x{}", mask.side_x(), mask.side_y())},
                     {"rows", join(mask.rows, " ")},
                     {"status", mask.status}}});
  return rows;
}
std::vector<Row> parameters() {
  std::vector<Row> rows;
  for (const auto& scene : make_scenes())
    for (const auto& parameter : scene->parameters())
      rows.push_back({parameter.key,
                      {{"scene", scene->key()},
                       {"range", parameter.range()},
                       {"default", to_text(parameter.preset)},
                       {"role", name(parameter.role)},
                       {"help", parameter.help}}});
  return rows;
}
std::vector<Row> commands() {
  std::vector<Row> rows;
  for (const auto& command : all_commands())
    rows.push_back({command.name, {{"key", key_text(command)}, {"title", command.title}}});
  return rows;
}
std::vector<Row> suites() {
  std::vector<Row> rows;
  for (const auto& suite : bench::all_suites()) rows.push_back({suite.key, {{"description", suite.description}}});
  return rows;
}
std::vector<Row> colormaps() {
  std::vector<Row> rows;
  for (const auto& map : ui::load_colormaps(data_folder() / "assets" / "colormaps")) rows.push_back({map.name, {}});
  return rows;
}

constexpr Topic topics[] = {{"scenes", scenes},         {"maps", maps},
                            {"works", works},           {"fractals", fractals},
                            {"parameters", parameters}, {"commands", commands, "name"},
                            {"suites", suites},         {"colormaps", colormaps}};

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

std::vector<std::string> topic_names() {
  std::vector<std::string> names;
  for (const auto& topic : topics) names.emplace_back(topic.name);
  return names;
}

struct ListOptions {
  std::vector<std::string> words;
  bool json = false;
};

/// A topic as a table or as JSON, on stdout. Throws UsageError with the nearest topic.
ExitCode list(const ListOptions& options) {
  check_one_word(options.words, "list");
  const std::vector<std::string> known = topic_names();
  const std::string wanted = options.words.empty() ? "" : options.words[0];
  if (!options.words.empty() && std::find(known.begin(), known.end(), wanted) == known.end())
    throw UsageError(unknown_message("topic", wanted, known));
  Json all = Json::object();
  for (const auto& topic : topics) {
    if (!wanted.empty() && wanted != topic.name) continue;
    const auto rows = topic.rows();
    if (options.json) {
      Json entries = Json::array();
      for (const auto& row : rows) {
        Json entry{{topic.first, row.key}};
        for (const auto& [name, value] : row.columns) entry[name] = value;
        entries.push_back(entry);
      }
      all[topic.name] = entries;
    } else {
      if (wanted.empty()) fmt::print("{}{}\n", &topic == topics ? "" : "\n", topic.name);
      print_table(rows);
    }
  }
  if (options.json) fmt::print("{}\n", wanted.empty() ? all.dump(2) : all[wanted].dump(2));
  return ExitCode::done;
}

}  // namespace

CliCommand list_command() {
  return {"list", either(topic_names()), [](CLI::App& app) -> std::function<ExitCode()> {
            const auto options = std::make_shared<ListOptions>();
            add_words(app, "TOPIC", options->words, "what to list; everything without one");
            add_flag(app, "--json", options->json, "as JSON");
            return [options] { return list(*options); };
          }};
}

}  // namespace warploom
