#include <fmt/format.h>

#include <optional>
#include <vector>

#include "viewer/base/numbers.h"
#include "viewer/model/scene_parts.h"
#include "viewer/model/scene_text.h"

namespace warploom {

namespace {

/// "x,y", and a third number where it is not zero.
std::string index_text(const Index3& at) {
  return at.z ? fmt::format("{},{},{}", at.x, at.y, at.z) : fmt::format("{},{}", at.x, at.y);
}

/// The parts between the separators: one more than there are separators.
std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts{""};
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

/// Two or three numbers of 32 bits; nullopt for anything else.
std::optional<Index3> parse_index(const std::string& text) {
  std::vector<std::uint32_t> numbers;
  for (const auto& part : split(text, ','))
    if (const auto number = parse_number<std::uint32_t>(part))
      numbers.push_back(*number);
    else
      return std::nullopt;
  if (numbers.size() < 2 || numbers.size() > 3) return std::nullopt;
  return Index3{numbers[0], numbers[1], numbers.size() > 2 ? numbers[2] : 0};
}

/// A number after a letter, as in "L2"; nullopt for anything else.
std::optional<int> parse_tagged(const std::string& text, char letter) {
  const auto number = text.starts_with(letter) ? parse_number<int>(text.substr(1)) : std::nullopt;
  return number && *number >= 0 ? number : std::nullopt;
}

/// Whether what is selected in this space has one number, at.x, and no place.
bool is_numbered(const std::string& space) {
  const SelectionSpace* own = find_space(space);
  return own && own->numbered;
}

}  // namespace

std::string selection_text(const Selection& s, const std::string& letters) {
  if (s.empty()) return "";
  if (is_numbered(s.space)) return fmt::format("{}:{}", s.space, s.at.x);
  if (s.space == Selection::cell || find_space(s.space)) return s.space + ":" + index_text(s.at);
  if (!s.of_a_track()) return "";
  std::string text = fmt::format("{}:{}:{}", s.space == Selection::block ? "block" : "thread", letters[s.track],
                                 index_text(s.owner.block));
  if (s.space == Selection::thread) text += ":" + index_text(s.owner.thread);
  if (s.owner.launch) text += fmt::format(":L{}", s.owner.launch);
  if (s.owner.turn) text += fmt::format(":T{}", s.owner.turn);
  return text;
}

std::string selection_words(const Selection& s, const std::string& letters) {
  if (s.empty()) return "";
  if (is_numbered(s.space)) return fmt::format("{} {}", s.space, s.at.x);
  const auto at = [](const Index3& of) { return place_text(of, of.z ? 3 : 2); };
  if (s.space == Selection::cell || find_space(s.space)) return s.space + " " + at(s.at);
  if (!s.of_a_track()) return "";
  const std::string block = fmt::format("block {} of {}", at(s.owner.block), letters[s.track]);
  return s.space == Selection::thread ? fmt::format("thread {} of {}", at(s.owner.thread), block) : block;
}

Selection parse_selection(const std::string& text, const std::string& letters) {
  Selection s;
  if (text.empty()) return s;
  const auto parts = split(text, ':');
  bool good = false;
  const auto take = [&](std::size_t i, Index3& to) {
    const auto index = i < parts.size() ? parse_index(parts[i]) : std::nullopt;
    if (index) to = *index;
    return index.has_value();
  };
  if (is_numbered(parts[0])) {
    s.space = parts[0];
    const auto number = parts.size() == 2 ? parse_number<std::uint32_t>(parts[1]) : std::nullopt;
    good = number.has_value();
    s.at.x = number.value_or(0);
  } else if (parts[0] == Selection::cell || find_space(parts[0])) {
    s.space = parts[0];
    good = parts.size() == 2 && take(1, s.at);
  } else if (parts[0] == "block" || parts[0] == "thread") {
    const bool thread = parts[0] == "thread";
    s.space = thread ? Selection::thread : Selection::block;
    good = parts.size() >= 3 && parts[1].size() == 1 && letters.find(parts[1]) != letters.npos &&
           take(2, s.owner.block) && (!thread || take(3, s.owner.thread));
    if (good) s.track = letters.find(parts[1]);
    for (std::size_t i = thread ? 4 : 3; good && i < parts.size(); ++i) {
      const auto launch = parse_tagged(parts[i], 'L'), turn = parse_tagged(parts[i], 'T');
      good = launch || turn;
      if (launch) s.owner.launch = *launch;
      if (turn) s.owner.turn = *turn;
    }
  }
  if (good) return s;
  std::string expected = "cell:X,Y";
  for (const SelectionSpace& space : known_parts().spaces)
    expected += fmt::format(" or {}:{}", space.word, space.after);
  throw UsageError("view.select '" + text + "': expected " + expected +
                   " or block:TRACK:X,Y or thread:TRACK:X,Y:X,Y, tracks A to D; a third number in space, :L and :T for "
                   "a launch and a turn");
}

}  // namespace warploom
