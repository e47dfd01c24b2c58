#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>
#include <set>

#include "gpu/scenes/fractal/maps/domain.h"
#include "gpu/scenes/fractal/works/border.h"
#include "gpu/scenes/fractal/works/sliced_tables.h"
#include "gpu/tracks/facets/all.h"
#include "gpu/tracks/facets/over_devices.h"
#include "tests/tracks/tracks.h"

// Sliced states whose chunks several devices share: against one device.

namespace warploom {
namespace {

TEST(SlicedParts, TakeTheFewestDigitsThatShareOutEvenly) {
  const auto digits = [](std::uint32_t copies) {
    std::vector<int> all;
    for (const std::uint32_t devices : {1u, 2u, 4u, 8u}) all.push_back(SlicedShape::lane_digits(copies, devices));
    return all;
  };
  using All = std::vector<int>;
  EXPECT_EQ(digits(12), (All{2, 3, 3, 3}));  // candy: 54 chunks
  EXPECT_EQ(digits(2), (All{5, 6, 7, 8}));   // Cantor
  EXPECT_EQ(digits(8), (All{2, 2, 3, 3}));   // carpet
  EXPECT_EQ(digits(4), (All{3, 3, 4, 4}));   // chandelier
  EXPECT_EQ(digits(5), (All{3, 3, 3, 5}));   // Vicsek, X
  EXPECT_EQ(digits(7), (All{3, 3, 3, 4}));   // H, bottles
  EXPECT_EQ(digits(3), (All{5, 5, 5, 5}));   // gasket
}

/// Every lane of a state is one of a part, once; and places of parts follow each other.
TEST(SlicedParts, HaveEveryBitOnce) {
  for (const Mask& mask : all_masks())
    for (const std::uint32_t devices : {2u, 4u, 8u, 16u}) {
      const auto copies = static_cast<std::uint32_t>(mask.copies());
      if (copies < 2) continue;
      const int level = SlicedShape::lane_digits(copies, devices) + SlicedShape::most_block_digits(copies);
      if (std::pow(std::max(mask.side_x(), mask.side_y()), level) > 0x7fffffff) continue;
      SCOPED_TRACE(mask.key + " " + std::to_string(devices));
      const SlicedShape all(FractalDomain(mask, level, static_cast<int>(devices)));
      std::uint64_t lanes = 0, bits = 0;
      std::set<std::uint64_t> places;
      for (std::uint32_t k = 0; k < devices; ++k) {
        const SlicedShape part = all.part(k);
        lanes += part.lanes;
        for (std::uint32_t chunk = 0; chunk < part.chunks; ++chunk) {
          bits += bit_count(part.valid(chunk));
          EXPECT_EQ(part.valid(chunk), all.valid(part.first_chunk + chunk));
          for (std::uint64_t base = 0; base < all.words; base += 1 + all.words / 50) {
            EXPECT_EQ(all.place(base, part.first_chunk + chunk), k * all.part_chunks() + part.place(base, chunk));
            EXPECT_TRUE(places.insert(all.place(base, part.first_chunk + chunk)).second);
          }
        }
      }
      EXPECT_EQ(lanes, all.lanes);
      EXPECT_EQ(bits, all.lanes);
      for (std::uint64_t i = 0; i < all.places(); i += 1 + all.places() / 100) {
        const auto at = all.chunk_at(i);
        EXPECT_LT(at.chunk, all.all_chunks());
        EXPECT_LT(all.place(at.base, at.chunk), all.state_chunks());
      }
    }
}

/// Border words are those that have a neighbour in other lanes, or are one: counted anew, and as published.
TEST(SlicedParts, BordersAreWhatOtherLanesTouch) {
  for (const Mask& mask : all_masks()) {
    const auto copies = static_cast<std::uint32_t>(mask.copies());
    if (copies < 2) continue;
    const int least = SlicedShape::lane_digits(copies, 2) + SlicedShape::most_block_digits(copies);
    for (int level = least; level <= least + 1; ++level) {
      if (std::pow(std::max(mask.side_x(), mask.side_y()), level) > 0x7fffffff) continue;
      const FractalDomain domain(mask, level, 2);
      const SlicedShape part = SlicedShape(domain).part(0);
      if (part.words > 100000) continue;
      SCOPED_TRACE(mask.key + " level " + std::to_string(level));
      const auto digits = digit_steps(domain);
      const SlicedSteps steps(digits.data(), domain.copies);
      const std::uint32_t arrive = arriving(digits, domain.copies);
      std::set<std::uint64_t> words;
      for (std::uint64_t base = 0; base < part.words; ++base)
        for (int d = 0; d < directions; ++d) {
          const auto found = steps.neighbour(base, part.base_digits, d);
          if (!found.there || found.crossing < 0 || !(arrive >> found.crossing & 1u)) continue;
          words.insert(base);
          words.insert(found.number);
        }
      const Border border = border_of(domain, part);
      EXPECT_EQ(std::set<std::uint64_t>(border.words.begin(), border.words.end()), words);
      EXPECT_GE(border_words(domain, part), static_cast<double>(words.size()));
      const int q = part.base_digits;
      if (mask.key == "sierpinski_gasket") {
        EXPECT_EQ(words.size(), 5u);
      }
      if (mask.key == "vicsek") {
        EXPECT_EQ(words.size(), 4u);
      }
      if (mask.key == "chandelier") {
        EXPECT_EQ(words.size(), 6u);
      }
      if (mask.key == "x_fractal") {
        EXPECT_EQ(words.size(), 4u);  // boxes that touch do so at their corners
      }
      if (mask.key == "sierpinski_carpet") {
        EXPECT_EQ(words.size(), 4 * (std::pow(3, q) - 1));
      }
      if (mask.key == "cantor_set") {
        EXPECT_EQ(words.size(), 0u);  // no two boxes touch
      }
    }
  }
}

class SlicedDevices : public TrackTest {};
WARPLOOM_ON_BOTH_BACKENDS(SlicedDevices);

TEST_P(SlicedDevices, StepAsOneDoes) {
  if (queue->backend() == Backend::cuda && !std::getenv("WARPLOOM_TEST_DEVICES")) GTEST_SKIP() << "one card";
  std::vector<Mask> masks = all_masks();
  masks.push_back(typed_mask("pieces", {"##..", "##..", "...#"}));
  const bool full = std::getenv("WARPLOOM_FULL") != nullptr;
  int ran = 0;
  for (const Mask& mask : masks)
    for (const char* rule : {"B3/S23", "B0123/S45", "B2/S23", "B36/S125", "B1357/S02468"}) {
      const auto copies = static_cast<std::uint32_t>(mask.copies());
      if (copies < 2 || (!full && rule != std::string("B3/S23") && (rule[1] != '0' || copies > 5))) continue;
      for (int level = 1; level <= 9; ++level) {
        FractalSettings settings = settings_of(mask, level, 0, "life", rule);
        std::vector<std::string> tracks{"sliced@1"};
        for (const char* more : {"sliced@2", "sliced@4", "sliced@8"})
          if (fractal_devices_refusal(settings, more).empty()) tracks.emplace_back(more);
        const double cells = std::pow(copies, level);
        if (tracks.size() == 1 || cells > (full ? 3e7 : sanitized ? 4e4 : 6e5)) continue;
        SCOPED_TRACE(mask.key + " level " + std::to_string(level) + " " + rule);
        const auto all = simulation(settings, tracks);
        fill(*all, *queue, 7, .5);
        ASSERT_TRUE(all_agree(*all));
        std::mt19937 random(5);
        for (int step = 0; step < (full ? 100 : 12); ++step) {
          all->step(*queue, nullptr);
          ASSERT_TRUE(all_agree(*all));
          // Painting, wherever the devices' parts are.
          std::vector<Cell> cells_there;
          const FractalDomain domain(mask, level);
          for (int i = 0; i < 20; ++i) cells_there.push_back(domain.member_number(random() % domain.cells()));
          for (std::size_t i = 0; i < all->size(); ++i)
            all->track(i).need<Editable>().edit(*queue, cells_there, static_cast<std::uint8_t>(step % 2));
        }
        for (std::size_t i = 1; i < all->size(); ++i)
          ASSERT_FALSE(all->track(i).first_difference(*queue, all->track(0))) << all->track(i).info().name;
        ++ran;
      }
    }
  EXPECT_GT(ran, sanitized ? 5 : 20);
}

/// Every cell is one thread's of one device, and that thread says so.
TEST_P(SlicedDevices, ServeEveryCellOnce) {
  if (queue->backend() == Backend::cuda && !std::getenv("WARPLOOM_TEST_DEVICES")) GTEST_SKIP() << "one card";
  for (const Mask& mask : {gasket(), carpet()}) {
    const auto all = simulation(settings_of(mask, mask.copies() == 3 ? 8 : 4, 0, "life", "B3/S23"), {"sliced@4"});
    auto& threads = all->track(0).need<Threads>();
    const FractalDomain domain(mask, mask.copies() == 3 ? 8 : 4);
    std::set<int> devices;
    for (std::uint64_t number = 0; number < domain.cells(); ++number) {
      const Cell cell = domain.member_number(number);
      Owner who;
      ASSERT_TRUE(threads.owner(cell, who));
      devices.insert(who.launch);
      const auto target = threads.target(who);
      ASSERT_TRUE(target && target->useful);
      EXPECT_EQ(target->cell, cell);
      EXPECT_TRUE(all->track(0).need<Threads>().launched(who));
    }
    EXPECT_EQ(devices, (std::set<int>{0, 1, 2, 3}));
    all->track(0).need<Counted>().count(*queue);
    EXPECT_EQ(all->track(0).need<Counted>().counts()->useful, domain.cells());
  }
}

/// Pictures are those of one device, pixel by pixel, from near and from far.
TEST_P(SlicedDevices, ShowWhatOneShows) {
  if (queue->backend() == Backend::cuda && !std::getenv("WARPLOOM_TEST_DEVICES")) GTEST_SKIP() << "one card";
  const auto all = simulation(settings_of(gasket(), 11, 0, "life", "B3/S23"), {"sliced@1", "sliced@4"});
  fill(*all, *queue, 7, .5);
  for (int step = 0; step < 5; ++step) all->step(*queue, nullptr);
  for (const double cells : {.5, 3., 12.8, 40.}) {
    PictureRequest request;
    request.camera = {1024 - cells * 37, 1024 + cells * 11, cells, cells};
    request.target = {0, nullptr, 160, 160};
    const auto one = painted(find_picture(all->track(0), "data"), request),
               four = painted(find_picture(all->track(1), "data"), request);
    EXPECT_EQ(one, four) << cells;
    EXPECT_GE(std::set<Rgba>(one.begin(), one.end()).size(), 2u);
  }
}

TEST(SlicedRefusals, NameTheLeastLevel) {
  FractalSettings settings = settings_of(gasket(), 7, 0, "life", "B3/S23");
  EXPECT_NE(fractal_devices_refusal(settings, "sliced@8").find("level 8 is the least"), std::string::npos);
  settings.level = 8;
  EXPECT_EQ(fractal_devices_refusal(settings, "sliced@8"), "");
  EXPECT_NE(fractal_devices_refusal(settings, "lambda_serial@2").find("choose lambda_serial@1, or sliced"),
            std::string::npos);
  // Numbers of lanes have 16 bits.
  const FractalSettings wide = settings_of(
      typed_mask("wide", {"#######", "#.#.#.#", "#######", "#.#.#.#", "#######", "#.#.###", "#######"}), 4, 0);
  ASSERT_EQ(wide.mask.copies(), 41u);
  EXPECT_NE(fractal_devices_refusal(wide, "sliced@16").find("choose sliced@8"), std::string::npos)
      << fractal_devices_refusal(wide, "sliced@16");
  EXPECT_EQ(fractal_devices_refusal(wide, "sliced@8"), "");
  settings.work = "reduction";
  EXPECT_NE(fractal_devices_refusal(settings, "sliced@2").find("no automaton"), std::string::npos);
}

}  // namespace
}  // namespace warploom
