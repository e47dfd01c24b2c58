#include "viewer/teach/toml_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gpu/core/error.h"
#include "gpu/core/format.h"
#include "gpu/files/input.h"
#include "viewer/model/scene.h"
#include "viewer/teach/words.h"

namespace warploom {

namespace {

/// Characters, not bytes.
std::size_t length_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return (c & 0xc0) != 0x80; }));
}

}  // namespace

TomlFile::TomlFile(const std::string& text, std::string origin) : origin_(std::move(origin)) {
  lines_ = script_lines(text, origin_);
  try {
    table_ = toml::parse(text, origin_);
  } catch (const toml::parse_error& error) {
    fail_at(error.source().begin.line, fmt::format("not TOML: {}", error.description()));
  }
}

void TomlFile::fail_at(std::size_t line, const std::string& what) const {
  throw FileError(at_line(origin_, line) + what);
}

void TomlFile::check_keys(const toml::table& table, const std::vector<std::string>& known) const {
  for (const auto& [key, value] : table)
    if (!std::ranges::count(known, std::string(key.str())))
      fail(value, unknown_message("key", std::string(key.str()), known));
}

void TomlFile::check_schema() const {
  const toml::node* schema = table_.get("schema");
  if (!schema) fail_at(1, "key 'schema' is missing: schema = 1");
  if (schema->value<std::int64_t>() != 1) fail(*schema, "schema: this program reads 1");
}

std::string TomlFile::text(const toml::table& table, const char* key, std::size_t longest, bool required) const {
  const toml::node* node = table.get(key);
  if (!node && !required) return {};
  if (!node) fail_at(std::max<std::size_t>(1, line(table)), fmt::format("key '{}' is missing", key));
  auto value = node->is_string() ? node->value<std::string>() : std::nullopt;
  if (!value) fail(*node, fmt::format("{}: expected text", key));
  while (!value->empty() && (value->back() == '\n' || value->back() == ' ')) value->pop_back();
  if (value->empty() && required) fail(*node, fmt::format("{}: it is empty", key));
  if (const std::size_t length = length_of(*value); length > longest)
    fail(*node, fmt::format("{}: {} characters, {} are the most", key, length, longest));
  return *value;
}

std::vector<std::string> TomlFile::texts(const toml::table& table, const char* key, std::size_t least,
                                         std::size_t most) const {
  const toml::node* node = table.get(key);
  if (!node) fail(table, fmt::format("key '{}' is missing", key));
  const auto* list = node->as_array();
  if (!list || list->size() < least || list->size() > most)
    fail(*node, fmt::format("{}: expected a list of {} to {} texts", key, least, most));
  std::vector<std::string> all;
  for (const auto& one : *list) {
    const auto word = one.is_string() ? one.value<std::string>() : std::nullopt;
    if (!word || word->empty()) fail(one, fmt::format("{}: expected texts", key));
    all.push_back(*word);
  }
  return all;
}

double TomlFile::number(const toml::table& table, const char* key, double low, double high) const {
  const toml::node* node = table.get(key);
  if (!node) fail(table, fmt::format("key '{}' is missing", key));
  const auto value = node->is_number() ? node->value<double>() : std::nullopt;
  if (!value || !std::isfinite(*value) || *value < low || *value > high)
    fail(*node, fmt::format("{}: expected a number from {:g} to {:g}", key, low, high));
  return *value;
}

bool TomlFile::boolean(const toml::table& table, const char* key) const {
  const toml::node* node = table.get(key);
  if (!node) return false;
  if (!node->is_boolean()) fail(*node, std::string(key) + ": expected true or false");
  return *node->value<bool>();
}

std::string TomlFile::scene(const toml::table& table) const {
  std::string key = text(table, "scene", 60);
  const auto known = texts_of(make_scenes(), [](const auto& scene) { return scene->key(); });
  if (!std::ranges::count(known, key)) fail(*table.get("scene"), unknown_message("scene", key, known));
  return key;
}

std::vector<const toml::table*> TomlFile::tables(const toml::table& table, const char* key, std::size_t most) const {
  const toml::node* node = table.get(key);
  const auto* list = node ? node->as_array() : nullptr;
  if (!list || list->empty()) fail_at(node ? line(*node) : 1, fmt::format("{0}: expected [[{0}]], one at least", key));
  if (list->size() > most) fail(*node, fmt::format("{}: {} of them, {} are the most", key, list->size(), most));
  std::vector<const toml::table*> all;
  for (const auto& one : *list) {
    if (!one.is_table()) fail(one, fmt::format("{0}: expected [[{0}]]", key));
    all.push_back(one.as_table());
  }
  return all;
}

std::pair<std::string, std::size_t> TomlFile::block(const toml::node& node) const {
  const auto text = node.is_string() ? node.value<std::string>() : std::nullopt;
  if (!text) fail(node, "expected text");
  // TOML leaves the line break after the opening quotes out.
  const std::size_t first = line(node);
  std::string begins = first >= 1 && first <= lines_.size() ? lines_[first - 1] : std::string();
  while (begins.ends_with(' ')) begins.pop_back();
  return {*text, first + (begins.ends_with("\"\"\"") || begins.ends_with("'''") ? 1 : 0)};
}

std::string read_teaching_file(const std::filesystem::path& file, const std::string& what) {
  constexpr std::uintmax_t most = 1u << 20;
  std::error_code failed;
  if (const auto size = std::filesystem::file_size(file, failed); !failed && size > most)
    throw FileError(fmt::format("{}: {} bytes, {} are the most", file.string(), size, most));
  return read_input(file, what + ", .toml");
}

}  // namespace warploom
