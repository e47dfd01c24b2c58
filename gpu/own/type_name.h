#pragma once
#include <string>
#include <string_view>

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

}  // namespace warploom
