#pragma once
#include <string>
#include <string_view>

#include "gpu/own/letters.h"

namespace warploom {

/// The name of a type of ours, as its code says it, without the namespace: "SubBoxes".
template <class Type>
std::string type_name() {
  std::string_view text = __PRETTY_FUNCTION__;
  const auto begin = text.find("Type = ") + 7;
  text = text.substr(begin, text.find_first_of("];", begin) - begin);
  constexpr std::string_view ours = "warploom::";
  return std::string(text.starts_with(ours) ? text.substr(ours.size()) : text);
}

/// The same without any namespace, for those who compare types across them.
inline std::string bare_type(std::string type) {
  for (auto at = type.find("::"); at != type.npos; at = type.find("::")) {
    auto begin = at;
    while (begin > 0 && is_letter(type[begin - 1])) --begin;
    type.erase(begin, at + 2 - begin);
  }
  return type;
}

}  // namespace warploom
