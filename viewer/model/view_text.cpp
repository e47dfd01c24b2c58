#include "viewer/model/view_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <sstream>

#include "gpu/core/format.h"
#include "viewer/base/paths.h"
#include "viewer/model/scene_parts.h"
#include "viewer/model/scene_text.h"
#include "viewer/ui/colormaps.h"

namespace warploom {

namespace {

/// What keys read and write.
struct Viewed {
  ViewSettings& view;
  Selection& picked;
  Scene& scene;
};
/// What keys write.
struct Shown {
  const Selection& picked;
  Scene& scene;
};

/// One key of [view]. `write` leaves out a key with the usual value.
struct ViewKey {
  const char* name;
  void (*read)(const std::string& key, const toml::node& node, Viewed& to);
  void (*write)(const std::string& key, const ViewSettings& view, const Shown& shown, toml::table& to);
  bool of_solids = false;   ///< written only where solids are shown,
  bool of_flights = false;  ///< or blocks fly,
  bool of_slices = false;   ///< or a plane cuts pictures
};

/// A finite number, or a UsageError that names the key.
double finite(const toml::node* node, const std::string& key) {
  const auto value = node ? node->value<double>() : std::nullopt;
  if (!value || !std::isfinite(*value)) throw UsageError("view." + key + ": expected a number");
  return *value;
}

double within(const toml::node& node, const std::string& key, double low, double high) {
  const double value = finite(&node, key);
  if (value < low || value > high) throw UsageError(fmt::format("view.{}: expected {:g} to {:g}", key, low, high));
  return value;
}

const toml::array& list_of(const toml::node& node, const std::string& key, std::size_t count, const char* what) {
  const auto* list = node.as_array();
  if (!list || list->size() != count) throw UsageError("view." + key + ": expected " + what);
  return *list;
}

std::string text(const toml::node& node, const std::string& key) {
  const auto word = node.value<std::string>();
  if (!word) throw UsageError("view." + key + ": expected text");
  return *word;
}

/// One of `known`, and which.
std::size_t one_of(const toml::node& node, const std::string& key, const std::vector<std::string>& known) {
  const std::string word = text(node, key);
  const auto at = std::ranges::find(known, word);
  if (at == known.end()) throw UsageError(unknown_message("view." + key, word, known));
  return static_cast<std::size_t>(at - known.begin());
}

bool on(const toml::node& node, const std::string& key) { return one_of(node, key, {"off", "on"}) == 1; }
const char* on_word(bool value) { return value ? "on" : "off"; }

void read_slice(const std::string& key, const toml::node& node, Viewed& to) {
  const std::string word = text(node, key);
  char axis = 0, rest = 0;
  double share = .5;
  if (word == "none") {
    to.view.solid.slice_axis = -1;
  } else if (std::sscanf(word.c_str(), "%c:%lf%c", &axis, &share, &rest) == 2 && axis >= 'x' && axis <= 'z' &&
             share >= 0 && share <= 1) {
    to.view.solid.slice_axis = axis - 'x';
    to.view.solid.slice = share;
  } else {
    throw UsageError("view.slice '" + word + "': expected none, or an axis and the share cut off, as in z:0.5");
  }
}

void read_orbit(const std::string& key, const toml::node& node, Viewed& to) {
  const bool shifted = node.is_array() && node.as_array()->size() == 5;
  const auto& list = list_of(node, key, shifted ? 5 : 3, "three numbers, yaw, pitch, zoom, and two of a shift");
  OrbitView orbit{finite(list.get(0), key), finite(list.get(1), key), finite(list.get(2), key)};
  if (shifted) orbit.x = finite(list.get(3), key), orbit.y = finite(list.get(4), key);
  if (!(orbit.zoom > 0) || orbit.zoom > 1000 || std::abs(orbit.pitch) > 1.5)
    throw UsageError("view.orbit: expected a pitch from -1.5 to 1.5 and a zoom above 0");
  to.view.orbit_data.fill(orbit);
  to.view.orbit_grid.fill(orbit);
}

using Key = const std::string&;
using Node = const toml::node&;
using View = const ViewSettings&;
using Also = const Shown&;
using Table = toml::table&;

void read_letters(const std::string& key, const toml::node& node, Viewed& to) {
  const std::string letters = text(node, key);
  const std::set<char> distinct(letters.begin(), letters.end());
  if (letters.size() != to.scene.tracks().size() || distinct.size() != letters.size() ||
      letters.find_first_not_of(first_letters) != letters.npos)
    throw UsageError(fmt::format("view.{} '{}': expected {}, different ones of A to D", key, letters,
                                 counted(to.scene.tracks().size(), "letter")));
  to.scene.set_letters(letters);
}

// A new key is one line here.
const ViewKey view_keys[] = {
    // Others name tracks by them: it is read first.
    {"letters", read_letters,
     [](Key k, View, Also also, Table to) {
       const std::string letters = also.scene.letters().substr(0, also.scene.tracks().size());
       if (!first_letters.starts_with(letters)) to.insert(k, letters);
     }},
    {"center",
     [](Key k, Node n, Viewed& to) {
       const auto& pair = list_of(n, k, 2, "two numbers");
       const double x = finite(pair.get(0), k), y = finite(pair.get(1), k);
       for (auto& plane : to.view.data) plane.x = x, plane.y = y;
     },
     [](Key k, View v, Also, Table to) {
       to.insert(k, toml::array{v.data[0].x, v.data[0].y});
     }},
    {"zoom",
     [](Key k, Node n, Viewed& to) {
       const double zoom = finite(&n, k);
       if (!(zoom > 0)) throw UsageError("view.zoom: expected a number above 0");
       for (auto& plane : to.view.data) plane.zoom = zoom;
     },
     [](Key k, View v, Also, Table to) { to.insert(k, v.data[0].zoom); }},
    {"colormap",
     [](Key k, Node n, Viewed& to) {
       const auto maps = ui::load_colormaps(data_folder() / "assets" / "colormaps");
       to.view.colormap = maps[one_of(n, k, texts_of(maps, &ui::Colormap::name))].name;
     },
     [](Key k, View v, Also, Table to) { to.insert(k, v.colormap); }},
    {"colour_by",
     [](Key k, Node n, Viewed& to) {
       const auto& colours = known_parts().colours;
       to.view.colour_by = colours[one_of(n, k, texts_of(colours, &ColourName::key))].by;
     },
     [](Key k, View v, Also, Table to) {
       if (const ColourName* name = find_colour(v.colour_by)) to.insert(k, name->key);
     }},
    {"orbit", read_orbit,
     [](Key k, View v, Also, Table to) {
       const OrbitView& orbit = v.orbit_data[0];
       toml::array numbers{orbit.yaw, orbit.pitch, orbit.zoom};
       if (orbit.x != 0 || orbit.y != 0) numbers.push_back(orbit.x), numbers.push_back(orbit.y);
       to.insert(k, numbers);
     },
     true},
    {"slice", read_slice,
     [](Key k, View v, Also, Table to) {
       to.insert(k, v.solid.slice_axis < 0 ? "none" : fmt::format("{:c}:{}", 'x' + v.solid.slice_axis, v.solid.slice));
     },
     true, false, true},
    {"explode", [](Key k, Node n, Viewed& to) { to.view.solid.explode = within(n, k, 1, 4); },
     [](Key k, View v, Also, Table to) { to.insert(k, v.solid.explode); }, true},
    {"morph", [](Key k, Node n, Viewed& to) { to.view.solid.morph = within(n, k, 0, 1); },
     [](Key k, View v, Also, Table to) { to.insert(k, v.solid.morph); }, true, true},
    {"waste", [](Key k, Node n, Viewed& to) { to.view.solid.waste = on(n, k); },
     [](Key k, View v, Also, Table to) { to.insert(k, on_word(v.solid.waste)); }, true, true},
    {"select", [](Key k, Node n, Viewed& to) { to.picked = parse_selection(text(n, k), to.scene.letters()); },
     [](Key k, View, Also also, Table to) {
       if (const std::string selected = selection_text(also.picked, also.scene.letters()); !selected.empty())
         to.insert(k, selected);
     }},
    {"theme",
     [](Key k, Node n, Viewed& to) {
       to.view.theme = one_of(n, k, {"dark", "light"}) ? "light" : "dark";
     },
     [](Key k, View v, Also, Table to) { to.insert(k, v.theme); }},
    {"launch_scale",
     [](Key k, Node n, Viewed& to) {
       to.view.one_scale = one_of(n, k, {"one", "fitted"}) == 0;
     },
     [](Key k, View v, Also, Table to) { to.insert(k, v.one_scale ? "one" : "fitted"); }},
    {"motion",
     [](Key k, Node n, Viewed& to) {
       to.view.motion = one_of(n, k, {"full", "reduced"}) == 0;
     },
     [](Key k, View v, Also, Table to) {
       if (!v.motion) to.insert(k, "reduced");
     }},
    {"launched", [](Key k, Node n, Viewed& to) { to.view.launched = within(n, k, 0, 1); },
     [](Key k, View v, Also, Table to) {
       if (v.launched < 1) to.insert(k, v.launched);
     }},
    {"baseline",
     [](Key k, Node n, Viewed& to) {
       one_of(n, k, {"A", "B", "C", "D"});
       to.view.baseline = to.scene.letters().find(text(n, k));
     },
     [](Key k, View v, Also also, Table to) {
       if (v.baseline && v.baseline < also.scene.tracks().size()) to.insert(k, also.scene.letter(v.baseline));
     }},
    {"pins",
     [](Key k, Node n, Viewed& to) {
       const auto* list = n.as_array();
       if (!list) throw UsageError("view.pins: expected a list of texts, each a place and its words");
       for (const auto& one : *list) {
         const std::string whole = text(one, k);
         const auto space = whole.find(' ');
         if (space == std::string::npos) throw UsageError("view.pins '" + whole + "': expected a place and its words");
         to.view.pins.push_back({parse_selection(whole.substr(0, space), to.scene.letters()), whole.substr(space + 1)});
       }
     },
     [](Key k, View v, Also also, Table to) {
       toml::array all;
       for (const Pin& pin : v.pins) all.push_back(selection_text(pin.at, also.scene.letters()) + " " + pin.words);
       if (!all.empty()) to.insert(k, all);
     }},
    {"pictures",
     [](Key k, Node n, Viewed& to) {
       const auto& two = list_of(n, k, 2, "two names of pictures: the main one and the one at its side");
       for (std::size_t i = 0; i < 2; ++i) to.view.pictures[i] = text(*two.get(i), k);
     },
     [](Key k, View v, Also, Table to) {
       if (v.pictures != ViewSettings().pictures) to.insert(k, toml::array{v.pictures[0], v.pictures[1]});
     }},
    {"plots",
     [](Key k, Node n, Viewed& to) {
       const auto& three = list_of(n, k, 3, "three names of plots");
       const auto known = texts_of(known_parts().plots, &PlotKind::key);
       for (std::size_t i = 0; i < 3; ++i) {
         const std::string name = text(*three.get(i), k);
         if (!std::ranges::count(known, name))
           throw UsageError("view." + std::string(k) + ": " + unknown_message("plot", name, known));
         to.view.plots[i] = name;
       }
     },
     [](Key k, View v, Also, Table to) {
       if (v.plots != ViewSettings().plots) to.insert(k, toml::array{v.plots[0], v.plots[1], v.plots[2]});
     }},
    {"paper",
     [](Key k, Node n, Viewed& to) { to.view.paper = bench::find_paper_figure(known_parts().papers, text(n, k)).key; },
     [](Key k, View v, Also, Table to) {
       if (!v.paper.empty()) to.insert(k, v.paper);
     }},
    {"folded",
     [](Key k, Node n, Viewed& to) {
       const auto* list = n.as_array();
       if (!list) throw UsageError("view.folded: expected a list of names of cards");
       for (const auto& one : *list) to.view.folded.insert(text(one, k));
     },
     [](Key k, View v, Also, Table to) {
       toml::array all;
       for (const auto& name : v.folded) all.push_back(name);
       if (!all.empty()) to.insert(k, all);
     }},
    {"panels", [](Key k, Node n, Viewed& to) { to.view.panels = on(n, k); },
     [](Key k, View v, Also, Table to) { to.insert(k, on_word(v.panels)); }},
    {"source", [](Key k, Node n, Viewed& to) { to.view.source = on(n, k); },
     [](Key k, View v, Also, Table to) {
       if (v.source) to.insert(k, on_word(true));
     }},
    {"presentation", [](Key k, Node n, Viewed& to) { to.view.presentation = on(n, k); },
     [](Key k, View v, Also, Table to) {
       if (v.presentation) to.insert(k, on_word(true));
     }},
};

}  // namespace

toml::table written_view(const ViewSettings& view, const Selection& picked, Scene& scene, bool solids) {
  const Shown also{picked, scene};
  toml::table table;
  for (const ViewKey& key : view_keys)
    if (solids || !key.of_solids || (key.of_flights && view.solid.morph < 1) ||
        (key.of_slices && view.solid.slice_axis >= 0))
      key.write(key.name, view, also, table);
  return table;
}

void read_view(const toml::table& table, ViewSettings& view, Selection& picked, Scene& scene) {
  // Texts leave these out where they have the usual value.
  view.baseline = 0;
  view.launched = 1;
  view.paper.clear();
  view.solid.morph = 1;
  view.solid.waste = true;
  view.pins.clear();
  view.plots = ViewSettings().plots;
  view.pictures = {};
  view.folded.clear();
  view.presentation = false;
  view.source = false;
  scene.set_letters({});
  read_view_keys(table, view, picked, scene);
}

void check_view_key(const std::string& key) {
  if (std::ranges::find(view_keys, key, &ViewKey::name) == std::end(view_keys))
    throw UsageError(unknown_message("key of [view]", key, texts_of(view_keys, &ViewKey::name)));
}

nlohmann::ordered_json view_value(const ViewSettings& view, const Selection& picked, Scene& scene,
                                  const std::string& key) {
  const auto kind = std::ranges::find(view_keys, key, &ViewKey::name);
  if (kind == std::end(view_keys)) return nullptr;
  toml::table table;
  kind->write(kind->name, view, {picked, scene}, table);
  const toml::node* node = table.get(key);
  if (key == "launched") return view.launched;
  if (key == "baseline") return scene.letter(std::min(view.baseline, scene.tracks().size() - 1));
  if (!node && key == "select") return nullptr;
  if (!node && key == "motion") return "full";
  if (!node && (key == "source" || key == "presentation")) return "off";
  if (!node) return nullptr;
  std::ostringstream text;
  text << toml::json_formatter{toml::array{*node}};
  return nlohmann::ordered_json::parse(text.str()).at(0);
}

void read_view_keys(const toml::table& table, ViewSettings& view, Selection& picked, Scene& scene) {
  Viewed to{view, picked, scene};
  for (const auto& [key, value] : table) check_view_key(std::string(key.str()));
  for (const ViewKey& key : view_keys)
    if (const auto* value = table.get(key.name)) key.read(key.name, *value, to);
}

}  // namespace warploom
