#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "gpu/core/error.h"
#include "gpu/scenes/butterfly/devices/team_transform.h"
#include "tests/sanitized.h"
#include "tests/scenes/butterfly/run.h"

namespace warploom {
namespace {

/// Values of a row of 2^n that cross the link, and stages with an exchange, counted anew from `partner`.
struct Crossing {
  std::uint64_t values = 0, exchanges = 0;
  friend bool operator==(const Crossing&, const Crossing&) = default;
};
template <class Algorithm>
Crossing counted_anew(const Algorithm& a, int d) {
  Crossing all;
  const std::uint32_t own = (1u << a.n) >> d;
  for (int j = 1; j <= a.stages(); ++j) {
    std::set<std::pair<std::uint32_t, std::uint32_t>> sent;
    for (std::uint32_t e = 0; e < 1u << a.n; ++e)
      for (int k = 0; a.makes(j, e) && k < Algorithm::operands; ++k)
        if (const std::uint32_t from = a.partner(j, e, k); from != no_element && from / own != e / own)
          sent.insert({from, e / own});
    all.values += sent.size();
    all.exchanges += !sent.empty();
  }
  return all;
}

TEST(DevicePlans, ValuesAreThoseThatOthersNeed) {
  for_each_type(StagedNetworks{}, [&]<class Algorithm>() {
    for (int n = 1; n <= 8; ++n)
      for (int d = 1; d <= std::min(n, 3); ++d) {
        SCOPED_TRACE(Algorithm::info.key + (" n " + std::to_string(n)) + " d " + std::to_string(d));
        const auto a = network_of<Algorithm>(n);
        const DevicePlan plan = device_plan(a, d);
        EXPECT_EQ((Crossing{plan.values(), plan.exchanges()}), counted_anew(a, d));
        for (int j = 1; j <= a.stages(); ++j) {
          // What is sent is what is wanted, each once, and lands where it is looked for.
          const LinkPlan link = plan.link(j, 3, 4);
          EXPECT_EQ(link.bytes(), plan.values(j) * 12);
          std::map<int, std::set<std::uint64_t>> filled;
          for (const Transfer& one : link.transfers) {
            const auto sent = plan.sent_by(j, one.from);
            const auto& wanted = plan.wanted_by(j, one.to);
            for (std::uint64_t i = 0; i < one.bytes / 12; ++i) {
              EXPECT_EQ(sent[one.from_byte / 12 + i] + (static_cast<std::uint32_t>(one.from) << (n - d)),
                        wanted[one.to_byte / 12 + i]);
              EXPECT_TRUE(filled[one.to].insert(one.to_byte / 12 + i).second);
            }
          }
          for (int k = 0; k < 1 << d; ++k) EXPECT_EQ(filled[k].size(), plan.wanted_by(j, k).size());
        }
      }
  });
}

template <class Algorithm>
std::vector<std::uint64_t> values_of(int n) {
  std::vector<std::uint64_t> all;
  for (int d = 1; d <= 3; ++d) all.push_back(device_plan(network_of<Algorithm>(n), d).values());
  return all;
}

TEST(DevicePlans, PublishedCounts) {
  using All = std::vector<std::uint64_t>;
  EXPECT_EQ(values_of<KoggeStone>(6), (All{63, 125, 185}));
  EXPECT_EQ(values_of<BrentKung>(6), (All{6, 16, 32}));
  EXPECT_EQ(values_of<OddEvenMerge>(6), (All{126, 310, 542}));
  EXPECT_EQ(values_of<KoggeStone>(10), (All{1023, 2045, 3065}));
  EXPECT_EQ(values_of<BrentKung>(10), (All{10, 28, 60}));
  EXPECT_EQ(values_of<LadnerFischer>(10), (All{1, 4, 12}));
  EXPECT_EQ(values_of<CyclicReduction>(10), (All{20, 56, 120}));
  EXPECT_EQ(values_of<ParallelCyclicReduction>(10), (All{2046, 4090, 6130}));
  EXPECT_EQ(values_of<WangMou>(10), (All{2, 10, 34}));
  EXPECT_EQ(values_of<TridiagonalLadnerFischer>(10), (All{2, 8, 24}));
  EXPECT_EQ(values_of<Bitonic>(10), (All{1024, 3072, 6144}));
  EXPECT_EQ(values_of<OddEvenMerge>(10), (All{2046, 5110, 9182}));
}

/// Rows of an algorithm, the same each time.
std::vector<std::uint8_t> rows_of(const ButterflySettings& settings) {
  const RowShape shape = input_shape(settings);
  std::mt19937 random(7);
  std::vector<std::uint8_t> all(settings.batch * shape.row_bytes());
  const bool floats = shape.numpy[1] != 'i' && shape.numpy[1] != 'u';
  for (std::size_t at = 0; at < all.size(); at += 4) {
    // Rows of systems have their diagonal second.
    const float value =
        static_cast<float>(random() % 1000) / 1000.f + (shape.width == 4 && at / 4 % 4 == 1 ? 4.f : 0.f);
    const auto word = static_cast<std::uint32_t>(random());
    std::memcpy(&all[at], floats ? static_cast<const void*>(&value) : &word, 4);
  }
  return all;
}

struct Made {
  std::vector<std::uint8_t> out;
  std::vector<std::uint64_t> singular;
  friend bool operator==(const Made&, const Made&) = default;
};
ButterflyVariant variant_of(const ButterflySettings& settings, const std::string& track) {
  ButterflyVariant variant = butterfly_variant(settings, find_butterfly_track(settings.algorithm, track));
  variant.devices = butterfly_devices(settings, track);
  return variant;
}
Made run_track(Queue& queue, const ButterflySettings& settings, const std::string& track) {
  const auto transform = make_transform(queue, settings, variant_of(settings, track));
  Buffer<std::uint8_t> in(queue, rows_of(settings)),
      out(queue.backend(), settings.batch * output_shape(settings).row_bytes());
  Buffer<std::uint64_t> singular(queue.backend(), settings.batch);
  fill_with_ones(queue, singular.data(), singular.bytes());
  for (int step = 0; step < 2; ++step) transform->run(queue, in.data(), out.data(), singular.data());
  return {out.download(queue), singular.download(queue)};
}

/// How far outputs of floats are apart, relative to their size; of whole numbers 0, or 1 where any differs.
double apart(const ButterflySettings& settings, const Made& one, const Made& other) {
  if (one.singular != other.singular || one.out.size() != other.out.size()) return 1;
  const char type = output_shape(settings).numpy[1];
  if (type == 'i' || type == 'u') return one.out == other.out ? 0 : 1;
  double difference = 0, size = 0;
  for (std::size_t at = 0; at < one.out.size(); at += 4) {
    float a = 0, b = 0;
    std::memcpy(&a, &one.out[at], 4);
    std::memcpy(&b, &other.out[at], 4);
    difference += (double{a} - b) * (double{a} - b);
    size += double{a} * a;
  }
  return std::sqrt(difference / size);
}

/// Rows of 2^n by blocks of 2^s (0: the usual), so many of them.
struct Length {
  int n, s;
  std::vector<std::uint64_t> batches;
};
/// A few; WARPLOOM_FULL=1: all that scripts/long.sh asks for.
const std::vector<Length>& lengths() {
  static const std::vector<Length> all = [] {
    std::vector<Length> made{{1, 0, {1, 37}}, {2, 0, {37}}, {3, 0, {1, 37}}, {5, 0, {37}},
                             {8, 0, {1, 37}}, {7, 5, {1}},  {8, 6, {5}},     {11, 5, {1}}};
    if (sanitized) return std::vector<Length>{{3, 0, {1}}, {8, 0, {5}}, {7, 5, {1}}, {11, 5, {1}}};
    if (!std::getenv("WARPLOOM_FULL")) return made;
    made.clear();
    for (int n = 1; n <= 14; ++n)
      for (const int s : {0, 5, 6}) made.push_back({n, s, {1, 3, 8, 64}});
    return made;
  }();
  return all;
}

/// Every form of these variants on 2, 4 and 8 devices against one device: bit for bit where nodes do the same
/// everywhere, and of long rows, whose floats are grouped otherwise, within rounding.
void same_as_one(ButterflySettings settings, const std::vector<std::string>& variants) {
  Queue queue(Backend::cpu);
  // Kept meanwhile: their threads start once.
  const auto two = Team::of(Backend::cpu, 2), four = Team::of(Backend::cpu, 4), eight = Team::of(Backend::cpu, 8);
  int ran = 0;
  for (const auto& variant : variants)
    for (const std::string exchange : {"", "/shuffle", "/global", "/look_back"}) {
      if (settings.algorithm == "fft" && exchange == "/shuffle" && variant != "radix2") continue;
      if (settings.algorithm != "scan" && exchange == "/look_back") continue;
      if (variant == "index_digit" && !exchange.empty()) continue;
      for (const Length& length : lengths())
        for (const std::uint64_t batch : length.batches) {
          const int n = length.n, s = length.s;
          settings.n = n;
          settings.batch = batch;
          settings.s = s;
          std::optional<Made> one;
          for (const std::string devices : {"@2", "@4", "@8"})
            for (const char* split : {"elements", "rows"}) {
              settings.split = split;
              const std::string track = variant + exchange + devices;
              if (!butterfly_devices_refusal(settings, track).empty()) continue;
              SCOPED_TRACE(settings.algorithm + " " + track + " " + split + " n " + std::to_string(settings.n) + " s " +
                           std::to_string(s) + " batch " + std::to_string(batch));
              if (!one) one = run_track(queue, settings, variant + exchange);
              const bool bits = std::string(split) == "rows" || n <= variant_of(settings, track).mapping.s;
              const Made made = run_track(queue, settings, track);
              if (bits && settings.order == "left")
                ASSERT_EQ(made, *one);
              else
                ASSERT_LT(apart(settings, *one, made), 1e-6);
              ++ran;
            }
        }
    }
  EXPECT_GT(ran, sanitized ? 30 : 100);
}

TEST(DeviceParts, ScansAreThoseOfOneDevice) {
  ButterflySettings settings;
  settings.algorithm = "scan";
  for (const char* op : {"add", "affine", "add_float"}) {
    settings.scan_operator = op;
    settings.exclusive = *op != 'a' || op[1] != 'f';
    same_as_one(settings, {"kogge_stone", "ladner_fischer", "brent_kung"});
    settings.exclusive = !settings.exclusive;
    same_as_one(settings, {"brent_kung"});
  }
}
TEST(DeviceParts, SystemsAreThoseOfOneDevice) {
  ButterflySettings settings;
  settings.algorithm = "tridiagonal";
  same_as_one(settings, {"cyclic_reduction", "parallel_cyclic_reduction", "wang_mou", "ladner_fischer"});
}
TEST(DeviceParts, SortsAreThoseOfOneDevice) {
  ButterflySettings settings;
  settings.algorithm = "sort";
  same_as_one(settings, {"bitonic", "odd_even_merge"});
}
TEST(DeviceParts, TransformsAreThoseOfOneDevice) {
  ButterflySettings settings;
  settings.algorithm = "fft";
  same_as_one(settings, {"radix2", "radix4", "radix8", "radix16"});
  settings.inverse = true;
  same_as_one(settings, {"radix2", "radix8"});
  settings.order = "natural";
  same_as_one(settings, {"radix2", "radix8"});
  settings.inverse = false;
  same_as_one(settings, {"radix4", "index_digit"});
}
TEST(DeviceParts, TransformsExchangeOnce) {
  // With n = 6: every radix on 2 and 4 devices, radix 2 and 8 on 8.
  ButterflySettings settings;
  settings.algorithm = "fft";
  for (const auto& [track, most] :
       std::vector<std::pair<std::string, int>>{{"radix2", 8}, {"radix4", 4}, {"radix8", 8}, {"radix16", 4}})
    for (int devices = 2; devices <= 16; devices *= 2)
      EXPECT_EQ(butterfly_devices_refusal(settings, track + "@" + std::to_string(devices)).empty(), devices <= most)
          << track << " " << devices;
  for_each_fft(2, 8, [](const FftNetwork& a) {
    for (int d = 1; 2 * d <= a.n; ++d) {
      if (a.exchange_window(d) < 0) continue;
      // No node's operands lie on two devices, and all move once.
      std::set<int> exchanges;
      for (int j = 1; j <= a.stages(); ++j)
        for (std::uint32_t e = 0; e < 1u << a.n; ++e) {
          EXPECT_LT(a.device(j, e, d), 1 << d);
          for (int k = 0; k < 1 << (a.stage(j).high - a.stage(j).low + 1); ++k)
            EXPECT_EQ(a.device(j, a.partner(j, e, k), d), a.device(j, e, d));
          if (a.device(j - 1, e, d) != a.device(j, e, d)) exchanges.insert(j);
        }
      EXPECT_EQ(exchanges.size(), 1u);
    }
  });
}
TEST(DeviceParts, NaturalOrderExchangesThreeTimes) {
  for_each_fft(2, 8, [](const FftNetwork& usual) {
    for (int d = 1; usual.p > 0 && 2 * d <= usual.n; ++d) {
      FftNetwork a = usual;
      a.first_digits = d;
      SCOPED_TRACE(std::to_string(a.n) + " " + std::to_string(a.p) + " " + std::to_string(d));
      std::set<int> exchanges;
      int paired = 0;
      for (int j = 1; j <= a.stages() + 1; ++j)
        for (std::uint32_t e = 0; e < 1u << a.n; ++e) {
          EXPECT_LT(a.device(j, e, d), 1 << d);
          if (a.device(j - 1, e, d) != a.device(j, e, d)) exchanges.insert(j);
          if (j > a.stages()) continue;
          for (int k = 0; k < 1 << (a.stage(j).high - a.stage(j).low + 1); ++k)
            EXPECT_EQ(a.device(j, a.partner(j, e, k), d), a.device(j, e, d));
        }
      for (int j = 1; j <= a.stages(); ++j) paired += a.stage(j).high - a.stage(j).low + 1;
      EXPECT_EQ(paired, a.n) << "every digit once";
      EXPECT_EQ(exchanges, (std::set<int>{1, a.first_stage(a.first_windows()), a.stages() + 1}));
      // Loaded and stored by equal parts, in order.
      for (std::uint32_t e = 0; e < 1u << a.n; ++e) {
        EXPECT_EQ(a.device(0, e, d), static_cast<int>(e >> (a.n - d)));
        EXPECT_EQ(a.device(a.stages() + 1, e, d), static_cast<int>(reversed_digits(e, a.n) >> (a.n - d)));
      }
    }
  });
}
TEST(DeviceParts, RowsOfEveryTrackGoToDevices) {
  Queue queue(Backend::cpu);
  for (const char* algorithm : {"fft", "real_fft", "dct", "scan", "tridiagonal", "sort"}) {
    ButterflySettings settings;
    settings.algorithm = algorithm;
    settings.split = "rows";
    settings.n = 6;
    settings.batch = 21;
    for (const TrackInfo& info : butterfly_tracks(algorithm)) {
      if (info.map == "vendor") continue;
      SCOPED_TRACE(std::string(algorithm) + " " + info.name);
      ASSERT_EQ(butterfly_devices_refusal(settings, info.name + "@4"), "");
      EXPECT_EQ(run_track(queue, settings, info.name + "@4"), run_track(queue, settings, info.name));
    }
  }
}

TEST(DeviceParts, WhatDividesByZeroIsTheEarliest) {
  Queue queue(Backend::cpu);
  ButterflySettings settings;
  settings.algorithm = "tridiagonal";
  settings.n = 6;
  settings.batch = 2;
  const auto run_zero = [&](const std::string& track, std::uint32_t row) {
    auto rows = rows_of(settings);
    std::memset(&rows[(64 + row) * 16], 0, 16);
    Buffer<std::uint8_t> in(queue, rows), out(queue.backend(), 2 * 64 * 4);
    Buffer<std::uint64_t> singular(queue.backend(), 2);
    fill_with_ones(queue, singular.data(), singular.bytes());
    make_transform(queue, settings, variant_of(settings, track))->run(queue, in.data(), out.data(), singular.data());
    return singular.download(queue);
  };
  for (const std::string track : {"wang_mou", "cyclic_reduction", "ladner_fischer", "parallel_cyclic_reduction"})
    for (const std::uint32_t row : {0u, 15u, 16u, 40u, 63u})
      EXPECT_EQ(run_zero(track + "@4", row), run_zero(track, row)) << track << " " << row;
  // Of long systems the stages are others where parts are; the row is the same.
  settings.s = 5;
  for (const std::uint32_t row : {0u, 15u, 16u, 40u, 63u}) {
    const std::uint64_t found = run_zero("wang_mou@4", row)[1];
    EXPECT_EQ(found & 0xffffffff, run_zero("wang_mou", row)[1] & 0xffffffff) << row;
    EXPECT_EQ(found & 0xffffffff, row) << row;
  }
}

TEST(DeviceParts, WhatCannotBeSharedOutIsRefused) {
  ButterflySettings settings;
  const auto refusal = [&](const char* algorithm, const std::string& track) {
    settings.algorithm = algorithm;
    return butterfly_devices_refusal(settings, track);
  };
  settings.devices = 2;
  EXPECT_EQ(refusal("scan", "kogge_stone"), "");
  EXPECT_EQ(refusal("scan", "kogge_stone@1"), "");
  EXPECT_EQ(refusal("scan", "serial"), "devices=2: a problem is one thread's; choose split=rows");
  EXPECT_EQ(refusal("scan", "kogge_stone/tuned"),
            "devices=2: tuned programs have the digits of one device; choose kogge_stone, or split=rows");
  EXPECT_NE(refusal("dct", "radix2").find("k with M - k"), std::string::npos);
  EXPECT_EQ(refusal("scan", "kogge_stone@16"), "") << "2^6 elements, four a thread";
  settings.n = 5;
  EXPECT_EQ(refusal("scan", "kogge_stone@16"),
            "devices=16: a row has 8 threads, and each device needs one; choose devices=8");
  settings.split = "rows";
  settings.batch = 3;
  EXPECT_EQ(refusal("fft", "radix2@4"),
            "devices=4: whole rows are shared out, and there are 3; choose devices=2, or batch=4");
  EXPECT_THROW((void)butterfly_devices(settings, "radix2@3"), UsageError);
  EXPECT_THROW((void)butterfly_devices(settings, "radix2@"), UsageError);
  EXPECT_THROW((void)butterfly_devices(settings, "radix2@32"), UsageError);
  EXPECT_EQ(butterfly_track_name("fft", "radix2/shared/plain@4"), "radix2@4");
}

/// A value that is not sent, or is sent elsewhere, is found: what is not received is no number.
TEST(DeviceParts, AWrongLinkIsFound) {
  const DevicePlan plan = device_plan(network_of<KoggeStone>(6), 2);
  const auto team = Team::of(Backend::cpu, 4);
  Queue queue(Backend::cpu);
  const auto sent_rightly = [&](const LinkPlan& link) {
    std::vector<std::vector<std::uint32_t>> sent(4), received(4);
    std::vector<const void*> from;
    std::vector<void*> to;
    for (int k = 0; k < 4; ++k) {
      const auto at = static_cast<std::size_t>(k);
      for (const std::uint32_t e : plan.sent_by(5, k)) sent[at].push_back(e + 16 * static_cast<std::uint32_t>(k));
      sent[at].resize(64, no_element);
      received[at].assign(plan.wanted_by(5, k).size(), no_element);
      from.push_back(sent[at].data());
      to.push_back(received[at].data());
    }
    Team::Step step(*team, queue);
    step.exchange("test", link, from, to);
    (void)step.finish();
    bool right = true;
    for (int k = 0; k < 4; ++k) right = right && received[static_cast<std::size_t>(k)] == plan.wanted_by(5, k);
    return right;
  };
  const LinkPlan whole = plan.link(5, 1, 4);
  EXPECT_TRUE(sent_rightly(whole));
  for (std::size_t i = 0; i < whole.transfers.size(); ++i) {
    LinkPlan wrong = whole;
    wrong.transfers.erase(wrong.transfers.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(sent_rightly(wrong)) << "left out";
    wrong = whole;
    wrong.transfers[i].bytes -= 4;
    EXPECT_FALSE(sent_rightly(wrong)) << "cut short";
    wrong = whole;
    wrong.transfers[i].from = (wrong.transfers[i].from + 3) % 4;
    EXPECT_FALSE(sent_rightly(wrong)) << "from another device";
  }
}

}  // namespace
}  // namespace warploom
