// Commands of tours.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include "viewer/model/commands.h"

namespace warploom {

namespace {

constexpr int held_control = GLFW_MOD_CONTROL, held_shift = GLFW_MOD_SHIFT;

bool on_tour(Model& model) { return model.teaching.strip.open && !model.teaching.strip.puzzle; }
bool in_class(Model& model) { return !model.teaching.class_title.empty(); }
std::string why_no_class(Model&) { return "no class is open: warploom view --class DIR opens one"; }
bool asks(Model& model) { return model.teaching.hides_figures(); }
std::string why_no_question(Model&) { return "nothing is asked now"; }
bool on_puzzle(Model& model) { return model.teaching.strip.puzzle; }
std::string why_no_puzzle(Model&) { return "no puzzle is open: the command Tours lists them, too"; }
std::string why_no_tour(Model&) { return "no tour is open: the command Tours lists them"; }
/// A prediction that was answered gives way to the next.
bool is_answered_prediction(const Strip& strip) {
  return strip.steps == 0 && !strip.puzzle && strip.asked.answered && !strip.asked.measuring;
}
bool compares(Model& model) {
  const Strip& strip = model.teaching.strip;
  return model.scene().tracks().size() > 1 && (!strip.open || is_answered_prediction(strip));
}
std::string why_nothing_to_predict(Model& model) {
  const Strip& strip = model.teaching.strip;
  return strip.open && !is_answered_prediction(strip) ? "a tour or a puzzle is open"
                                                      : "a prediction compares two tracks: add one with L";
}
template <TourWish wish>
void wish_of_tour(Model& model) {
  model.teaching.wish = wish;
}

}  // namespace

std::vector<Command> learn_commands() {
  return {
      {"hand_in", "Hand in what was answered, to a class", 0, 0, [](Model& m) { m.path_prompt = "hand_in"; }, 0,
       in_class, why_no_class},
      {"welcome", "Welcome: where to begin", 0, 0, [](Model& m) { m.teaching.welcome = !m.teaching.welcome; }},
      {"tour", "Tours and puzzles", GLFW_KEY_F1, held_control,
       [](Model& m) { m.teaching.tours_open = !m.teaching.tours_open; }},
      {"tour_next", "Tour: go on, or be shown (Ctrl+Right, Enter)", GLFW_KEY_PAGE_DOWN, 0, wish_of_tour<TourWish::next>,
       0, on_tour, why_no_tour},
      {"tour_back", "Tour: the step before (Ctrl+Left)", GLFW_KEY_PAGE_UP, 0, wish_of_tour<TourWish::back>, 0, on_tour,
       why_no_tour},
      {"tour_answer", "Tour: answer the question (Enter)", 0, 0, wish_of_tour<TourWish::answer>, 0, asks,
       why_no_question},
      {"tour_again", "Tour: this step as it began", 0, 0, wish_of_tour<TourWish::again>, 0, on_tour, why_no_tour},
      {"tour_end", "Tour: end it", 0, 0, wish_of_tour<TourWish::end>, 0, on_tour, why_no_tour},
      {"check_puzzle", "Puzzle: judge the answer (Ctrl+Enter)", 0, 0, wish_of_tour<TourWish::check>, 0, on_puzzle,
       why_no_puzzle},
      {"hint", "Puzzle: another hint", 0, 0, wish_of_tour<TourWish::hint>, 0, on_puzzle, why_no_puzzle},
      {"colours_as_seen", "Colours as seen with a deficiency: the next", 0, 0,
       [](Model& m) {
         m.view.seen_as = (m.view.seen_as + 1) % 4;
         const char* const kinds[] = {"as they are", "as seen with protanopia", "as seen with deuteranopia",
                                      "as seen with tritanopia"};
         m.tell(std::string("colours ") + kinds[m.view.seen_as]);
       }},
      {"record", "Film the window, and end the film", GLFW_KEY_R, held_control,
       [](Model& m) { m.teaching.record_wanted = true; }},
      {"handout", "Hand out: a folder with picture, plots, figures and words", 0, 0,
       [](Model& m) { m.path_prompt = "handout"; }, 0, [](Model& m) { return !m.teaching.hides_figures(); },
       [](Model&) { return std::string("a question stands: answer it first"); }},
      {"describe", "In words: what is shown", GLFW_KEY_D, held_control,
       [](Model& m) { m.teaching.words_open = !m.teaching.words_open; }},
      {"predict", "Predict how fast the active track is, then see it", GLFW_KEY_Y, 0,
       [](Model& m) { m.teaching.predict_wanted = true; }, 0, compares, why_nothing_to_predict},
      {"predict_always", "Predict before I see it: after every swap of a map", 0, 0,
       [](Model& m) {
         m.teaching.predicts = !m.teaching.predicts;
         m.tell(m.teaching.predicts ? "after a swap of a map its speed is asked first" : "no more questions");
       }},
      {"forget_learning", "Forget what was answered and learned", 0, 0,
       [](Model& m) { m.teaching.forget_wanted = true; }},
  };
}

bool leaves_welcome(int key, int modifiers) {
  constexpr std::array walks_there{GLFW_KEY_F6, GLFW_KEY_TAB,  GLFW_KEY_ENTER, GLFW_KEY_LEFT,    GLFW_KEY_RIGHT,
                                   GLFW_KEY_UP, GLFW_KEY_DOWN, GLFW_KEY_SPACE, GLFW_KEY_PAGE_UP, GLFW_KEY_PAGE_DOWN};
  const bool modifier = key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER;
  return !modifier && !(modifiers & held_control) && !std::ranges::count(walks_there, key);
}

bool begins_walk(const Model& model, int key) {
  const bool covered = model.palette_open || model.help_open || model.glossary_open;
  const bool list = model.teaching.tours_open && !covered && !model.walking;
  return (key == GLFW_KEY_TAB && (model.teaching.welcome || list)) ||
         (list && (key == GLFW_KEY_UP || key == GLFW_KEY_DOWN));
}

void take_key(Model& model, int key, int modifiers, KeysOf keys) {
  if (keys == KeysOf::none && begins_walk(model, key)) model.walking = true;
  const Command* const command = pressed_command(model, key, modifiers, keys);
  if (!command) return;
  model.key_taken = true;
  carry_out(model, *command);
}

/// Whether the key is the answer to the question that stands, or a part of it: digits, of a number its point, too.
bool answers_question(const Model& model, int key, int modifiers) {
  const AskedQuestion& question = model.teaching.strip.asked;
  if (!model.teaching.strip.asks || question.answered || question.kind == AskedQuestion::Kind::place || modifiers != 0)
    return false;
  return (key >= GLFW_KEY_0 && key <= GLFW_KEY_9) || (question.is_number() && key == GLFW_KEY_PERIOD);
}

/// Keys that go on and back in a tour beside Page Down and Page Up, where nothing else has them.
const Command* key_of_tour(const Model& model, int key, int modifiers, KeysOf keys) {
  const bool checks = key == GLFW_KEY_ENTER && (modifiers & (held_control | held_shift)) == held_control;
  if (model.teaching.strip.puzzle && checks && !model.editing.has_focus) return find_command("check_puzzle");
  if (!model.teaching.strip.open || model.teaching.strip.puzzle || keys != KeysOf::none) return nullptr;
  const bool held = (modifiers & (held_control | held_shift)) == held_control;
  if (held && key == GLFW_KEY_LEFT) return find_command("tour_back");
  const bool enters = key == GLFW_KEY_ENTER && (modifiers & (held_control | held_shift)) == 0 && !model.walking;
  const bool asked = model.palette_open || model.pin_open || model.glossary_open || !model.path_prompt.empty() ||
                     model.teaching.tours_open;
  if (enters && !asked && model.teaching.hides_figures()) {
    // Where nothing was chosen yet Enter chooses nothing.
    const AskedQuestion& question = model.teaching.strip.asked;
    return question.is_number() && !question.touched ? nullptr : find_command("tour_answer");
  }
  return (held && key == GLFW_KEY_RIGHT) || (enters && !asked) ? find_command("tour_next") : nullptr;
}

}  // namespace warploom
