#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "tests/viewer/ui_glyphs.h"
#include "viewer/ui/fonts.h"
#include "viewer/ui/text.h"

// Without a font of the system: the built-in one, and words in place of what it lacks.

namespace warploom::ui {
namespace {

namespace fs = std::filesystem;

class BuiltInFont : public testing::Test {
 protected:
  void SetUp() override {
    ImGui::CreateContext();
    font = ImGui::GetIO().Fonts->AddFontDefault();
    ImGui::GetIO().Fonts->Build();
  }
  void TearDown() override { ImGui::DestroyContext(); }
  const ImFont* font = nullptr;
};

/// Characters beyond ASCII in the strings of the sources.
std::set<std::string> written() {
  std::set<std::string> all;
  const std::regex escape(R"(\\u([0-9a-f]{4}))"), text(R"re("(?:\\.|[^"\\\n])*")re"),
      character("[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf][\x80-\xbf]");
  for (const auto* folder : {"gpu", "viewer"})
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(WARPLOOM_SOURCE_DIR) / folder)) {
      if (entry.path().filename() == "spelled.cpp") continue;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        if (line.find('"') == std::string::npos) continue;
        for (std::sregex_iterator at(line.begin(), line.end(), text), end; at != end; ++at) {
          const std::string words = at->str();
          for (std::sregex_iterator c(words.begin(), words.end(), escape); c != end; ++c)
            all.insert(utf8(static_cast<unsigned>(std::stoul((*c)[1], nullptr, 16))));
          for (std::sregex_iterator c(words.begin(), words.end(), character); c != end; ++c) all.insert(c->str());
        }
      }
    }
  return all;
}

TEST_F(BuiltInFont, ShowsWhatEverySourceWrites) {
  const auto all = written();
  EXPECT_TRUE(all.contains(utf8(0x3bb)) && all.contains(utf8(0x2192))) << "lambda and the arrow are written somewhere";
  for (const auto& character : all) {
    const std::string shown = spelled(font, character);
    EXPECT_NE(shown, "_") << character << " has no spelling";
    const char* at = shown.data();
    while (at < shown.data() + shown.size()) {
      unsigned code = static_cast<unsigned char>(*at);
      std::size_t length = 1;
      if (code >= 0xc2) length = 2, code = (code & 0x1f) << 6 | (static_cast<unsigned char>(at[1]) & 0x3f);
      EXPECT_NE(font->FindGlyphNoFallback(static_cast<ImWchar>(code)), nullptr) << character << " as " << shown;
      at += length;
    }
  }
}

TEST_F(BuiltInFont, SpellsWords) {
  EXPECT_EQ(spelled(font, "\u03bb(\u03c9), table"), "lambda(omega), table");
  EXPECT_EQ(spelled(font, "y \u2264 \u230a7/2\u230b \u2192 3"), "y <= floor(7/2) -> 3");
  EXPECT_EQ(spelled(font, "10\u207b\u00b9\u2070 s"), "10^-10 s")
      << "the raised one is Latin-1, and goes with the others";
  EXPECT_EQ(spelled(font, "10\u2074\u2075"), "10^45");
  EXPECT_EQ(spelled(font, "n\u2080 \u2026"), "n_0 ...");
  EXPECT_EQ(spelled(font, "2 \u00d7 3\u00b2"), "2 \u00d7 3\u00b2") << "the built-in font has Latin-1";
  EXPECT_EQ(spelled(font, "plain?"), "plain?");
  EXPECT_EQ(spelled(font, "\u6f22"), "_") << "not written anywhere, and not shown as a question mark";
}

TEST_F(BuiltInFont, NumbersStayWholeWhereWordsAreWrapped) {
  const std::string words = "28 498 of 1 000 000 in 3 4 rows of 12 3456, 98.7 % of 28 498.";
  for (float width = 10; width < 600; width += 7) {
    std::string lines = "\n" + wrapped(font, words, width) + "\n";
    for (const char* whole : {"28 498", "1 000 000", "98.7 %", "28 498."})
      EXPECT_NE(lines.find(whole), std::string::npos) << whole << " at " << width;
  }
  EXPECT_EQ(wrapped(font, "3 4 12 3456", 1), "3\n4\n12\n3456") << "no thousands";
}

TEST_F(BuiltInFont, BrokenBytesAreNoQuestionsEither) {
  for (const auto* broken : {"\xce", "\xe2\x86", "a\x80z", "\xff\xff", "\xf0\x9f\x98\x80"}) {
    const std::string shown = spelled(font, broken);
    EXPECT_EQ(shown.find('?'), std::string::npos);
    EXPECT_FALSE(shown.empty());
  }
}

TEST(Fonts, TheFolderGivenIsLookedInFirst) {
  ImGui::CreateContext();
  const fs::path folder = fs::path(testing::TempDir()) / "warploom_fonts";
  fs::create_directories(folder);
  // No font at all: ImGui would stop at it, so that it must not be read unless it is a real one. A copy is.
  const fs::path system = "/usr/share/fonts/opentype/inter/Inter-Regular.otf";
  if (!fs::is_regular_file(system)) {
    ImGui::DestroyContext();
    GTEST_SKIP() << "Inter is not installed";
  }
  fs::copy_file(system, folder / "Inter-Regular.otf", fs::copy_options::overwrite_existing);
  EXPECT_EQ(find_font({"Inter-Regular"}, folder.string()), (folder / "Inter-Regular.otf").string());
  EXPECT_EQ(find_font({"Inter-Regular"}, ""), system.string());
  EXPECT_EQ(find_font({"No-Such-Font"}, folder.string()), "");
  const Fonts fonts = load_fonts(1, folder.string());
  EXPECT_EQ(spelled(fonts.body, "\u03bb \u2192 \u00d7"), "\u03bb \u2192 \u00d7");
  ImGui::DestroyContext();
}

}  // namespace
}  // namespace warploom::ui
