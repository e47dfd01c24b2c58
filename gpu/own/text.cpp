#include "gpu/own/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/core/files.h"
#include "gpu/core/format.h"
#include "gpu/core/hash.h"

namespace warploom {

namespace {

/// What a text is, by the function that it defines.
constexpr std::array<std::string_view, 4> forms{"place", "cell", "kernel", "rule"};
constexpr std::array<std::string_view, 8> vocabulary{"place", "cell",    "kernel",   "rule",
                                                     "grid",  "threads", "launches", "turns"};

[[noreturn]] void refuse(const std::string& file, int line, const std::string& what) {
  throw FileError(fmt::format("{}:{}: {}", file, line, what));
}

/// Goes through a text, past comments and what stands in quotes.
class Scanner {
 public:
  Scanner(const std::string& file, std::string_view text) : file_(file), text_(text) {}

  /// What is no part of the source: begin and length of each.
  const std::vector<std::pair<std::size_t, std::size_t>>& ignored() const { return ignored_; }

  std::map<std::string, int> functions() {
    while (at_ < text_.size()) step();
    if (!open_.empty())
      refuse(file_, open_.back().line, fmt::format("this '{}' is never closed", open_.back().bracket));
    return std::move(found_);
  }

 private:
  struct Open {
    char bracket;
    int line;
  };
  char now() const { return text_[at_]; }
  bool starts(std::string_view with) const { return text_.substr(at_).starts_with(with); }
  void pass(std::size_t count = 1) {
    for (; count && at_ < text_.size(); --count) line_ += text_[at_++] == '\n';
  }

  void step() {
    if (starts("//")) return pass(std::min(text_.find('\n', at_), text_.size()) - at_);
    if (starts("/*")) {
      const int begin = line_;
      const auto end = text_.find("*/", at_ + 2);
      if (end == text_.npos) refuse(file_, begin, "this comment is never closed");
      return pass(end + 2 - at_);
    }
    if (now() == '"' || (now() == '\'' && !(at_ > 0 && is_letter(text_[at_ - 1])))) return quoted(now());
    if (now() == '#' || begins_digraph()) return directive();
    if (is_letter(now())) return word();
    switch (now()) {
      case '(':
      case '[':
      case '{':
        open_.push_back({now(), line_});
        break;
      case ')':
      case ']':
      case '}':
        close(now());
        break;
      default:
        break;
    }
    pass();
  }

  void quoted(char mark) {
    const int begin = line_;
    // What a raw string holds ends with its own word.
    if (mark == '"' && at_ > 0 && text_[at_ - 1] == 'R') {
      const auto paren = text_.find('(', at_);
      if (paren == text_.npos) refuse(file_, begin, "this text in quotes is never closed");
      const std::string closing = ")" + std::string(text_.substr(at_ + 1, paren - at_ - 1)) + "\"";
      const auto end = text_.find(closing, paren);
      if (end == text_.npos) refuse(file_, begin, "this text in quotes is never closed");
      return pass(end + closing.size() - at_);
    }
    for (pass(); at_ < text_.size() && now() != mark; pass(now() == '\\' ? 2 : 1))
      if (now() == '\n') refuse(file_, begin, "this text in quotes is never closed");
    if (at_ >= text_.size()) refuse(file_, begin, "this text in quotes is never closed");
    pass();
  }

  /// How much of the text joins a line with the next: a backslash at its end, with or without blanks behind it.
  std::size_t splices_at(std::size_t at) const {
    const std::size_t first = at;
    while (at < text_.size() && text_[at] == '\\') {
      const auto end = text_.find_first_not_of(" \t\v\f\r", at + 1);
      if (end == text_.npos || text_[end] != '\n') break;
      at = end + 1;
    }
    return at - first;
  }
  /// "%:" is another spelling of '#'.
  bool begins_digraph() const {
    if (now() != '%') return false;
    const std::size_t next = at_ + 1 + splices_at(at_ + 1);
    return next < text_.size() && text_[next] == ':';
  }

  /// As the preprocessor reads it: a line that ends in a backslash goes on, and a comment is a space.
  void directive() {
    std::size_t end = at_ + 1;
    if (now() == '%') end += splices_at(end) + 1;
    std::string words;
    const auto stands = [&](std::string_view what) { return text_.substr(end).starts_with(what); };
    while (end < text_.size() && text_[end] != '\n') {
      if (const std::size_t splices = splices_at(end)) {
        end += splices;
      } else if (stands("/*")) {
        end = std::min(std::min(text_.find("*/", end + 2), text_.size()) + 2, text_.size());
      } else if (stands("//")) {
        end = std::min(text_.find('\n', end), text_.size());
      } else {
        if (!std::isspace(static_cast<unsigned char>(text_[end]))) words += text_[end];
        ++end;
      }
    }
    for (const char* name : {"include", "import", "embed"}) {
      if (!words.starts_with(name)) continue;
      if (words != "include<warploom/own.h>")
        refuse(file_, line_, "a map includes nothing; what it may use stands in docs/own-maps.md");
      // Means nothing, but to the user's own editor.
      ignored_.emplace_back(at_, end - at_);
      return pass(end - at_);
    }
    pass();
  }

