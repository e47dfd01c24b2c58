#include <algorithm>
#include <atomic>
#include <set>

#include "gpu/core/error.h"
#include "gpu/core/sort.h"
#include "gpu/scenes/irregular/hash/level_two.h"
#include "gpu/scenes/irregular/hash/refusals.h"
#include "gpu/scenes/irregular/hash/success.h"
#include "gpu/scenes/irregular/pictures/hash_pictures.h"
#include "gpu/scenes/irregular/tracks/hash_track.h"
#include "tests/backends.h"

// Tables of keys: against each other, against the host's answers, and what cannot be built.

namespace warploom {
namespace {

class Hash : public BackendTest {
 protected:
  static const IrregularSystem& system() { return find_irregular_system("hash"); }
  static IrregularSettings settings(const std::string& keys, std::int64_t count) {
    IrregularSettings all;
    all.system = "hash";
    all.keys = keys;
    all.count = count;
    all.side = 16;
    return all;
  }
  std::unique_ptr<HashTrack> make(const IrregularSettings& settings, const std::string& name) {
    auto made = system().make(*queue, system().problem(settings), settings, find_irregular_track(system(), name));
    return std::unique_ptr<HashTrack>(dynamic_cast<HashTrack*>(made.release()));
  }
  std::unique_ptr<HashTrack> started(const IrregularSettings& settings, const std::string& name) {
    auto track = make(settings, name);
    track->start(*queue);
    queue->wait();
    track->publish(*queue);
    return track;
  }
  void step(HashTrack& track) {
    track.step(*queue);
    queue->wait();
    track.publish(*queue);
  }
  static double number(HashTrack& track, Queue& queue, const std::string& name) {
    for (const auto& [key, value] : track.numbers(queue))
      if (key == name) return value;
    throw std::runtime_error("no number " + name);
  }
  static const std::vector<std::uint64_t> words(const std::vector<DumpArray>& dumps, const std::string& name) {
    for (const DumpArray& one : dumps) {
      if (one.name != name) continue;
      std::vector<std::uint64_t> all(one.shape[0]);
      const std::size_t size = one.bytes.size() / all.size();
      for (std::size_t i = 0; i < all.size(); ++i)
        std::copy_n(&one.bytes[i * size], size, reinterpret_cast<std::uint8_t*>(&all[i]));
      return all;
    }
    throw std::runtime_error("no dump " + name);
  }
};

TEST_P(Hash, AllTablesGiveTheHostsAnswers) {
  for (const auto& [keys, count] : {std::pair<const char*, std::int64_t>{"random", 1},
                                    {"random", 513},
                                    {"random", 3000},
                                    {"sequential", 1000},
                                    {"duplicates", 600},
                                    {"voxels", 0}}) {
    std::optional<std::uint64_t> seal;
    for (const TrackInfo& info : system().tracks) {
      const auto track = started(settings(keys, count), info.name);
      for (int steps = 0; steps < 3; ++steps) {
        const Verdict verdict = track->verdict(*queue, *track);
        EXPECT_TRUE(verdict.holds()) << info.name << " of " << keys << ": " << verdict.error << " wrong";
        EXPECT_EQ(verdict.rows, track->shape().keys);
        if (steps < 2) step(*track);
      }
      const std::uint64_t own = track->seal(*queue)->hash;
      EXPECT_EQ(own, seal.value_or(own)) << info.name << " of " << keys;
      seal = own;
    }
  }
}

TEST_P(Hash, AWrongAnswerIsSeen) {
  const auto right = started(settings("random", 1000), "linear"), wrong = started(settings("random", 1000), "double");
  EXPECT_EQ(right->seal(*queue)->hash, wrong->seal(*queue)->hash);
  EXPECT_FALSE(wrong->first_difference(*queue, *right));
  wrong->spoil(*queue, 617, 1);
  EXPECT_EQ(wrong->verdict(*queue, *right).error, 1);
  EXPECT_FALSE(wrong->verdict(*queue, *right).holds());
  EXPECT_NE(right->seal(*queue)->hash, wrong->seal(*queue)->hash);
  EXPECT_EQ(wrong->first_difference(*queue, *right), (Cell{617, 0, 0}));
}

TEST_P(Hash, OtherSettingsKeepTheStep) {
  auto all = settings("voxels", 0);
  const auto before = started(all, "bucketed");
  step(*before);
  step(*before);
  for (const double load : {.3, .95}) {
    all.load = load;
    all.bucket = 16;
    const auto after = make(all, "bucketed");
    after->adopt(*queue, *before);
    queue->wait();
    after->publish(*queue);
    EXPECT_EQ(after->seal(*queue)->hash, before->seal(*queue)->hash);
    EXPECT_TRUE(after->verdict(*queue, *before).holds());
    EXPECT_NEAR(number(*after, *queue, "load"), load, .01);
  }
}

/// A bucket traced on the host ends as the one that a block built.
TEST_P(Hash, TheTableOfTwoLevelIsAFunctionOfItsKeys) {
  const auto track = started(settings("random", 5000), "two_level");
  const auto dumps = track->dumps(*queue);
  const auto keys = words(dumps, "keys"), table = words(dumps, "table"), rounds = words(dumps, "rounds"),
             reseeds = words(dumps, "reseeds"), counts = words(dumps, "bucket_counts");
  ASSERT_EQ(rounds.size(), 13u);
  const HashFamily family = track->shape().family();
  const auto home = family.at(0, static_cast<unsigned>(number(*track, *queue, "restarts")));
  std::vector<std::vector<std::uint32_t>> inside(rounds.size());
  for (const std::uint64_t key : keys)
    inside[home(static_cast<std::uint32_t>(key), 13)].push_back(static_cast<std::uint32_t>(key));
  for (std::size_t b = 0; b < inside.size(); ++b) {
    EXPECT_EQ(inside[b].size(), counts[b]);
    const auto attempt = static_cast<unsigned>(reseeds[b]);
    const std::array functions{family.at(1, attempt), family.at(2, attempt), family.at(3, attempt)};
    const auto trace = trace_level_two(inside[b], functions, true);
    EXPECT_EQ(trace.rounds, rounds[b]);
    ASSERT_EQ(trace.phases.size(), 3 * rounds[b]);
    for (std::size_t slot = 0; slot < 576; ++slot) {
      const std::uint64_t word = trace.phases.back()[slot];
      const std::uint64_t pair = word ? pair_word(word_key(word), track->shape().values()) : empty_word;
      ASSERT_EQ(table[576 * b + slot], pair) << "bucket " << b << ", slot " << slot;
    }
  }
}

TEST_P(Hash, TablesThatCannotBeBuiltSayWhy) {
  const auto refusal = [&](const IrregularSettings& settings, const std::string& name) {
    try {
      started(settings, name);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  // Sixteen copies of each key overflow a bucket of level 1.
  auto copies = settings("duplicates", 20'000);
  const std::string overflow = refusal(copies, "two_level");
  for (const char* word : {"two_level", "bucket ", " pairs", "different keys"})
    EXPECT_NE(overflow.find(word), std::string::npos) << overflow;
  EXPECT_EQ(refusal(copies, "bucketed"), "");
  // A step that is refused leaves the track as it was.
  auto published = settings("sequential", 100);
  published.hash = "published";
  const auto track = started(published, "two_level");
  const std::uint64_t before = track->seal(*queue)->hash;
  std::atomic<bool> cancel{true};
  queue->cancel = &cancel;
  EXPECT_THROW(track->step(*queue), Cancelled);
  queue->cancel = nullptr;
  track->give_up(*queue);
  EXPECT_EQ(track->seal(*queue)->hash, before);
  EXPECT_TRUE(track->verdict(*queue, *track).holds());
}

/// Four keys that are equal modulo the prime never fit three tables, and eight times as many no three buckets of eight.
TEST_P(Hash, EqualResiduesAreNamed) {
  const HashShape four{4, 7, .7, 4, true}, many{40, 7, .7, 4, true};
  std::vector<std::uint32_t> keys;
  for (std::uint32_t i = 0; i < 40; ++i) keys.push_back(5 + i * published_prime);
  Buffer<std::uint32_t> on_backend;
  on_backend.assign(*queue, keys);
  Scratch scratch(queue->backend());
  const auto message = [&](const char* name, const HashShape& shape) {
    try {
      hash_strategy(name).make(*queue, shape)->build(*queue, on_backend.data(), scratch);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string two_level = message("two_level", four);
  EXPECT_NE(two_level.find("bucket 0"), std::string::npos) << two_level;
  EXPECT_NE(two_level.find("keys 5, 1900818, 3801631, 5702444 are equal modulo 1900813"), std::string::npos)
      << two_level;
  EXPECT_NE(message("bucketed", many).find("equal modulo 1900813"), std::string::npos);
  EXPECT_EQ(message("linear", many), "");
  EXPECT_EQ(message("double", many), "");
}

TEST_P(Hash, TurnsAreCountedWarpByWarp) {
  const auto all = settings("random", 1000);
  const auto track = started(all, "sort");
  track->count(*queue);
  // Each of 1000 queries takes 10 halvings and a comparison; the last warp has 8 lanes.
  const Counts counts = track->counts().value();
  EXPECT_EQ(counts.launched, 32u * 32 * 11);
  EXPECT_EQ(counts.useful, 1000u * 11);
  EXPECT_EQ(counts.warps_full, 31u * 11);
  EXPECT_EQ(counts.warps_partial, 11u);
  EXPECT_EQ(number(*track, *queue, "probes_hit"), 11);
}

TEST_P(Hash, WordsAreSortedByTheirLowestBitsAlone) {
  Scratch scratch(queue->backend());
  for (const std::uint64_t count : {1u, 2u, 1000u, 100'000u})
    for (const unsigned bits : {1u, 8u, 12u, 30u, 32u}) {
      std::vector<std::uint64_t> words(count);
      for (std::uint64_t i = 0; i < count; ++i) words[i] = (key_hash(bits, i % (count / 2 + 1)) & 0xffffffff) | i << 32;
      Buffer<std::uint64_t> on_backend;
      on_backend.assign(*queue, words);
      sort_words("test.sort", *queue, on_backend.data(), count, bits, scratch);
      const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
      std::ranges::stable_sort(words, {}, [&](std::uint64_t word) { return word & mask; });
      EXPECT_EQ(on_backend.download(*queue), words) << count << " words, " << bits << " bits";
    }
}

TEST_P(Hash, PicturesShowWhatTheTableHolds) {
  auto all = settings("voxels", 0);
  const auto track = started(all, "two_level");
  track->count(*queue);
  PictureRequest request;
  for (int i = 0; i < Palette::steps; ++i) request.palette.data[i] = rgba(10 + static_cast<unsigned>(i), 200, 30);
  const auto paint = [&](const char* key, double wide, double high) {
    request.target = {0, nullptr, static_cast<int>(wide), static_cast<int>(high)};
    request.camera = {wide / 2, high / 2, 1, 1};
    return painted(find_picture(*track, key), request);
  };
  // A pixel a slot: as many are empty as the table has empty words.
  const auto sides = find_picture(*track, "table").extent();
  request.colour_by = hash_colours::table;
  const auto table = paint("table", sides[0], sides[1]);
  const auto held = words(track->dumps(*queue), "table");
  for (std::size_t slot = 0; slot < held.size(); ++slot) {
    const Rgba wanted =
        held[slot] == empty_word ? request.palette.waste : hash_kind(static_cast<unsigned>(slot % 576 / 192));
    ASSERT_EQ(table[slot], wanted) << slot;
  }
  request.colour_by = ColourBy::state;
  const auto rounds = find_picture(*track, "rounds").extent();
  EXPECT_EQ(rounds[0], 576);
  EXPECT_EQ(std::fmod(rounds[1], 3), 0);
  const auto phases = paint("rounds", rounds[0], rounds[1]);
  EXPECT_GT(std::ranges::count(phases, request.palette.track), 300) << "pairs that are new in a slot";
  const auto voxels = paint("voxels", 16, 16);
  std::set<std::uint64_t> there, asked;
  for (const std::uint64_t key : words(track->dumps(*queue), "keys")) there.insert(key);
  for (const std::uint64_t key : words(track->dumps(*queue), "queries")) asked.insert(key);
  for (std::uint32_t i = 0; i < 256; ++i) {
    const std::uint32_t key = VoxelSheet::key(i % 16, i / 16, 8);
    const Rgba wanted = !asked.contains(key)  ? there.contains(key) ? voxels[i] : request.palette.waste
                        : there.contains(key) ? hash_kind(0)
                                              : hash_kind(1);
    ASSERT_EQ(voxels[i], wanted) << i;
    if (there.contains(key)) {
      ASSERT_NE(voxels[i], request.palette.waste) << i;
    }
  }
  // A key is found under the pointer, and marked where it lies.
  const std::size_t slot =
      static_cast<std::size_t>(std::ranges::find_if(held, [](auto word) { return word != empty_word; }) - held.begin());
  Picture& picture = find_picture(*track, "table");
  request.target = {0, nullptr, 576, static_cast<int>(sides[1])};
  request.camera = {288, sides[1] / 2, 1, 1};
  const Selection found =
      picture.at(queue.get(), request, static_cast<double>(slot % 576) + .5, static_cast<double>(slot / 576) + .5);
  EXPECT_EQ(found, (Selection{key_space, {word_key(held[slot]), 0, 0}}));
  track->ask(*queue, found);
  const auto marks = picture.marks({found, {}, {}, true});
  ASSERT_FALSE(marks.empty());
  EXPECT_EQ(marks.back().low,
            (std::array<double, 3>{static_cast<double>(slot % 576), static_cast<double>(slot / 576), 0}));
  const auto rows = track->describe(found);
  EXPECT_TRUE(std::ranges::any_of(
      rows, [](const auto& row) { return row.first == "answer" && row.second.starts_with("found"); }));
}

WARPLOOM_ON_BOTH_BACKENDS(Hash);

TEST(HashSuccess, FallsFromTheMeanToTheCap) {
  LevelTwoSuccess success(7, false);
  success.wait();
  const auto points = success.points();
  ASSERT_TRUE(points.whole());
  const auto at = [&](double keys) {
    return points.share[static_cast<std::size_t>(std::ranges::find(points.keys, keys) - points.keys.begin())];
  };
  EXPECT_EQ(at(384), 1);
  EXPECT_GE(at(416), .99);
  EXPECT_NEAR(at(480), .983, .03);
  EXPECT_NEAR(at(512), .412, .12);
  EXPECT_LE(at(528), .25);
  // Its destructor does not wait for the builds.
  LevelTwoSuccess(8, false).points();
}

TEST(HashFunctions, AreWhatTheirConstantsSay) {
  EXPECT_EQ(fmix32(1), 0x514e28b7u);
  EXPECT_EQ(prime_from(0), 2u);
  EXPECT_EQ(prime_from(90), 97u);
  EXPECT_EQ(prime_from(142'858), 142'867u);
  const HashFunction published = HashFamily(7, true).at(2, 5);
  for (std::uint32_t key : {0u, 1u, 4'000'000'000u})
    EXPECT_EQ(published(key, 192), (published.b + std::uint64_t{published.a} * key) % published_prime % 192);
  EXPECT_EQ(count_voxels({16}), 2240u);
  EXPECT_EQ(count_voxels({64}), 44'096u);
  EXPECT_EQ(count_voxels({128}), 167'360u);
}

}  // namespace
}  // namespace warploom
