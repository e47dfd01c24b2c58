#pragma once
#include <imgui.h>

#include <deque>
#include <functional>
#include <optional>
#include <string>

#include "viewer/model/model.h"
#include "viewer/ui/context.h"

namespace warploom {

/// There is no such widget in the window, or none that can be reached. Exit code 3.
struct NoWidget : Error {
  explicit NoWidget(const std::string& message) : Error(message, ExitCode::verification) {}
};

/// Mouse and keys as a person has them, of tests and of scripts: finds widgets by their paths, scrolls to them, clicks,
/// types. What it is asked for it does one thing a frame.
class Hand {
 public:
  Hand(Model& model, ui::UiContext& ui);
  ~Hand();
  Hand& operator=(Hand&&) = delete;  // neither copied nor moved

  void click_at(ImVec2 at);
  /// Scrolls until the widget can be reached, and clicks its centre.
  void click(const std::string& path);
  void type(const std::string& text);
  /// Clicks a field, replaces what it holds and takes it with Enter.
  void enter(const std::string& path, const std::string& text);
  /// A key that Dear ImGui is told alone, as Enter of the text field that has the focus.
  void field_key(ImGuiKey key, int modifiers = 0);
  /// A key as the window hands it on (GLFW's code and modifiers): its command, and what fields and lists do with it.
  void press(int key, int modifiers);

  bool idle() const { return queue_.empty(); }
  /// Does the next thing, before ImGui::NewFrame, whose widgets are then those of the frame before. Throws NoWidget,
  /// and what a command throws is told; what was to follow is dropped then.
  void next();
  /// How long the frame after `next` should be, where no clock says it.
  float seconds() const { return seconds_; }
  void drop() { queue_.clear(); }

 private:
  /// True: it is done. Called once a frame until then.
  using Doing = std::function<bool()>;
  void then(Doing doing) { queue_.push_back(std::move(doing)); }
  void then_frame() {
    then([] { return true; });
  }
  /// Long enough that the next click is not the second of a double one.
  void rest();
  bool reach(const std::string& path);
  /// `where` is asked when the mouse moves.
  void click_where(std::function<ImVec2()> where);
  void button(bool down);
  /// A window asks its real mouse and keys anew in each frame: while this hand is at work they are its own.
  void hold(ImGuiIO& io) const;

  Model& model_;
  ui::UiContext& ui_;
  std::deque<Doing> queue_;
  ImVec2 at_{};
  std::optional<ImVec2> mouse_;  ///< where it is, once it was moved
  bool pressed_ = false;
  int attempts_ = 0;
  float seconds_ = 1 / 60.f;
};

/// "Ctrl+Shift+P", "PageDown": GLFW's code and modifiers. Throws UsageError with the nearest.
std::pair<int, int> parse_key(const std::string& text);

}  // namespace warploom
