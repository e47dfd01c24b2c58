#include <gtest/gtest.h>

#include <array>
#include <set>
#include <string>

#include "viewer/panels/panes/marks.h"
#include "viewer/ui/colour_word.h"
#include "viewer/ui/deficiency.h"
#include "viewer/ui/theme.h"

// Colours that stand for kinds are told apart by everyone.

namespace warploom::ui {
namespace {

constexpr Deficiency all[] = {Deficiency::none, Deficiency::protanopia, Deficiency::deuteranopia,
                              Deficiency::tritanopia};

TEST(Colours, DeficienciesAreThoseOfThePaper) {
  // Grey is grey for everyone; red is dark without the long cones, and what is green and red alike without the middle
  // ones.
  for (const Deficiency kind : all)
    EXPECT_LT(colour_distance(seen_with(rgba(128, 128, 128), kind), rgba(128, 128, 128)), 1);
  const Rgba red = seen_with(rgba(255, 0, 0), Deficiency::protanopia);
  EXPECT_LT(red & 255, 130u);
  EXPECT_LT(colour_distance(seen_with(rgba(200, 60, 60), Deficiency::deuteranopia),
                            seen_with(rgba(120, 105, 60), Deficiency::deuteranopia)),
            colour_distance(rgba(200, 60, 60), rgba(120, 105, 60)) / 2);
  EXPECT_NEAR(colour_distance(rgba(255, 255, 255), rgba(0, 0, 0)), 100, .1);
}

TEST(Colours, TracksAreToldApartByEveryone) {
  for (const ThemeName name : {ThemeName::dark, ThemeName::light, ThemeName::paper})
    for (const Deficiency kind : all) {
      const auto& tracks = theme(name).tracks;
      for (std::size_t i = 0; i < tracks.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          EXPECT_GE(colour_distance(seen_with(tracks[i], kind), seen_with(tracks[j], kind)), 15)
              << static_cast<int>(name) << " " << ui::name(kind) << " tracks " << i << " and " << j;
    }
}

TEST(Colours, WarpsAndVerdictsAreToldApartByEveryone) {
  const auto apart = [](const auto& colours, const std::string& what) {
    for (const Deficiency kind : all)
      for (std::size_t i = 0; i < colours.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
          EXPECT_GE(colour_distance(seen_with(colours[i], kind), seen_with(colours[j], kind)), 15)
              << what << ", " << ui::name(kind) << ": " << i << " and " << j;
  };
  apart(warp_colours, "warps");
  for (const ThemeName name : {ThemeName::dark, ThemeName::light, ThemeName::paper}) {
    const Theme& roles = theme(name);
    apart(std::array{roles.good, roles.warning, roles.bad},
          "verdicts of theme " + std::to_string(static_cast<int>(name)));
  }
}

TEST(Colours, HaveNames) {
  const auto& tracks = theme(ThemeName::dark).tracks;
  std::set<std::string_view> words;
  for (std::size_t i = 0; i < tracks.size(); ++i) words.insert(colour_word(tracks[i]));
  EXPECT_EQ(words.size(), tracks.size()) << "tracks are told apart in words, too";
  EXPECT_EQ(colour_word(rgba(230, 159, 0)), "orange");
  EXPECT_EQ(colour_word(rgba(0, 32, 77)), "dark blue");
  EXPECT_EQ(colour_word(rgba(250, 250, 250)), "white");
  EXPECT_EQ(colour_word(rgba(230, 159, 0) & 0xffffff), "orange") << "whatever its opacity";
}

TEST(Colours, APictureIsSeenPixelByPixel) {
  std::vector<Rgba> pixels{rgba(255, 0, 0), rgba(255, 0, 0), rgba(0, 255, 0), rgba(10, 20, 30)}, seen = pixels;
  see_with(seen, Deficiency::tritanopia);
  for (std::size_t i = 0; i < pixels.size(); ++i) EXPECT_EQ(seen[i], seen_with(pixels[i], Deficiency::tritanopia));
}

}  // namespace
}  // namespace warploom::ui
