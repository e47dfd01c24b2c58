#pragma once
#include <toml++/toml.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace warploom {

/// A file of a tour, a puzzle or a class: TOML whose errors have FILE:LINE first.
class TomlFile {
 public:
  /// Throws FileError where it is no TOML.
  TomlFile(const std::string& text, std::string origin);

  const toml::table& table() const { return table_; }
  const std::string& origin() const { return origin_; }
  std::size_t line(const toml::node& node) const { return node.source().begin.line; }
  [[noreturn]] void fail(const toml::node& node, const std::string& what) const { fail_at(line(node), what); }
  [[noreturn]] void fail_at(std::size_t line, const std::string& what) const;

  /// Throws FileError with the nearest of `known`.
  void check_keys(const toml::table& table, const std::vector<std::string>& known) const;
  /// `schema = 1`
  void check_schema() const;
  /// A text of at most `longest` characters, without line breaks at its end. Missing: an error where it is `required`,
  /// else empty.
  std::string text(const toml::table& table, const char* key, std::size_t longest, bool required = true) const;
  std::vector<std::string> texts(const toml::table& table, const char* key, std::size_t least, std::size_t most) const;
  double number(const toml::table& table, const char* key, double low = -1e15, double high = 1e15) const;
  /// false where it is missing.
  bool boolean(const toml::table& table, const char* key) const;
  /// `scene`: one of those there are.
  std::string scene(const toml::table& table) const;
  /// An array of tables, one at least.
  std::vector<const toml::table*> tables(const toml::table& table, const char* key, std::size_t most) const;
  /// A text of several lines, and the number of its first line in the file.
  std::pair<std::string, std::size_t> block(const toml::node& node) const;

 private:
  std::string origin_;
  std::vector<std::string> lines_;
  toml::table table_;
};

/// The text of such a file, at most 1 MiB. `what`: "a tour". Throws FileError.
std::string read_teaching_file(const std::filesystem::path& file, const std::string& what);

/// A value of a tour, a puzzle or a class that, if it is a file's name, names one outside of their folder.
inline bool leads_out(const std::filesystem::path& value) {
  return value.is_absolute() || std::ranges::count(value, "..") > 0;
}

}  // namespace warploom
