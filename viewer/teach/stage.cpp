#include "viewer/teach/stage.h"

#include "gpu/tracks/facets/threads.h"
#include "viewer/export/stats.h"
#include "viewer/model/scene_text.h"
#include "viewer/model/view_text.h"

namespace warploom {

namespace {

using Json = nlohmann::ordered_json;

/// Of a cell whether it is one, of a thread or block whether it serves one; null: nothing is there.
Json useful(Model& model, const Selection& at) {
  const auto simulation = model.scene_simulation();
  if (at.empty() || !simulation || at.track >= simulation->size()) return nullptr;
  const auto* threads = simulation->track(at.track).facet<Threads>();
  if (!threads) return nullptr;
  if (at.space == Selection::cell) return threads->member(at.at);
  if (!at.of_a_track() || !threads->launched(at.owner)) return nullptr;
  if (at.space == Selection::thread) return threads->served(at.owner).cells > 0;
  const Index3 box = simulation->track(at.track).launches()[at.owner.launch].threads;
  Owner who = at.owner;
  for (who.thread.z = 0; who.thread.z < box.z; ++who.thread.z)
    for (who.thread.y = 0; who.thread.y < box.y; ++who.thread.y)
      for (who.thread.x = 0; who.thread.x < box.x; ++who.thread.x)
        if (threads->served(who).cells > 0) return true;
  return false;
}

Json place_value(Model& model, const Selection& at, const std::string& what) {
  if (at.empty()) return nullptr;
  if (what == "space") return at.space;
  if (what == "track") return at.of_a_track() ? Json(model.scene().letter(at.track)) : Json();
  if (what == "useful") return useful(model, at);
  if (what == "place") return selection_text(at, model.scene().letters());
  return nullptr;
}

}  // namespace

bool ScriptStage::still() const {
  return !model.building() && !model.runner().busy() && !model.runner().judging() && !model.computing() &&
         !model.reading() && model.beside_now().empty() && !model.launching && !model.playing &&
         model.morph_towards < 0 && model.pulse >= 1 && hand.idle();
}

Json* stats_now(ScriptStage& stage, StatsNow& stats) {
  Model& model = stage.model;
  // Of one moment: what is being built would be of neither, and what is being judged has no figures.
  if (model.building() || model.runner().judging()) return nullptr;
  return stats.get(!stage.live, [scene = std::shared_ptr<Scene>(model.scene().copy()), &runner = model.runner(),
                                 baseline = model.view.baseline, renderer = model.machine.gl_renderer,
                                 interop = model.machine.interop, frames = stage.frames] {
    return make_stats(*scene, runner, baseline, frames, nullptr, renderer, interop);
  });
}

Json window_value(Model& model, const std::vector<std::string>& path) {
  const std::string what = path.size() > 1 ? path[1] : "";
  if (path.size() > 2) return nullptr;
  if (path[0] == "selection") return place_value(model, model.picked, what);
  if (path[0] == "hover") return place_value(model, model.hover, what);
  if (path[0] == "active") return model.scene().letter(model.active_track);
  if (path[0] == "playing") return model.playing;
  return view_value(model.view, model.picked, model.scene(), what);
}

const Expression::Answer* ask_now(ScriptStage& stage, const Expression& expression, StatsNow& stats,
                                  Expression::Answer& kept) {
  const nlohmann::ordered_json* figures = nullptr;
  if (expression.needs_stats() && stage.model.runner().simulation()) {
    figures = stats_now(stage, stats);
    if (!figures) return nullptr;
  }
  kept =
      expression.ask({figures, [&](const std::vector<std::string>& path) { return window_value(stage.model, path); }});
  return &kept;
}

}  // namespace warploom
