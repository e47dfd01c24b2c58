#include "gpu/scenes/fractal/maps/list.h"
#include "gpu/scenes/fractal/tracks/state_body.h"
#include "gpu/scenes/fractal/tracks/stored_map_of.h"
#include "gpu/tracks/facets/all.h"
#include "tests/tracks/tracks.h"

// A second way to keep a state: what the lists have one of must not be the only one that works.

namespace warploom {
namespace {

/// Column after column.
struct ByColumns {
  static constexpr MapInfo info{"by_columns", "by columns", "transposed", "navarro2020fractals"};
  using Value = std::uint8_t;
  static constexpr bool tiled = false;
  Value* data = nullptr;
  Index3 extent{1, 1, 1};
  static ByColumns of(const FractalDomain& domain, int, std::uint8_t* data) { return {data, domain.extent}; }
  static double bytes(const FractalDomain& domain, int digits) { return Embedded::bytes(domain, digits); }
  std::uint32_t pitch = 0;
  WARPLOOM_HD bool has_boxes_of(int) const { return false; }
  WARPLOOM_HD std::uint64_t address(Cell cell) const { return std::uint64_t{cell.x} * extent.y + cell.y; }
  WARPLOOM_HD std::uint8_t load(Cell cell) const { return data[address(cell)]; }
  WARPLOOM_HD void store(Cell cell, std::uint8_t value) const { data[address(cell)] = value; }
  WARPLOOM_HD unsigned alive_around(Cell cell) const {
    unsigned alive = 0;
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) {
        const Cell at{cell.x + static_cast<std::uint32_t>(x), cell.y + static_cast<std::uint32_t>(y), 0};
        if ((x || y) && at.x < extent.x && at.y < extent.y) alive += load(at);
      }
    return alive;
  }
};

class Storages : public TrackTest {};
WARPLOOM_ON_BOTH_BACKENDS(Storages);

TEST_P(Storages, AnotherOneStepsSealsAndShowsTheSame) {
  const FractalSettings settings = settings_of(typed_mask("wide", {"#.#", "###"}), 4, 2);
  TrackInfo info = find_fractal_track("lambda_serial");
  const auto usual = make_fractal_track(*queue, settings, info.name);
  info.storage = ByColumns::info.key;
  const auto other = make_map_track<LambdaMap<LambdaSerial, SubBoxes>, ByColumns>(*queue, settings, info);
  for (Track* track : {usual.get(), other.get()}) {
    start(*track, *queue, 7, .4);
    track->need<Counted>().count(*queue);
    for (int i = 0; i < 3; ++i) {
      track->step(*queue);
      queue->wait();
      track->publish(*queue);
    }
  }
  EXPECT_EQ(other->seal(*queue)->hash, usual->seal(*queue)->hash);
  EXPECT_EQ(other->need<Editable>().state(*queue), usual->need<Editable>().state(*queue));
  EXPECT_GT(usual->seal(*queue)->sum, 0u) << "something lives";
  // Windows inside, over the edges, and outside; not a number where there is no cell.
  for (const auto& [first, size] : std::vector<std::pair<Index3, Index3>>{
           {{0, 0, 0}, {81, 16, 1}}, {{70, 5, 0}, {20, 20, 1}}, {{3, 2, 0}, {5, 4, 1}}, {{100, 0, 0}, {2, 2, 1}}}) {
    const auto wanted = usual->pictures()[0]->values(*queue, first, size),
               got = other->pictures()[0]->values(*queue, first, size);
    ASSERT_EQ(got.size(), wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i)
      EXPECT_TRUE(got[i] == wanted[i] || (std::isnan(got[i]) && std::isnan(wanted[i]))) << i;
  }
  EXPECT_NE(other->need<Threads>().address({1, 0, 0}), usual->need<Threads>().address({1, 0, 0}));
}

}  // namespace
}  // namespace warploom
