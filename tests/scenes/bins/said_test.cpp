#include "gpu/pictures/keyed_picture.h"
#include "gpu/scenes/bins/pictures/colours.h"
#include "gpu/scenes/bins/tracks/padding_facet.h"
#include "gpu/tracks/facets/compared.h"
#include "gpu/tracks/facets/curves.h"
#include "tests/scenes/bins/bins.h"

// What pictures, figures and comparisons of bins say is what the dumped arrays say.

namespace warploom {
namespace {

class BinsSaid : public BinsTest {
 protected:
  /// Paints it, so that it knows what it counts.
  PictureRequest counted(Picture& picture, PictureRequest request) {
    request.target = {0, nullptr, 48, 48};
    (void)painted(picture, request);
    request.values = picture.range(request);
    return request;
  }
  std::string high(Picture& picture, const PictureRequest& request) {
    return picture.legend(counted(picture, request)).high;
  }
  std::vector<KeyedPicture::Kind> kinds(Picture& picture, const PictureRequest& request) {
    return dynamic_cast<KeyedPicture&>(picture).kinds(counted(picture, request));
  }
  /// What all of a legend says.
  std::string words(Picture& picture, const PictureRequest& request) {
    std::string all = high(picture, request);
    for (const auto& kind : kinds(picture, request)) all += (all.empty() ? "" : ", ") + kind.words;
    return all;
  }
  static std::string row(const CurveFigure& figure, const std::string& what) {
    for (const auto& [key, value] : figure.rows)
      if (key == what) return value;
    return {};
  }
  static PictureRequest request_of() {
    PictureRequest request;
    request.palette = bins_palette();
    request.camera = {10, 10, .5, .5};
    return request;
  }
};

/// A legend counts what its picture counts.
TEST_P(BinsSaid, TheLegendCountsTheBinsBehindEachOther) {
  const auto all = simulation(make_bin_problem({.application = "nbody", .input = "400"}), {"regular/count"}, 1);
  Track& tested = all->track(0);
  const Dumped dump(tested, *queue);
  const auto counts = dump.of<std::uint32_t>("counts");
  const auto& shape = dump.raw("counts").shape;  // z, y, x
  ASSERT_EQ(shape[0], 4u);
  std::uint32_t column = 0, bin = 0, layer = 0;
  for (std::uint64_t i = 0; i < shape[1] * shape[2]; ++i) {
    std::uint32_t sum = 0;
    for (std::uint64_t z = 0; z < shape[0]; ++z) {
      const std::uint32_t depth = counts[z * shape[1] * shape[2] + i];
      sum += depth;
      bin = std::max(bin, depth);
      if (z == 2) layer = std::max(layer, depth);
    }
    column = std::max(column, sum);
  }
  ASSERT_GT(column, bin);
  Picture& picture = find_picture(tested, "occupancy");
  PictureRequest request = request_of();
  EXPECT_EQ(high(picture, request), std::to_string(column) + " elements in a column of 4 bins along z");
  EXPECT_EQ(dynamic_cast<KeyedPicture&>(picture).brief(counted(picture, request)),
            std::to_string(column) + " in 4 bins along z");
  request.colour_by = bin_colours::deepest;
  EXPECT_EQ(high(picture, request), std::to_string(bin) + " elements in a bin");
  request.colour_by = bin_colours::depth;
  request.solid.slice_axis = 2;
  request.solid.slice = .6;
  EXPECT_EQ(high(picture, request),
            std::to_string(layer) + (layer == 1 ? " element" : " elements") + " in a bin, z = 2");
}

/// Memory names what it draws, in the colours that it draws.
TEST_P(BinsSaid, MemoryNamesWhatItDraws) {
  const std::vector<std::pair<std::string, std::string>> expected{
      {"regular/count", "padding, elements, table of counts"},
      {"regular/sentinel", "padding, elements"},
      {"compact/range", "elements, table of starts"},
      {"compact/bin/padded_bins", "padding, elements, table of starts and counts"}};
  std::vector<std::string> names;
  for (const auto& [name, words] : expected) names.push_back(name);
  const auto all = simulation(make_bin_problem({.application = "nbody", .input = "400"}), names, 1);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    SCOPED_TRACE(expected[i].first);
    Picture& picture = find_picture(all->track(i), "memory");
    PictureRequest request = request_of();
    const auto extent = picture.extent({});
    request.camera = {extent[0] / 2, extent[1] / 2, extent[0] / 400, extent[1] / 400};
    EXPECT_EQ(words(picture, request), expected[i].second);
    EXPECT_TRUE(dynamic_cast<KeyedPicture&>(picture).leaves_room());
    request.target = {0, nullptr, 400, 400};
    const auto pixels = painted(picture, request);
    for (const auto& kind : kinds(picture, request)) {
      EXPECT_TRUE(std::ranges::count(pixels, kind.colour)) << kind.words;
      EXPECT_TRUE(!kind.hatch || std::ranges::count(pixels, kind.hatch)) << kind.words;
    }
  }
}

/// The colours of a surface of both signs are those of its legend, as light makes them.
TEST_P(BinsSaid, ASurfaceHasTheColoursOfItsLegend) {
  const auto all = simulation(make_bin_problem({.application = "cutcp", .input = "60"}), {"compact/range"}, 1);
  Track& tested = all->track(0);
  Picture& picture = find_picture(tested, "surface");
  EXPECT_FALSE(picture.info().z_up) << "z points as it does in other solids";
  const Index3 points = tested.extent();
  PictureRequest request = request_of();
  // Channels that light makes darker alike.
  for (unsigned i = 0; i < Palette::steps; ++i) request.palette.data[i] = i < 32 ? rgba(0, 0, 250) : rgba(250, 0, 0);
  request.palette.ground = rgba(0, 250, 0);
  const double back = 1.2 * points.z;
  request.solid.camera.eye[2] = static_cast<float>(-back);
  request.solid.camera.pixel = static_cast<float>(1.6 * points.x / back / 48);
  ASSERT_EQ(words(picture, request), "potential -0.1 e/\u00c5, +0.1 e/\u00c5");
  EXPECT_EQ(kinds(picture, request)[0].colour, rgba(0, 0, 250));
  EXPECT_EQ(kinds(picture, request)[1].colour, rgba(250, 0, 0));
  request.target = {0, nullptr, 48, 48};
  const auto pixels = painted(picture, request);
  const auto output = Dumped(tested, *queue).of<float>("output");
  int seen[2] = {0, 0};
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 48; ++x) {
      const Selection under = picture.at(queue.get(), request, x, y);
      if (under.empty()) continue;
      const Rgba colour = pixels[std::size_t(48 * y + x)];
      const bool positive = (colour & 255) > (colour >> 16 & 255);
      ++seen[positive];
      // The output beside the surface has the sign that is drawn, or nearly none.
      const float value = output[linear_index(under.at, points)];
      EXPECT_TRUE(positive ? value > -.1f : value < .1f) << x << ", " << y << ": " << value;
    }
  EXPECT_GT(seen[0], 5);
  EXPECT_GT(seen[1], 5);
}

