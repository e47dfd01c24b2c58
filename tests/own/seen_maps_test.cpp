#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <set>

#include "gpu/own/kit.h"
#include "gpu/own/type_name.h"
#include "gpu/scenes/fractal/maps/list.h"
#include "gpu/scenes/fractal/own/seen_maps.h"
#include "gpu/scenes/simplex/maps/list.h"
#include "gpu/scenes/simplex/own/seen_maps.h"

// Built-in maps that are marked: they answer as the real ones, and note what they computed.

namespace warploom {
namespace {

constexpr int threads_a_map = 1000;
using own::SeenKind, own::SeenNote, own::SeenNotes, own::Visit;

Index3 any_of(Index3 extent, std::mt19937& random) { return unfold(random() % volume(extent), extent); }

bool has_value(const SeenNotes& notes) {
  for (int i = 0; i < notes.count; ++i)
    if ((notes.notes[i].kind == SeenKind::value || notes.notes[i].kind == SeenKind::answer) && notes.notes[i].numbers)
      return true;
  return false;
}
/// Notes name lines of files of the kit.
void expect_places(const SeenNotes& notes, const std::vector<std::string>& files) {
  for (int i = 0; i < notes.count; ++i) {
    const SeenNote& note = notes.notes[i];
    ASSERT_LT(static_cast<std::size_t>(note.file), files.size());
    ASSERT_GT(note.line, 0);
  }
}

const Target nowhere{{~0u, ~0u, ~0u}, false};

Mask mask_of(std::vector<std::string> rows) {
  Mask mask;
  mask.key = mask.name = "mask";
  mask.rows = std::move(rows);
  return mask;
}
struct FractalCase {
  std::vector<std::string> rows;
  int level, block_digits;
};
const FractalCase fractals[] = {{{"#.", "##"}, 7, 4},          {{"#.", "##"}, 10, 5},
                                {{"###", "#.#", "###"}, 4, 2}, {{"##.", "#.#"}, 5, 3},
                                {{"##", "##", ".#"}, 6, 3},    {{"#.#.", "....", ".#.#", "..##"}, 5, 2},
                                {{"#.", "##"}, 5, 5},          {{"###", "#.#", "###"}, 3, 0}};

template <class Map>
Target real_answer(const Map& map, const Visit& visit) {
  const LaunchShape shape = map.shape(visit.launch);
  CpuGroup group(visit.block, linear_index(visit.block, shape.blocks), shape.threads);
  Target answer = nowhere;
  Cell origin;
  if (map.block(group, visit.launch, visit.block, visit.turn, origin))
    answer.useful = map.thread(origin, visit.thread, answer.cell);
  if constexpr (requires { Map::serves_blocks; }) {
    const Target plain = answer;
    map.serve(group, visit.launch, visit.block, visit.turn, [&](const Thread& thread, Cell cell, bool useful) {
      if (thread.at == visit.thread) answer = {cell, useful};
    });
    EXPECT_EQ(answer.useful, plain.useful);
    if (plain.useful) {
      EXPECT_EQ(answer.cell, plain.cell);
    }
  }
  return answer;
}

TEST(SeenMaps, FractalMapsAnswerAsTheRealOnes) {
  const auto files = seen_fractal_files();
  const auto notes = std::make_unique<SeenNotes>();
  std::set<std::string> types;
  for_each_type(FractalMaps{}, [&]<class Map>() {
    const std::string type = type_name<Map>();
    SCOPED_TRACE(type);
    types.insert(type);
    std::mt19937 random(17);
    int asked = 0;
    for (int round = 0; asked < threads_a_map && round < 8; ++round)
      for (const FractalCase& one : fractals) {
        const FractalDomain domain(mask_of(one.rows), one.level);
        if constexpr (requires { Map::refusal(domain, 0); })
          if (!Map::refusal(domain, one.block_digits).empty()) continue;
        const MapTable table = Map::table(domain, one.block_digits);
        const Map map(domain, one.block_digits, table.data());
        for (int i = 0; i < threads_a_map / 8; ++i, ++asked) {
          const LaunchShape shape = map.shape(0);
          const Visit visit{0, 0, any_of(shape.blocks, random), any_of(shape.threads, random)};
          notes->count = 0;
          notes->cut = 0;
          Target answer;
          ASSERT_TRUE(see_fractal_map(type, domain, one.block_digits, table.data(), visit, *notes, answer));
          const Target real = real_answer(map, visit);
          ASSERT_EQ(answer.cell, real.cell);
          ASSERT_EQ(answer.useful, real.useful);
          ASSERT_TRUE(has_value(*notes));
          ASSERT_FALSE(notes->cut);
          ASSERT_NO_FATAL_FAILURE(expect_places(*notes, files));
        }
      }
    EXPECT_GE(asked, threads_a_map);
  });
  EXPECT_EQ(types.size(), FractalMaps::size);
}

template <int dimensions>
void simplices_answer() {
  const auto files = seen_simplex_files();
  const auto notes = std::make_unique<SeenNotes>();
  struct Case {
    std::uint32_t n, rho;
    CellShares shares;
  };
  std::vector<Case> cases{{64, 4, {}}, {65, 4, {}}, {37, 2, {}}, {256, 2, {}}, {100, 1, {}}};
  cases.push_back({96, 4, {{2, 1, 1}, 1, 0}});
  if (dimensions == 2) cases.push_back({3000, 2, {}});
  for_each_type(SimplexMaps<dimensions>{}, [&]<class Map>() {
    const std::string type = type_name<Map>();
    SCOPED_TRACE(type);
    std::mt19937 random(19);
    int asked = 0, useful = 0;
    for (int round = 0; asked < threads_a_map && round < 8; ++round)
      for (const Case& one : cases) {
        const SimplexDomain<dimensions> domain(one.n, one.rho, dimensions == 3 && asked % 2);
        const MapTable table = Map::table(domain);
        const Map map(domain, table.data(), one.shares);
        for (int i = 0; i < threads_a_map / 6; ++i, ++asked) {
          const int launch = static_cast<int>(random() % static_cast<unsigned>(map.launches()));
          const LaunchShape shape = map.shape(launch);
          const Visit visit{launch, static_cast<int>(random() % static_cast<unsigned>(map.turns(launch))),
                            any_of(shape.blocks, random), any_of(shape.threads, random)};
          const auto item = static_cast<std::uint32_t>(random() % map.items());
          notes->count = 0;
          notes->cut = 0;
          Target answer, real = nowhere;
          ASSERT_TRUE(see_simplex_map(type, domain, one.shares, table.data(), visit, item, *notes, answer));
          CpuGroup group(visit.block, linear_index(visit.block, shape.blocks), shape.threads);
          Cell origin;
          if (map.more(launch, visit.block, visit.turn) && map.block(group, launch, visit.block, visit.turn, origin))
            real.useful = map.thread(origin, visit.thread, item, real.cell);
          ASSERT_EQ(answer.cell, real.cell);
          ASSERT_EQ(answer.useful, real.useful);
          useful += answer.useful;
          if (map.more(launch, visit.block, visit.turn)) {
            ASSERT_TRUE(has_value(*notes));
          }
          ASSERT_FALSE(notes->cut);
          ASSERT_NO_FATAL_FAILURE(expect_places(*notes, files));
        }
      }
    EXPECT_GE(asked, threads_a_map);
    EXPECT_GT(useful, threads_a_map / 10);
  });
}
TEST(SeenMaps, TriangleMapsAnswerAsTheRealOnes) { simplices_answer<2>(); }
TEST(SeenMaps, TetrahedronMapsAnswerAsTheRealOnes) { simplices_answer<3>(); }

TEST(SeenMaps, UnknownTypesAreNoMaps) {
  const auto notes = std::make_unique<SeenNotes>();
  Target answer;
  EXPECT_FALSE(see_fractal_map("NoMap", FractalDomain(mask_of({"#.", "##"}), 3), 1, nullptr, {}, *notes, answer));
  EXPECT_FALSE(
      see_simplex_map("SimplexMap<BoxPlacing<3>>", SimplexDomain<2>(8, 2, false), {}, nullptr, {}, 0, *notes, answer));
  EXPECT_EQ(notes->count, 0);
}

/// The only line of a file that holds this.
int line_of(const std::string& file, std::string_view text) {
  const std::string_view all = kit_text(file);
  const auto at = all.find(text);
  EXPECT_NE(at, all.npos) << text;
  EXPECT_EQ(all.find(text, at + 1), all.npos) << text;
  return 1 + static_cast<int>(std::count(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

/// Lambda of the block (5, 2) of a gasket of three levels of blocks, by hand. Copies stand at (0, 0), (0, 1), (1, 1).
///   mu = 1: 5 = 1 * 3 + 2, copy 2 at (1, 1), times 1:  (1, 1)
///   mu = 2: 2 = 0 * 3 + 2, copy 2 at (1, 1), times 2:  (3, 3)
///   mu = 3: 1 = 0 * 3 + 1, copy 1 at (0, 1), times 4:  (3, 7)
TEST(SeenMaps, LambdaSerialIsSeenAsByHand) {
  using Map = LambdaMap<LambdaSerial, SubBoxes>;
  const FractalDomain domain(mask_of({"#.", "##"}), 4);
  const MapTable table = Map::table(domain, 1);
  const auto notes = std::make_unique<SeenNotes>();
  Target answer;
  ASSERT_TRUE(see_fractal_map(type_name<Map>(), domain, 1, table.data(), {0, 0, {5, 2, 0}, {1, 1, 0}}, *notes, answer));
  EXPECT_EQ(answer.cell, (Cell{7, 15, 0}));
  EXPECT_TRUE(answer.useful);

  const auto files = seen_fractal_files();
  const auto numbers_at = [&](const std::string& file, std::string_view text, SeenKind kind) {
    const int line = line_of(file, text);
    std::vector<std::vector<std::int64_t>> all;
    for (int i = 0; i < notes->count; ++i) {
      const SeenNote& note = notes->notes[i];
      if (files[static_cast<std::size_t>(note.file)] == file && note.line == line && note.kind == kind)
        all.emplace_back(note.number, note.number + note.numbers);
    }
    return all;
  };
  using Numbers = std::vector<std::vector<std::int64_t>>;
  const std::string file = "gpu/scenes/fractal/maps/domain.h", map = "gpu/scenes/fractal/maps/lambda_map.h";
  const auto value = SeenKind::value;
  EXPECT_EQ(numbers_at(file, "for (int mu = 1; mu <= digits; ++mu) {\n      std::uint32_t& w", SeenKind::turn),
            (Numbers{{}, {}, {}}));
  EXPECT_EQ(numbers_at(file, "for (int mu = 1; mu <= digits; ++mu) {\n      std::uint32_t& w", value),
            (Numbers{{1}, {2}, {3}}));
  EXPECT_EQ(numbers_at(file, "std::uint32_t& w = mu & 1 ? w_x : w_y;", value), (Numbers{{5}, {2}, {1}}));
  EXPECT_EQ(numbers_at(file, "rest = power_k[1].quotient(w);", value), (Numbers{{1}, {0}, {0}}));
  EXPECT_EQ(numbers_at(file, "tau = box(w - rest * copies);", value), (Numbers{{1, 1}, {1, 1}, {0, 1}}));
  EXPECT_EQ(numbers_at(file, "w = rest;", value), (Numbers{{1}, {0}, {0}}));
  EXPECT_EQ(numbers_at(file, "at.x += tau.x * power_x[mu - 1].divisor;", value), (Numbers{{1}, {3}, {3}}));
  EXPECT_EQ(numbers_at(file, "at.y += tau.y * power_y[mu - 1].divisor;", value), (Numbers{{1}, {3}, {7}}));
  EXPECT_EQ(numbers_at(map, "const Index2 place = Placing::place(", value), (Numbers{{3, 7}}));
  EXPECT_EQ(numbers_at(map, "origin = {place.x * domain.power_x", value), (Numbers{{6, 14, 0}}));
  EXPECT_EQ(numbers_at(map, "const bool useful = Intra::place(", value), (Numbers{{1}}));
  EXPECT_EQ(numbers_at(map, "cell = {origin.x + at.x, origin.y + at.y, 0};", value), (Numbers{{7, 15, 0}}));
  EXPECT_EQ(numbers_at(map, "return useful;", SeenKind::answer), (Numbers{{1}}));
  EXPECT_EQ(numbers_at("gpu/scenes/fractal/maps/lambda_serial.h", "return domain.lambda(", SeenKind::answer),
            (Numbers{{3, 7}}));
}

}  // namespace
}  // namespace warploom
