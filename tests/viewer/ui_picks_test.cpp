#include "gpu/scenes/butterfly/tracks/network_facet.h"
#include "gpu/tracks/facets/all.h"
#include "tests/viewer/ui_driver.h"
#include "viewer/draw/picture_worker.h"

// Scene texts are shared, so what they pick may be any number: nothing may read or write by it unchecked.

namespace warploom {
namespace {

/// `word` and numbers, each extreme on each axis alone and on all of them.
void add_extremes(std::vector<std::string>& all, const std::string& word, std::size_t axes) {
  for (const char* extreme : {"0", "2147483647", "2147483648", "4294967295"})
    for (std::size_t axis = 0; axis <= axes; ++axis) {
      std::string text = word;
      for (std::size_t i = 0; i < axes; ++i)
        text += std::string(i ? "," : "") + (axis == i || axis == axes ? extreme : "1");
      all.push_back(text);
    }
}

std::vector<std::string> extreme_picks() {
  std::vector<std::string> all;
  add_extremes(all, "cell:", 3);
  for (const char* space : {"bin:", "wire:", "output:"}) add_extremes(all, space, 3);
  add_extremes(all, "element:", 1);
  for (const char* track : {"A", "B"}) {
    add_extremes(all, std::string("block:") + track + ":", 3);
    add_extremes(all, std::string("thread:") + track + ":0,0:", 3);
    add_extremes(all, std::string("thread:") + track + ":1,1,1:", 2);
    for (const char* tag : {":L2147483647", ":T2147483647"}) {
      all.push_back(std::string("thread:") + track + ":0,0:0,0" + tag);
      all.push_back(std::string("block:") + track + ":0,0" + tag);
    }
  }
  return all;
}

/// What every picture and facet says of a selection, and the pictures with it in focus.
void look_everywhere(Driver& d, PictureWorker& painter, Queue& questions, const Selection& selection) {
  const auto simulation = d.model.runner().simulation();
  constexpr int width = 48, height = 32;
  std::vector<Rgba> pixels(std::size_t{width} * height);
  for (std::size_t i = 0; i < simulation->size(); ++i) {
    Track& track = simulation->track(i);
    (void)d.model.owner_in(i, selection);
    if (auto* described = track.facet<Described>()) {
      described->ask(questions, selection);
      (void)described->describe(selection);
    }
    for (std::size_t p = 0; p < track.pictures().size(); ++p) {
      (void)track.pictures()[p]->marks(d.model.selected_in(i, selection), {});
      for (const Want& want : d.wants) {
        if (want.track != i || want.picture != p) continue;
        PictureRequest request = want.request;
        request.focus = {true, selection.at};
        painter.paint({simulation, {i, p}, request, width, height}, {0, pixels.data(), width, height});
      }
    }
  }
  (void)d.model.target_of(selection);
}

TEST(UiPicks, ExtremesOfEverySpaceAreDroppedOrShown) {
  const std::map<std::string, std::vector<std::pair<std::string, Value>>> small{
      {"fractal", {{"level", std::int64_t{4}}}},
      {"simplex", {{"domain", std::string("tetrahedron")}, {"n", std::int64_t{20}}}},
      {"bins", {{"input", std::string("small")}}},
      {"butterfly", {{"n", std::int64_t{6}}, {"batch", std::int64_t{8}}}},
      {"irregular", {{"n", std::int64_t{16}}}},
  };
  Driver d;
  Queue questions(Backend::cpu, true, 1);
  d.questions = &questions;
  PictureWorker painter(Backend::cpu, false);
  for (const auto& scene : d.model.scenes()) {
    const std::string key = scene->key();
    d.click("top/" + key);
    const auto values = small.find(key);
    ASSERT_TRUE(values == small.end() || d.model.set(values->second)) << key;
    d.model.runner().step(1);
    d.frames(2);
    for (const std::string& text : extreme_picks()) {
      SCOPED_TRACE(key + " " + text);
      const Selection selection = parse_selection(text);
      look_everywhere(d, painter, questions, selection);
      d.model.tell("");
      d.model.picked = selection;
      d.frames(2);
      // Either it is shown, or the window says that it is not.
      EXPECT_TRUE(!d.model.picked.empty() || d.model.notice.starts_with(selection_text(selection))) << d.model.notice;
    }
  }
}

TEST(UiPicks, WiresPastANetworkHaveNoStage) {
  NetworkReport network;
  network.stages = 6;
  network.number = 2;
  EXPECT_EQ(stage_of_wire(Index3{0, 6, 0}, network), 6);
  EXPECT_EQ(stage_of_wire(Index3{0, 7, 0}, network), std::nullopt);
  EXPECT_EQ(stage_of_wire(Index3{0, 3, 12}, network), std::nullopt) << "of a network twice as deep";
  EXPECT_EQ(stage_of_wire(Index3{0, 12, 12}, network), 6) << "the output of a network twice as deep";
  EXPECT_EQ(stage_of_wire(Index3{0, 3, 6}, network), 3);
  EXPECT_EQ(stage_of_wire(Index3{0, 3, 2006}, network), 3);
  EXPECT_EQ(stage_of_wire(Index3{0, 3, 1006}, network), std::nullopt) << "as deep, but another network";
  for (const std::uint32_t past : {1u << 31, ~0u}) {
    EXPECT_EQ(stage_of_wire(Index3{0, past, 0}, network), std::nullopt);
    EXPECT_EQ(stage_of_wire(Index3{0, past, 6}, network), std::nullopt);
    EXPECT_EQ(stage_of_wire(Index3{0, past, past}, network), std::nullopt);
    EXPECT_EQ(stage_of_wire(Selection{wire_space, {0, past, 0}, 0, {}}, network), 0);
  }
}

}  // namespace
}  // namespace warploom
