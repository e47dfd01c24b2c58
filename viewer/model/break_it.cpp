// The command that shows a map go wrong which is meant to.
#include <algorithm>
#include <memory>
#include <utility>

#include "gpu/core/format.h"
#include "viewer/model/commands.h"

namespace warploom {

bool breaks(Model& model);
std::string why_nothing_breaks(Model& model);
void go_to_first_failure(Model& model);

namespace {

constexpr const char* nothing_wrong = "no mis-mapped block was found on this device";
constexpr const char* looking = "Break it: looking for the first wrong block";

bool shows_failing(Model& model) {
  const auto simulation = model.runner().simulation();
  return simulation && any_offers<FailureFacet>(*simulation);
}

/// The first map of the scene that is meant to be wrong; null: it has none, or none for its work.
const TrackInfo* breaking_map(Model& model) {
  if (!model.scene().facet<Breakable>()) return nullptr;
  const auto& kinds = model.scene().track_kinds();
  const auto found = std::ranges::find(kinds, false, &TrackInfo::exact);
  return found == kinds.end() ? nullptr : &*found;
}

/// Goes to where the map of `track` is first wrong, with `tracks` in place of those shown: one step of undo. False:
/// nothing wrong was found.
bool go_to_failure(Model& model, std::size_t track, const FirstWrong& wrong, const std::vector<std::string>& tracks) {
  const auto* breakable = model.scene().facet<Breakable>();
  const auto way = breakable ? breakable->break_it(wrong) : std::nullopt;
  const auto simulation = model.runner().simulation();
  if (!way || !simulation) return false;
  const auto before = model.values();
  const auto looked = model.looked();
  std::vector<std::pair<std::string, Value>> wanted{{"tracks", tracks}};
  wanted.insert(wanted.end(), way->reach.begin(), way->reach.end());
  if (!model.set(wanted, 1)) return true;
  if (model.values() != before) model.undo_brings_back(looked);
  model.activate(track);
  model.picked = {Selection::cell, wrong.block, 0, {}};
  model.view.solid.morph = 1;  // shows the block where it should work
  model.morph_towards = -1;
  // Zooms in on a flat domain: a block may be smaller than a pixel of the whole.
  if (simulation->track(0).dimensions() == 2)
    model.view.data.fill(
        {(wrong.block.x + .5) / wrong.blocks, (wrong.block.y + .5) / wrong.blocks, std::max(1., wrong.blocks / 24.)});
  if (model.values() == before) model.runner().step(1);
  return true;
}

/// Where no map that is meant to be wrong is shown: adds one, in the last place where there is no room, and goes to its
/// first failure. Where that is only the device knows: it is asked beside the window.
void add_breaking_map(Model& model) {
  if (model.reading(looking)) return model.tell(std::string(looking) + " \u2026");
  const TrackInfo map = *breaking_map(model);
  const auto wrong = std::make_shared<FirstWrong>();
  const std::shared_ptr<Scene> scene = model.scene().copy();
  model.read_later(
      [&runner = model.runner(), scene, map, wrong] {
        runner.ask([&](Queue& queue, Simulation&) { *wrong = scene->need<Breakable>().first_wrong(queue, map.name); });
      },
      [&model, key = std::string(scene->key()), values = model.values(), map, wrong] {
        if (model.scene().key() != key) return model.tell("Break it: another scene is shown by now");
        // Of other values another block is the first: it is looked for anew.
        if (model.values() != values) return carry_out(model, *find_command(std::string("break_it")));
        const auto& kinds = model.scene().track_kinds();
        auto tracks = model.scene().tracks();
        std::string place = " was added: ";
        std::size_t at = tracks.size();
        if (at < 4) {
          tracks.push_back(map.name);
        } else {
          at = model.view.baseline == 3 ? 2 : 3;
          const auto left = std::ranges::find(kinds, tracks[at], &TrackInfo::name);
          if (left != kinds.end()) place = " took the place of " + left->title + ": ";
          tracks[at] = map.name;
        }
        if (!go_to_failure(model, at, *wrong, tracks)) return model.tell(nothing_wrong, true);
        if (!model.notice_is_error)
          model.tell(map.title + place + "its first wrong block is number " + grouped(wrong->index));
      },
      looking);
}

}  // namespace

bool breaks(Model& model) { return shows_failing(model) || breaking_map(model); }
std::string why_nothing_breaks(Model& model) {
  if (model.scene().facet<Breakable>())
    return "Break it: no map for this work is meant to be wrong; another work may have one";
  std::vector<std::string> others;
  for (const auto& scene : model.scenes())
    if (scene->facet<Breakable>()) others.emplace_back(scene->title());
  const std::string why = "Break it: every map of this scene is exact";
  return others.empty() ? why : why + "; maps that are meant to be wrong are in " + join(others);
}

void go_to_first_failure(Model& model) {
  // The tracks that are shown may have other failures than those of the values of now.
  if (model.building()) return model.tell("Break it: " + model.coming() + "; press B again once it is there");
  if (!shows_failing(model)) return add_breaking_map(model);
  const auto simulation = model.runner().simulation();
  for (std::size_t i = 0; i < simulation->size(); ++i) {
    const std::size_t track = (model.active_track + i) % simulation->size();
    const auto* failing = simulation->track(track).facet<FailureFacet>();
    if (failing && go_to_failure(model, track, failing->first_wrong(), model.scene().tracks())) return;
  }
  model.tell(nothing_wrong, true);
}

}  // namespace warploom