  void word() {
    const auto begin = at_;
    while (at_ < text_.size() && is_letter(now())) pass();
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (!open_.empty()) return;
    auto next = text_.find_first_not_of(" \t\n", at_);
    if (next == text_.npos || text_[next] != '(') return;
    for (const std::string_view known : vocabulary)
      if (name == known) found_.emplace(name, line_);
  }

  void close(char bracket) {
    const char opening = bracket == ')' ? '(' : bracket == ']' ? '[' : '{';
    if (open_.empty()) refuse(file_, line_, fmt::format("this '{}' closes nothing", bracket));
    if (open_.back().bracket != opening)
      refuse(file_, line_,
             fmt::format("this '{}' does not close the '{}' of line {}", bracket, open_.back().bracket,
                         open_.back().line));
    open_.pop_back();
  }

  const std::string& file_;
  std::string_view text_;
  std::size_t at_ = 0;
  int line_ = 1;
  std::vector<Open> open_;
  std::map<std::string, int> found_;
  std::vector<std::pair<std::size_t, std::size_t>> ignored_;
};

}  // namespace

OwnSource read_own_text(const std::string& file, std::string_view bytes) {
  if (bytes.size() > most_own_bytes) refuse(file, 1, fmt::format("{} bytes; 65536 are the most", bytes.size()));
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  OwnSource text{file, std::filesystem::path(file).stem().string(), {}, {}, {}, 0};
  int line = 1;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == '\0') refuse(file, line, "a zero byte: this is no text");
    if (bytes[i] == '\r' && i + 1 < bytes.size() && bytes[i + 1] == '\n') continue;
    text.source += bytes[i];
    line += bytes[i] == '\n';
  }
  if (valid_utf8(text.source) != text.source) refuse(file, 1, "this is no UTF-8 text");
  if (text.source.find_first_not_of(" \t\n") == std::string::npos) refuse(file, 1, "the text is empty");
  const std::string source = text.source;
  Scanner scanner(file, source);
  text.functions = scanner.functions();
  for (const auto& [begin, length] : scanner.ignored()) {
    const auto first = text.source.begin() + static_cast<std::ptrdiff_t>(begin);
    std::replace_if(
        first, first + static_cast<std::ptrdiff_t>(length), [](char c) { return c != '\n'; }, ' ');
  }
  for (const std::string_view form : forms) {
    const auto defined = text.functions.find(std::string(form));
    if (defined == text.functions.end()) continue;
    if (!text.form.empty())
      refuse(file, std::max(defined->second, text.functions.at(text.form)),
             fmt::format("a text defines `{}` or `{}`, not both", text.form, form));
    text.form = form;
  }
  if (text.form.empty())
    refuse(
        file, 1,
        "a map defines `Place place(Block b, Domain d)` or `Place cell(Thread t, Domain d)`; a rule `bool rule(Around "
        "a)`; a whole step `template <class Group> void kernel(Group& g, From from, To to, Domain d)`; here is none "
        "of them");
  text.hash = text_hash(text.source);
  return text;
}

bool brackets_match(std::string_view text) {
  const std::string none;
  try {
    (void)Scanner(none, text).functions();
    return true;
  } catch (const FileError&) {
    return false;
  }
}

std::string line_of(std::string_view text, int line) {
  for (; line > 1; --line) {
    const auto end = text.find('\n');
    if (end == text.npos) return {};
    text.remove_prefix(end + 1);
  }
  return std::string(text.substr(0, text.find('\n')));
}

bool is_own_stem(std::string_view stem) {
  return !stem.empty() &&
         stem.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == stem.npos;
}

OwnSource read_own_file(const std::filesystem::path& path) {
  const std::string file = path.filename().string();
  if (!is_own_stem(path.stem().string()))
    throw FileError("--map " + path.string() + ": the name becomes the track's: letters, digits, '_' and '-' alone");
  // A pipe or a device may have no end.
  std::error_code none;
  if (std::filesystem::exists(path, none) && !std::filesystem::is_regular_file(path, none))
    throw FileError(path.string() + ": it is no file");
  if (const auto bytes = std::filesystem::file_size(path, none); !none && bytes > 4 * most_own_bytes)
    refuse(file, 1, fmt::format("{} bytes; 65536 are the most", bytes));
  return read_own_text(file, read_file(path));
}

}  // namespace warploom
