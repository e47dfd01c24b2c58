#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <memory>

#include "gpu/core/files.h"
#include "gpu/own/both_processors.h"
#include "gpu/own/registry.h"
#include "gpu/scenes/fractal/files/masks.h"
#include "gpu/scenes/fractal/fractal.h"
#include "gpu/tracks/facets/editable.h"
#include "gpu/tracks/facets/fill.h"
#include "gpu/tracks/facets/sourced.h"
#include "gpu/tracks/facets/threads.h"

// What tracks say of their sources, and a text for both processors.

namespace warploom {
namespace {

/// A line's notes, one after the other: "1 1", "(2, 5)".
std::map<int, std::string> by_line(const SourceValues& values, int file) {
  std::map<int, std::string> lines;
  for (const own::SeenNote& note : values.notes) {
    if (note.file != file || note.numbers == 0) continue;
    std::string words;
    for (int i = 0; i < note.numbers; ++i) words += (i ? "," : "") + std::to_string(note.number[i]);
    std::string& all = lines[note.line];
    all += (all.empty() ? "" : " ") + words;
  }
  return lines;
}

TEST(Values, OfAnOwnMapAreThoseOfAHandCalculation) {
  const std::string name = add_own(read_own_text("lambda.h", read_file(WARPLOOM_SOURCE_DIR "/assets/own/lambda.h")));
  Queue queue(Backend::cpu);
  FractalSettings settings{read_mask(WARPLOOM_SOURCE_DIR "/assets/fractals/sierpinski_gasket.toml"), 6, 4, "life", {}};
  for (const bool constants : {false, true}) {
    settings.constants = constants;
    const auto track = make_fractal_track(queue, settings, name);
    auto* sourced = track->facet<Sourced>();
    ASSERT_TRUE(sourced);
    const auto sources = sourced->sources();
    ASSERT_EQ(sources.size(), 2u);
    EXPECT_EQ((std::pair{sources[0].name, sources[1].name}),
              (std::pair<std::string, std::string>{"lambda.h", "life.h"}));
    Owner who;
    who.block = {2, 1, 0};
    who.thread = {3, 5, 0};
    const auto values = sourced->values(who, std::atomic<bool>{false});
    ASSERT_TRUE(values);
    // Level 6 in blocks of 2^4: two digits. The gasket's copies stand at (0, 0), (0, 1) and (1, 1). The first digit is
    // 2 of b.x = 2: (1, 1), times 1; the second is 1 of b.y = 1: (0, 1), times 2. So (1, 1) + (0, 2) = (1, 3).
    // Of the grid: 3^1 by 3^1 blocks.
    const std::map<int, std::string> expected{{3, "3,3,1"},        {7, "1 1"},  {8, "0 1"},   {9, "2 1"},
                                              {10, "1,1,0 0,1,0"}, {11, "0 0"}, {12, "1 1"},  {13, "1 3"},
                                              {14, "2 4"},         {15, "2 4"}, {17, "1,3,0"}};
    EXPECT_EQ(by_line(*values, 0), expected);
  }
  drop_own(name);
}

TEST(Values, OfABuiltInMapNameItsFiles) {
  Queue queue(Backend::cpu);
  const FractalSettings settings{
      read_mask(WARPLOOM_SOURCE_DIR "/assets/fractals/sierpinski_gasket.toml"), 6, 4, "life", {}};
  const auto track = make_fractal_track(queue, settings, "lambda_serial");
  auto& sourced = track->need<Sourced>();
  const auto sources = sourced.sources();
  ASSERT_GE(sources.size(), 4u);
  EXPECT_EQ(sources[0].name, "lambda_serial.h");
  EXPECT_EQ(sources.back().name, "life.h");
  Owner who;
  who.block = {2, 1, 0};
  const auto values = sourced.values(who, std::atomic<bool>{false});
  ASSERT_TRUE(values);
  // `place` of lambda_serial.h answers with the block (1, 3).
  const auto lines = by_line(*values, 0);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines.begin()->second, "1,3");
}

TEST(Values, OfARuleAreThoseOfTheState) {
  const std::string name = add_own(read_own_text("neighbours.h",
                                                 "bool rule(Around a) {\n"
                                                 "  unsigned n = 0;\n"
                                                 "  for (int dy = -1; dy <= 1; ++dy)\n"
                                                 "    for (int dx = -1; dx <= 1; ++dx) n += a(dx, dy);\n"
                                                 "  n -= a();\n"
                                                 "  return n == 3 || (n == 2 && a() == 1);\n"
                                                 "}\n"));
  Queue queue(Backend::cpu);
  const FractalSettings settings{
      read_mask(WARPLOOM_SOURCE_DIR "/assets/fractals/sierpinski_gasket.toml"), 6, 4, name, {}};
  for (const char* map : {"lambda_serial", "lambda_serial/lookup/compact"}) {
    const auto track = make_fractal_track(queue, settings, map);
    track->need<FillFacet>().fill(queue, 7, .5);
    track->publish(queue);
    auto& sourced = track->need<Sourced>();
    const auto sources = sourced.sources();
    const auto file = std::ranges::find(sources, "neighbours.h", &SourceFile::name) - sources.begin();
    const auto state = track->need<Editable>().state(queue);
    const auto at = [&](unsigned x, unsigned y) -> unsigned { return x < 64 && y < 64 ? state[y * 64 + x] : 0; };
    unsigned alive = 0;
    for (const Cell cell : {Cell{0, 63, 0}, Cell{3, 43, 0}, Cell{16, 48, 0}, Cell{63, 63, 0}}) {
      Owner who;
      ASSERT_TRUE(track->need<Threads>().owner(cell, who));
      const auto values = sourced.values(who, std::atomic<bool>{false});
      ASSERT_TRUE(values);
      unsigned n = 0;
      for (int i = 0; i < 9; ++i)
        if (i != 4) n += at(cell.x + static_cast<unsigned>(i % 3 - 1), cell.y + static_cast<unsigned>(i / 3 - 1));
      auto lines = by_line(*values, static_cast<int>(file));
      EXPECT_EQ(lines[5], std::to_string(n)) << map << ' ' << cell.x;
      const bool next = n == 3 || (n == 2 && at(cell.x, cell.y) == 1);
      EXPECT_EQ(lines[6], next ? "1" : "0") << map << ' ' << cell.x;
      EXPECT_FALSE(by_line(*values, 0).empty()) << "the map's, too";
      alive += n;
    }
    EXPECT_GT(alive, 0u);
  }
  drop_own(name);
}

TEST(Values, FromOutsideMayBeAnyBytes) {
  const auto notes = std::make_unique<own::SeenNotes>();
  std::memset(static_cast<void*>(notes.get()), 0xff, sizeof *notes);
  EXPECT_TRUE(values_from_outside(*notes, 10).notes.empty());
  notes->count = 1 << 30;
  EXPECT_TRUE(values_from_outside(*notes, 10).notes.empty());
  notes->notes[5] = {0, 10, own::SeenKind::answer, 3, 7, 9, {1, 2, 3}, 0};
  notes->notes[6] = {0, 11, own::SeenKind::answer, 3, 0, 0, {1, 2, 3}, 0};
  notes->notes[7] = {0, 1, own::SeenKind::answer, 4, 0, 0, {1, 2, 3}, 0};
  notes->notes[8] = {1, 1, own::SeenKind::answer, 1, 0, 0, {1, 2, 3}, 0};
  EXPECT_EQ(values_from_outside(*notes, 10).notes.size(), 1u);
}

TEST(ForBothProcessors, FunctionsAreMarkedAndNothingElse) {
  const std::string text = R"(// a (b) {
constexpr int table[] = {1, 2};
struct Pair {
  int x = 0, y = f(2);
  Pair() : x(0), y(1) {}
  template <class T, int n = (3 > 2)> T of(T v) const { return v; }
};
template <class Group>
void kernel(Group& g) { g.each([&](Thread t) { if (t.x) { to(1); } }); }
static int helper(int a = 3, Pair = {}) { return "f() {"[a]; }
Place grid(Domain d);
struct Two {
  bool operator==(Two) const { return true; }
  Two& operator+=(int) { return *this; }
};
template <class T> requires Whole<T> && (sizeof(T) > 1) T twice(T x) { return x + x; }
Place place(Block b, Domain d) { return {b.x, b.y}; }
)";
  const std::string expected = R"(// a (b) {
constexpr int table[] = {1, 2};
struct Pair {
  int x = 0, y = f(2);
  WARPLOOM_HD Pair() : x(0), y(1) {}
  template <class T, int n = (3 > 2)> WARPLOOM_HD T of(T v) const { return v; }
};
template <class Group>
WARPLOOM_HD void kernel(Group& g) { g.each([&](Thread t) { if (t.x) { to(1); } }); }
WARPLOOM_HD static int helper(int a = 3, Pair = {}) { return "f() {"[a]; }
Place grid(Domain d);
struct Two {
  WARPLOOM_HD bool operator==(Two) const { return true; }
  WARPLOOM_HD Two& operator+=(int) { return *this; }
};
template <class T> requires Whole<T> && (sizeof(T) > 1) WARPLOOM_HD T twice(T x) { return x + x; }
WARPLOOM_HD Place place(Block b, Domain d) { return {b.x, b.y}; }
)";
  EXPECT_EQ(for_both_processors(text), expected);
  for (const char* odd : {"", "}", "{", "(", "template <", "f() {", "'", "\"", "/*", "#", "struct {", "a<b>(c) {"})
    EXPECT_GE(for_both_processors(odd).size(), std::string_view(odd).size());
}

}  // namespace
}  // namespace warploom
