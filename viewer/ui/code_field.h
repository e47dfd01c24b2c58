#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/ui/context.h"

namespace warploom::ui {

/// A piece of a line of code, by what it is.
enum class Token { plain, keyword, word, number, comment, text };
struct TokenSpan {
  std::size_t begin, end;  ///< bytes
  Token token;
};
/// The pieces of C++ text that have a colour of their own, in order. `words`: names that count as known.
std::vector<TokenSpan> tokens_of(std::string_view text, const std::vector<std::string_view>& words);

/// What stands at a line of a code field: a mark in the gutter and, at the line's end, words.
struct LineMark {
  int line = 0, column = 0;  ///< from 1 on; column 0: none
  std::string words;
};

/// What a code field keeps between frames, and is told.
struct CodeField {
  std::vector<LineMark> marks;       ///< errors
  std::vector<LineMark> values;      ///< what a thread computed at lines, shown at their end
  std::uint64_t values_version = 0;  ///< the caller's, of `values` and `at_line`; 0: they are of nothing
  int at_line = 0;                   ///< a line that is stepped to; 0: none
  int go_to = 0;                     ///< a line to bring into view, with the cursor; the field sets it to 0
  bool focus = false;    ///< it is to take the keyboard, which may take some frames: meanwhile no Enter is typed
  bool comment = false;  ///< the selected lines are to be commented, or no more; the field sets it to false
  /// Texts to go back to, and on to again; ImGui's own history knows nothing of what the field changes by itself.
  struct History {
    struct Entry {
      std::string text;
      int cursor = 0;
    };
    std::vector<Entry> entries;
    std::size_t at = 0;  ///< the one that is shown
    double typed = -1;   ///< when the newest grew last
  } history;
  bool plain = false;  ///< words of people, which have no colours
  /// Its colours, as long as it is the same text.
  struct Coloured {
    std::string text;
    std::vector<TokenSpan> tokens;
  } coloured;
  /// How wide the widest line is, of the text that it was measured of.
  std::string widest_of;
  float widest = 0;
  // Told by the field:
  bool active = false;  ///< it has the keyboard
  int cursor_line = 0;  ///< from 1 on; 0: it is not active
};

/// A field for code with line numbers, at the cursor and of this size in pixels. Tab puts two spaces, Enter keeps the
/// indent, Tab and Shift+Tab move selected lines, Ctrl+Z and Ctrl+Shift+Z undo, Esc leaves it. Returns whether the text
/// changed.
bool code_field(UiContext& ui, std::string_view id, std::string& text, CodeField& field, ImVec2 size,
                const std::vector<std::string_view>& words, std::size_t most_bytes);

/// The same to be read alone.
void code_view(UiContext& ui, std::string_view id, const std::string& text, CodeField& field, ImVec2 size,
               const std::vector<std::string_view>& words);

}  // namespace warploom::ui
