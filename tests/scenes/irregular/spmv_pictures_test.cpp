#include <cmath>
#include <set>

#include "gpu/core/format.h"
#include "gpu/pictures/keyed_picture.h"
#include "gpu/pictures/plane_layout.h"
#include "gpu/scenes/irregular/pictures/spmv_colours.h"
#include "gpu/scenes/irregular/spmv/format.h"
#include "gpu/scenes/irregular/tracks/spmv_track.h"
#include "tests/backends.h"

// Pictures of sparse products: what they paint, count and find, against the matrix itself.

namespace warploom {

std::uint32_t spmv_fold(const SpmvMatrix& matrix);

namespace {

constexpr Rgba ground = rgba(1, 2, 3), waste = rgba(10, 20, 30), hatch = rgba(40, 50, 60), useful = rgba(200, 100, 0);

Palette test_palette() {
  Palette palette;
  for (int i = 0; i < Palette::steps; ++i) palette.data[i] = rgba(70 + 2 * i, 220, 255 - 2 * i);
  palette.ground = ground;
  palette.waste = waste;
  palette.hatch = hatch;
  palette.track = useful;
  return palette;
}

class SpmvPictures : public BackendTest {
 protected:
  void make(const std::string& matrix, std::int64_t n) {
    settings.matrix = matrix;
    settings.n = n;
    settings.sigma = 64;
    problem = make_spmv_problem(settings);
  }
  SpmvTrack& run(const std::string& name) {
    const SpmvFormat* format = find_spmv_format(name);
    track = std::make_unique<SpmvTrack>(*queue, problem, settings, format->info);
    track->start(*queue);
    track->publish(*queue);
    return *track;
  }
  const SpmvMatrix& matrix() const { return problem->matrix; }
  /// A whole picture, `pixels` a place.
  PictureRequest whole(const Picture& picture, int pixels) const {
    const auto sides = picture.extent();
    PictureRequest request;
    request.palette = test_palette();
    request.camera = {.5 * sides[0], .5 * sides[1], 1. / pixels, 1. / pixels};
    request.target.width = static_cast<int>(sides[0]) * pixels;
    request.target.height = static_cast<int>(sides[1]) * pixels;
    request.colour_by = picture.info().colours.empty() ? ColourBy::state : picture.info().colours[0];
    return request;
  }
  Selection cell(std::uint64_t nonzero) const {
    return {Selection::cell, {static_cast<std::uint32_t>(matrix().column_of[nonzero]), matrix().row_of(nonzero), 0}};
  }
  /// The middle of the mark that a nonzero itself has.
  std::array<double, 2> marked(const Picture& picture, std::uint64_t nonzero) const {
    for (const Outline& mark : picture.marks({cell(nonzero), {}, {}}))
      if (mark.kind == Outline::Kind::place && mark.high[0] - mark.low[0] == 1 && mark.high[1] - mark.low[1] == 1)
        return {.5 * (mark.low[0] + mark.high[0]), .5 * (mark.low[1] + mark.high[1])};
    ADD_FAILURE() << "nonzero " << nonzero << " is not marked";
    return {};
  }

