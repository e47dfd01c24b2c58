#include "viewer/teach/run_script.h"

namespace warploom {

ScriptReading reading_for(Model& model) {
  return {.scene = model.scene().key(), .folder = std::filesystem::current_path()};
}

void run_script(Model& model, const Script& script, Scenery& scenery, const std::function<bool()>& stopped) {
  constexpr float usual = 1 / 60.f;
  Hand hand(model, scenery.ui);
  ScriptStage stage{model, scenery.ui, scenery.panels, hand, std::filesystem::current_path()};
  stage.capture = scenery.capture;
  ScriptPlayer player(script);
  while (!player.done() && !model.quit && !stopped()) {
    player.go_on(stage, usual);
    if (player.done() && hand.idle()) break;
    model.update();
    scenery.frame(hand.idle() ? usual : hand.seconds());
  }
}

}  // namespace warploom
