#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "gpu/core/buffer.h"
#include "gpu/core/error.h"
#include "gpu/scenes/simplex/bench/case.h"
#include "gpu/scenes/simplex/bench/roots.h"
#include "tests/scenes/benches.h"

namespace warploom {
namespace {

using bench::Bench;

TEST(BenchSimplex, EveryFigureIsVerified) {
  Bench run(Backend::cpu, little());
  for (const char* key : {"fill", "copy", "fma", "logic", "special"}) run.set_ceiling(key, 1e9);
  double last;
  expect_progress(run, last);
  const Figures figures = figures_of(run, "simplex");
  for (const auto& [_, figure] : figures) {
    expect_times(figure);
    if (!figure.peer.empty()) expect_ratio(figure);
    EXPECT_TRUE(figure.ceiling.empty() || figure.share_of_ceiling > 0) << figure.name;
  }
  // Every exact map beside its bounding box.
  for (const char* map : {"bounding_box", "root_exact", "h_map", "table", "stride_walk"})
    for (const char* track :
         {"tetrahedron/single_write/16/rho8/", "tetrahedron/triplet_energy/14/rho8/", "tetrahedron/map_only/16/rho8/"})
      expect_names(figures, {std::string(track) + map});
  for (const char* map : {"bounding_box", "root_exact", "rectangle", "recursive", "h_map", "table", "stride_walk"})
    for (const char* track : {"triangle/single_write/64/rho16/", "triangle/single_write/64/rho32/",
                              "triangle/distance_matrix/64/rho16/", "triangle/map_only/64/rho16/"})
      expect_names(figures, {std::string(track) + map});
  expect_names(figures, {"roots/triangle/root_exact", "roots/triangle/root_fp32", "roots/triangle/root_fp64",
                         "roots/tetrahedron/root_exact", "roots/tetrahedron/root_fp64",
                         "tetrahedron/single_write/16/rho8/root_exact/blocked",
                         "tetrahedron/single_write/16/rho8/root_exact/blocked/fill",
                         "tetrahedron/map_only/16/rho8/root_exact/gain"});
}

TEST(BenchSimplex, EveryExactTrackAgreesWithSerialCode) {
  Bench run(Backend::cpu, little());
  for (const char* kind : {"triangle", "tetrahedron"}) {
    const int dimensions = find_simplex_kind(kind).dimensions;
    for (const auto& work : simplex_works(dimensions)) {
      auto c = bench::make_simplex_case(run, kind, 64, 8, work.key);
      c.expected = bench::expect(run, c);
      EXPECT_TRUE(c.expected.agreed) << work.key;
      for (const char* layout : {"linear", "blocked", "box"})
        for (const auto& track : bench::exact_tracks(dimensions, layout))
          EXPECT_TRUE(bench::agrees_with_serial(run, c, track)) << kind << " " << work.key << " " << track;
    }
  }
}

TEST(BenchSimplex, WhatIsNotTheExpectedResultHasNoTime) {
  Bench run(Backend::cpu, little());
  for (const char* work : {"single_write", "stencil", "triplet_energy", "map_only"}) {
    SCOPED_TRACE(work);
    auto c = bench::make_simplex_case(run, "tetrahedron", 30, 8, work);
    c.expected = bench::expect(run, c);
    EXPECT_TRUE(measure(run, {bench::simplex_contestant(run, c, "table")})[0].verified);
    auto wrong = c;
    if (wrong.expected.hash) *wrong.expected.hash += 1;
    if (wrong.expected.sum) *wrong.expected.sum += 1;
    if (wrong.expected.fold) *wrong.expected.fold += 1;
    EXPECT_FALSE(measure(run, {bench::simplex_contestant(run, wrong, "table")})[0].verified);
    wrong = c;
    wrong.expected.agreed = false;
    EXPECT_FALSE(measure(run, {bench::simplex_contestant(run, wrong, "table")})[0].verified);
  }
}

TEST(BenchSimplex, AMapThatGoesWrongHasNoTime) {
  Bench run(Backend::cpu, little());
  // The published root in single precision: wrong from block 10 on.
  auto c = bench::make_simplex_case(run, "tetrahedron", 64, 8, "single_write");
  c.expected = bench::expect(run, c);
  EXPECT_FALSE(bench::agrees_with_serial(run, c, "root_fp32"));
  EXPECT_FALSE(measure(run, {bench::simplex_contestant(run, c, "root_fp32")})[0].verified);
}

TEST(BenchSimplex, ALinearFillIsChecked) {
  Bench run(Backend::cpu, little());
  const auto fill = bench::linear_fill(run, 1000);
  EXPECT_EQ(bench::MemoryLine::held_bytes(1000), 1008u);
  EXPECT_EQ(bench::MemoryLine::held_bytes(std::uint64_t{46} << 30), std::uint64_t{8} << 30);
  const auto& contestant = fill.contestant;
  contestant.poison(run.queue());
  EXPECT_FALSE(contestant.right(run.queue()));
  contestant.run(run.queue());
  EXPECT_TRUE(contestant.right(run.queue()));
}

TEST(BenchSimplex, Cancels) {
  Bench run(Backend::cpu, little());
  const std::atomic<bool> stop{true};
  run.cancel_with(&stop);
  EXPECT_THROW(bench::find_suite("simplex").run(run), Cancelled);
}

}  // namespace
}  // namespace warploom
