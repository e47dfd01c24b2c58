#pragma once
#include <imgui.h>

#include <cmath>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/ui/fonts.h"
#include "viewer/ui/theme.h"

namespace warploom::ui {

/// Where a widget stood in this frame, so that tests and scripts find it by path.
struct WidgetRecord {
  std::string path;     ///< scopes and id joined by '/', as "scene/map/lambda"
  std::string label;    ///< what the user reads
  ImVec2 min, max;      ///< the rectangle that takes the click, in pixels
  bool visible = true;  ///< false: scrolled or clipped away, a click at its centre would not reach it
  bool keyed = true;    ///< the keyboard reaches it; false: it is of the mouse alone, as a picture
};

/// Where the keyboard is among the widgets.
struct Walk {
  bool on = false;
  std::string at;       ///< the widget's path
  bool moved = false;   ///< it came there in this frame
  bool press = false;   ///< it is pressed in this frame
  bool picks = false;   ///< it is a picture, and its pick is moved in this frame
  int by = 0;           ///< it is a slider, and moved by so many steps in this frame
  int panes = 0;        ///< it is to go to the next pane, 1, or to the one before, -1
  std::string within;   ///< an open dialog's path: the walk does not leave it
  bool typing = false;  ///< a field had the keyboard when the frame began
  /// Enter and the arrow keys are the dialog's own, not the walk's.
  bool dialog_has_keys() const { return !on || typing; }
};

/// The text that is being typed. ImGui loses it when another widget takes the focus first, so it is kept here.
struct TextEdit {
  ImGuiID id = 0;
  std::string text;
  int frame = 0;  ///< the last in which its field was there: what was typed into one that went is gone with it
};

/// How long the mouse has rested on one thing, for tooltips.
struct Rest {
  ImVec2 item;
  float seconds = 0;
  int frame = -2;
};

/// A part of the screen, in pixels.
struct Area {
  ImVec2 min, max;
};

/// What a tooltip says, and of which item. It is shown at the end of the frame.
struct Tooltip {
  std::string words;
  Area item;
};

/// All that the widgets share, passed to each of them: there are no globals.
/// A picture that is a texture of OpenGL; its size in pixels.
struct SmallPicture {
  unsigned texture = 0;
  float width = 0, height = 0;
};

struct UiContext {
  const Theme* theme = nullptr;
  const Fonts* fonts = nullptr;
  float scale = 1;
  /// Has the last word of mouse and keys before a frame begins; null: they are the window's.
  std::function<void(ImGuiIO&)> hold_input;
  /// A small one of a PNG file; nullopt: it is not there yet, or never. Null: nothing draws.
  std::function<std::optional<SmallPicture>(const std::string& file)> small_picture;
  bool recording = false;              ///< collect `widgets`
  std::vector<WidgetRecord> widgets;   ///< of this frame, in order of drawing
  std::vector<std::string> cut_hints;  ///< of empty fields that have no room for theirs, in this frame; while recording
  std::vector<WidgetRecord> walked;    ///< of the frame before, while the keyboard walks
  Walk walk;
  std::string scroll_to;          ///< the path of a widget that comes into sight in this frame; needs `recording`
  std::vector<std::string> path;  ///< open scopes
  TextEdit edit;
  std::string edit_path;  ///< of the field of `edit`
  TextEdit left;          ///< what was typed before `edit` began, until its field has taken it
  Rest rest;
  bool by_keys = false;                 ///< keys were pressed since the mouse moved last
  Tooltip tooltip;                      ///< of this frame; without words: none
  std::vector<Area> kept, kept_before;  ///< what tooltips do not cover: of this frame, and of the one before
  /// What a word means; empty: no term of the glossary. Null: there is no glossary.
  std::function<std::string(std::string_view word)> meaning;
  std::set<std::string>* folded = nullptr;  ///< paths of sections that show their title only; null: none folds
  std::vector<std::pair<std::string, float>> sections;  ///< that fold: where in its panel's content each begins
  int list_row = -1;                                    ///< of the open list, the item that Enter takes
  std::string refused;  ///< why what was typed into a field was not taken; whoever tells the user empties it

  /// `value` design pixels in whole pixels of the screen.
  float px(float value) const { return std::floor(value * scale + 0.5f); }
  /// The record of `path`, or null where the frame has no such widget.
  const WidgetRecord* find(std::string_view path) const;
  /// The same, or what holds the widgets below `wanted`, those in sight where some are: "data_A" is a pane. Without a
  /// path: there is none.
  WidgetRecord find_whole(const std::string& wanted) const;
};

/// Call once a frame, after ImGui::NewFrame.
void begin_frame(UiContext& ui);

/// Names what is drawn while it lives: one more element of the path, and an ImGui id of its own.
class Scope {
 public:
  Scope(UiContext& ui, std::string_view name);
  ~Scope();
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

 private:
  UiContext& ui_;
};

/// The open scopes and `id`, joined by '/'.
std::string path_of(const UiContext& ui, std::string_view id);

/// Records a widget's rectangle under the open scopes, and frames it where the keyboard is. The widgets do it
/// themselves; a picture that takes clicks may too, and is not `keyed` then.
void record(UiContext& ui, std::string_view id, std::string_view label, ImVec2 min, ImVec2 max, bool keyed = true);

/// Tooltips of the next frame do not cover this.
void keep_free(UiContext& ui, ImVec2 min, ImVec2 max);

/// "Sierpinski gasket" to "sierpinski_gasket": the path element of a choice that has no key of its own.
std::string slug(std::string_view title);

}  // namespace warploom::ui