  IrregularSettings settings;
  std::shared_ptr<const SpmvProblem> problem;
  std::unique_ptr<SpmvTrack> track;
};

/// What a legend says of a kind; empty: nothing.
std::string kind_of(const Picture& picture, const PictureRequest& request, const std::string& word) {
  for (const auto& kind : dynamic_cast<const KeyedPicture&>(picture).kinds(request))
    if (kind.words.find(word) != std::string::npos) return kind.words;
  return {};
}

std::vector<std::string> all_formats() {
  std::vector<std::string> all;
  for (const SpmvFormat* format : spmv_formats()) all.push_back(format->info.name);
  return all;
}

TEST_P(SpmvPictures, APlaceIsANonzeroWhereverItIsDrawn) {
  make("circuit", 12);
  for (const auto& name : all_formats())
    for (Picture* picture : run(name).pictures()) {
      SCOPED_TRACE(name + " " + picture->info().key);
      const PictureRequest request = whole(*picture, 1);
      const auto pixels = painted(*picture, request);
      std::set<std::pair<double, double>> places;
      for (std::uint64_t j = 0; j < matrix().nonzeros(); ++j) {
        const auto at = marked(*picture, j);
        ASSERT_TRUE(places.emplace(at[0], at[1]).second) << "nonzero " << j << " lies where another does";
        ASSERT_EQ(picture->at(queue.get(), request, at[0], at[1]), cell(j)) << j;
        const Rgba found = pixels[static_cast<std::size_t>(at[1]) * static_cast<std::size_t>(request.target.width) +
                                  static_cast<std::size_t>(at[0])];
        if (picture->info().key != "matrix") {
          ASSERT_EQ(found, useful) << j;
        } else {
          ASSERT_EQ(found >> 8 & 255, 220u) << j;
        }
      }
    }
}

TEST_P(SpmvPictures, LegendsCountWhatIsPainted) {
  make("circuit", 12);
  for (const auto& name : all_formats()) {
    SCOPED_TRACE(name);
    SpmvTrack& shown = run(name);
    const SpmvLayout& layout = *shown.layout();
    for (const char* key : {"storage", "launch"}) {
      SCOPED_TRACE(key);
      Picture& picture = find_picture(shown, key);
      const PictureRequest request = whole(picture, 1);
      std::uint64_t full = 0, empty = 0;
      // Of a merge path lines are painted: its pixels are none of the arrays'.
      const bool merges = name == "csr/merge" && std::string(key) == "storage";
      const auto pixels = painted(picture, request);
      const double width = merges ? std::ceil(double(layout.stored()) / spmv_fold(matrix())) : request.target.width;
      for (std::size_t i = 0; i < pixels.size(); ++i) {
        if (static_cast<double>(i % static_cast<std::size_t>(request.target.width)) >= width) continue;
        full += pixels[i] == useful;
        empty += pixels[i] == waste || pixels[i] == hatch;
      }
      const bool turns = std::string(key) == "launch";
      const std::uint64_t all = turns ? layout.counts().launched : layout.stored();
      EXPECT_EQ(full, matrix().nonzeros());
      EXPECT_EQ(empty, all - matrix().nonzeros());
      const std::string of_full = turns ? " useful" : " nonzeros", of_empty = turns ? " waiting" : " padding";
      EXPECT_EQ(kind_of(picture, request, of_full), short_count(full) + of_full);
      EXPECT_EQ(kind_of(picture, request, of_empty), empty ? short_count(empty) + of_empty : "");
    }
  }
}

TEST_P(SpmvPictures, WaitingLanesAndPaddingTellOfTheirRow) {
  make("circuit", 12);
  SpmvTrack& shown = run("ell/row");
  const std::uint32_t row = 77;  // of a few nonzeros
  ASSERT_LT(matrix().length(row), matrix().longest);
  for (const char* key : {"storage", "launch"}) {
    Picture& picture = find_picture(shown, key);
    const PictureRequest request = whole(picture, 1);
    const bool turns = std::string(key) == "launch";
    const double far = matrix().longest - .5, at = row + .5;
    const Selection found = picture.at(nullptr, request, turns ? at : far, turns ? far : at);
    EXPECT_EQ(found, cell(matrix().row_starts[row + 1] - 1)) << key;
  }
}

TEST_P(SpmvPictures, VectorsAreBarsAndFollowTheSteps) {
  make("stencil5", 8);
  SpmvTrack& shown = run("csr/row");
  Picture& picture = find_picture(shown, "matrix");
  const PictureRequest request = whole(picture, 4);
  const auto before = painted(picture, request);
  const std::uint64_t version = picture.version(request);
  shown.step(*queue);
  shown.publish(*queue);
  shown.changed();
  EXPECT_NE(picture.version(request), version);
  const auto after = painted(picture, request);
  const std::size_t top = origin_of(picture).y * 4ul;
  std::size_t above = 0, matrix_pixels = 0, beside = 0;
  const auto width = static_cast<std::size_t>(request.target.width);
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (after[i] == before[i]) continue;
    const std::size_t x = i % width, y = i / width;
    ++(y < top ? above : x < matrix().columns * 4ul ? matrix_pixels : beside);
  }
  EXPECT_GT(above, 0u);
  EXPECT_GT(beside, 0u);
  EXPECT_EQ(matrix_pixels, 0u) << "the matrix stays";
}

TEST_P(SpmvPictures, ValuesAreTheMatrix) {
  make("fem", 4);
  SpmvTrack& shown = run("sell/row");
  Picture& picture = find_picture(shown, "matrix");
  const Index3 origin = origin_of(picture), size{matrix().columns, matrix().rows, 1};
  const auto values = picture.values(*queue, {0, origin.y, 0}, size);
  ASSERT_EQ(values.size(), volume(size));
  for (std::uint32_t y = 0; y < size.y; ++y)
    for (std::uint32_t x = 0; x < size.x; ++x) {
      const auto nonzero = matrix().find(x, y);
      const float value = values[std::size_t{y} * size.x + x];
      if (nonzero) {
        ASSERT_EQ(value, matrix().values[*nonzero]);
      } else {
        ASSERT_TRUE(std::isnan(value));
      }
    }
}

TEST_P(SpmvPictures, ColoursSayWhoMultiplies) {
  settings.row_lanes = 4;
  make("stencil27", 8);
  SpmvTrack& shown = run("csr/warp");
  const SpmvLayout& layout = *shown.layout();
  Picture& picture = find_picture(shown, "matrix");
  PictureRequest request = whole(picture, 1);
  const auto blocks = layout.shape(0).block_count();
  for (const ColourBy by : {spmv_colours::block, ColourBy::warp, spmv_colours::turn}) {
    request.colour_by = by;
    request.values = picture.range(request);
    const auto pixels = painted(picture, request);
    for (std::uint64_t j = 0; j < matrix().nonzeros(); j += 7) {
      const SpmvSpot spot = layout.spot(j);
      const auto at = marked(picture, j);
      const double warps = spmv_threads / 32.,
                   share = by == spmv_colours::block ? double(spot.thread / spmv_threads) / double(blocks - 1)
                           : by == ColourBy::warp
                               ? (double(spot.thread / 32 % (spmv_threads / 32)) + .5) / warps
                               : std::log(1 + double(spot.turn)) / std::log(double(layout.longest_turns()));
      const Rgba expected = request.palette.at(static_cast<float>(share)),
                 found = pixels[static_cast<std::size_t>(at[1]) * static_cast<std::size_t>(request.target.width) +
                                static_cast<std::size_t>(at[0])];
      // A step of the palette, where both round.
      ASSERT_NEAR(double(expected & 255), double(found & 255), 2.) << j;
    }
  }
}

TEST_P(SpmvPictures, WhatHasNotComeIsDimmed) {
  make("stencil5", 16);
  SpmvTrack& shown = run("hyb/row");
  Picture& picture = find_picture(shown, "launch");
  PictureRequest request = whole(picture, 1);
  const std::uint64_t all = shown.layout()->turns();
  for (const std::uint64_t warps : {std::uint64_t{0}, all / 2, all}) {
    request.so_far.warps = warps;
    std::uint64_t bright = 0;
    for (const Rgba pixel : painted(picture, request)) bright += pixel == useful || pixel == waste || pixel == hatch;
    EXPECT_EQ(bright, 32 * warps);
  }
}

TEST_P(SpmvPictures, SmallAndEmptyMatricesHavePictures) {
  for (const auto& [recipe, n] : {std::pair{"stencil5", 1}, {"random", 1}, {"random", 2}, {"rmat", 2}}) {
    make(recipe, n);
    for (const auto& name : all_formats())
      for (Picture* picture : run(name).pictures()) {
        SCOPED_TRACE(std::string(recipe) + " " + name + " " + picture->info().key);
        const auto sides = picture->extent();
        ASSERT_TRUE(sides[0] >= 1 && sides[1] >= 1);
        PictureRequest request = whole(*picture, 8);
        (void)painted(*picture, request);
        request.camera.cells_per_pixel_x *= 100;
        request.camera.cells_per_pixel_y *= 100;
        (void)painted(*picture, request);
        EXPECT_FALSE(picture->caption().empty());
        for (std::uint64_t j = 0; j < matrix().nonzeros(); ++j) (void)marked(*picture, j);
      }
  }
}

/// Far away some nonzeros are drawn, and it is said; near enough all are.
TEST_P(SpmvPictures, VeryLargeMatricesAreSampledAndSaySo) {
  if (sanitized) GTEST_SKIP() << "takes long";
  make("random", 140000);
  SpmvTrack& shown = run("csr/row");
  for (const char* key : {"matrix", "storage", "launch"}) {
    SCOPED_TRACE(key);
    Picture& picture = find_picture(shown, key);
    PictureRequest far = whole(picture, 1);
    const auto sides = picture.extent();
    far.camera.cells_per_pixel_x = sides[0] / 128;
    far.camera.cells_per_pixel_y = sides[1] / 128;
    far.target.width = far.target.height = 128;
    (void)painted(picture, far);
    if (std::string(key) == "matrix") {
      EXPECT_NE(picture.caption().find("1 in 2 drawn"), std::string::npos) << picture.caption();
    }
    const std::uint64_t middle = matrix().nonzeros() / 2;
    for (std::uint64_t j = middle; j < middle + 5; ++j) {
      const auto at = marked(picture, j);
      PictureRequest near = far;
      near.camera = {at[0], at[1], .25, .25};
      near.target.width = near.target.height = 32;
      const auto pixels = painted(picture, near);
      const Rgba found = pixels[16 * 32 + 16];
      if (std::string(key) == "matrix") {
        EXPECT_EQ(found >> 8 & 255, 220u) << j;
      } else {
        EXPECT_EQ(found, useful) << j;
      }
    }
  }
}

WARPLOOM_ON_BOTH_BACKENDS(SpmvPictures);

}  // namespace
}  // namespace warploom
