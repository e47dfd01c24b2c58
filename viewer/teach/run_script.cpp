#include "viewer/teach/run_script.h"

#include "viewer/model/own_watch.h"

namespace warploom {

ScriptReading reading_for(Model& model) {
  return {.scene = model.scene().key(), .folder = std::filesystem::current_path()};
}

void run_script(Model& model, const Script& script, Scenery& scenery, const std::function<bool()>& stopped) {
  const float usual = scenery.seconds;
  Hand hand(model, scenery.ui);
  ScriptStage stage{model, scenery.ui, scenery.panels, hand, std::filesystem::current_path()};
  stage.capture = scenery.capture;
  stage.filmed = scenery.filmed;
  stage.record = scenery.record;
  ScriptPlayer player(script);
  OwnWatch texts({}, [] {});  // of the editor; files that change meanwhile are not looked at
  while (!player.done() && !model.quit && !stopped()) {
    player.go_on(stage, usual);
    if (player.done() && hand.idle()) break;
    model.update();
    texts.follow(model);
    if (scenery.filmed) ImGui::GetIO().MouseDrawCursor = ImGui::GetIO().MouseDrawCursor || !hand.idle();
    scenery.frame(hand.idle() || scenery.filmed ? usual : hand.seconds());
  }
}

}  // namespace warploom
