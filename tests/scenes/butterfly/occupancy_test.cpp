#include "gpu/scenes/butterfly/kernels/occupancy.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace warploom {

namespace {

const Multiprocessor& multiprocessor(const std::string& name) {
  for (const Multiprocessor& one : multiprocessors)
    if (std::string(one.name).starts_with(name)) return one;
  ADD_FAILURE() << name;
  return multiprocessors[0];
}

/// As tables print a share: two digits, halves up.
double printed(double share) { return std::floor(share * 100 + .5) / 100; }

}  // namespace

TEST(Occupancy, PublishedTablesComeOut) {
  int rows = 0;
  for (const PublishedOccupancy& row : published_occupancy)
    for (int n = row.first_n; n <= row.last_n; ++n, ++rows) {
      const Occupancy found = occupancy_of(multiprocessor(row.multiprocessor), row.needs);
      EXPECT_EQ(found.blocks, row.blocks) << n;
      EXPECT_DOUBLE_EQ(printed(found.share), row.share) << n;
    }
  EXPECT_EQ(rows, 11);
}

TEST(Occupancy, EveryLimitIsTold) {
  const Multiprocessor& kepler = multiprocessor("Kepler");
  EXPECT_STREQ(occupancy_of(kepler, {32, 0, 0}).limit, "blocks");
  EXPECT_EQ(occupancy_of(kepler, {32, 0, 0}).blocks, 16);
  EXPECT_STREQ(occupancy_of(kepler, {256, 0, 0}).limit, "warps");
  EXPECT_STREQ(occupancy_of(kepler, {256, 64, 0}).limit, "registers");
  EXPECT_STREQ(occupancy_of(kepler, {256, 16, 32768}).limit, "shared memory");
  EXPECT_EQ(occupancy_of(kepler, {1024, 255, 0}).blocks, 0) << "no block fits";
}

TEST(Occupancy, RegistersAreRoundedAndSharedOutAsTheChipsDid) {
  // 37 registers of 32 lanes are 1184, in portions of 256: 1280; a quarter of 65536 holds 12 such warps.
  EXPECT_EQ(occupancy_of(multiprocessor("Kepler"), {128, 37, 0}).blocks, 12);
  // Fermi: 21 of 32 are 672, in portions of 64: 704; 32768 holds 46.
  EXPECT_EQ(occupancy_of(multiprocessor("Fermi"), {64, 21, 0}).blocks, 8);
  EXPECT_EQ(occupancy_of(multiprocessor("Fermi"), {256, 21, 0}).blocks, 5);
}

/// The shared memory of a multiprocessor and what each block takes beside its own: of compute capability 8.0 164 KiB,
/// at most 163 a block, of 9.0 228 and 227; 64 warps, 32 blocks, 65536 registers, 255 a thread.
TEST(Occupancy, CardsOfTodayAreKnown) {
  const Multiprocessor &ampere = multiprocessor("Ampere"), &hopper = multiprocessor("Hopper");
  EXPECT_EQ(occupancy_of(ampere, {256, 32, 163 * 1024}).blocks, 1);
  EXPECT_EQ(occupancy_of(ampere, {256, 32, 163 * 1024 + 1}).blocks, 0);
  EXPECT_EQ(occupancy_of(hopper, {256, 32, 227 * 1024}).blocks, 1);
  EXPECT_EQ(occupancy_of(hopper, {256, 32, 227 * 1024 + 1}).blocks, 0);
  EXPECT_EQ(occupancy_of(hopper, {32, 0, 0}).blocks, 32);
  EXPECT_STREQ(occupancy_of(hopper, {32, 0, 0}).limit, "blocks");
  EXPECT_DOUBLE_EQ(occupancy_of(ampere, {256, 32, 16 * 1024}).share, 1) << "8 blocks of 8 warps: 65536 registers";
  EXPECT_EQ(occupancy_of(ampere, {1024, 64, 0}).blocks, 1);
}

}  // namespace warploom
