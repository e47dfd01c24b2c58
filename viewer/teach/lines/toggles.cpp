// Toggles with a state: that one, whatever it was.
#include "gpu/core/format.h"
#include "viewer/model/commands.h"
#include "viewer/teach/lines/kinds.h"

namespace warploom {

namespace {

template <auto of>
Act read_toggle(const std::vector<ScriptWord>& words, ScriptReading&) {
  const bool good = words.size() == 1 && (words[0].text == "on" || words[0].text == "off");
  if (!good) throw FileError("expected on or off" + (words.empty() ? "" : ", not '" + words[0].text + "'"));
  return [on = words[0].text == "on"](ScriptStage& stage) {
    of(stage.model) = on;
    if (!on && &of(stage.model) == &stage.model.playing) stage.model.runner().pause();
    return true;
  };
}

bool& playing(Model& model) { return model.playing; }
bool& presents(Model& model) { return model.view.presentation; }
bool& overlays(Model& model) { return model.view.overlay; }
bool& wastes(Model& model) { return model.view.solid.waste; }
bool& panels(Model& model) { return model.view.panels; }
bool& moves(Model& model) { return model.view.motion; }

}  // namespace

const LineKind play_line{"play", "on|off", "whether the scene plays", read_toggle<playing>};
const LineKind present_line{"present", "on|off", "whether it is a presentation", read_toggle<presents>};
const LineKind overlay_line{"overlay", "on|off", "whether the timing table is shown", read_toggle<overlays>};
const LineKind waste_line{"waste", "on|off", "whether wasted blocks of solids are shown", read_toggle<wastes>};
const LineKind panels_line{"panels", "on|off", "whether the panels are shown", read_toggle<panels>};
const LineKind motion_line{"motion", "on|off", "off: reduced motion, no animations", read_toggle<moves>};

}  // namespace warploom
