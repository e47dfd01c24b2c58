#include "viewer/cli/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "viewer/base/environment.h"

namespace warploom {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* schema = "warploom.bench/1";

std::string number(double value) { return std::isnan(value) ? "-" : fmt::format("{:.4g}", value); }

Json number_json(double value) { return std::isnan(value) ? Json() : Json(value); }

Json figure_json(const bench::Figure& figure) {
  Json json{{"suite", figure.suite}, {"name", figure.name}, {"unit", figure.unit}};
  json["parameters"] = Json::object();
  for (const auto& [name, value] : figure.parameters) json["parameters"][name] = value;
  json["median"] = number_json(figure.median);
  json["low"] = number_json(figure.low);
  json["high"] = number_json(figure.high);
  json["samples"] = figure.samples;
  json["share_of_ceiling"] = number_json(figure.share_of_ceiling);
  json["ceiling"] = text_or_null(figure.ceiling);
  json["peer"] = text_or_null(figure.peer);
  json["ratio_to_peer"] = nullptr;
  if (!std::isnan(figure.ratio_to_peer))
    json["ratio_to_peer"] = {{"median", figure.ratio_to_peer}, {"low", figure.ratio_low}, {"high", figure.ratio_high}};
  json["share_of_copy"] = nullptr;
  if (!std::isnan(figure.share_of_copy))
    json["share_of_copy"] = {{"median", figure.share_of_copy}, {"low", figure.copy_low}, {"high", figure.copy_high}};
  json["verified"] = figure.verified;
  json["note"] = text_or_null(figure.note);
  return json;
}

}  // namespace

void print_bench(const std::vector<bench::Figure>& figures) {
  std::vector<std::vector<std::string>> rows{{"figure", "block", "cache", "median", "unit", "P5", "P95", "samples",
                                              "of ceiling", "ratio", "95 %", "against", "note"}};
  const auto parameter = [](const bench::Figure& figure, const char* key) -> std::string {
    for (const auto& [name, value] : figure.parameters)
      if (name == key) return value;
    return "-";
  };
  for (const auto& f : figures) {
    const bool share = !std::isnan(f.share_of_ceiling), copy = !std::isnan(f.share_of_copy),
               ratio = !std::isnan(f.ratio_to_peer);
    rows.push_back({f.suite == "ceilings" ? "ceiling/" + f.name : f.name, parameter(f, "block"), parameter(f, "cache"),
                    f.verified ? number(f.median) : "WRONG", f.unit, number(f.low), number(f.high),
                    std::to_string(f.samples),
                    copy ? fmt::format("{:.1f} % of a copy [{:.1f}, {:.1f}]", 100 * f.share_of_copy, 100 * f.copy_low,
                                       100 * f.copy_high)
                    : share ? fmt::format("{:.1f} % {}", 100 * f.share_of_ceiling, f.ceiling)
                            : "-",
                    ratio ? fmt::format("x{:.3g}", f.ratio_to_peer) : "-",
                    ratio ? fmt::format("[{:.3g}, {:.3g}]", f.ratio_low, f.ratio_high) : "-",
                    f.peer.empty() ? "-" : f.peer, f.note});
  }
  std::vector<std::size_t> widths(rows[0].size() - 1);
  for (const auto& row : rows)
    for (std::size_t i = 0; i < widths.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < widths.size(); ++i) line += fmt::format("{:<{}}  ", row[i], widths[i]);
    line += row.back();
    line.erase(line.find_last_not_of(' ') + 1);
    fmt::print("{}\n", line);
  }
}

void add_part(BenchFile& file, const std::string& part, std::span<const bench::Figure> figures) {
  file.parts.push_back(part);
  for (const auto& figure : figures) {
    file.figures.push_back(figure_json(figure));
    file.figures.back()["part"] = part;
  }
}

bool all_verified(const BenchFile& file) {
  return std::ranges::all_of(file.figures, [](const Json& figure) { return figure["verified"].get<bool>(); });
}

nlohmann::ordered_json read_bench_json(const std::string& path) {
  std::ifstream in(path);
  if (!in) throw FileError(path + ": it cannot be read");
  Json all = Json::parse(in, nullptr, false);
  if (!all.is_object() || all.value("schema", Json()) != schema)
    throw FileError(path + ": not a file of `warploom bench --stats`");
  for (const char* key : {"environment", "figures", "time_utc"})
    if (!all.contains(key)) throw FileError(path + ": not a whole file of `warploom bench --stats`: it has no " + key);
  return all;
}

