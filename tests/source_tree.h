#pragma once
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

// The source tree as text, for tests that hold it to its rules.

namespace warploom::tree {

namespace fs = std::filesystem;

struct Source {
  std::string path, text;
};

inline std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

inline const std::vector<Source>& sources() {
  static const std::vector<Source> all = [] {
    const fs::path root = WARPLOOM_SOURCE_DIR;
    const std::set<std::string> kinds{".h",    ".cpp",  ".cu",   ".cuh", ".c",  ".glsl",
                                      ".vert", ".frag", ".comp", ".py",  ".sh", ".cmake"};
    std::vector<Source> found;
    for (const auto* folder : {"gpu", "viewer", "tests", "shaders", "scripts", "cmake", "examples"}) {
      if (!fs::is_directory(root / folder)) continue;
      for (const auto& entry : fs::recursive_directory_iterator(root / folder))
        if (entry.is_regular_file() &&
            (kinds.contains(entry.path().extension().string()) || entry.path().filename() == "CMakeLists.txt"))
          found.push_back({fs::relative(entry.path(), root).generic_string(), read(entry.path())});
    }
    std::sort(found.begin(), found.end(), [](const Source& a, const Source& b) { return a.path < b.path; });
    return found;
  }();
  return all;
}

inline bool under(const Source& source, const std::string& folder) { return source.path.starts_with(folder + "/"); }

using Words = std::vector<std::string_view>;
using Pick = std::function<bool(const Source&)>;

/// Calls body(number, line) for each line.
template <class Body>
void each_line(std::string_view text, Body&& body) {
  int number = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    body(++number, text.substr(at, end - at));
    at = end + 1;
  }
}

/// "path:line: text" of every line that holds one of the words, in the sources that `where` picks.
inline std::vector<std::string> places(const Words& words, const Pick& where) {
  std::vector<std::string> found;
  for (const Source& source : sources())
    if (where(source))
      each_line(source.text, [&](int number, std::string_view line) {
        if (std::any_of(words.begin(), words.end(), [&](auto word) { return line.find(word) != line.npos; }))
          found.push_back(source.path + ":" + std::to_string(number) + ": " + std::string(line));
      });
  return found;
}

inline std::string listed(const std::vector<std::string>& all) {
  std::string text;
  for (const auto& one : all) text += "\n  " + one;
  return text;
}

inline std::set<std::string> files_of(const std::vector<std::string>& all) {
  std::set<std::string> files;
  for (const auto& one : all) files.insert(one.substr(0, one.find(':')));
  return files;
}

inline std::string in_small_letters(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

inline bool no_test(const Source& source) { return !under(source, "tests"); }
inline bool in_gpu(const Source& source) { return under(source, "gpu"); }
inline bool is_header(const Source& source) { return source.path.ends_with(".h"); }
inline bool is_cpp(const Source& source) {
  return is_header(source) || source.path.ends_with(".cpp") || source.path.ends_with(".cu");
}

/// Comments and strings of C++ are words, not calls: blanks in their place.
inline std::string code_only(const std::string& text) {
  std::string code;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    if (text.compare(at, 2, "//") == 0) {
      end = std::min(text.find('\n', at), text.size());
    } else if (text.compare(at, 2, "/*") == 0) {
      end = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    } else if (text[at] == '"') {
      for (end = at + 1; end < text.size() && text[end] != '"' && text[end] != '\n';) end += text[end] == '\\' ? 2 : 1;
      end = std::min(end + 1, text.size());
    }
    code += end > at ? ' ' : text[at];
    at = end > at ? end : at + 1;
  }
  return code;
}

inline bool is_word_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// The first call of an OpenGL function, glSomething( in code; GLFW's own names begin with glfw, in lower case.
inline std::string open_gl_call(const std::string& code) {
  for (std::size_t at = code.find("gl"); at != code.npos; at = code.find("gl", at + 2)) {
    if ((at > 0 && is_word_letter(code[at - 1])) || at + 2 >= code.size() ||
        !std::isupper(static_cast<unsigned char>(code[at + 2])))
      continue;
    std::size_t end = at;
    while (end < code.size() && is_word_letter(code[end])) ++end;
    const std::size_t next = code.find_first_not_of(" \t\n", end);
    if (next != code.npos && code[next] == '(') return code.substr(at, end - at);
  }
  return {};
}

/// What each file of the tree includes, as it is written, and all that this includes in turn.
class Includes {
 public:
  Includes() {
    for (const Source& source : sources())
      if (is_cpp(source)) each_line(source.text, [&](int, std::string_view line) { read(source.path, line); });
  }
  const std::set<std::string>& direct(const std::string& path) const {
    static const std::set<std::string> none;
    const auto at = direct_.find(path);
    return at == direct_.end() ? none : at->second;
  }
  std::set<std::string> all(const std::string& path) const {
    std::set<std::string> seen;
    follow(path, seen);
    return seen;
  }

 private:
  void read(const std::string& path, std::string_view line) {
    constexpr std::string_view word = "#include ";
    if (!line.starts_with(word)) return;
    const std::size_t end = line.find_first_of("\">", word.size() + 1);
    if (end != line.npos) direct_[path].emplace(line.substr(word.size() + 1, end - word.size() - 1));
  }
  void follow(const std::string& path, std::set<std::string>& seen) const {
    for (const auto& one : direct(path))
      if (seen.insert(one).second) follow(one, seen);
  }
  std::map<std::string, std::set<std::string>> direct_;
};

inline const Includes& includes() {
  static const Includes all;
  return all;
}

/// "file includes what" for every include, of includes too where `deep`, that `wrong` calls wrong.
inline std::vector<std::string> wrong_includes(const Pick& where, bool deep,
                                               const std::function<bool(const std::string&)>& wrong) {
  std::vector<std::string> found;
  for (const Source& source : sources()) {
    if (!is_cpp(source) || !where(source)) continue;
    for (const auto& one : deep ? includes().all(source.path) : includes().direct(source.path))
      if (wrong(one)) found.push_back(source.path + ": includes " + one);
  }
  return found;
}

/// A header of group programs: kernels are made from it.
inline bool is_kernel_header(const std::string& path) {
  const std::set<std::string> makers{"gpu/core/group.h", "gpu/core/launch.h"};
  if (makers.contains(path)) return true;
  const auto all = includes().all(path);
  return std::any_of(makers.begin(), makers.end(), [&](const auto& one) { return all.contains(one); });
}

inline bool is_graphics(const std::string& include) {
  for (const auto* start : {"imgui", "backends/imgui", "glad/", "GL/", "EGL/", "GLES"})
    if (include.starts_with(start)) return true;
  return false;
}

}  // namespace warploom::tree