/// Where nothing is binned, nothing looks as if it were.
TEST_P(BinsSaid, AllSpilledIsSaidEverywhere) {
  for (const bool searched : {false, true})
    for (const char* name : {"regular/count/spill", "compact/range/spill"}) {
      SCOPED_TRACE(std::string(name) + (searched ? ", searched" : ""));
      BinSettings settings{.application = "blinn", .input = "200"};
      settings.cap = searched ? -1 : 0;
      const auto problem = make_bin_problem(settings);
      if (searched)
        problem->caps[std::string(warploom::name(GetParam())) + " " + name] = {0, {{2, 3, 1}, {0, 1, 1}, {1, 2, 1}}};
      const auto all = simulation(problem, {"regular/count", name}, 1);
      Track& tested = all->track(1);
      Picture &bins = find_picture(tested, "occupancy"), &memory = find_picture(tested, "memory");
      PictureRequest request = request_of();
      const auto extent = bins.extent({});
      request.camera = {extent[0] / 2, extent[1] / 2, extent[0] / 60, extent[1] / 60};
      EXPECT_EQ(words(bins, request), "spilled elements");
      EXPECT_EQ(bins.heading(),
                std::string(searched ? "fastest without bins, " : "without bins, ") + "200 of 200 spilled");
      EXPECT_EQ(memory.heading().find("no padding"), std::string::npos) << memory.heading();
      EXPECT_TRUE(memory.heading().ends_with(", no bins used")) << memory.heading();
      EXPECT_EQ(memory.caption(), "0 slots, 200 spilled");
      EXPECT_TRUE(words(memory, request).starts_with("table of ")) << "what is left";
      // The picture has elements, and no bins: their colours are those of the dots, over the ground.
      request.target = {0, nullptr, 60, 60};
      request.palette.waste = rgba(250, 1, 250);
      const auto pixels = painted(bins, request);
      EXPECT_FALSE(std::ranges::count(pixels, request.palette.waste)) << "an empty bin";
      EXPECT_GT(std::ranges::count_if(pixels, [&](Rgba one) { return one != request.palette.ground; }), 100);
      const auto curves = tested.need<Curves>().curves();
      EXPECT_EQ(row(curves->at(0), "padding"), "no slots");
      EXPECT_EQ(row(curves->at(0), "spilled"), "200 of 200, cap 0");
      EXPECT_EQ(row(curves->at(0), "fastest"), searched ? "without bins" : "");
      EXPECT_EQ(row(curves->at(1), "fastest cap"), searched ? "0 (no bins), of 3 tried" : "");
      EXPECT_EQ(tested.need<Compared>().against(all->track(0), "A"),
                (std::vector<std::string>{"uses no bins and leaves 200 of 200 elements to the CPU"}));
      const auto other = all->track(0).need<Compared>().against(tested, "B");
      ASSERT_EQ(other.size(), 1u);
      EXPECT_TRUE(other[0].ends_with(" B (no bins used)")) << other[0];
    }
}

