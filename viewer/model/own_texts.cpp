#include "viewer/model/own_texts.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "gpu/core/format.h"
#include "gpu/own/registry.h"
#include "gpu/tracks/facets/written.h"
#include "viewer/base/paths.h"

namespace warploom {

namespace {

constexpr std::size_t most_noted = 500;
std::filesystem::path notes() { return state_folder() / "own-maps-run"; }
std::filesystem::path note_of(const OwnSource& text) { return notes() / fmt::format("{:016x}.h", text.hash); }

/// What ran, or was let run, since the program began: also where nothing can be written.
struct RunSince {
  std::mutex mutex;
  std::set<std::string> sources;
};
RunSince& run_since() {
  static RunSince all;
  return all;
}

std::string map_of(const std::string& track) { return track.substr(0, track.find('/')); }

}  // namespace

toml::array written_own(Scene& scene) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& word) {
    if (names_own(word) && std::ranges::count(names, map_of(word)) == 0) names.push_back(map_of(word));
  };
  for (const auto& parameter : scene.parameters()) {
    const Value value = parameter.get();
    if (const auto* word = std::get_if<std::string>(&value)) add(*word);
    if (const auto* words = std::get_if<std::vector<std::string>>(&value)) std::ranges::for_each(*words, add);
  }
  toml::array all;
  for (const auto& name : names)
    all.push_back(toml::table{{"name", name.substr(name.find(':') + 1)}, {"source", find_own(name)->source}});
  return all;
}

std::string why_no_own_maps(Scene& scene) {
  if (scene.facet<TakesOwnMaps>()) return {};
  return std::string("scene '") + scene.key() + "' takes no own maps; fractal and simplex do";
}

BroughtOwn::BroughtOwn(const toml::table& text, const std::string& origin, OwnTrust trust,
                       const std::function<void(const OwnSource&)>& show) {
  const auto* node = text.get("own");
  if (!node) return;
  const auto refusal = [&](const toml::node& at, const std::string& why) {
    return FileError(fmt::format("{}:{}: {}", origin, at.source().begin.line, why));
  };
  const auto* all = node->as_array();
  if (!all) throw refusal(*node, "key 'own': expected tables, [[own]]");
  std::vector<std::pair<std::string, OwnSource>> texts;
  for (const auto& one : *all) {
    const auto* table = one.as_table();
    if (!table) throw refusal(one, "key 'own': expected tables, [[own]]");
    for (const auto& [key, value] : *table)
      if (key.str() != "name" && key.str() != "source")
        throw refusal(value, fmt::format("unknown key of [[own]] '{}' (known: name, source)", key.str()));
    const auto name = (*table)["name"].value<std::string>(), source = (*table)["source"].value<std::string>();
    if (!name || !source) throw refusal(one, "[[own]]: expected the texts 'name' and 'source'");
    if (!is_own_stem(*name)) throw refusal(one, "own.name '" + *name + "': expected letters, digits, '_' and '-'");
    if (std::ranges::count(texts, "own:" + *name, [](const auto& known) { return known.first; }))
      throw refusal(one, "own.name '" + *name + "' is there twice");
    texts.emplace_back("own:" + *name, read_own_text(*name + ".h", *source));
  }
  // All are looked at before one is taken in.
  std::vector<std::string> here(texts.size()), files;
  std::vector<OwnSource> unknown;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const OwnSource& own = texts[i].second;
    here[i] = same_own(own);
    const bool known = !here[i].empty() || (trust == OwnTrust::known && own_was_run(own));
    if (known || trust == OwnTrust::all) continue;
    files.push_back(own.file);
    unknown.push_back(own);
    if (show) show(own);
  }
  if (!unknown.empty())
    throw UntrustedCode(
        fmt::format("{}: it brings code, {}, which is not run unasked; {}", origin, join(files),
                    trust == OwnTrust::known ? "it stands in the editor, to be read" : "--trust runs it"),
        std::move(unknown));
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (here[i].empty()) added_.push_back(here[i] = add_own(std::move(texts[i].second)));
    names_[texts[i].first] = here[i];
  }
}

BroughtOwn::~BroughtOwn() {
  if (!kept_)
    for (const auto& name : added_) drop_own(name);
}

std::string BroughtOwn::known_as(const std::string& word) const {
  if (!names_own(word)) return word;
  const auto found = names_.find(map_of(word));
  return found == names_.end() ? word : found->second + word.substr(map_of(word).size());
}

bool own_was_run(const OwnSource& text) {
  {
    RunSince& here = run_since();
    const std::lock_guard lock(here.mutex);
    if (here.sources.contains(text.source)) return true;
  }
  std::error_code none;
  const auto note = note_of(text);
  if (!std::filesystem::exists(note, none)) return false;
  try {
    return read_file(note) == text.source;  // two texts can have one hash
  } catch (const Error&) {
    return false;
  }
}

std::string given_map_file(const std::string& file) {
  const bool example = !std::filesystem::exists(file) && file.starts_with("assets/own/");
  return example ? (data_folder() / file).string() : file;
}

void note_own_runs(const Simulation& tracks) noexcept {
  for (std::size_t i = 0; i < tracks.size(); ++i)
    if (const auto* written = tracks.track(i).facet<Written>())
      for (const auto& text : written->texts()) note_own_run(*text);
}

void note_own_run(const OwnSource& text) noexcept {
  try {
    if (own_was_run(text)) return;
    {
      RunSince& here = run_since();
      const std::lock_guard lock(here.mutex);
      here.sources.insert(text.source);
    }
    make_folder(state_folder());
    make_folder(notes());
    write_atomically(note_of(text), text.source);
    // The oldest go.
    std::vector<std::pair<std::filesystem::file_time_type, std::filesystem::path>> all;
    for (const auto& entry : std::filesystem::directory_iterator(notes()))
      if (entry.path().extension() == ".h") all.emplace_back(entry.last_write_time(), entry.path());
    std::ranges::sort(all);
    for (std::size_t i = most_noted; i < all.size(); ++i) std::filesystem::remove(all[i - most_noted].second);
  } catch (const std::exception&) {
    // It is asked again.
  }
}

}  // namespace warploom
