#include "tests/source_tree.h"

#include <gtest/gtest.h>

// The layers, held by reading the source tree: who may say what, and how long a file may be.

namespace warploom::tree {
namespace {

/// The scenes: every folder of scenes on either side.
std::set<std::string> scenes() {
  std::set<std::string> all;
  for (const auto* room : {"gpu/scenes", "viewer/scenes"})
    for (const auto& entry : fs::directory_iterator(fs::path(WARPLOOM_SOURCE_DIR) / room))
      if (entry.is_directory()) all.insert(entry.path().filename().string());
  return all;
}

/// The scene that a file belongs to; empty: the base.
std::string scene_of(const std::string& path) {
  for (const std::string room : {"gpu/scenes/", "viewer/scenes/"})
    if (path.starts_with(room) && path.find('/', room.size()) != path.npos)
      return path.substr(room.size(), path.find('/', room.size()) - room.size());
  return {};
}

TEST(Layering, TheTreeIsThere) {
  EXPECT_GT(sources().size(), 50u);
  EXPECT_FALSE(places({"run_program"}, in_gpu).empty());
  EXPECT_TRUE(includes().all("gpu/core/launch.h").contains("gpu/core/macros.h"));
}

TEST(Layering, HelpersFindWhatTheyShould) {
  EXPECT_EQ(open_gl_call(code_only("int glue; // glFinish()\n \"glFlush(\" glfwPoll(); agl(); gl::Flush();")), "");
  EXPECT_EQ(open_gl_call(code_only("x = \"a\\\"b\"; /* c */ glClear (1);")), "glClear");
  EXPECT_EQ(open_gl_call("glProc name;"), "");
  EXPECT_TRUE(is_kernel_header("gpu/scenes/fractal/works/map_program.h") || is_kernel_header("gpu/core/launch.h"));
  EXPECT_TRUE(is_kernel_header("gpu/scenes/fractal/tracks/fractal_track.h"));
  EXPECT_FALSE(is_kernel_header("gpu/core/types.h"));
  EXPECT_TRUE(is_graphics("imgui.h") && is_graphics("GL/gl.h") && !is_graphics("gpu/core/types.h"));
}

TEST(Layering, KernelsAreLaunchedInOneFile) {
  EXPECT_EQ(files_of(places({"<<<"}, no_test)), std::set<std::string>{"gpu/core/launch.h"});
}

TEST(Layering, GraphicsInteropInOneFile) {
  const auto files = files_of(places({"cudaGraphics"}, no_test));
  EXPECT_LE(files.size(), 1u) << listed({files.begin(), files.end()});
  for (const auto& file : files) EXPECT_TRUE(file.starts_with("viewer/interop/")) << file;
}

TEST(Layering, RawOpenGlOnlyWhereItBelongs) {
  for (const Source& source : sources()) {
    if (under(source, "viewer/gl") || under(source, "viewer/interop") || under(source, "tests")) continue;
    if (is_cpp(source)) {
      EXPECT_EQ(open_gl_call(code_only(source.text)), "") << source.path;
    }
  }
}

TEST(Layering, TheLibraryKnowsNoWindow) {
  std::vector<std::string> found;
  for (const Source& source : sources()) {
    if (!in_gpu(source)) continue;
    each_line(source.text, [&](int number, std::string_view line) {
      const std::string small = in_small_letters(std::string(line));
      bool knows = false;
      for (const auto* word : {"viewer", "imgui", "glfw", "opengl/"}) knows = knows || small.find(word) != small.npos;
      // Whole words: "gladly" and "png/" are none.
      for (const std::string word : {"glad", "gl/"})
        for (std::size_t at = small.find(word); at != small.npos; at = small.find(word, at + 1))
          knows = knows || ((at == 0 || !is_word_letter(small[at - 1])) &&
                            (word == "gl/" || at + 4 >= small.size() || !is_word_letter(small[at + 4])));
      if (knows) found.push_back(source.path + ":" + std::to_string(number) + ": " + std::string(line));
    });
  }
  EXPECT_TRUE(found.empty()) << listed(found);
}

TEST(Layering, MapsAndWorksKnowNoBackend) {
  std::vector<std::string> found;
  for (const Source& source : sources()) {
    const bool kernels = source.path.starts_with("gpu/scenes/") && source.path.find("/tracks/") == source.path.npos &&
                         source.path.find("/pictures/") == source.path.npos &&
                         source.path.find("/vendor/") == source.path.npos &&
                         source.path.find("/bench/") == source.path.npos;
    if (!under(source, "gpu/maps") && !kernels) continue;
    const std::string code = code_only(source.text);
    for (const auto* word : {"__global__", "__device__", "__shared__", "threadIdx", "blockIdx", "blockDim",
                             "__CUDA_ARCH__", "__CUDACC__", "<<<"})
      if (code.find(word) != code.npos) found.push_back(source.path + ": " + word);
  }
  EXPECT_TRUE(found.empty()) << listed(found);
}

TEST(Layering, WhereCodeRunsIsAskedInTheCoreAlone) {
  const auto found = places({"__CUDA_ARCH__"}, [](const Source& source) {
    return no_test(source) && is_cpp(source) && !under(source, "gpu/core");
  });
  EXPECT_TRUE(found.empty()) << listed(found);
}

/// A header is host API, or kernels are made from it: what the headers include decides, no list.
TEST(Layering, HostHeadersArePlainCpp) {
  const auto found =
      places({"cuda_runtime", "__global__", "__device__", "threadIdx", "__CUDACC__"}, [](const auto& one) {
        // The core's own say how plain C++ becomes CUDA; a benchmark may use bare instructions; own/std stands in for
        // headers of compilers.
        return in_gpu(one) && !under(one, "gpu/core") && !under(one, "gpu/bench") && !under(one, "gpu/own/std") &&
               one.path.find("/bench/") == one.path.npos && is_header(one) && !is_kernel_header(one.path);
      });
  EXPECT_TRUE(found.empty()) << listed(found);
}

TEST(Layering, TheViewerSeesNoKernels) {
  const auto found = wrong_includes([](const Source& one) { return under(one, "viewer"); }, true, is_kernel_header);
  EXPECT_TRUE(found.empty()) << listed(found);
}

TEST(Layering, TheApiOfTracksIsPlainCpp) {
  std::vector<std::string> api{"gpu/tracks/track.h", "gpu/tracks/simulation.h", "gpu/tracks/timings.h"};
  for (const std::string& scene : scenes())
    if (const std::string header = "gpu/scenes/" + scene + "/" + scene + ".h";
        fs::exists(fs::path(WARPLOOM_SOURCE_DIR) / header))
      api.push_back(header);
  EXPECT_GE(api.size(), 5u);
  for (const auto& path : api) EXPECT_FALSE(is_kernel_header(path)) << path;
}

TEST(Layering, ModelAndScenesSeeNoGraphics) {
  const auto found = wrong_includes(
      [](const Source& one) {
        const bool drawn = one.path.find("/cards/") != one.path.npos || one.path.find("/plots/") != one.path.npos;
        return under(one, "viewer/model") || (under(one, "viewer/scenes") && !drawn);
      },
      true, is_graphics);
  EXPECT_TRUE(found.empty()) << listed(found);
  EXPECT_FALSE(wrong_includes([](const Source& one) { return under(one, "viewer/ui"); }, true, is_graphics).empty());
}

/// What every track and every scene must answer; all else is a facet, that only some offer.
TEST(Layering, TheCoresAreSmall) {
  for (const auto& [path, class_name, most] : std::vector<std::tuple<std::string, std::string, int>>{
           {"gpu/tracks/track.h", "class Track", 12}, {"viewer/model/scene.h", "class Scene", 9}}) {
    const std::string text = code_only(read(fs::path(WARPLOOM_SOURCE_DIR) / path));
    const auto begin = text.find(class_name + " "), end = text.find("\n};", begin);
    ASSERT_NE(begin, text.npos) << path;
    int functions = 0;
    for (auto at = begin; (at = text.find("virtual ", at + 1)) < end;) functions += text[at + 8] != '~';
    EXPECT_GT(functions, 4) << path;
    EXPECT_LE(functions, most) << path;
  }
}

/// The base never includes a scene, and a scene never includes a sibling. One file names them all: their list.
TEST(Layering, ScenesAreIncludedByThemselvesAlone) {
  EXPECT_GE(scenes().size(), 4u);
  std::set<std::string> found;
  for (const Source& source : sources()) {
    if (!is_cpp(source) || !(in_gpu(source) || under(source, "viewer"))) continue;
    if (source.path == "viewer/scenes/list.cpp") continue;
    for (const auto& one : includes().direct(source.path))
      if (const std::string scene = scene_of(one); !scene.empty() && scene != scene_of(source.path))
        found.insert(source.path + ": includes " + one);
  }
  EXPECT_TRUE(found.empty()) << listed({found.begin(), found.end()});
}

/// The base knows what every scene has, and facets; never a scene by its name.
TEST(Layering, TheBaseNamesNoScene) {
  const auto asks = [](const Source& one) {
    for (const auto* room : {"viewer/panels", "viewer/model", "viewer/export", "viewer/draw", "viewer/cli",
                             "viewer/app", "viewer/teach", "viewer/base", "viewer/ui", "viewer/gl", "viewer/interop",
                             "gpu/core", "gpu/maps", "gpu/pictures", "gpu/files", "gpu/tracks", "gpu/bench"})
      if (under(one, room)) return is_cpp(one);
    return false;
  };
  std::vector<std::string> words{"\"tetrahedron", "\"lambda_", "\"[mask]\"", "\"mask\""};
  for (const std::string& scene : scenes()) words.push_back("\"" + scene + "\"");
  const auto names = places({words.begin(), words.end()}, asks);
  EXPECT_TRUE(names.empty()) << listed(names);
}

/// Floors of the house: a file includes files of its own room and of lower floors.
TEST(Layering, IncludesPointDownwards) {
  const std::vector<std::pair<std::string, int>> floors{
      {"gpu/core/", 0},       {"gpu/own/", 2},       {"gpu/maps/", 1},       {"gpu/files/", 2},
      {"gpu/pictures/", 1},   {"gpu/tracks/", 3},    {"gpu/bench/", 4},      {"gpu/scenes/", 5},
      {"viewer/base/", 6},    {"viewer/gl/", 7},     {"viewer/ui/", 7},      {"viewer/interop/", 8},
      {"viewer/draw/", 9},    {"viewer/model/", 9},  {"viewer/scenes/", 10}, {"viewer/export/", 10},
      {"viewer/panels/", 11}, {"viewer/teach/", 12}, {"viewer/app/", 13},    {"viewer/cli/", 14},
      {"viewer/main.cpp", 15}};
  const auto floor = [&](const std::string& path) {
    // A scene's cards and plots are parts of panels.
    if (path.starts_with("viewer/scenes/") && (path.find("/cards/") != path.npos || path.find("/plots/") != path.npos))
      return 12;
    for (const auto& [room, number] : floors)
      if (path.starts_with(room)) return number;
    return -1;
  };
  const auto room_of = [](const std::string& path) { return path.substr(0, path.find('/', path.find('/') + 1)); };
  std::vector<std::string> found;
  for (const Source& source : sources()) {
    if (!is_cpp(source) || !(in_gpu(source) || under(source, "viewer"))) continue;
    EXPECT_GE(floor(source.path), 0) << source.path << " is in no room";
    for (const auto& one : includes().direct(source.path)) {
      const bool same = room_of(one) == room_of(source.path) && floor(one) == floor(source.path);
      const std::string include = source.path + ": includes " + one;
      if ((one.starts_with("gpu/") || one.starts_with("viewer/")) && !same && floor(one) >= floor(source.path))
        found.push_back(include);
    }
  }
  EXPECT_TRUE(found.empty()) << listed(found);
}

TEST(Layering, FilesAreShort) {
  for (const Source& source : sources()) {
    const auto lines = std::count(source.text.begin(), source.text.end(), '\n');
    EXPECT_LE(lines, 400) << source.path;
  }
}

/// Keys of references, [navarro2020fractals] or "navarro2020fractals": letters, a year, letters.
std::set<std::string> citations(const std::string& text) {
  std::set<std::string> keys;
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t at = 1; at < text.size(); ++at) {
    if ((text[at - 1] != '[' && text[at - 1] != '"') || !letter(text[at])) continue;
    std::size_t end = at;
    while (end < text.size() && letter(text[end])) ++end;
    const std::size_t year = end;
    while (end < text.size() && digit(text[end])) ++end;
    const std::string_view century = std::string_view(text).substr(year, 2);
    const std::size_t word = end;
    while (end < text.size() && letter(text[end])) ++end;
    if (word == year + 4 && (century == "19" || century == "20") && end > word && end < text.size() &&
        (text[end] == ']' || text[end] == ',' || text[end] == '"'))
      keys.insert(text.substr(at, end - at));
  }
  return keys;
}

TEST(Layering, EveryCitationIsInTheReferences) {
  EXPECT_EQ(citations("[a2020b] [a1999c, \"d2001e\" [f1800g] h2000i [j2000] [k20200l]"),
            (std::set<std::string>{"a2020b", "a1999c", "d2001e"}));
  const std::string references = read(fs::path(WARPLOOM_SOURCE_DIR) / "gpu" / "REFERENCES.md");
  ASSERT_FALSE(references.empty()) << "gpu/REFERENCES.md is missing";
  std::set<std::string> cited;
  for (const Source& source : sources()) {
    if (!no_test(source)) continue;
    for (const auto& key : citations(source.text)) {
      cited.insert(key);
      EXPECT_NE(references.find(key), std::string::npos) << key << " in " << source.path;
    }
  }
  EXPECT_TRUE(cited.contains("navarro2020fractals"));
}

TEST(Layering, NothingIsLeftForLater) {
  const auto found = places({"TO"
                             "DO",
                             "FIX"
                             "ME"},
                            [](const Source&) { return true; });
  EXPECT_TRUE(found.empty()) << listed(found);
}

}  // namespace
}  // namespace warploom::tree
