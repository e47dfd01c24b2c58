#include "viewer/teach/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/files/input.h"
#include "gpu/tracks/facets/described.h"
#include "gpu/tracks/facets/lane_turns.h"
#include "gpu/tracks/facets/threads.h"
#include "viewer/base/json_text.h"
#include "viewer/base/paths.h"
#include "viewer/export/stats.h"
#include "viewer/model/cell_look.h"
#include "viewer/model/figures.h"
#include "viewer/model/scene_text.h"
#include "viewer/panels/panes/marks.h"
#include "viewer/teach/question.h"
#include "viewer/ui/colour_word.h"

namespace warploom {

namespace {

using Json = nlohmann::ordered_json;

std::string word(const Json& value) {
  if (value.is_string()) return value.get<std::string>().empty() ? "none" : value.get<std::string>();
  if (!value.is_array()) return value.is_number_float() ? fmt::format("{}", value.get<double>()) : value.dump();
  std::vector<std::string> words;
  for (const Json& one : value) words.push_back(word(one));
  return join(words);
}

/// A time or a ratio as it is said: more digits than are steady say nothing.
std::string measured(const Json& value) { return fmt::format("{:.4g}", value.get<double>()); }

/// What runs: scene, parameters, step, device.
std::string head_of(Scene& scene, const Json& stats) {
  std::string words = std::string(scene.title()) + ": ";
  std::vector<std::string> values;
  for (const Parameter& parameter : scene.parameters()) {
    if (!parameter.applies().empty() || parameter.key == "tracks") continue;
    values.push_back(parameter.key + " " + word(stats["parameters"][parameter.key]));
  }
  words += join(values) + fmt::format(". Step {}, ", stats["steps"].dump());
  const Json& environment = stats["environment"];
  const bool cpu = environment.value("backend", "") == "cpu";
  words += (cpu ? "on the CPU engine" : "on CUDA") + std::string(", ") +
           environment.value("device", "an unknown device") + ".";
  if (stats["history"].is_string())
    words += " This run cannot be replayed: " + stats["history"].get<std::string>() + ".";
  return words;
}

/// The track's own kernel; null: no samples.
const Json* kernel_of(const Json& track, const std::string& name) {
  for (const Json& kernel : track["kernels"])
    if (kernel["name"] == name) return &kernel;
  return nullptr;
}

Json counted(const Json& track, const char* group, const char* key) {
  return track[group].is_object() ? track[group][key] : Json();
}

/// Null of the baseline, of inexact and of broken tracks.
Json ratio_of(const Simulation& tracks, const Json& stats, std::size_t i) {
  const Json& track = stats["tracks"][i];
  const std::size_t baseline = stats["baseline"];
  const Json& ratio = track["ratio_to_baseline"];
  if (i == baseline || !ratio.is_object() || !track["exact"].get<bool>() || !track["agrees"].get<bool>())
    return nullptr;
  const auto now = tracks.ratio_to_baseline(i, baseline);
  const bool clear = now && now->pairs >= least_pairs && (ratio["low"] > 1 || ratio["high"] < 1);
  return {{"median", ratio["median"]}, {"low", ratio["low"]}, {"high", ratio["high"]}, {"clear", clear}};
}

/// Null of one device.
Json devices_of(const Json& track) {
  const Json& all = track["devices"];
  if (!all.is_object()) return nullptr;
  return {{"count", all["count"]},
          {"pools", all["pools"]},
          {"split", all["split"]},
          {"exchanges", all["exchanges"]},
          {"values", all["values"]}};
}

/// "1 block", "81 blocks": in full digits, as figures are found by.
std::string several(const Json& count, const std::string& what) {
  return word(count) + " " + what + (count == 1 ? "" : "s");
}

/// `turns`: what is counted are turns of lanes, which take several.
std::string track_words(const Json* kernel, const Json& told, bool turns) {
  const std::string name = "Track " + told["track"].get<std::string>() + ", " + told["name"].get<std::string>();
  std::string words = name;
  if (told["launched"].is_null()) {
    words += ": its threads are not counted.";
  } else {
    words += fmt::format(", {} {}: {} useful, {} wasted; {}, {} with work; {}: {} full, {} partial, {} idle.",
                         turns ? "takes" : "launches", several(told["launched"], turns ? "lane turn" : "thread"),
                         word(told["useful"]), word(told["wasted"]), several(told["blocks_launched"], "block"),
                         word(told["blocks_useful"]), turns ? "turns of warps" : "warps", word(told["warps_full"]),
                         word(told["warps_partial"]), word(told["warps_idle"]));
  }
  if (const Json& devices = told["devices"]; devices.is_object())
    words += fmt::format(" It runs on {}{}, which share out {}: in a step {} of a problem cross the link, in {}.",
                         several(devices["count"], "device"),
                         devices["pools"].get<bool>() ? ", for which pools of threads stand" : "",
                         devices["split"] == "rows" ? "whole rows" : "the elements of each row",
                         several(devices["values"], "value"), several(devices["exchanges"], "exchange"));
  if (told["seal"].is_null())
    words += " It has no seal yet.";
  else
    words += fmt::format(" Its seal is {}, which {}{}.", told["seal"].get<std::string>(),
                         told["agrees"].get<bool>() ? "agrees" : "does not agree",
                         told["badge"].is_string() ? ": " + word(told["badge"]) : "");
  if (kernel)
    words += fmt::format(" Kernel {}: median {} milliseconds, interval {} to {} milliseconds, {}.",
                         (*kernel)["name"].get<std::string>(), measured((*kernel)["median_ms"]),
                         measured((*kernel)["median_low_ms"]), measured((*kernel)["median_high_ms"]),
                         several((*kernel)["samples"], "sample"));
  if (const Json& ratio = told["ratio"]; ratio.is_object())
    words += fmt::format(" It is {} times as fast as the baseline, interval {} to {}{}.", measured(ratio["median"]),
                         measured(ratio["low"]), measured(ratio["high"]),
                         ratio["clear"].get<bool>()                  ? ""
                         : (ratio["low"] <= 1 && ratio["high"] >= 1) ? ", which does not tell which is faster for sure"
                                                                     : "; steps are too few to be sure");
  return words;
}

/// What is picked, in one track.
std::string picked_words(Model& model, const Simulation& tracks, std::size_t i, Queue& questions) {
  const Track& track = tracks.track(i);
  std::string words = "Track " + model.scene().letter(i) + ": ";
  if (auto* described = tracks.track(i).facet<Described>()) {
    described->ask(questions, model.picked);
    std::vector<std::string> rows;
    for (const auto& [what, value] : described->describe(model.picked))
      rows.push_back(fmt::format("{} {}", what, value));
    if (!rows.empty()) return words + join(rows, "; ") + ".";
  }
  const auto* threads = track.facet<Threads>();
  const auto who = model.owner_in(i, model.picked);
  if (!threads || !who) return words + "no thread comes there.";
  const int dimensions = track.dimensions();
  const LaunchShape& shape = track.launches()[static_cast<std::size_t>(who->launch)];
  const std::uint64_t number = linear_index(who->thread, shape.threads);
  words += fmt::format("block {}, thread {}, warp {}, lane {}", place_text(who->block, dimensions),
                       place_text(who->thread, dimensions), number / warp_size, number % warp_size);
  if (track.launches().size() > 1) words += fmt::format(", launch {}", who->launch);
  const bool knows = knows_targets(track), of_cell = model.picked.space == Selection::cell;
  if (!knows && !of_cell) return words + ".";
  const auto target = knows ? threads->target(*who) : model.target_of(model.picked);
  if ((knows && threads->served(*who).cells == 0) || !target) return words + "; it is wasted: it serves no cell.";
  words += fmt::format("; it serves the cell {} at byte {}", place_text(target->cell, dimensions),
                       threads->address(target->cell));
  if (const auto look = look_at(questions, track, target->cell))
    words += look->two ? (look->value != 0 ? ", which is alive" : ", which is dead")
                       : fmt::format(", whose value is {}", look->value);
  return words + ".";
}

Json selection_of(Model& model, const Simulation& tracks, Queue& questions) {
  if (model.picked.empty()) return nullptr;
  const std::string place = selection_text(model.picked, model.scene().letters());
  Json words = Json::array();
  words.push_back("Picked: " + place + ".");
  for (std::size_t i = 0; i < tracks.size(); ++i) words.push_back(picked_words(model, tracks, i, questions));
  return {{"place", place}, {"words", words}};
}

std::string colour_text(Rgba colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour & 255, colour >> 8 & 255, colour >> 16 & 255);
}

/// What each picture shows, by which colours; a sentence for each goes to `words`.
Json pictures_of(Model& model, const std::shared_ptr<Simulation>& tracks, Queue& questions, const Painter* painter,
                 std::vector<std::string>& words) {
  ui::UiContext ui;
  ui.theme =
      &ui::theme(model.view.theme == "light" ? ui::ThemeName::light : ui::ThemeName::dark, model.scene().letters());
  PanelState state;
  static const auto colormaps = ui::load_colormaps(data_folder() / "assets" / "colormaps");
  state.colormaps = colormaps;
  std::vector<Want> wants;
  PanelContext panel{ui, model, state, tracks, painter, &wants, &questions};
  Json all = Json::array();
  for (std::size_t i = 0; i < tracks->size(); ++i)
    for (const bool side : {false, true}) {
      const auto shown = shown_picture(tracks->track(i), model.view, side);
      if (!shown) continue;
      const Picture& picture = *tracks->track(i).pictures()[*shown];
      const PictureRequest request = request_for(panel, {i, *shown, side, {}}, picture);
      Json legend = Json::array();
      std::vector<std::string> colours;
      const auto add = [&](Rgba colour, const std::string& means) {
        legend.push_back({{"colour", colour_text(colour)}, {"means", means}});
        colours.push_back(fmt::format("{} for {}", ui::colour_word(colour), means));
      };
      for (const auto& kind : kinds_of(panel, picture, request, i)) add(kind.colour, kind.words);
      const Legend said = shows_visits(panel, picture) ? Legend{} : picture.legend(request);
      if (!said.low.empty() || !said.high.empty()) {
        const bool launches = said.two && picture.info().space == Selection::thread;
        const Rgba low = launches ? request.palette.hatch : request.palette.at(said.first),
                   high = launches ? request.palette.track : request.palette.at(1);
        add(low, said.low);
        add(high, said.high);
      }
      const double sampled = painter ? painter->sampled(i, *shown) : 1;
      all.push_back({{"track", model.scene().letter(i)},
                     {"place", side ? "side" : "main"},
                     {"key", picture.info().key},
                     {"title", picture.info().title},
                     {"legend", legend},
                     {"sampled", sampled > 1.5 ? Json(std::round(sampled)) : Json()}});
      words.push_back(fmt::format("Picture of track {}, {}: {}{}.", model.scene().letter(i), side ? "below" : "above",
                                  picture.info().title, colours.empty() ? "" : "; its colours are " + join(colours)));
    }
  return all;
}

}  // namespace

