#include "viewer/ui/code_paint.h"

#include <algorithm>
#include <cmath>

#include "viewer/ui/text.h"

namespace warploom::ui {

namespace {

bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

const std::vector<std::string_view> keywords{
    "auto",   "bool",     "break",     "case",     "class",    "const",  "constexpr", "continue", "default",
    "do",     "double",   "else",      "enum",     "false",    "float",  "for",       "if",       "inline",
    "int",    "long",     "namespace", "return",   "short",    "signed", "sizeof",    "static",   "struct",
    "switch", "template", "true",      "typename", "unsigned", "using",  "void",      "while"};

ImU32 colour_of(const Theme& theme, Token token) {
  switch (token) {
    case Token::keyword:
      return theme.track_text[1];
    case Token::word:
      return theme.track_text[2];
    case Token::number:
    case Token::text:
      return theme.track_text[0];
    case Token::comment:
      return theme.quiet;
    default:
      return theme.text;
  }
}

}  // namespace

std::pair<int, std::size_t> line_of(std::string_view text, std::size_t at) {
  const auto before = text.substr(0, std::min(at, text.size()));
  const auto begin = before.rfind('\n');
  return {static_cast<int>(std::ranges::count(before, '\n')), begin == before.npos ? 0 : begin + 1};
}
std::size_t begin_of(std::string_view text, int line) {
  std::size_t at = 0;
  for (int i = 0; i < line; ++i) {
    at = text.find('\n', at);
    if (at == text.npos) return text.size();
    ++at;
  }
  return at;
}

std::vector<TokenSpan> tokens_of(std::string_view text, const std::vector<std::string_view>& words) {
  std::vector<TokenSpan> all;
  const auto add = [&](std::size_t begin, std::size_t end, Token token) {
    if (end > begin) all.push_back({begin, end, token});
  };
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    std::size_t end = at + 1;
    if (text.substr(at, 2) == "//") {
      end = std::min(text.find('\n', at), text.size());
      add(at, end, Token::comment);
    } else if (text.substr(at, 2) == "/*") {
      const auto close = text.find("*/", at + 2);
      end = close == text.npos ? text.size() : close + 2;
      add(at, end, Token::comment);
    } else if (c == '"' || c == '\'') {
      while (end < text.size() && text[end] != c && text[end] != '\n') end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
      add(at, end, Token::text);
    } else if (is_digit(c)) {
      while (end < text.size() &&
             (is_digit(text[end]) || begins_name(text[end]) || text[end] == '.' || text[end] == '\''))
        ++end;
      add(at, end, Token::number);
    } else if (begins_name(c)) {
      while (end < text.size() && (begins_name(text[end]) || is_digit(text[end]))) ++end;
      const std::string_view name = text.substr(at, end - at);
      if (std::ranges::count(keywords, name))
        add(at, end, Token::keyword);
      else if (std::ranges::count(words, name))
        add(at, end, Token::word);
    }
    at = end;
  }
  return all;
}

float code_gutter(std::string_view text, float letter) {
  const auto lines = static_cast<int>(std::ranges::count(text, '\n')) + 1;
  const auto digits = static_cast<float>(std::to_string(std::max(lines, 99)).size());
  return std::floor((digits + 2.5f) * letter);
}

void paint_code(UiContext& ui, ImDrawList& list, const CodePlace& place, const std::string& text, CodeField& field,
                const std::vector<std::string_view>& words) {
  const Theme& theme = *ui.theme;
  const ImFont* mono = ui.fonts->mono;
  const auto& [corner, low, high, begin, line_height, letter] = place;
  const auto lines = static_cast<int>(std::ranges::count(text, '\n')) + 1;
  const int first = std::max(0, static_cast<int>((low.y - begin.y) / line_height) - 1),
            last = std::min(lines, first + static_cast<int>((high.y - low.y) / line_height) + 3);
  const auto top_of = [&](int line) { return place.begin.y + static_cast<float>(line) * place.line_height; };

  list.PushClipRect(corner, high, false);  // the numbers stand beside ImGui's field
  list.AddRectFilled(corner, {low.x, high.y}, theme.ground);
  if (field.at_line > 0)
    list.AddRectFilled({corner.x, top_of(field.at_line - 1)}, {high.x, top_of(field.at_line)},
                       fade(theme.accent, .16f));
  for (int line = first; line < last; ++line) {
    const float y = top_of(line);
    const std::string number = std::to_string(line + 1);
    const bool bad = std::ranges::count(field.marks, line + 1, &LineMark::line) > 0;
    list.AddText(mono, line_height, {low.x - letter - text_width(mono, number), y},
                 bad                             ? theme.bad
                 : line + 1 == field.cursor_line ? theme.text
                                                 : theme.quiet,
                 number.c_str());
    if (bad) list.AddCircleFilled({corner.x + letter * .8f, y + line_height * .5f}, ui.px(3), theme.bad);
  }
  list.PopClipRect();

  list.PushClipRect(low, high, true);
  std::size_t at = begin_of(text, first);
  if (field.coloured.text != text)
    field.coloured = {text, field.plain ? std::vector<TokenSpan>() : tokens_of(text, words)};
  const auto& tokens = field.coloured.tokens;
  auto token = std::ranges::find_if(tokens, [&](const TokenSpan& span) { return span.end > at; });
  for (int line = first; line < last && at <= text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const float y = top_of(line);
    float x = begin.x;
    const auto put = [&](std::size_t from, std::size_t to, Token kind) {
      if (to <= from) return;
      list.AddText(mono, place.line_height, {x, y}, colour_of(theme, kind), text.data() + from, text.data() + to);
      x += text_width(mono, std::string_view(text).substr(from, to - from));
    };
    std::size_t drawn = at;
    while (token != tokens.end() && token->begin < end) {
      put(drawn, std::max(token->begin, drawn), Token::plain);
      put(std::max(token->begin, drawn), std::min(token->end, end), token->token);
      drawn = std::min(token->end, end);
      if (token->end > end) break;
      ++token;
    }
    put(drawn, end, Token::plain);
    for (const LineMark& mark : field.marks) {
      if (mark.line != line + 1) continue;
      // The place is underlined, and what is wrong stands behind the line.
      const auto column = static_cast<float>(std::max(mark.column - 1, 0));
      const float from = mark.column > 0 ? begin.x + column * letter : begin.x, y_end = y + line_height - 1;
      list.AddLine({from, y_end}, {mark.column > 0 ? from + 3 * letter : std::max(x, from + letter), y_end}, theme.bad,
                   std::max(1.f, ui.scale));
      x += 2 * letter;
      list.AddText(mono, line_height, {x, y}, theme.bad, mark.words.c_str());
      x += text_width(mono, mark.words);
    }
    for (const LineMark& value : field.values) {
      if (value.line != line + 1) continue;
      // At the right edge, in a field of its own, so that it is not taken for code; it may cover the end of a long
      // line.
      const float width = text_width(mono, value.words), right = high.x - letter,
                  left = std::max(right - width, low.x + letter);
      list.AddRectFilled({left - letter * .6f, y}, {right + letter * .6f, y + line_height}, theme.panel, ui.px(3));
      list.AddText(mono, line_height, {left, y}, theme.accent, value.words.c_str());
    }
    at = end + 1;
  }
  list.PopClipRect();
}

}  // namespace warploom::ui
