#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warploom {

/// The text with calls that note (seen.h) what these functions do, wherever it defines them: after a declaration with
/// an initialiser and after an assignment the value of what was set, at `if` and `while` which way the condition went,
/// at `return` what is returned, and at the begin of each turn of a loop that it is one, with the values of the
/// variables that its head declares. `file` is what notes call the text. Lines keep their numbers.
///
/// What it does not know it leaves as it is: bodies of lambdas, a `switch`, declarations in conditions, structured
/// bindings, macros, the condition of `if constexpr`; and the whole text where its brackets do not match. It never
/// throws for what a text says.
std::string marked(std::string_view source, int file, std::span<const std::string_view> functions);
/// All functions that it defines outside of classes: those of an own map, with what they call.
std::string marked(std::string_view source, int file);

}  // namespace warploom
