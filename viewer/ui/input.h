#pragma once
#include <functional>
#include <string>
#include <string_view>

#include "viewer/ui/context.h"

namespace warploom::ui {

/// How a field behaves while something is typed into it.
struct InputRules {
  std::function<bool(const std::string&)> valid;                ///< the frame warns while this is false
  std::function<std::string(const std::string&, int)> stepped;  ///< the text after so many steps; empty: no steps
  std::string_view suffix;
  std::string_view hint;
  std::string expects = {};  ///< what is valid, in words: "a whole number from 1 to 32"
};

/// A single-line field of `width` pixels at the cursor. Returns whether a new text was committed into `value`.
bool input(UiContext& ui, std::string_view id, std::string_view label, float width, std::string& value,
           const InputRules& rules);

}  // namespace warploom::ui
