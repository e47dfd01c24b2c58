#include <algorithm>
#include <set>

#include "gpu/core/checked_group.h"
#include "gpu/core/launch.h"
#include "gpu/scenes/fractal/maps/list.h"
#include "tests/files/files.h"
#include "tests/tracks/tracks.h"

// Maps on tensor cores: what a whole block works out is what the contract says of each thread; limits of 16-bit floats.

namespace warploom {
namespace {

template <class Body>
void for_each_tensor_map(Body&& body) {
  for_each_type(FractalMaps{}, [&]<class Map>() {
    if constexpr (requires { &Map::refusal; }) body.template operator()<Map>();
  });
}

/// The cell of every useful thread of a block, in the order of threads; each thread must be served once.
template <class Map, class Group>
std::vector<std::pair<bool, Cell>> served(const Map& map, Index3 block) {
  const LaunchShape shape = map.shape(0);
  Group group(block, linear_index(block, shape.blocks), shape.threads);
  std::vector<std::pair<bool, Cell>> cells(volume(shape.threads));
  std::vector<int> times(cells.size());
  map.serve(group, 0, block, 0, [&](const Thread& thread, Cell cell, bool useful) {
    ++times[thread.index];
    cells[thread.index] = {useful, cell};
  });
  EXPECT_EQ(std::count(times.begin(), times.end(), 1), std::ptrdiff_t(times.size())) << Map::info.key;
  return cells;
}

template <class Map, class Group>
void expect_as_contract(const Mask& mask, int level, int digits) {
  const FractalDomain domain(mask, level);
  const MapTable table = Map::table(domain, digits);
  const Map map(domain, digits, table.data());
  const LaunchShape shape = map.shape(0);
  const std::uint64_t blocks = shape.block_count(), step = blocks <= 64 ? 1 : blocks / 61;
  const auto check = [&](std::uint64_t b) {
    const Index3 block = unfold(b, shape.blocks);
    const auto cells = served<Map, Group>(map, block);
    CpuGroup plain(block, b, shape.threads);
    Cell origin;
    ASSERT_TRUE(map.block(plain, 0, block, 0, origin));
    for (std::uint64_t t = 0; t < cells.size(); ++t) {
      Cell cell;
      const bool useful = map.thread(origin, unfold(t, shape.threads), cell);
      ASSERT_EQ(cells[t].first, useful) << Map::info.key << ' ' << mask.key << " r=" << level << " j=" << digits;
      if (useful) {
        ASSERT_EQ(cells[t].second, cell) << Map::info.key << ' ' << mask.key << " r=" << level << " j=" << digits
                                         << " block " << b << " thread " << t;
      }
    }
  };
  for (std::uint64_t b = 0; b < blocks; b += step) check(b);
  check(blocks - 1);
}

TEST(TensorMaps, WhatABlockWorksOutIsWhatTheContractSays) {
  std::set<std::string> seen;
  for (const Mask& mask : all_masks())
    for (int level = 0; level <= 9; ++level) {
      if (std::pow(mask.side_x(), level) > 65536 || std::pow(mask.side_y(), level) > 65536) break;
      for (const int digits : legal_block_digits(mask, level))
        for_each_tensor_map([&]<class Map>() {
          if (!Map::refusal(FractalDomain(mask, level), digits).empty()) return;
          seen.insert(Map::info.key);
          expect_as_contract<Map, CpuGroup>(mask, level, digits);
          if (level <= 4) expect_as_contract<Map, CheckedGroup>(mask, level, digits);
        });
      if (HasFatalFailure()) return;
    }
  EXPECT_EQ(seen.size(), 4u);
}

/// The largest level that a map serves with blocks of so many digits; -1: none.
template <class Map>
int last_level(const Mask& mask, int digits, int most) {
  int last = -1;
  for (int level = digits; level <= most; ++level)
    if (Map::refusal(FractalDomain(mask, level), digits).empty()) last = level;
  return last;
}

TEST(TensorMaps, LimitsAreThoseOfTheirOperands) {
  using One = TensorBlock::Map<SubBoxes>;
  using Two = TensorSubBlocks::Map<SubBoxes>;
  using Three = TensorCells::Map<SubBoxes>;
  using Bytes = TensorBytes::Map<SubBoxes>;
  // Powers of 2 are exact up to 2^15, those of 3 up to 3^6, of 4 up to 4^7: so many digits, and the block's own.
  EXPECT_EQ(last_level<One>(gasket(), 3, 20), 16 + 3);
  EXPECT_EQ(last_level<Two>(gasket(), 3, 20), 15 + 3);
  EXPECT_EQ(last_level<Three>(gasket(), 3, 20), 16);
  EXPECT_EQ(last_level<Bytes>(gasket(), 3, 20), 16 + 3);
  EXPECT_EQ(last_level<One>(full_mask(3), 2, 11), 7 + 2);
  EXPECT_EQ(last_level<Three>(full_mask(3), 2, 11), 7);
  EXPECT_EQ(last_level<Bytes>(full_mask(3), 2, 12), 10 + 2);
  EXPECT_EQ(last_level<One>(full_mask(4), 2, 10), 8 + 2);
  EXPECT_EQ(last_level<Bytes>(full_mask(4), 2, 10), 8 + 2);
  EXPECT_EQ(last_level<One>(gasket(), 2, 20), -1) << "16 threads are no warp";
  EXPECT_NE(One::refusal(FractalDomain(full_mask(3), 10), 2).find("8 digits"), std::string::npos);
}

/// Beyond its limit a map of 16-bit floats sends threads to wrong cells; that is why it is refused.
TEST(TensorMaps, BeyondTheLimitCellsAreWrong) {
  const Mask mask = full_mask(3);
  const FractalDomain domain(mask, 9);
  const TensorBlock::Map<SubBoxes> map(domain, 0, nullptr);
  const LaunchShape shape = map.shape(0);
  ASSERT_FALSE(decltype(map)::refusal(domain, 0).empty());
  Cell origin, found;
  const Index3 block = unfold(shape.block_count() - 1, shape.blocks);
  CpuGroup group(block, 0, {32, 1, 1});
  (void)map.block(group, 0, block, 0, origin);
  map.serve(group, 0, block, 0, [&](const Thread&, Cell cell, bool) { found = cell; });
  EXPECT_NE(found, origin);
}

TEST(TensorMaps, RefusedTracksSayWhy) {
  Queue queue(Backend::cpu, false, 1);
  const FractalSettings line = settings_of(typed_mask("line", {"#.#"}), 9, 4);
  const auto message = [&](const FractalSettings& settings, const char* name) {
    return message_of<UsageError>([&] { (void)make_fractal_track(queue, settings, name); });
  };
  EXPECT_EQ(
      message(settings_of(gasket(), 6, 2), "lambda_tensor_1"),
      "track 'lambda_tensor_1' of gasket at level 6: blocks of 16 threads: a tensor core needs a warp, 32 of them; "
      "block 8 would do");
  EXPECT_EQ(message(line, "lambda_tensor_3"),
            "track 'lambda_tensor_3' of line at level 9: 9 digits: 16-bit floats hold powers of 3 exactly up to 7 "
            "digits; nor would any other block do");
  EXPECT_NO_THROW((void)make_fractal_track(queue, line, "lambda_tensor_1"));
}

}  // namespace
}  // namespace warploom
