#include "viewer/model/scene_parts.h"

#include <algorithm>
#include <string_view>

#include "viewer/model/scene.h"

namespace warploom {

namespace {

SceneParts base_parts() {
  SceneParts parts;
  parts.colours = {
      {ColourBy::state, "state", "state", "the values of the cells"},
      {ColourBy::launch_order, "launch_order", "launch order", "the block that serves the cell, in launch order"},
      {ColourBy::warp, "warp", "warp", "the warp of the block that serves the cell"},
      {ColourBy::layer, "layer", "layer", "rows of a triangle, layers of a tetrahedron"},
      {ColourBy::waste, "waste", "waste", "share of the block's threads that are wasted"},
      {ColourBy::address, "address", "address", "the cell's place in memory, in the track's layout"}};
  parts.plots = base_plots();
  parts.terms = base_terms();
  return parts;
}

/// Adds what `all` has not yet, told apart by `key`.
template <class Part, class Key>
void merge(std::vector<Part>& all, const std::vector<Part>& more, const Key& key) {
  for (const Part& part : more)
    if (std::none_of(all.begin(), all.end(), [&](const Part& one) { return key(one) == key(part); }))
      all.push_back(part);
}

void merge(SceneParts& all, const SceneParts& more) {
  using View = std::string_view;
  merge(all.plots, more.plots, [](const PlotKind& one) { return View(one.key); });
  merge(all.colours, more.colours, [](const ColourName& one) { return View(one.key); });
  merge(all.spaces, more.spaces, [](const SelectionSpace& one) { return View(one.word); });
  merge(all.terms, more.terms, [](const Term& one) { return View(one.word); });
  merge(all.stats, more.stats, [](const TrackStats& one) { return View(one.key); });
  merge(all.papers, more.papers, [](const bench::PaperFigure& one) { return View(one.key); });
  bench::add_suites(more.suites);
}

SceneParts& all_parts() {
  static SceneParts all = [] {
    SceneParts parts = base_parts();
    for (const auto& scene : make_scenes()) merge(parts, scene->parts());
    return parts;
  }();
  return all;
}

[[maybe_unused]] const bool suites_have_a_source = (bench::add_suites_from([] { (void)all_parts(); }), true);

}  // namespace

const SceneParts& known_parts() { return all_parts(); }

void add_parts(const SceneParts& parts) { merge(all_parts(), parts); }

const ColourName* find_colour(ColourBy by) {
  const auto& all = known_parts().colours;
  const auto found = std::find_if(all.begin(), all.end(), [&](const ColourName& name) { return name.by == by; });
  return found == all.end() ? nullptr : &*found;
}

const SelectionSpace* find_space(const std::string& word) {
  const auto& all = known_parts().spaces;
  const auto found = std::find_if(all.begin(), all.end(), [&](const SelectionSpace& one) { return one.word == word; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace warploom
