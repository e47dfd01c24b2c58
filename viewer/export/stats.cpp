#include "viewer/export/stats.h"

#include <fmt/format.h>

#include <cmath>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "gpu/core/format.h"
#include "gpu/files/input.h"
#include "gpu/files/npy.h"
#include "gpu/tracks/facets/accesses.h"
#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/numbers.h"
#include "gpu/tracks/facets/rate.h"
#include "gpu/tracks/facets/written.h"
#include "viewer/base/environment.h"
#include "viewer/base/json_text.h"
#include "viewer/export/devices_json.h"
#include "viewer/export/written_folder.h"
#include "viewer/model/scene_parts.h"

namespace warploom {

namespace {

using Json = nlohmann::ordered_json;

Json axes(const Index3& index) { return {index.x, index.y, index.z}; }

Json value_json(const Value& value) {
  return std::visit([](const auto& v) { return Json(v); }, value);
}

/// Null where it cannot be said: one sample has no percentiles.
Json known(double value) { return std::isnan(value) ? Json() : Json(value); }

Json kernel_json(const KernelTiming& row) {
  return {{"name", row.kernel},
          {"samples", row.milliseconds.samples},
          {"dropped", row.dropped},
          {"median_ms", row.milliseconds.median},
          {"p5_ms", known(row.milliseconds.p5)},
          {"p95_ms", known(row.milliseconds.p95)},
          {"p99_ms", known(row.milliseconds.p99)},
          {"min_ms", row.milliseconds.minimum},
          {"median_low_ms", row.milliseconds.median_low},
          {"median_high_ms", row.milliseconds.median_high},
          {"bytes", row.bytes},
          {"gb_per_s", row.gb_per_s()},
          {"steps_per_sample", row.steps},
          {"launches_per_sample", row.launches}};
}

/// From the median time of the track's kernel; null without one.
Json rate_json(const Track& track, const RateFacet::Work& work, std::size_t i, const std::vector<KernelTiming>& table) {
  for (const auto& row : table)
    if (row.track == static_cast<int>(i) && row.kernel == track.kernel() && row.milliseconds.median > 0)
      return {{"value", work.amount / (row.milliseconds.median / 1e3)}, {"unit", work.unit}};
  return nullptr;
}

/// Null but for maps, kernels or rules that their users wrote. `rule`: of the rule that a track runs.
Json own_json(const Track& track, bool rule) {
  const auto* written = track.facet<Written>();
  if (!written) return nullptr;
  const OwnState own = written->own();
  const auto texts = written->texts();
  const OwnSource& text = rule ? *texts.back() : *texts.front();
  if ((text.form == "rule") != rule) return nullptr;
  const auto place = [&](const std::optional<Cell>& at) {
    if (!at) return Json();
    return track.dimensions() > 2 ? axes(*at) : Json{at->x, at->y};
  };
  const auto three = [](const std::optional<Index3>& at) { return at ? axes(*at) : Json(); };
  const Judgement& judged = own.judgement;
  Json json{{"file", text.file},
            {"kind", text.kind()},
            {"form", text.kind() == "map" ? Json(text.form) : Json()},
            {"hash", fmt::format("{:016x}", text.hash)},
            {"compiler", own.compiler},
            {"compile_ms", own.compile_ms},
            {"cached", own.cached},
            {"trusted", own.trusted},
            {"judge",
             {{"whole", judged.whole},
              {"visits", judged.visits},
              {"cells", judged.cells},
              {"served", judged.served},
              {"missed", judged.missed},
              {"doubled", judged.doubled},
              {"outside", judged.outside},
              {"first_missed", place(judged.first_missed)},
              {"first_doubled", place(judged.first_doubled)},
              {"ms", judged.milliseconds}}},
            {"fault", nullptr}};
  if (rule) json["judge"] = nullptr;
  if (!own.fault) return json;
  // A map falls with its rule; the line is of one of the two texts.
  const bool of_this_text = own.fault->file.empty() ? texts.size() == 1 || !rule : own.fault->file == text.file;
  if (rule && !of_this_text) return json;
  json["fault"] = {{"kind", own.fault->kind},
                   {"line", own.fault->line && of_this_text ? Json(*own.fault->line) : Json()},
                   {"block", three(own.fault->block)},
                   {"thread", three(own.fault->thread)},
                   {"text", own.fault->text}};
  return json;
}

Json track_json(const Simulation& simulation, std::size_t i, const std::string& requested, std::size_t baseline,
                const std::vector<KernelTiming>& table, Queue& queue) {
  const Track& track = simulation.track(i);
  const TrackInfo& info = track.info();
  const TrackStatus status = simulation.status()[i];
  Json json;
  json["track"] = i;
  json["letter"] = std::string(1, simulation.letter(i));
  json["name"] = info.name;
  json["requested"] = text_or_null(requested);
  json["map"] = info.map;
  json["intra"] = text_or_null(info.intra);
  json["storage"] = text_or_null(info.storage);
  json["layout"] = text_or_null(info.layout);
  json["exact"] = info.exact;
  json["seal"] = status.sealed ? Json(fmt::format("{:016x}", status.seal.hash)) : Json();
  json["agrees"] = status.agrees;
  json["badge"] = text_or_null(status.badge());
  json["diverged_at"] = nullptr;
  if (status.diverged) {
    Json cell;  // null: folded sums differ, or it is not told
    if (const auto& at = status.diverged->cell) {
      cell = {at->x, at->y};
      if (track.dimensions() > 2) cell.push_back(at->z);
    }
    json["diverged_at"] = {{"step", status.diverged->step}, {"cell", cell}};
  }
  json["check"] = nullptr;
  if (status.check) {
    const Verdict& check = *status.check;
    json["check"] = {{"against", check.against},
                     {"kind", check.kind},
                     {"rows", check.rows || check.singular ? Json(check.rows) : Json()},
                     {"error", check.singular ? Json() : Json(check.error)},
                     {"bound", check.singular ? Json() : Json(check.bound)},
                     {"singular", check.singular ? Json::array({check.singular->x, check.singular->y}) : Json()}};
  }
  json["own"] = own_json(track, false);
  json["devices"] = devices_json(track);
  json["launches"] = Json::array();
  for (const auto& shape : track.launches())
    json["launches"].push_back({{"grid", axes(shape.blocks)}, {"block", axes(shape.threads)}});
  json["grid"] = json["launches"][0]["grid"];
  json["block"] = json["launches"][0]["block"];
  json["threads"] = json["blocks"] = json["warps"] = nullptr;
  // What fell has no figures, though it may have been counted before.
  const auto* written = track.facet<Written>();
  const bool fell = written && written->own().fault;
  if (const auto counts = fell ? std::nullopt : counts_of(track)) {
    json["threads"] = {{"launched", counts->launched}, {"useful", counts->useful}, {"wasted", counts->wasted()}};
    json["blocks"] = {{"launched", counts->blocks}, {"useful", counts->blocks_useful}};
    json["warps"] = {{"full", counts->warps_full},
                     {"partial", counts->warps_partial},
                     {"idle", counts->warps_idle},
                     {"lanes_lost", counts->lanes_lost()},
                     {"efficiency", counts->warp_efficiency()}};
  }
  json["layouts"] = Json::array();
  const auto* accesses = track.facet<Accesses>();
  for (const auto& layout : accesses ? accesses->totals() : std::vector<LayoutCounts>{})
    json["layouts"].push_back({{"name", layout.layout},
                               {"sectors", layout.sectors},
                               {"lines", layout.lines},
                               {"elements", layout.elements},
                               {"padding", layout.padding}});
  json["numbers"] = nullptr;
  if (auto* numbers = track.facet<Numbers>())
    for (const auto& [name, value] : numbers->numbers(queue)) {
      const bool whole = value == std::floor(value) && std::abs(value) < 0x1p53;
      json["numbers"][name] = whole ? Json(static_cast<std::int64_t>(value)) : Json(value);
    }
  json["rate"] = nullptr;
  if (const auto* rated = track.facet<RateFacet>()) json["rate"] = rate_json(track, rated->work(), i, table);
  for (const TrackStats& own : known_parts().stats) json[own.key] = own.value(track);
  json["kernels"] = Json::array();
  for (const auto& row : table)
    if (row.track == static_cast<int>(i)) json["kernels"].push_back(kernel_json(row));
  json["ratio_to_baseline"] = nullptr;
  if (const auto ratio = simulation.ratio_to_baseline(i, baseline))
    json["ratio_to_baseline"] = {
        {"kernel", track.kernel()}, {"median", ratio->median}, {"low", ratio->low}, {"high", ratio->high}};
  return json;
}

std::string csv(const Json& stats) {
  std::string text =
      "scene,track,name,map,intra,storage,layout,seal,agrees,badge,launched,useful,wasted,kernel,samples,dropped,"
      "median_ms,p5_ms,p95_ms,p99_ms,min_ms,bytes,gb_per_s,ratio_median,ratio_low,ratio_high,backend,device,time_utc,"
      "check_against,check_kind,check_rows,check_error,check_bound,requested\n";
  const auto cell = [](const Json& value) -> std::string {
    if (value.is_null()) return "";
    if (!value.is_string()) return value.dump();
    const auto word = value.get<std::string>();
    return word.find_first_of(",\"") == std::string::npos ? word : '"' + word + '"';
  };
  for (const auto& track : stats["tracks"])
    for (const auto& kernel : track["kernels"]) {
      const auto& ratio = track["ratio_to_baseline"];
      const bool of_kernel = ratio.is_object() && ratio["kernel"] == kernel["name"];
      std::vector<std::string> cells{cell(stats["scene"])};
      for (const char* key : {"track", "name", "map", "intra", "storage", "layout", "seal", "agrees", "badge"})
        cells.push_back(cell(track[key]));
      for (const char* key : {"launched", "useful", "wasted"})
        cells.push_back(track["threads"].is_null() ? "" : cell(track["threads"][key]));
      for (const char* key :
           {"name", "samples", "dropped", "median_ms", "p5_ms", "p95_ms", "p99_ms", "min_ms", "bytes", "gb_per_s"})
        cells.push_back(cell(kernel[key]));
      for (const char* key : {"median", "low", "high"}) cells.push_back(of_kernel ? cell(ratio[key]) : "");
      for (const char* key : {"backend", "device"}) cells.push_back(cell(stats["environment"][key]));
      cells.push_back(cell(stats["time_utc"]));
      for (const char* key : {"against", "kind", "rows", "error", "bound"})
        cells.push_back(track["check"].is_null() ? "" : cell(track["check"][key]));
      cells.push_back(cell(track["requested"]));
      text += join(cells, ",") + "\n";
    }
  return text;
}

}  // namespace

void FrameSamples::add(const FrameTimes& times) {
  frame.push_back(times.frame);
  ui.push_back(times.ui);
  interop.push_back(times.interop);
}

void FrameSamples::forget_oldest_above(std::size_t most) {
  if (frame.size() <= most) return;
  for (auto* samples : {&frame, &ui, &interop})
    samples->erase(samples->begin(), samples->begin() + static_cast<std::ptrdiff_t>(samples->size() / 2));
}

nlohmann::ordered_json make_stats(Scene& scene, Runner& runner, std::size_t baseline, std::uint64_t frames,
                                  const FrameSamples* samples, const std::string& gl_renderer,
                                  const std::string& interop) {
  if (!runner.simulation()) throw Error("nothing is built: there are no statistics");
  Json stats;
  stats["schema"] = "warploom.stats/1";
  stats["version"] = WARPLOOM_VERSION;
  stats["time_utc"] = utc_time();
  stats["environment"] = environment(runner.backend(), gl_renderer, interop);
  stats["scene"] = scene.key();
  for (const auto& parameter : scene.parameters()) stats["parameters"][parameter.key] = value_json(parameter.get());
  // Between two steps: seals, counts and results are of the same one.
  runner.ask([&](Queue& queue, Simulation& simulation) {
    stats["steps"] = simulation.steps();
    stats["frames"] = frames;
    stats["history"] = text_or_null(runner.history());
    stats["tracks"] = Json::array();
    const std::size_t against = baseline < simulation.size() ? baseline : 0;
    const auto table = simulation.timings().table();
    const auto* substituting = scene.facet<Substituting>();
    const auto substitutes = substituting ? substituting->substitutes() : std::vector<Substitute>{};
    for (std::size_t i = 0; i < simulation.size(); ++i)
      stats["tracks"].push_back(track_json(
          simulation, i, i < substitutes.size() ? substitutes[i].requested : std::string(), against, table, queue));
    // Of an own rule, which all of them run: as the first that fell with it tells, else the first.
    stats["rule"] = nullptr;
    for (std::size_t i = 0; i < simulation.size(); ++i)
      if (const Json rule = own_json(simulation.track(i), true);
          !rule.is_null() &&
          (stats["rule"].is_null() || (stats["rule"]["fault"].is_null() && !rule["fault"].is_null())))
        stats["rule"] = rule;
    stats["baseline"] = against;
    stats["results"] = Json::object();
    for (const auto& [name, value] : scene.results(simulation, queue))
      std::visit([&, key = name](auto number) { stats["results"][key] = number; }, value);
    if (const auto* reported = scene.facet<Reported>()) stats["results"].update(reported->report());
  });
  stats["frame"] = nullptr;
  if (samples && !samples->frame.empty()) {
    const Summary frame = summarize(samples->frame);
    stats["frame"] = {{"samples", frame.samples},
                      {"median_ms", frame.median},
                      {"p95_ms", known(frame.p95)},
                      {"ui_median_ms", summarize(samples->ui).median},
                      {"interop_median_ms", summarize(samples->interop).median}};
  }
  return stats;
}

namespace {

bool is_stdout(const std::filesystem::path& file) { return file == "-" || file == "/dev/stdout"; }

}  // namespace

void check_stats_name(const std::string& file) {
  if (!file.empty() && !is_stdout(file) && extension_of(file) != ".json" && extension_of(file) != ".csv")
    throw UsageError("--stats " + file + ": the name must end in .json or .csv, or be -");
}

void write_text(const std::filesystem::path& file, const std::string& text) {
  if (!is_stdout(file)) return write_atomically(file, text);
  // Standard output may be a file or a pipe of another's: it is written to, never replaced.
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    throw FileError("stdout: cannot be written");
}

void write_stats(const std::filesystem::path& file, const nlohmann::ordered_json& stats) {
  check_stats_name(file.string());
  write_text(file, extension_of(file) == ".csv" ? valid_utf8(csv(stats)) : json_text(stats));
}

namespace {

/// Only an empty folder or a dump of ours is replaced: the user's files stay.
FolderWish dump_wish(const std::filesystem::path& folder) {
  return {"--dump", folder,
          [](const std::filesystem::path& file) {
            const std::string name = file.filename().string();
            return name == "manifest.json" ||
                   ((name.starts_with("track") || name.starts_with("lane")) && name.ends_with(".npy"));
          },
          "manifest.json", "warploom.dump/1"};
}

}  // namespace

void check_dump_name(const std::filesystem::path& folder) { check_folder(dump_wish(folder)); }

void check_file_name(const std::string& option, const std::string& file) {
  std::error_code none;
  if (file.empty()) return;
  const auto path = std::filesystem::absolute(file);
  if (std::filesystem::is_directory(path, none)) throw FileError(option + " " + file + ": it is a folder; name a file");
  if (!std::filesystem::is_directory(path.parent_path(), none))
    throw FileError(option + " " + file + ": no folder " + path.parent_path().string());
}

void write_dump(const std::filesystem::path& folder, Runner& runner, const std::atomic<bool>* cancel) {
  write_folder(dump_wish(folder), [&](const std::filesystem::path& part) {
    Json files = Json::array();
    runner.ask([&](Queue& queue, Simulation& simulation) {
      if (simulation.judged()) throw UsageError("a map is being judged: what it serves is not known yet");
      for (std::size_t i = 0; i < simulation.size(); ++i)
        for (const auto& array : simulation.track(i).dumps(queue)) {
          if (cancel && *cancel) throw Cancelled();
          const std::string file = fmt::format("track{}_{}.npy", i, array.name);
          write_npy(part / file, array.numpy_type, array.shape, array.bytes.data(), array.bytes.size());
          files.push_back({{"file", file},
                           {"track", i},
                           {"shape", array.shape},
                           {"dtype", array.type},
                           {"meaning", array.meaning}});
        }
    });
    write_atomically(part / "manifest.json", json_text(Json{{"schema", "warploom.dump/1"}, {"files", files}}));
  });
}

}  // namespace warploom
