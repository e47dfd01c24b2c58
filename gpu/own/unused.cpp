#include "gpu/own/unused.h"

#include <map>
#include <set>
#include <vector>

#include "gpu/own/text.h"

namespace warploom {

namespace {

/// Lines from `begin` to before `end` that define a name.
struct Item {
  std::size_t begin, end;
  std::string name;
};

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return lines;
}

/// body(word) for each word of a line that is no remark.
template <class Body>
void each_word(std::string_view line, Body&& body) {
  line = line.substr(0, line.find("//"));
  for (std::size_t at = 0; at < line.size();) {
    if (!is_letter(line[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < line.size() && is_letter(line[at])) ++at;
    body(line.substr(begin, at - begin));
  }
}

bool starts(std::string_view line, std::initializer_list<std::string_view> with) {
  for (const std::string_view one : with)
    if (line.starts_with(one)) return true;
  return false;
}

/// The word that ends right before `at`.
std::string word_before(std::string_view line, std::size_t at) {
  while (at > 0 && line[at - 1] == ' ') --at;
  std::size_t begin = at;
  while (begin > 0 && is_letter(line[begin - 1])) --begin;
  return std::string(line.substr(begin, at - begin));
}

/// What a line defines that begins an item; empty: nothing that could be left out.
std::string defined_by(std::string_view line) {
  if (line.find("operator") != line.npos) return {};
  if (starts(line, {"struct ", "class ", "enum class ", "concept ", "using "})) {
    if (line.starts_with("using namespace")) return {};
    std::string last;
    each_word(line.substr(0, line.find_first_of("<:={;")), [&](std::string_view word) { last = word; });
    return last == "final" ? std::string() : last;
  }
  if (starts(line, {"WARPLOOM_HD", "inline ", "constexpr ", "void ", "float ", "auto "})) {
    const auto end = line.find_first_of("(={");
    if (end == line.npos || line.find("alignas") != line.npos) return {};
    return word_before(line, end);  // empty for "name[2] = " and "name<Type> = ", which stay
  }
  return {};
}

/// The last line of an item whose first is `head`.
std::size_t end_of(const std::vector<std::string_view>& lines, std::size_t head) {
  bool opened = false;  // what ends it begins a line
  for (std::size_t at = head; at < lines.size(); ++at) {
    std::string_view line = lines[at].substr(0, lines[at].find("  //"));
    if (opened && at > head && line == "}" && at + 1 < lines.size() && lines[at + 1].starts_with("||")) continue;
    if (opened && at > head && (line == "}" || line == "};")) return at;
    if (opened) continue;
    if (line.ends_with(";") || line.ends_with("}")) return at;
    opened = line.ends_with("{");
  }
  return lines.size();
}

/// Of the lines from `from` to before `to`.
std::vector<Item> items_of(const std::vector<std::string_view>& lines, std::size_t from, std::size_t to) {
  std::vector<Item> items;
  for (std::size_t i = from; i < to; ++i) {
    std::size_t head = i;
    while (head < lines.size() && starts(lines[head], {"///", "template <", "requires "})) ++head;
    // A template's words may take more than one line.
    while (head > i && head < lines.size() && lines[head].starts_with(" ")) ++head;
    if (head >= lines.size()) break;
    const std::string name = defined_by(lines[head]);
    if (name.empty()) {
      i = head;
      continue;
    }
    const std::size_t end = end_of(lines, head);
    items.push_back({i, std::min(end + 1, lines.size()), name});
    i = end;
  }
  return items;
}

}  // namespace

std::string without_unused(std::string_view source, std::string_view untouched) {
  const auto lines = lines_of(source);
  const auto at = untouched.empty() ? source.npos : source.find(untouched);
  const auto first = at == source.npos ? lines.size() : lines_of(source.substr(0, at)).size(),
             last = at == source.npos ? first : first + lines_of(untouched).size();
  auto items = items_of(lines, 0, first);
  for (const Item& item : items_of(lines, last, lines.size())) items.push_back(item);
  std::map<std::string, int, std::less<>> named;
  for (const auto line : lines) each_word(line, [&](std::string_view word) { ++named[std::string(word)]; });
  std::set<std::size_t> left_out;
  std::vector<bool> gone(lines.size());
  for (bool any = true; any;) {
    any = false;
    // All items of a name go together: how often do they name themselves?
    std::map<std::string, int, std::less<>> own;
    for (std::size_t i = 0; i < items.size(); ++i)
      if (!left_out.contains(i))
        for (std::size_t line = items[i].begin; line < items[i].end; ++line)
          each_word(lines[line], [&](std::string_view word) { own[items[i].name] += word == items[i].name; });
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (left_out.contains(i) || named[items[i].name] > own[items[i].name]) continue;
      left_out.insert(i);
      for (std::size_t line = items[i].begin; line < items[i].end; ++line) gone[line] = true;
      any = true;
    }
    if (!any) break;
    named.clear();
    for (std::size_t line = 0; line < lines.size(); ++line)
      if (!gone[line]) each_word(lines[line], [&](std::string_view word) { ++named[std::string(word)]; });
  }
  std::string kept;
  for (std::size_t line = 0; line < lines.size(); ++line) {
    if (gone[line] || (lines[line].empty() && kept.ends_with("\n\n"))) continue;
    kept.append(lines[line]) += '\n';
  }
  return kept;
}

}  // namespace warploom
