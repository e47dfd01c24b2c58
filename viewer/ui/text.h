#pragma once
#include <concepts>
#include <string>
#include <string_view>

#include "viewer/ui/context.h"

namespace warploom::ui {

/// `text` in characters that the font has: what it lacks is spelled in ASCII, lambda for a letter, -> for an arrow, x
/// for a times sign. With the program's own fonts it is `text` itself.
std::string spelled(const ImFont* font, std::string_view text);

enum class Align { left, centre, right };

/// Width of `text` in pixels, as one line.
float text_width(const ImFont* font, std::string_view text);

/// `text`, or as much of its beginning as fits into `width` pixels, with an ellipsis.
std::string elide(const ImFont* font, std::string_view text, float width);

/// Draws one line between x = min.x and max.x, vertically centred, elided where it does not fit.
/// Returns whether it was elided.
bool draw_text(ImDrawList* list, const ImFont* font, ImU32 colour, ImVec2 min, ImVec2 max, std::string_view text,
               Align align = Align::left);

/// A section's title: small letter-spaced capitals, quiet. Takes a row of the panel, with space above it.
void section_title(UiContext& ui, std::string_view title);
/// The same of a section that folds where UiContext::folded is set: a click folds it. Returns whether it is open.
bool folding_title(UiContext& ui, std::string_view title);

/// The same letters at a place of one's own; returns their width. Only ASCII letters are made capitals.
float draw_title(UiContext& ui, ImDrawList* list, ImVec2 at, ImU32 colour, std::string_view title, float width);

/// The words in lines no wider than `width`, broken at spaces alone: never in a number, nor between brackets.
std::string wrapped(const ImFont* font, std::string_view words, float width);

/// A line of quiet words, wrapped at the panel's width.
void quiet_text(UiContext& ui, std::string_view text);

/// A row: what it is on the left in quiet words, the number on the right in mono.
void key_value(UiContext& ui, std::string_view label, std::string_view value, Role role = Role::neutral);

/// Shows `text` beside the last item once the mouse has rested on it for 0.4 s, also on disabled items, unless a dialog
/// is open that the item is no part of. A later call for the same item takes the place of an earlier one.
void help_tooltip(UiContext& ui, std::string_view text);
/// The mouse has rested on the last item for long enough.
bool rested_on_item(UiContext& ui);
void show_help(UiContext& ui, std::string_view text);
/// Where a tooltip of this size stands: as near to its item as it can without hiding what is kept free.
ImVec2 tooltip_place(const UiContext& ui, const Area& item, ImVec2 size);
/// Draws the tooltip of the frame: call it last.
void draw_tooltip(UiContext& ui);
/// The line of the glossary, if the last item's label is one of its terms.
void term_tooltip(UiContext& ui, std::string_view label);
/// Words that take work to make are made when they are shown.
template <std::invocable Words>
void help_tooltip(UiContext& ui, Words&& words) {
  if (rested_on_item(ui)) show_help(ui, words());
}

/// What is drawn while it lives is a section: its scope, its title, and help on that, words or what makes them. False:
/// it is folded, and only its title is shown.
class Section : public Scope {
 public:
  template <class Help>
  Section(UiContext& ui, std::string_view name, std::string_view title, const Help& help)
      : Scope(ui, name), open_(folding_title(ui, title)) {
    help_tooltip(ui, help);
  }
  explicit operator bool() const { return open_; }

 private:
  bool open_;
};

}  // namespace warploom::ui
