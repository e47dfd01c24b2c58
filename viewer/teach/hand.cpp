#include "viewer/teach/hand.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <cctype>
#include <map>
#include <utility>

#include "gpu/core/format.h"
#include "viewer/model/commands.h"
#include "viewer/panels/panels.h"
#include "viewer/ui/imgui_compat.h"

namespace warploom {

namespace {

constexpr float short_frame = 1 / 60.f, long_frame = .5f;

/// Of the keys that fields, lists and the walk know.
const std::map<std::string, std::pair<int, ImGuiKey>>& named_keys() {
  static const std::map<std::string, std::pair<int, ImGuiKey>> all{
      {"enter", {GLFW_KEY_ENTER, ImGuiKey_Enter}},
      {"tab", {GLFW_KEY_TAB, ImGuiKey_Tab}},
      {"esc", {GLFW_KEY_ESCAPE, ImGuiKey_Escape}},
      {"escape", {GLFW_KEY_ESCAPE, ImGuiKey_Escape}},
      {"space", {GLFW_KEY_SPACE, ImGuiKey_Space}},
      {"left", {GLFW_KEY_LEFT, ImGuiKey_LeftArrow}},
      {"right", {GLFW_KEY_RIGHT, ImGuiKey_RightArrow}},
      {"up", {GLFW_KEY_UP, ImGuiKey_UpArrow}},
      {"down", {GLFW_KEY_DOWN, ImGuiKey_DownArrow}},
      {"home", {GLFW_KEY_HOME, ImGuiKey_Home}},
      {"end", {GLFW_KEY_END, ImGuiKey_End}},
      {"pageup", {GLFW_KEY_PAGE_UP, ImGuiKey_PageUp}},
      {"pagedown", {GLFW_KEY_PAGE_DOWN, ImGuiKey_PageDown}},
      {"backspace", {GLFW_KEY_BACKSPACE, ImGuiKey_Backspace}},
      {"delete", {GLFW_KEY_DELETE, ImGuiKey_Delete}}};
  return all;
}

/// Letters that mean something to a text field, with Ctrl.
const std::map<int, ImGuiKey>& field_letters() {
  static const std::map<int, ImGuiKey> all{{GLFW_KEY_A, ImGuiKey_A}, {GLFW_KEY_C, ImGuiKey_C},
                                           {GLFW_KEY_V, ImGuiKey_V}, {GLFW_KEY_X, ImGuiKey_X},
                                           {GLFW_KEY_Y, ImGuiKey_Y}, {GLFW_KEY_Z, ImGuiKey_Z}};
  return all;
}

void hold_modifiers(int modifiers, bool down) {
  ImGuiIO& io = ImGui::GetIO();
  const bool control = modifiers & GLFW_MOD_CONTROL, shift = modifiers & GLFW_MOD_SHIFT;
#if IMGUI_VERSION_NUM >= 18900
  if (control) io.AddKeyEvent(ImGuiMod_Ctrl, down);
  if (shift) io.AddKeyEvent(ImGuiMod_Shift, down);
#else
  // Of a window they follow from the keys that are down.
  if (control) io.KeyCtrl = io.KeysDown[GLFW_KEY_LEFT_CONTROL] = down;
  if (shift) io.KeyShift = io.KeysDown[GLFW_KEY_LEFT_SHIFT] = down;
#endif
}

void tell_imgui(ImGuiKey key, bool down) {
#if IMGUI_VERSION_NUM >= 18700
  ImGui::GetIO().AddKeyEvent(key, down);
#else
  // The window's backend has its own codes; over a renderer that draws nothing they are the names.
  if (const int index = ImGui::GetKeyIndex(key); index >= 0) ImGui::GetIO().KeysDown[index] = down;
#endif
}

}  // namespace

std::pair<int, int> parse_key(const std::string& text) {
  int modifiers = 0;
  std::string name = text;
  const auto strip = [&](const std::string& word, int bit) {
    const auto same = [](char a, char b) { return std::tolower(a) == std::tolower(b); };
    if (name.size() <= word.size() || !std::equal(word.begin(), word.end(), name.begin(), same)) return false;
    name.erase(0, word.size());
    modifiers |= bit;
    return true;
  };
  while (strip("Ctrl+", GLFW_MOD_CONTROL) || strip("Shift+", GLFW_MOD_SHIFT)) {
  }
  std::string small;
  for (const char c : name) small += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (const auto found = named_keys().find(small); found != named_keys().end()) return {found->second.first, modifiers};
  if (small.size() >= 2 && small[0] == 'f')
    if (const auto number = whole_number(small.substr(1)); number && *number >= 1 && *number <= 12)
      return {GLFW_KEY_F1 + static_cast<int>(*number) - 1, modifiers};
  if (name == "+") return {GLFW_KEY_EQUAL, modifiers};
  if (name.size() == 1 && name[0] > ' ' && name[0] < 127)
    return {std::toupper(static_cast<unsigned char>(name[0])), modifiers};
  std::vector<std::string> known;
  for (const auto& [key, codes] : named_keys()) known.push_back(key);
  throw UsageError(unknown_message("key", text, known));
}

Hand::Hand(Model& model, ui::UiContext& ui) : model_(model), ui_(ui) {
  ui_.hold_input = [this](ImGuiIO& io) { hold(io); };
}

Hand::~Hand() { ui_.hold_input = nullptr; }

void Hand::hold([[maybe_unused]] ImGuiIO& io) const {
#if IMGUI_VERSION_NUM < 18700
  if (idle() || !mouse_) return;
  io.MousePos = *mouse_;
  io.MouseDown[0] = pressed_;
#endif
}

void Hand::next() {
  seconds_ = short_frame;
  if (queue_.empty()) return;
  try {
    if (queue_.front()()) queue_.pop_front();
  } catch (...) {
    queue_.clear();
    throw;
  }
}

void Hand::rest() {
  then([this, begin = -1.]() mutable {
    if (begin < 0) begin = ImGui::GetTime();
    seconds_ = long_frame;
    return ImGui::GetTime() - begin > ImGui::GetIO().MouseDoubleClickTime;
  });
}

void Hand::button(bool down) {
  then([this, down] {
    pressed_ = down;
    ui::press_mouse(ImGui::GetIO(), 0, down);
    return true;
  });
}

void Hand::click_where(std::function<ImVec2()> where) {
  rest();
  then([this, where = std::move(where)] {
    mouse_ = where();
    ui::move_mouse(ImGui::GetIO(), *mouse_);
    return true;
  });
  button(true);
  button(false);
  then_frame();
}

void Hand::click_at(ImVec2 at) {
  click_where([at] { return at; });
}

void Hand::click(const std::string& path) {
  then([this, path] { return reach(path); });
  click_where([this] { return at_; });
}

/// The wheel over a sibling that can be seen, or over the panel's middle; every third call, as its effect shows late.
bool Hand::reach(const std::string& path) {
  const ui::WidgetRecord* target = ui_.find(path);
  if (!target) throw NoWidget("there is no widget '" + path + "' in the window now");
  const auto centre = [](const ui::WidgetRecord& one) {
    return ImVec2{(one.min.x + one.max.x) / 2, (one.min.y + one.max.y) / 2};
  };
  if (target->visible) {
    attempts_ = 0;
    at_ = centre(*target);
    return true;
  }
  if (attempts_++ > 240) {
    attempts_ = 0;
    throw NoWidget(path + " stays out of sight");
  }
  const std::string parent = path.substr(0, path.rfind('/') + 1);
  ImVec2 at{centre(*target).x, ImGui::GetIO().DisplaySize.y / 2};
  // One in the same column lies in the same list; a button below it does not.
  bool beside = false;
  for (const auto& other : ui_.widgets) {
    if (!other.visible || !other.path.starts_with(parent)) continue;
    const bool in_column = other.min.x == target->min.x && other.max.x == target->max.x;
    if (in_column || !beside) at = centre(other);
    beside = beside || in_column;
  }
  if (attempts_ % 3 == 1) {
    mouse_ = at;
    ui::move_mouse(ImGui::GetIO(), at);
  }
  const float notches = target->min.y > at.y ? -1.f : 1.f;
#if IMGUI_VERSION_NUM >= 18700
  if (attempts_ % 3 == 2) ImGui::GetIO().AddMouseWheelEvent(0, notches);
#else
  if (attempts_ % 3 == 2) ImGui::GetIO().MouseWheel = notches;
#endif
  return false;
}

void Hand::type(const std::string& text) {
  then([text] {
    ImGui::GetIO().AddInputCharactersUTF8(text.c_str());
    return true;
  });
  then_frame();
}

void Hand::field_key(ImGuiKey key, int modifiers) {
  for (const bool down : {true, false})
    then([key, modifiers, down] {
      hold_modifiers(modifiers, down);
      tell_imgui(key, down);
      return true;
    });
}

void Hand::enter(const std::string& path, const std::string& text) {
  click(path);
  for (int i = 0; i < OwnEditing::focus_takes; ++i) then_frame();  // the editor may be taking the focus by itself
  field_key(ImGuiKey_A, GLFW_MOD_CONTROL);                         // a text of several lines is not selected by a click
  type(text);
  field_key(ImGuiKey_Enter);
  then_frame();
}

void Hand::press(int key, int modifiers) {
  then([this, key, modifiers] {
    if (const Command* command = pressed_command(model_, key, modifiers, keys_of())) carry_out(model_, *command);
    return true;
  });
  for (const auto& [name, codes] : named_keys())
    if (codes.first == key && name != "escape") field_key(codes.second, modifiers);
  if (const auto letter = field_letters().find(key); letter != field_letters().end() && modifiers & GLFW_MOD_CONTROL)
    field_key(letter->second, modifiers);
  then_frame();
  then_frame();
}

}  // namespace warploom