BenchFile read_bench_file(const std::string& path, Backend backend) {
  BenchFile file;
  if (!std::filesystem::exists(path)) return file;
  const Json all = read_bench_json(path);
  const auto refuse = [&](const std::string& why) { return FileError(path + ": " + why); };
  try {
    const Json now = environment(backend, "", "none"), &then = all.at("environment");
    for (const char* key : {"backend", "device", "driver", "cpu", "threads", "commit", "build"})
      if (const Json here = now.value(key, Json()), there = then.value(key, Json()); here != there)
        throw refuse(std::string("measured elsewhere: ") + key + " is " + here.dump() + " here, not " + there.dump());
    file.suites = all.at("suites").get<std::vector<std::string>>();
    file.parts = all.at("parts").get<std::vector<std::string>>();
    for (const Json& figure : all.at("figures")) {
      const auto part = figure.at("part").get<std::string>();
      // What was wrong is measured again.
      if (!figure.at("verified").get<bool>()) std::erase(file.parts, part);
      file.figures.push_back(figure);
    }
  } catch (const Json::exception& error) {
    throw refuse(std::string("not a whole file of `warploom bench --stats`: ") + error.what());
  }
  std::erase_if(file.figures,
                [&](const Json& figure) { return !std::ranges::count(file.parts, figure["part"].get<std::string>()); });
  return file;
}

nlohmann::ordered_json bench_json(const bench::Bench& bench, const std::vector<std::string>& suites,
                                  const BenchFile& file) {
  Json all;
  all["schema"] = schema;
  all["version"] = WARPLOOM_VERSION;
  all["time_utc"] = utc_time();
  all["environment"] = environment(bench.backend(), "", "none");
  all["settings"] = {
      {"samples", bench.settings().samples}, {"warm_ups", bench.settings().warm_ups}, {"seed", bench.seed()}};
  std::vector<std::string> both = file.suites;
  for (const auto& suite : suites)
    if (!std::ranges::count(both, suite)) both.push_back(suite);
  all["suites"] = both;
  all["parts"] = file.parts;
  all["figures"] = file.figures;
  return all;
}

std::string bench_csv(const nlohmann::ordered_json& all) {
  const auto cell = [](const Json& value) -> std::string {
    if (value.is_null()) return "";
    if (!value.is_string()) return value.dump();
    std::string quoted = "\"";
    for (const char c : value.get<std::string>()) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
  };
  std::string text =
      "suite,name,parameters,unit,median,low,high,samples,share_of_ceiling,ceiling,peer,ratio_median,ratio_low,"
      "ratio_high,verified,note,backend,device,driver,cuda_runtime,cpu,threads,compiler,build,commit,version,time_"
      "utc,copy_median,copy_low,copy_high\n";
  for (const auto& figure : all["figures"]) {
    std::vector<std::string> cells{cell(figure["suite"]), cell(figure["name"])}, pairs;
    for (const auto& [key, value] : figure["parameters"].items()) pairs.push_back(key + "=" + value.get<std::string>());
    cells.push_back(cell(join(pairs, ";")));
    for (const char* key : {"unit", "median", "low", "high", "samples", "share_of_ceiling", "ceiling", "peer"})
      cells.push_back(cell(figure[key]));
    const Json& ratio = figure["ratio_to_peer"];
    for (const char* key : {"median", "low", "high"}) cells.push_back(ratio.is_null() ? "" : cell(ratio[key]));
    for (const char* key : {"verified", "note"}) cells.push_back(cell(figure[key]));
    for (const char* key :
         {"backend", "device", "driver", "cuda_runtime", "cpu", "threads", "compiler", "build", "commit"})
      cells.push_back(cell(all["environment"][key]));
    for (const char* key : {"version", "time_utc"}) cells.push_back(cell(all[key]));
    // Files of earlier versions have none.
    const Json copy = figure.value("share_of_copy", Json());
    for (const char* key : {"median", "low", "high"}) cells.push_back(copy.is_null() ? "" : cell(copy[key]));
    text += join(cells, ",") + "\n";
  }
  return text;
}

}  // namespace warploom
