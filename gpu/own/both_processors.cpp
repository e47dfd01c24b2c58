#include "gpu/own/both_processors.h"

#include <algorithm>
#include <vector>

#include "gpu/own/text.h"

namespace warploom {

namespace {

/// Goes through the declarations of a text, and those inside structures and namespaces.
class Declarations {
 public:
  explicit Declarations(std::string_view text) : text_(text) {}

  /// Where functions begin that have a body, behind `template <...>`.
  std::vector<std::size_t> functions() {
    while (at_ < text_.size()) step();
    return std::move(found_);
  }

 private:
  void step() {
    const char c = text_[at_];
    if (skip()) return;
    if (is_letter(c)) return word();
    if (c == '{') return open();
    if (c == '}') {
      if (!open_.empty()) open_.pop_back();
      // Behind a variable of a structure's type stands a ';'; behind all else a declaration begins.
      if (declares() && parens_ == 0) start();
    } else if (declares()) {
      if (c == '(') ++parens_, has_parameters_ = has_parameters_ || (!assigned_ && angles_ == 0), operator_ = false;
      if (c == ')') --parens_;
      // Of what a template takes.
      if (c == '<' && template_ && parens_ == 0) ++angles_;
      if (c == '>' && template_ && parens_ == 0 && --angles_ == 0) start(), ++begin_;
      if (c == '=' && parens_ == 0 && angles_ == 0 && !operator_) assigned_ = true;
      if (c == ';' && parens_ == 0) start();
      if (c == ':' && access_) start();
      if (c != ' ' && c != '\n' && c != '\t') begin_here();
    }
    ++at_;
  }

  void word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_letter(text_[at_])) ++at_;
    if (!declares()) return;
    const std::string_view name = text_.substr(begin, at_ - begin);
    if (name == "template" && !begun_) template_ = true, angles_ = 0;
    access_ = !begun_ && (name == "public" || name == "private" || name == "protected");
    if (angles_ > 0) return;
    if (name == "operator") operator_ = true;
    // What a template requires stands before the function: `C<T>`, or in brackets.
    if (name == "requires" && !begun_) return pass_requirement();
    if (name == "struct" || name == "class" || name == "union" || name == "namespace" || name == "extern")
      holds_ = true;
    if (!begun_ && !template_) begin_ = begin;
    begun_ = true;
  }

  /// One word with what it is given, or brackets; more of them behind `&&` and `||`.
  void pass_requirement() {
    const auto space = [&] { at_ = std::min(text_.find_first_not_of(" \n\t", at_), text_.size()); };
    for (space(); at_ < text_.size(); space()) {
      while (at_ < text_.size() && (is_letter(text_[at_]) || text_[at_] == ':' || text_[at_] == '!')) ++at_;
      // In brackets '<' and '>' may compare.
      const char opening = at_ < text_.size() ? text_[at_] : ' ', closing = opening == '<' ? '>' : ')';
      int depth = 0;
      while ((opening == '<' || opening == '(') && at_ < text_.size()) {
        depth += text_[at_] == opening ? 1 : text_[at_] == closing ? -1 : 0;
        ++at_;
        if (depth == 0) break;
      }
      space();
      if (text_.substr(at_, 2) != "&&" && text_.substr(at_, 2) != "||") break;
      at_ += 2;
    }
    start();
  }

  void open() {
    const bool declared = declares();
    if (declared && has_parameters_ && !assigned_ && parens_ == 0) found_.push_back(begin_);
    open_.push_back(declared && holds_ && !has_parameters_ && !assigned_);
    ++at_;
    if (declares()) start();
  }

  /// Remarks, what stands in quotes, and directives.
  bool skip() {
    const std::string_view rest = text_.substr(at_);
    std::size_t end = 0;
    if (rest.starts_with("//") || rest.starts_with("#")) {
      end = rest.find('\n');
      while (end != rest.npos && end > 0 && rest[end - 1] == '\\') end = rest.find('\n', end + 1);
    } else if (rest.starts_with("/*")) {
      end = rest.find("*/", 2);
    } else if (rest[0] == '"' || (rest[0] == '\'' && !(at_ > 0 && is_letter(text_[at_ - 1])))) {
      end = 1;
      while (end < rest.size() && rest[end] != rest[0] && rest[end] != '\n') end += rest[end] == '\\' ? 2 : 1;
    } else {
      return false;
    }
    at_ = end == rest.npos ? text_.size() : std::min(text_.size(), at_ + end + 1);
    return true;
  }

  bool declares() const { return open_.empty() || open_.back(); }
  void begin_here() {
    if (!begun_ && !template_) begin_ = at_;
  }
  void start() {
    begin_ = at_;
    parens_ = angles_ = 0;
    begun_ = template_ = access_ = assigned_ = has_parameters_ = holds_ = operator_ = false;
  }

  std::string_view text_;
  std::size_t at_ = 0, begin_ = 0;
  std::vector<bool> open_;  ///< brackets, and whether there are declarations inside
  std::vector<std::size_t> found_;
  int parens_ = 0, angles_ = 0;
  bool begun_ = false, template_ = false, access_ = false, assigned_ = false, has_parameters_ = false, holds_ = false,
       operator_ = false;
};

}  // namespace

std::string for_both_processors(std::string_view text) {
  std::string all;
  std::size_t done = 0;
  for (const std::size_t begin : Declarations(text).functions()) {
    all.append(text.substr(done, begin - done)) += "WARPLOOM_HD ";
    done = begin;
  }
  return all.append(text.substr(done));
}

}  // namespace warploom
