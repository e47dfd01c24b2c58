// Mouse and keys, for scripts that test the window.
#include "viewer/teach/lines/kinds.h"

namespace warploom {

namespace {

/// What the hand is to do once the window is recorded and its tracks are there. The line ends when it is done.
Act by_hand(std::function<void(Hand&)> order) {
  return [order = std::move(order), frames = 0](ScriptStage& stage) mutable {
    stage.ui.recording = true;
    if (frames > 2) return frames = 0, true;  // it is done, or the hand would be at it
    if (stage.model.building() || frames++ < 2) return false;
    order(stage.hand);
    return false;
  };
}

Act read_click(const std::vector<ScriptWord>& words, ScriptReading&) {
  check_count(words, 1, 1, click_line);
  return by_hand([path = words[0].text](Hand& hand) { hand.click(path); });
}

Act read_type(const std::vector<ScriptWord>& words, ScriptReading&) {
  check_count(words, 2, 2, type_line);
  return by_hand([path = words[0].text, text = words[1].text](Hand& hand) { hand.enter(path, text); });
}

Act read_press(const std::vector<ScriptWord>& words, ScriptReading&) {
  check_count(words, 1, 1, press_line);
  const auto [key, modifiers] = parse_key(words[0].text);
  return by_hand([code = key, held = modifiers](Hand& hand) { hand.press(code, held); });
}

}  // namespace

const LineKind click_line{"click", "PATH", "clicks a widget, as the mouse does", read_click, false};
const LineKind type_line{"type", "PATH TEXT", "types into a field, and takes it with Enter", read_type, false};
const LineKind press_line{"press", "KEY", "presses a key, as in Ctrl+Shift+P", read_press, false};

}  // namespace warploom