/// Bytes and padding against those of the dumps.
TEST_P(BinsSaid, TracksAreComparedByMemoryAndPadding) {
  const auto problem = make_bin_problem({.application = "nbody", .input = "400", .cap = 2});
  const auto all = simulation(
      problem, {"regular/count", "compact/range", "none/gather", "compact/range/spill", "regular/count/spill"}, 1);
  const auto said = [&](std::size_t i) { return all->track(i).need<Compared>().against(all->track(0), "A"); };
  double bytes[5] = {};
  for (const std::size_t i : {0, 1, 3, 4}) {
    const auto numbers = this->numbers(all->track(i));
    bytes[i] = numbers.at("bytes_elements") + numbers.at("bytes_index");
  }
  const auto own = numbers(all->track(0));
  const int percent = int(100 * own.at("padding") / own.at("slots"));
  ASSERT_GT(percent, 50);
  char expected[128];
  std::snprintf(expected, sizeof expected, " without padding, %.3g times less than A (%d %% padding)",
                bytes[0] / bytes[1], percent);
  ASSERT_EQ(said(1).size(), 1u);
  EXPECT_TRUE(said(1)[0].starts_with("takes ") && said(1)[0].ends_with(expected)) << said(1)[0] << expected;
  EXPECT_EQ(said(2), (std::vector<std::string>{"has no bins: each output tests all 400 elements"}));
  for (const std::size_t i : {3, 4}) {
    ASSERT_EQ(said(i).size(), 2u);
    std::snprintf(expected, sizeof expected, ", %.3g times less than A (%d %% padding)", bytes[0] / bytes[i], percent);
    EXPECT_TRUE(said(i)[0].ends_with(expected)) << said(i)[0] << expected;
    std::snprintf(expected, sizeof expected, "leaves %.0f of 400 elements to the CPU",
                  numbers(all->track(i)).at("spilled"));
    EXPECT_EQ(said(i)[1], expected);
  }
}

/// The curves over capacities, counted bin by bin.
TEST_P(BinsSaid, PaddingByCapacityIsThatOfEveryBin) {
  const auto problem = make_bin_problem({.application = "nbody", .input = "400", .cap = 3});
  const auto all = simulation(problem, {"regular/count", "compact/range", "regular/count/spill"}, 1);
  const auto counts = Dumped(all->track(0), *queue).of<std::uint32_t>("counts");
  const std::uint32_t deepest = *std::max_element(counts.begin(), counts.end());
  const auto found = all->track(0).need<PaddingFacet>().padding();
  ASSERT_TRUE(found);
  ASSERT_EQ(found->slots.size(), deepest);
  double at_three = 0;
  for (std::uint32_t c = 1; c <= deepest; ++c) {
    double kept = 0;
    for (const std::uint32_t count : counts) kept += std::min(c, count);
    const double padding = 100 * (1 - kept / (double(c) * double(counts.size())));
    EXPECT_EQ(found->slots[c - 1], c);
    EXPECT_NEAR(found->padding[c - 1], padding, 1e-9);
    EXPECT_NEAR(found->spilled[c - 1], 100 * (1 - kept / 400), 1e-9);
    if (c == 3) at_three = padding;
  }
  EXPECT_EQ(found->own_slots, deepest);
  EXPECT_NEAR(found->own_padding, found->padding.back(), 1e-9);
  EXPECT_EQ(all->track(1).need<PaddingFacet>().padding()->own_padding, 0);
  const auto capped = all->track(2).need<PaddingFacet>().padding();
  EXPECT_EQ(capped->own_slots, 3);
  EXPECT_NEAR(capped->own_padding, at_three, 1e-9);
}

WARPLOOM_ON_BOTH_BACKENDS(BinsSaid);

}  // namespace
}  // namespace warploom
