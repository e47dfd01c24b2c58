#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

// The layers, held by reading the source tree: who may say what, and how long a file may be.

namespace {

namespace fs = std::filesystem;

struct Source {
  std::string path, text;
};

std::string read(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  return all.str();
}

const std::vector<Source>& sources() {
  static const std::vector<Source> all = [] {
    const fs::path root = WARPLOOM_SOURCE_DIR;
    const std::set<std::string> kinds{".h",    ".cpp",  ".cu",   ".cuh", ".c",  ".glsl",
                                      ".vert", ".frag", ".comp", ".py",  ".sh", ".cmake"};
    std::vector<Source> found;
    for (const auto* folder : {"gpu", "viewer", "tests", "shaders", "scripts", "cmake"}) {
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

bool under(const Source& source, const std::string& folder) { return source.path.starts_with(folder + "/"); }

/// "path:line" of every match in the sources that `where` picks.
std::vector<std::string> places(const std::string& pattern, const std::function<bool(const Source&)>& where,
                                std::regex::flag_type flags = std::regex::ECMAScript) {
  const std::regex wanted(pattern, flags | std::regex::optimize);
  std::vector<std::string> found;
  for (const Source& source : sources()) {
    if (!where(source)) continue;
    std::istringstream lines(source.text);
    int number = 0;
    for (std::string line; std::getline(lines, line);)
      if (++number; std::regex_search(line, wanted))
        found.push_back(source.path + ":" + std::to_string(number) + ": " + line);
  }
  return found;
}

std::string listed(const std::vector<std::string>& all) {
  std::string text;
  for (const auto& one : all) text += "\n  " + one;
  return text;
}

std::set<std::string> files_of(const std::vector<std::string>& all) {
  std::set<std::string> files;
  for (const auto& one : all) files.insert(one.substr(0, one.find(':')));
  return files;
}

bool no_test(const Source& source) { return !under(source, "tests"); }
bool in_gpu(const Source& source) { return under(source, "gpu"); }

/// Comments, strings and raw strings of C++ are words, not calls.
std::string code_only(const std::string& text) {
  static const std::regex words(R"re(//[^\n]*|/\*[\s\S]*?\*/|"(?:\\.|[^"\\\n])*")re", std::regex::optimize);
  return std::regex_replace(text, words, " ");
}

TEST(Layering, TheTreeIsThere) {
  EXPECT_GT(sources().size(), 50u);
  EXPECT_FALSE(places("run_program", in_gpu).empty());
}

TEST(Layering, KernelsAreLaunchedInOneFile) {
  EXPECT_EQ(files_of(places("<<<", no_test)), std::set<std::string>{"gpu/core/launch.h"});
}

TEST(Layering, GraphicsInteropInOneFile) {
  const auto files = files_of(places("cudaGraphics", no_test));
  EXPECT_LE(files.size(), 1u) << listed({files.begin(), files.end()});
  for (const auto& file : files) EXPECT_TRUE(file.starts_with("viewer/interop/")) << file;
}

TEST(Layering, RawOpenGlOnlyWhereItBelongs) {
  const std::regex call(R"(\bgl[A-Z]\w*\s*\()");
  for (const Source& source : sources()) {
    if (under(source, "viewer/gl") || under(source, "viewer/interop") || under(source, "tests")) continue;
    if (!source.path.ends_with(".h") && !source.path.ends_with(".cpp") && !source.path.ends_with(".cu")) continue;
    const std::string code = code_only(source.text);
    std::smatch match;
    // GLFW's own names begin with glfw, in lower case.
    EXPECT_FALSE(std::regex_search(code, match, call)) << source.path << ": " << match.str();
  }
}

TEST(Layering, TheLibraryKnowsNoWindow) {
  const auto found = places(R"(viewer|imgui|glfw|glad\b|opengl/|\bGL/)", in_gpu, std::regex::icase);
  EXPECT_TRUE(found.empty()) << listed(found);
}

TEST(Layering, MapsAndWorksKnowNoBackend) {
  const auto found = places("__global__|__device__|__shared__|threadIdx|blockIdx|blockDim|__CUDA_ARCH__|__CUDACC__|<<<",
                            [](const Source& source) {
                              return under(source, "gpu/maps") || under(source, "gpu/works") ||
                                     under(source, "gpu/binning") || under(source, "gpu/butterfly");
                            });
  EXPECT_TRUE(found.empty()) << listed(found);
}

TEST(Layering, HostHeadersOfOpsArePlainCpp) {
  const auto found = places("cuda_runtime|__global__|threadIdx|__CUDACC__", [](const Source& source) {
    return (under(source, "gpu/tracks") || under(source, "gpu/pictures") || under(source, "gpu/files")) &&
           source.path.ends_with(".h");
  });
  EXPECT_TRUE(found.empty()) << listed(found);
}

TEST(Layering, IncludesPointDownwards) {
  // The lower layer of each pair may not include the upper one.
  for (const auto& [lower, upper] : std::vector<std::pair<std::string, std::string>>{
           {"gpu/core", "gpu/(maps|works|binning|butterfly|pictures|files|tracks|bench)/"},
           {"gpu/maps", "gpu/(works|pictures|files|tracks|bench)/"},
           {"gpu/works", "gpu/(pictures|files|tracks|bench)/"},
           {"gpu/tracks", "gpu/bench/"},
           {"gpu/bench", "viewer/"},
           {"viewer/gl", "viewer/(interop|draw|ui|scenes|panels)/"},
           {"viewer/ui", "viewer/scenes/"}}) {
    const auto found = places("#include \"" + upper, [&](const Source& source) { return under(source, lower); });
    EXPECT_TRUE(found.empty()) << lower << listed(found);
  }
}

TEST(Layering, FilesAreShort) {
  for (const Source& source : sources()) {
    const auto lines = std::count(source.text.begin(), source.text.end(), '\n');
    EXPECT_LE(lines, 400) << source.path;
  }
}

TEST(Layering, EveryCitationIsInTheReferences) {
  const std::string references = read(fs::path(WARPLOOM_SOURCE_DIR) / "gpu" / "REFERENCES.md");
  ASSERT_FALSE(references.empty()) << "gpu/REFERENCES.md is missing";
  const std::regex key(R"re([\["]([a-z]+(?:19|20)\d\d[a-z]+)(?=[\],"]))re");
  std::set<std::string> cited;
  for (const Source& source : sources()) {
    if (!no_test(source)) continue;
    for (std::sregex_iterator at(source.text.begin(), source.text.end(), key), end; at != end; ++at) {
      cited.insert((*at)[1]);
      EXPECT_NE(references.find((*at)[1].str()), std::string::npos) << (*at)[1] << " in " << source.path;
    }
  }
  EXPECT_TRUE(cited.contains("navarro2020fractals"));
}

TEST(Layering, NothingIsLeftForLater) {
  const auto found = places(
      "TO"
      "DO|FIX"
      "ME",
      [](const Source&) { return true; });
  EXPECT_TRUE(found.empty()) << listed(found);
}

}  // namespace