Json describe(Model& model, const Json& stats, Queue& questions, const Painter* painter) {
  const auto tracks = model.runner().simulation();
  if (!tracks) throw Error("nothing is built: there is nothing to describe");
  const PlainNumbers plain;
  Json described{{"schema", "warploom.describe/1"},
                 {"scene", stats["scene"]},
                 {"step", stats["steps"]},
                 {"backend", stats["environment"].value("backend", "")},
                 {"device", stats["environment"].value("device", "")},
                 {"words", Json::array({head_of(model.scene(), stats)})},
                 {"tracks", Json::array()}};
  Json badges = machine_badges(model);
  if (stats["history"].is_string()) badges.push_back("EDITED");
  for (std::size_t i = 0; i < tracks->size(); ++i) {
    const Json& track = stats["tracks"][i];
    const Json* kernel = kernel_of(track, tracks->track(i).kernel());
    Json told{{"track", track["letter"]},
              {"name", track["name"]},
              {"launched", counted(track, "threads", "launched")},
              {"useful", counted(track, "threads", "useful")},
              {"wasted", counted(track, "threads", "wasted")},
              {"blocks_launched", counted(track, "blocks", "launched")},
              {"blocks_useful", counted(track, "blocks", "useful")},
              {"warps_full", counted(track, "warps", "full")},
              {"warps_partial", counted(track, "warps", "partial")},
              {"warps_idle", counted(track, "warps", "idle")},
              {"devices", devices_of(track)},
              {"agrees", track["agrees"]},
              {"badge", track["badge"]},
              {"seal", track["seal"]},
              {"median_ms", kernel ? (*kernel)["median_ms"] : Json()},
              {"samples", kernel ? (*kernel)["samples"] : Json(0)},
              {"ratio", ratio_of(*tracks, stats, i)}};
    described["words"].push_back(track_words(kernel, told, tracks->track(i).facet<LaneTurns>() != nullptr));
    if (track["badge"].is_string()) badges.push_back(track["badge"]);
    described["tracks"].push_back(std::move(told));
  }
  described["selection"] = selection_of(model, *tracks, questions);
  std::vector<std::string> pictures;
  described["pictures"] = pictures_of(model, tracks, questions, painter, pictures);
  described["badges"] = badges;
  if (described["selection"].is_object())
    for (const Json& line : described["selection"]["words"]) described["words"].push_back(line);
  for (const std::string& line : pictures) described["words"].push_back(line);
  if (!badges.empty()) described["words"].push_back("What spoils a figure: " + word(badges) + ".");
  return described;
}

std::string described_words(const Json& described) {
  std::string text;
  for (const Json& line : described["words"]) text += line.get<std::string>() + "\n";
  return text;
}

void check_describe_name(const std::string& file) {
  if (!file.empty() && file != "-" && extension_of(file) != ".txt" && extension_of(file) != ".json")
    throw UsageError("--describe " + file + ": the name must end in .txt or .json, or be -");
}

void write_described(const std::string& file, const Json& described) {
  check_describe_name(file);
  write_text(file, extension_of(file) == ".json" ? json_text(described) : described_words(described));
}

}  // namespace warploom
