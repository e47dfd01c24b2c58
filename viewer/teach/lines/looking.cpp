// How the scene is looked at, and what is picked in it.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <cmath>

#include "gpu/core/format.h"
#include "gpu/tracks/facets/described.h"
#include "viewer/model/scene_text.h"
#include "viewer/model/view_text.h"
#include "viewer/teach/lines/kinds.h"

namespace warploom {

namespace {

/// A number that glides; a zoom does so by its logarithm, so that it looks even.
struct Gliding {
  double* value;
  bool zoom = false;
};
std::vector<Gliding> numbers_of(ViewSettings& view) {
  std::vector<Gliding> all{{&view.launched}, {&view.solid.morph}, {&view.solid.explode, true}, {&view.solid.slice}};
  for (auto* planes : {&view.data, &view.grid})
    for (PlaneView& plane : *planes) {
      all.push_back({&plane.x});
      all.push_back({&plane.y});
      all.push_back({&plane.zoom, true});
    }
  for (auto* orbits : {&view.orbit_data, &view.orbit_grid})
    for (OrbitView& orbit : *orbits) {
      for (double* number : {&orbit.yaw, &orbit.pitch, &orbit.x, &orbit.y}) all.push_back({number});
      all.push_back({&orbit.zoom, true});
    }
  return all;
}

/// What a `view` line does while it glides.
struct Glide {
  toml::table keys;
  double lasts = 0;  ///< seconds; 0: it is there at once
  double begins = -1;
  ViewSettings from, to;

  bool go_on(ScriptStage& stage) {
    Model& model = stage.model;
    if (begins < 0) {
      from = model.view;
      to = model.view;
      read_view_keys(keys, to, model.picked, model.scene());
      begins = stage.seconds;
      model.launching = false;
      model.morph_towards = -1;
      model.view = to;
    }
    const bool at_once = !(stage.live || stage.filmed) || !model.view.motion || lasts <= 0;
    const double share = at_once ? 1 : std::min(1., (stage.seconds - begins) / lasts);
    // Slow at both ends.
    const double eased = share * share * (3 - 2 * share);
    const auto now = numbers_of(model.view), first = numbers_of(from), last = numbers_of(to);
    for (std::size_t i = 0; i < now.size(); ++i) {
      const double a = *first[i].value, b = *last[i].value;
      if (a == b) continue;
      *now[i].value = share >= 1 ? b : now[i].zoom && a > 0 && b > 0 ? a * std::pow(b / a, eased) : a + (b - a) * eased;
    }
    if (share >= 1) begins = -1;  // a script may run twice
    return share >= 1;
  }
};

/// Values that are the same in every scene: numbers, and the theme.
void check_plain_view(const std::string& key, const toml::table& value) {
  static const auto scenes = make_scenes();
  Scene& any = *scenes.front();
  ViewSettings view;
  Selection picked;
  const auto usual = view_value(view, picked, any, key);
  if (usual.is_number() || key == "theme") read_view_keys(value, view, picked, any);
}

Act read_view_line(const std::vector<ScriptWord>& words, ScriptReading&) {
  check_count(words, 1, 64, view_line);
  Glide glide;
  auto given = words;
  if (given.size() > 2 && given[given.size() - 2].raw == "in") {
    glide.lasts = number_in("seconds", given.back().text, .1, 20);
    given.resize(given.size() - 2);
  }
  for (const ScriptWord& word : given) {
    const Assignment one = assignment_of(word, view_line);
    check_view_key(one.key);
    // As in TOML; a bare word is text, so that `theme=light` needs no quotes.
    const toml::parse_result value = [&] {
      try {
        return toml::parse(one.key + " = " + one.raw + "\n");
      } catch (const toml::parse_error&) {
        return toml::table{{one.key, one.value}};
      }
    }();
    if (const toml::node* node = value.get(one.key)) glide.keys.insert_or_assign(one.key, *node);
    check_plain_view(one.key, value);
  }
  return [glide](ScriptStage& stage) mutable { return glide.go_on(stage); };
}

/// Whether a track shows the place, as what was picked is kept only then.
bool shown(ScriptStage& stage, const Selection& place) {
  const auto simulation = stage.model.scene_simulation();
  if (!simulation) return false;
  for (std::size_t i = 0; i < simulation->size(); ++i)
    for (const Picture* picture : simulation->track(i).pictures())
      if (!picture->marks(stage.model.selected_in(i, place)).empty()) return true;
  return false;
}

Selection place_of(const std::string& text, Model& model) {
  return text == "none" ? Selection{} : parse_selection(text, model.scene().letters());
}

Act read_select(const std::vector<ScriptWord>& words, ScriptReading&) {
  check_count(words, 1, 1, select_line);
  check_place(words[0].text);
  return [place = words[0].text, frames = 0](ScriptStage& stage) mutable {
    Model& model = stage.model;
    if (model.building()) return false;
    if (frames == 0) model.picked = place_of(place, model);
    // A frame forgets what no track shows.
    if (frames++ == 0 && place != "none") return false;
    frames = 0;
    if (place != "none" && model.picked.empty()) throw Error(fmt::format("select {}: no track shows it", place));
    return true;
  };
}

Act read_hover(const std::vector<ScriptWord>& words, ScriptReading&) {
  check_count(words, 1, 1, hover_line);
  check_place(words[0].text);
  return [place = words[0].text](ScriptStage& stage) {
    Model& model = stage.model;
    if (model.building()) return false;
    const Selection wanted = place_of(place, model);
    if (!wanted.empty() && wanted.space == Selection::cell && !shown(stage, wanted))
      throw Error(fmt::format("hover {}: no track shows it", place));
    model.teaching.hover = wanted;
    return true;
  };
}

Act read_track(const std::vector<ScriptWord>& words, ScriptReading&) {
  check_count(words, 1, 1, track_line);
  const std::string letter = words[0].text;
  if (letter.size() != 1 || std::string(first_letters).find(letter) == std::string::npos)
    throw FileError(fmt::format("track '{}': expected A, B, C or D", letter));
  return [letter](ScriptStage& stage) {
    Scene& scene = stage.model.scene();
    const std::string letters = scene.letters().substr(0, scene.tracks().size());
    const auto at = letters.find(letter);
    if (at == letters.npos)
      throw Error(fmt::format("track {}: there are {}, {}", letter, counted(letters.size(), "track"), letters));
    stage.model.activate(at);
    return true;
  };
}

}  // namespace

void check_place(const std::string& text) {
  if (text != "none") (void)parse_selection(text);
}

const LineKind view_line{"view", "KEY=VALUE ... [in SECONDS]", "keys of [view]; with `in` numbers glide there",
                         read_view_line};
const LineKind select_line{"select", "PLACE|none", "picks a place, as in cell:2,10 or thread:A:3,0:1,1", read_select};
const LineKind hover_line{"hover", "PLACE|none", "lights a place until the mouse moves", read_hover};
const LineKind track_line{"track", "A|B|C|D", "makes a track the active one", read_track};

}  // namespace warploom
