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
      {ColourBy::address, "address", "address", "the cell's place in memory, in the track's layout"},
      {ColourBy::visits, "visits", "visits", "whether an own map serves the cell once, not at all, or more often"}};
  parts.plots = base_plots();
  parts.terms = base_terms();
  for (const Term& term : own_terms()) parts.terms.push_back(term);
  return parts;
}

/// Adds the parts whose `key` is not in `all` yet.
template <class Part, class Key>
void merge(std::vector<Part>& all, const std::vector<Part>& more, Key Part::*key) {
  for (const Part& part : more)
    if (std::ranges::none_of(all, [&](const Part& one) { return std::string_view(one.*key) == part.*key; }))
      all.push_back(part);
}

void merge(SceneParts& all, const SceneParts& more) {
  merge(all.plots, more.plots, &PlotKind::key);
  merge(all.colours, more.colours, &ColourName::key);
  merge(all.spaces, more.spaces, &SelectionSpace::word);
  merge(all.terms, more.terms, &Term::word);
  merge(all.stats, more.stats, &TrackStats::key);
  merge(all.papers, more.papers, &bench::PaperFigure::key);
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

/// The first part that has this value; null: none has.
template <class Part, class Value, class Of>
const Part* find(const std::vector<Part>& all, const Value& value, Of Part::*of) {
  const auto found = std::ranges::find_if(all, [&](const Part& one) { return one.*of == value; });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

const SceneParts& known_parts() { return all_parts(); }

void add_parts(const SceneParts& parts) { merge(all_parts(), parts); }

const ColourName* find_colour(ColourBy by) { return find(known_parts().colours, by, &ColourName::by); }
const SelectionSpace* find_space(const std::string& word) {
  return find(known_parts().spaces, word, &SelectionSpace::word);
}

}  // namespace warploom
