#include "viewer/export/take_home.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "gpu/core/files.h"
#include "gpu/core/format.h"
#include "gpu/files/npy.h"
#include "gpu/own/both_processors.h"
#include "gpu/own/kit.h"
#include "gpu/own/unused.h"
#include "gpu/tracks/facets/exported.h"
#include "viewer/base/json_text.h"
#include "viewer/base/say.h"
#include "viewer/export/python_source.h"
#include "viewer/export/written_folder.h"
#include "viewer/model/facets.h"

namespace warploom {

namespace {

/// What a parameter of the scene has; `otherwise` where there is none.
template <class Type>
Type value_of(Scene& scene, const std::string& key, Type otherwise) {
  for (const auto& parameter : scene.parameters())
    if (parameter.key == key)
      if (const Value value = parameter.get(); std::holds_alternative<Type>(value)) return std::get<Type>(value);
  return otherwise;
}

std::string file_name(char letter, const std::string& track) {
  std::string name{letter, '_'};
  for (const char c : track) name += c == ':' || c == '/' ? '_' : c;
  return name;
}

/// How to make a program of it and run it.
std::string compile_words(const std::string& file, bool device) {
  const std::string stem = file.substr(0, file.find('.'));
  return device ? fmt::format("nvcc -O3 -std=c++20 -arch=native {} -o {}", file, stem)
                : fmt::format("g++ -O3 -std=c++20 -ffp-contract=off -pthread {} -o {}", file, stem);
}

/// Of a C++ source.
std::string constants_of(const ExportedRun& run) {
  const auto file = [](const std::string& name) { return name.empty() ? "nullptr" : "\"" + name + "\""; };
  return fmt::format(
      "inline constexpr long usual_steps = {};\n"
      "inline constexpr std::uint64_t seed = {}u;\n"
      "inline constexpr double density = {};\n"
      "inline constexpr const char* start_file = {};\n"
      "inline constexpr const char* points_file = {};\n",
      run.steps, run.seed, run.density, file(run.start_file), file(run.points_file));
}

/// One source.
std::string source_of(const ExportParts& parts, const std::string& head, const std::string& constants, bool device) {
  std::vector<std::string_view> files(parts.host_headers.begin(), parts.host_headers.end());
  files.insert(files.end(), parts.headers.begin(), parts.headers.end());
  const std::string text = !parts.text ? "" : device ? for_both_processors(parts.text->source) : parts.text->source;
  const ListedFor compiler = device ? ListedFor::nvcc : ListedFor::cpp;
  std::string source = head;
  // What the end of every source names.
  for (const char* name : {"algorithm", "atomic", "barrier", "chrono", "cmath", "cstdint", "cstdio", "cstdlib",
                           "cstring", "functional", "thread", "utility", "vector"})
    source += fmt::format("#include <{}>\n", name);
  source += kit_listing(files, compiler);
  if (parts.text) source += "\nnamespace warploom::own {\n" + text + "\n}  // namespace warploom::own\n";
  source +=
      "\nnamespace warploom::exported {\n" + constants + parts.constants + "}  // namespace warploom::exported\n\n";
  std::vector<std::string_view> ends{"gpu/own/export.inc", parts.end};
  const std::string own = parts.end.substr(0, parts.end.rfind('/')) + "/export_own.inc";
  if (parts.text) ends.emplace_back(own);
  source += kit_listing(ends, compiler);
  source += "namespace warploom::exported {\n" + parts.run + "}  // namespace warploom::exported\n";
  source +=
      "\nint main(int count, char** words) {\n"
      "  using namespace warploom::exported;\n"
      "  TheRun run;\n"
      "  return report(run, count > 1 ? std::atol(words[1]) : usual_steps);\n"
      "}\n";
  return without_unused(source, text);
}

}  // namespace

void check_exported(Scene& scene, const Simulation& simulation) {
  const auto* takes = scene.facet<TakesOwnMaps>();
  if (!takes)
    throw UsageError(std::string("export: the tracks of scene '") + scene.key() +
                     "' are more than maps; those of fractal and simplex are taken home");
  for (std::size_t i = 0; i < simulation.size(); ++i) {
    const Track& track = simulation.track(i);
    if (const auto* exported = track.facet<Exported>()) {
      (void)exported->export_parts();  // throws
      continue;
    }
    std::vector<std::string> maps;
    for (const auto& kind : scene.track_kinds())
      if (takes->is_map(kind) && kind.storage == track.info().storage) maps.push_back(kind.name);
    if (maps.empty()) maps.push_back(scene.track_kinds()[0].name);
    throw UsageError(fmt::format("export: track '{}' is more than a map; the nearest that is taken home is '{}'",
                                 track.info().name, nearest(track.info().name, maps)));
  }
}

void write_exported(const std::filesystem::path& folder, Scene& scene, const Simulation& simulation) {
  using Json = nlohmann::ordered_json;
  write_folder({"--out", folder}, [&](const std::filesystem::path& part) {
    Json files = Json::array();
    const auto* stored = scene.facet<StoredState>();
    const auto* start = stored ? stored->start_state() : nullptr;
    // From the start state on, which may be of a later step.
    const std::uint64_t steps = simulation.steps() - (start ? stored->start_origin().first : 0);
    if (start) {
      const Index3 box = stored->domain_extent();
      std::vector<std::uint64_t> shape{box.y, box.x};
      if (box.z > 1) shape.insert(shape.begin(), box.z);
      write_npy(part / "start.npy", "|u1", shape, start->data(), start->size());
    }
    for (std::size_t i = 0; i < simulation.size(); ++i) {
      const Track& track = simulation.track(i);
      const TrackStatus status = simulation.status()[i];
      const ExportParts parts = track.need<Exported>().export_parts();
      const std::string name = file_name(simulation.letter(i), track.info().name);
      if (!parts.points.empty()) {
        const std::uint64_t rows = parts.points.size() / parts.points_row;
        write_npy(part / (name + "_points.npy"), "<f4", {rows, parts.points_row}, parts.points.data(),
                  parts.points.size() * sizeof(float));
      }
      const ExportedRun run{steps, value_of<std::uint64_t>(scene, "seed", 0), value_of<double>(scene, "density", 0),
                            start ? "start.npy" : "", parts.points.empty() ? "" : name + "_points.npy"};
      const auto add = [&](const std::string& file, const std::string& compile, const std::string& source) {
        write_atomically(part / file, source);
        files.push_back(
            {{"file", file},
             {"track", i},
             {"name", track.info().name},
             {"seal", status.sealed && !*status.broken ? Json(fmt::format("{:016x}", status.seal.hash)) : Json()},
             {"steps", steps},
             {"compile", compile}});
      };
      const std::string what = fmt::format("Track {} of scene {}, taken home from Warploom {}.", track.info().name,
                                           scene.key(), WARPLOOM_VERSION);
      for (const bool device : {false, true}) {
        const std::string file = name + (device ? ".cu" : ".cpp"), compile = compile_words(file, device);
        const std::string head = fmt::format(
            "// {}\n//   {} && ./{} [STEPS]\n"
            "// Runs the steps, checks each of them with serial code, and prints the seal of the state.\n",
            what, compile, name);
        add(file, compile, source_of(parts, head, constants_of(run), device));
      }
      const std::string file = name + ".py";
      if (const std::string source = python_source(parts, run, what, file); !source.empty())
        add(file, "python3 " + file, source);
      else
        say("no {}: what the map looks up takes {:.1f} MB, and a file holds {:.0f} MB of it at most", file,
            4e-6 * static_cast<double>(parts.table.size()), 1e-6 * most_table_bytes);
    }
    write_atomically(part / "manifest.json", json_text(Json{{"schema", "warploom.export/1"}, {"files", files}}));
  });
}

void take_home_beside(Model& model, const std::string& folder) {
  if (!model.runner().history().empty())
    throw UsageError("this run was changed by hand (" + model.runner().history() + "): reset it first");
  // Between two steps, so that seals are those of the steps that the sources are to reach.
  model.beside("taking the tracks home", [folder, &runner = model.runner(),
                                          scene = std::shared_ptr<Scene>(model.shown_scene().copy())](const auto&) {
    return runner.ask([&](Queue&, Simulation& tracks) {
      check_exported(*scene, tracks);
      write_exported(folder, *scene, tracks);
      return "taken home: " + folder + "; manifest.json says how to compile";
    });
  });
}

}  // namespace warploom
