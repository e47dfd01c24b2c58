#include "gpu/scenes/butterfly/pictures/network_values.h"
#include "gpu/scenes/butterfly/tracks/network_facet.h"
#include "gpu/scenes/butterfly/tracks/track.h"
#include "gpu/tracks/facets/counted.h"
#include "tests/viewer/ui_driver.h"
#include "tests/viewer/ui_glyphs.h"
#include "viewer/model/commands.h"
#include "viewer/model/map_choice.h"
#include "viewer/scenes/butterfly/cards/steps.h"
#include "viewer/ui/deficiency.h"

// What the picture of a network draws of its wires, and the words around it.

namespace warploom {
namespace {

struct UiNetworkWords : DriverTest {
  UiNetworkWords() { d.open("butterfly"); }
  std::vector<Rgba> paint(Picture& picture, int width, int height) {
    Queue queue(Backend::cpu);
    std::vector<Rgba> pixels(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    const auto sides = picture.extent();
    PictureRequest request;
    request.camera = {sides[0] / 2, sides[1] / 2, sides[0] / width, sides[1] / height};
    request.target = {0, pixels.data(), width, height};
    picture.paint(queue, request);
    return pixels;
  }
};

/// Of 128 wires the last of every two is drawn; each of those at the right is reached by the line of its value.
TEST_F(UiNetworkWords, EveryOutputThatIsDrawnIsReached) {
  d.show({{"n", std::int64_t{7}}, {"tracks", std::vector<std::string>{"radix2"}}});
  constexpr int width = 1600, height = 280;
  const auto pixels = paint(*d.simulation().track(0).pictures()[0], width, height);
  NetworkPlan plan;
  plan.n = plan.stages = 7;
  plan.reorders = true;
  plan.unit = 1.25 * plan.height() / plan.width();
  const int x = static_cast<int>(plan.x_of(plan.stages + 1 + NetworkPlan::reorder) / plan.width() * width) - 2;
  const auto at = [&](int y) { return pixels[static_cast<std::size_t>(y * width + x)]; };
  const Rgba ground = pixels[static_cast<std::size_t>(width) * height - 1];
  for (int wire = 1; wire < 128; wire += 2) {
    const int y = static_cast<int>((wire + .5) / plan.height() * height);
    EXPECT_TRUE(at(y) != ground || at(std::max(0, y - 1)) != ground || at(y + 1) != ground) << "output " << wire;
  }
}

/// How much is left out is that of the pane, whatever else was painted of the picture.
TEST_F(UiNetworkWords, TheScaleIsThatOfThePane) {
  d.resize({1280, 720});
  d.show({{"n", std::int64_t{8}}});
  int every = 1;
  while (every * d.plane(0, false).pixels_y() < 3) every *= 2;
  ASSERT_GT(every, 1);
  const std::string words = "exchanges, 1:" + std::to_string(every);
  EXPECT_TRUE(says(words)) << words;
  paint(*d.simulation().track(0).pictures()[0], 800, 2000);  // as a picture alone
  d.frames(2);
  EXPECT_TRUE(says(words)) << words;
  d.resize({1600, 2000});
  EXPECT_FALSE(says(words)) << words;
}

TEST_F(UiNetworkWords, EdgesBetweenThreadsHaveNoTracksColour) {
  for (const std::uint32_t where : {1u, 2u, 3u, 4u, 5u})
    for (const ui::ThemeName name : {ui::ThemeName::dark, ui::ThemeName::light})
      for (const ImU32 track : ui::theme(name).tracks) {
        int apart = 0;
        for (const int shift : {0, 8, 16}) {
          const int by = static_cast<int>(edge_colour(static_cast<EdgeKind>(where)) >> shift & 255) -
                         static_cast<int>(track >> shift & 255);
          apart += by * by;
        }
        EXPECT_GT(apart, 80 * 80) << where << " and " << std::hex << track;
      }
}

TEST_F(UiNetworkWords, EdgesAreToldApartByEveryone) {
  for (const auto kind :
       {ui::Deficiency::none, ui::Deficiency::protanopia, ui::Deficiency::deuteranopia, ui::Deficiency::tritanopia})
    for (std::uint32_t one = 0; one < 5; ++one)
      for (std::uint32_t other = 0; other < one; ++other)
        EXPECT_GE(ui::colour_distance(ui::seen_with(edge_colour(static_cast<EdgeKind>(one)), kind),
                                      ui::seen_with(edge_colour(static_cast<EdgeKind>(other)), kind)),
                  15)
            << ui::name(kind) << ": " << one << " and " << other;
}

TEST_F(UiNetworkWords, LaunchesAreSaidToBeLaunches) {
  d.resize({1280, 720});
  d.show({{"n", std::int64_t{14}}, {"batch", std::int64_t{1}}});
  ASSERT_GT(d.simulation().track(0).need<NetworkFacet>().network().launches, 1u);
  EXPECT_TRUE(says("launch 1"));
  EXPECT_TRUE(says("launch 2"));
  EXPECT_TRUE(says("each box is a launch"));
}

TEST_F(UiNetworkWords, NothingLiesOverTheColourBar) {
  for (const ImVec2 size : {ImVec2{900, 600}, ImVec2{1280, 720}, ImVec2{1600, 900}})
    for (const char* algorithm : {"fft", "dct", "scan", "sort"})
      for (const float scale : {1.f, 1.4f}) {
        SCOPED_TRACE(std::string(algorithm) + " " + std::to_string(int(size.x)) + (scale > 1 ? " presented" : ""));
        Driver e(size, scale);
        e.open("butterfly", {{"algorithm", std::string(algorithm)}, {"n", std::int64_t{6}}});
        if (scale > 1) e.run("present");
        e.frames(2);
        for (const char* path : {"data_A/picture", "data_B/picture"}) {
          const auto& pane = e.widget(path);
          std::vector<SeenText> inside;
          for (const SeenText& text : TextReader().read())
            if (text.min.x >= pane.min.x && text.max.x <= pane.max.x && text.min.y >= pane.min.y &&
                text.max.y <= pane.max.y)
              inside.push_back(text);
          const auto legend =
              std::ranges::find_if(inside, [](const SeenText& text) { return text.words == "largest"; });
          if (legend == inside.end()) continue;  // a pane that is too low has none
          for (const SeenText& text : inside)
            if (text.words != "largest" && text.words != "-60 dB" && text.words != "0") {
              EXPECT_FALSE(text.max.y > legend->min.y - 2 * scale && text.min.x < legend->max.x)
                  << text.words << " ends at " << text.max.y << ", the bar begins at " << legend->min.y;
            }
        }
      }
}

/// Of a plan, too, a register of a thread and a wire are found from each other: where rows are staged it may hold an
/// element of a row that is not its own.
TEST_F(UiNetworkWords, WiresOfTunedTracksAreFoundInTheirRegisters) {
  for (const std::int64_t n : {5, 6, 9, 11}) {
    d.show(
        {{"n", n}, {"batch", std::int64_t{40}}, {"tracks", std::vector<std::string>{"index_digit/tuned", "radix8"}}});
    EXPECT_TRUE(says("tuned"));
    EXPECT_TRUE(says("general"));
    const auto& track = dynamic_cast<const ButterflyTrack&>(d.simulation().track(0));
    for (int stage = 0; stage <= track.network().stages; ++stage)
      for (std::uint32_t e = 0; e >> n == 0; e += n > 6 ? 37 : 1) {
        const auto who = track.holder(stage, track.problem_shown(), e);
        ASSERT_TRUE(who);
        const Selection wire = track.held(stage, *who);
        ASSERT_EQ(wire.space, wire_space) << n << ", stage " << stage << ", element " << e;
        ASSERT_EQ(wire.at.x, e) << n << ", stage " << stage;
      }
  }
}

TEST_F(UiNetworkWords, TunedTracksAreOfferedWhereTheyHavePlans) {
  const auto why = [&](const char* track) { return unavailable(d.model.scene(), Backend::cpu, track); };
  d.show({{"n", std::int64_t{13}}});
  EXPECT_EQ(why("index_digit/tuned"), "");
  EXPECT_EQ(why("radix4/tuned"), "n is 13, and its plans are of n from 5 to 12; choose n=12, or radix4");
  d.show({{"n", std::int64_t{3}}});
  EXPECT_NE(why("index_digit/tuned"), "");
  EXPECT_EQ(why("radix4"), "");
}

std::vector<std::string> line_of(const StepWords& step) {
  return {step.stages, step.by, step.block, step.warp, step.lane, step.registers};
}

/// A row a step, of digits that were placed by hand from the windows of the plans.
TEST_F(UiNetworkWords, StepsTellWhereTheDigitsAre) {
  using Line = std::vector<std::string>;
  d.show({{"n", std::int64_t{9}}, {"tracks", std::vector<std::string>{"index_digit/tuned", "index_digit"}}});
  const auto steps_of = [&] {
    const NetworkReport& network = d.simulation().track(0).need<NetworkFacet>().network();
    return step_words(*network.tuned);
  };
  auto steps = steps_of();
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_EQ(line_of(steps[0]), (Line{"1", "memory", "", "··", "5–1", "9–6"}));
  EXPECT_EQ(line_of(steps[1]), (Line{"2", "warp", "", "··", "7–9 2 1", "6–3"}));
  EXPECT_EQ(line_of(steps[2]), (Line{"3", "warp", "", "··", "5–9", "4–1"}));
  d.model.activate(0);
  d.frames(2);
  EXPECT_TRUE(says("steps of the program"));
  EXPECT_TRUE(says("7–9 2 1"));
  d.model.activate(1);
  d.frames(2);
  EXPECT_FALSE(says("steps of the program")) << "a general program finds places as it runs";

  d.show({{"n", std::int64_t{5}}});
  steps = steps_of();
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_EQ(steps.front().stages, "load");
  EXPECT_EQ(steps.back().stages, "store");
  for (std::size_t i = 1; i < steps.size(); ++i) EXPECT_EQ(steps[i].by, "warp") << i;
  d.show({{"n", std::int64_t{12}}});
  steps = steps_of();
  for (std::size_t i = 1; i < steps.size(); ++i) EXPECT_EQ(steps[i].by, "shared") << i;
  // Of rows that no block holds the block's number has digits, and the next pass loads once more.
  d.show({{"n", std::int64_t{16}}, {"batch", std::int64_t{1}}});
  steps = steps_of();
  EXPECT_TRUE(std::all_of(steps.begin(), steps.end(), [](const StepWords& step) { return !step.block.empty(); }));
  EXPECT_EQ(std::count_if(steps.begin(), steps.end(), [](const StepWords& step) { return step.by == "memory"; }), 2);
  // By a ring the second pass takes what the first one hands on.
  const auto by_ring = step_words(*d.simulation().track(0).need<NetworkFacet>().network().tuned, true);
  EXPECT_EQ(by_ring[0].by, "memory");
  EXPECT_EQ(std::count_if(by_ring.begin(), by_ring.end(), [](const StepWords& step) { return step.by == "ring"; }), 1);
  // Whatever a panel has no room for beside the rest stands below it.
  d.resize({1280, 2000});
  d.show({{"algorithm", std::string("sort")}});
  d.show({{"tracks", std::vector<std::string>{"bitonic/tuned"}}});
  EXPECT_TRUE(says("steps of the program, of tiles of 2^14"));
  for (const char* const heading : {"stages", "by", "warp", "lane", "register"}) EXPECT_TRUE(says(heading)) << heading;
  for (const StepWords& step : steps_of())
    for (const std::string& word : line_of(step)) EXPECT_TRUE(says(word)) << step.stages << ": " << word;
  // Neighbouring systems are the lowest bits of a lane.
  d.show({{"algorithm", std::string("tridiagonal")}, {"n", std::int64_t{7}}});
  d.show({{"tracks", std::vector<std::string>{"wang_mou/tuned/interleaved"}}});
  EXPECT_EQ(steps_of().front().lane, "4 ····");
}

/// Every tuned track is drawn at every length that it has, its stages or its launches.
TEST_F(UiNetworkWords, TunedTracksAreDrawnAtEveryLength) {
  struct Case {
    const char *algorithm, *track;
    int last_told;  ///< the longest rows whose stages are told
    std::vector<int> lengths;
  };
  const Case all[] = {{"fft", "index_digit/tuned", 14, {5, 12, 14, 15, 17}},
                      {"scan", "ladner_fischer/tuned", 12, {5, 11, 12, 13, 14, 16}},
                      {"scan", "brent_kung/tuned", 12, {12, 14}},
                      {"scan", "kogge_stone/tuned", 9, {5, 9}},
                      {"sort", "bitonic/tuned", 12, {5, 8, 13, 14, 15}},
                      {"tridiagonal", "wang_mou/tuned", 13, {5, 9, 12, 13, 15}},
                      {"tridiagonal", "wang_mou/tuned/interleaved", 9, {5, 7, 9}},
                      {"tridiagonal", "parallel_cyclic_reduction/tuned", 8, {5, 8}}};
  for (const auto& [algorithm, track, last_told, lengths] : all)
    for (const int n : lengths) {
      SCOPED_TRACE(testing::Message() << track << ", n = " << n);
      d.show({{"algorithm", std::string(algorithm)}, {"n", std::int64_t{6}}});
      d.show({{"n", std::int64_t{n}}, {"batch", std::int64_t{3}}, {"tracks", std::vector<std::string>{track}}});
      Track& shown = d.simulation().track(0);
      for (const std::size_t picture : {0u, 1u}) paint(*shown.pictures()[picture], 320, 200);
      const auto counts = shown.need<Counted>().counts();
      EXPECT_LE(counts->useful, counts->launched);
      EXPECT_EQ(counts->warps_full + counts->warps_partial + counts->warps_idle, counts->launched / 32);
      const NetworkReport& network = shown.need<NetworkFacet>().network();
      ASSERT_TRUE(network.tuned);
      EXPECT_EQ(network.by_stage.empty(), n > last_told);
      if (!network.by_stage.empty()) {
        EXPECT_GE(counts->useful, 3u * network.by_stage[0].active);
      }
    }
}

/// The tuned track comes first and the library beside it; where n has no tuned form, the nearest n that has.
TEST_F(UiNetworkWords, TheVendorStandsBesideTheTunedTrack) {
  const Command& command = *find_command(std::string("compare_vendor"));
  const auto tracks = [](const char* tuned) { return std::vector<std::string>{tuned, "vendor"}; };
  d.show({{"algorithm", std::string("scan")}, {"n", std::int64_t{9}}});
  carry_out(d.model, command);
  d.frames(3);
  EXPECT_EQ(d.model.scene().tracks(), tracks("ladner_fischer/tuned"));
  EXPECT_FALSE(d.model.notice_is_error) << d.model.notice;
  d.show({{"algorithm", std::string("sort")}, {"n", std::int64_t{3}}});
  const auto of_sorts = d.model.scene().tracks();
  carry_out(d.model, command);
  d.frames(3);
  EXPECT_EQ(d.model.scene().tracks(), tracks("bitonic/tuned"));
  EXPECT_EQ(d.model.notice, "n is 5 now: bitonic/tuned has no form for n = 3");
  EXPECT_EQ(d.simulation().track(0).extent().x, 32u);
  d.model.undo();
  d.frames(3);
  EXPECT_EQ(d.model.scene().tracks(), of_sorts) << "one step of undo";
  // Where there is no library, why is told, and what is shown stays.
  d.show({{"tracks", std::vector<std::string>{"bitonic"}}});
  d.show({{"algorithm", std::string("dct")}});
  const auto before = d.model.scene().tracks();
  if (vendor_missing(Backend::cpu, "dct").empty()) return;
  carry_out(d.model, command);
  EXPECT_TRUE(d.model.notice_is_error);
  EXPECT_NE(d.model.notice.find("track vendor: "), std::string::npos) << d.model.notice;
  EXPECT_EQ(d.model.scene().tracks(), before);
  d.open("fractal");
  EXPECT_FALSE(applies(d.model, command));
}

}  // namespace
}  // namespace warploom
