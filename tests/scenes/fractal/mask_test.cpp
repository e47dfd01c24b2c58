#include "gpu/scenes/fractal/files/masks.h"

#include <cmath>
#include <map>

#include "gpu/maps/rule.h"
#include "tests/files/files.h"
#include "tests/scenes/fractal/fractals.h"

namespace warploom {
namespace {

std::string mask_refusal(std::vector<std::string> rows) {
  return message_of<UsageError>([&] { check(typed_mask("drawn", std::move(rows))); });
}

TEST(Mask, RefusedWithTheReason) {
  expect_parts(mask_refusal({}), {"drawn", "no rows"});
  expect_parts(mask_refusal({""}), {"drawn", "0 x 1", "narrow"});
  expect_parts(mask_refusal({"#"}), {"1 x 1", "narrow"});
  expect_parts(mask_refusal({"#", "#", "#"}), {"1 x 3", "narrow"});
  expect_parts(mask_refusal({"##", "#"}), {"row 2", "1 characters", "same length"});
  expect_parts(mask_refusal(std::vector<std::string>(9, "#########")), {"9 x 9", "up to 8"});
  expect_parts(mask_refusal({"#########"}), {"9 x 1", "up to 8"});
  expect_parts(mask_refusal(std::vector<std::string>(9, "##")), {"2 x 9", "up to 8"});
  expect_parts(mask_refusal({"#.", "#x"}), {"row 2", "column 2", "'x'"});
  expect_parts(mask_refusal({"..", ".."}), {"0 marks", "at least 2"});
  expect_parts(mask_refusal({"#.", ".."}), {"1 marks", "at least 2"});
  for (const Mask& mask : all_masks()) EXPECT_NO_THROW(check(mask)) << mask.key;
}

TEST(Mask, TheNineThatShip) {
  // copies, side along x, side along y: the table of the design.
  const std::map<std::string, std::array<std::uint32_t, 3>> stated{{"sierpinski_gasket", {3, 2, 2}},
                                                                   {"sierpinski_carpet", {8, 3, 3}},
                                                                   {"vicsek", {5, 3, 3}},
                                                                   {"x_fractal", {5, 3, 3}},
                                                                   {"h_fractal", {7, 3, 3}},
                                                                   {"cantor_set", {2, 3, 1}},
                                                                   {"candy", {12, 4, 4}},
                                                                   {"chandelier", {4, 3, 2}},
                                                                   {"empty_bottles", {7, 3, 3}}};
  const auto masks = shipped_masks();
  EXPECT_EQ(masks.size(), stated.size());
  for (const Mask& mask : masks) {
    ASSERT_TRUE(stated.contains(mask.key)) << mask.key;
    EXPECT_EQ((std::array{mask.copies(), mask.side_x(), mask.side_y()}), stated.at(mask.key)) << mask.key;
    EXPECT_FALSE(mask.name.empty());
    EXPECT_FALSE(mask.status.empty());
    EXPECT_TRUE(std::filesystem::exists(mask.file));
  }
  EXPECT_TRUE(std::is_sorted(masks.begin(), masks.end(), [](const Mask& a, const Mask& b) { return a.key < b.key; }));
  EXPECT_NEAR(typed_mask("gasket", {"#.", "##"}).dimension(), 1.58496250072, 1e-10);
  EXPECT_NEAR(typed_mask("cantor", {"#.#"}).dimension(), std::log(2) / std::log(3), 1e-12);
  // Of carpets that are not square: full ones have that of the plane; where all rows have as many copies, boxes can be
  // counted: 1 + log_4 2; and it does not hang on which side is the longer.
  EXPECT_NEAR(typed_mask("full", {"####", "####"}).dimension(), 2, 1e-12);
  EXPECT_NEAR(typed_mask("even", {"#.#.", ".##."}).dimension(), 1.5, 1e-12);
  EXPECT_NEAR(typed_mask("tall", {"#.", ".#", "##", ".."}).dimension(),
              typed_mask("wide", {"#.#.", ".##."}).dimension(), 1e-12);
  EXPECT_NEAR(typed_mask("chandelier", {".#.", "###"}).dimension(),
              std::log2(1 + std::pow(3, std::log(2) / std::log(3))), 1e-12);
  EXPECT_LE(typed_mask("seven", {"#####", "##..."}).dimension(), 2);
}

class MaskFile : public FileTest {
 protected:
  std::string refusal(const std::string& text) {
    const auto file = write("bad.toml", text);
    const std::string why = message_of<FileError>([&] { (void)read_mask(file); });
    expect_parts(why, {file.string()});
    return why;
  }
};

TEST_F(MaskFile, Read) {
  const Mask mask = read_mask(write("my_mask.toml", "name = 'Mine'\nsource = 'me'\nrows = ['#.', '##']\n"));
  EXPECT_EQ(mask.key, "my_mask");
  EXPECT_EQ(mask.name, "Mine");
  EXPECT_EQ(mask.source, "me");
  EXPECT_EQ(mask.status, "");
  EXPECT_EQ(mask.rows, (std::vector<std::string>{"#.", "##"}));
}

TEST_F(MaskFile, Refused) {
  expect_parts(message_of<FileError>([&] { (void)read_mask(folder / "none.toml"); }), {"none.toml", "no such file"});
  expect_parts(message_of<FileError>([&] { (void)read_mask(folder); }), {"folder"});
  expect_parts(refusal("name = 'a'\nrows = [\n'#.'\n'##']\n"), {":4", "TOML"});
  expect_parts(refusal("\x01\x02\xff"), {":1", "TOML"});
  expect_parts(refusal("name = 'a'\nrows = ['#.', '##']\nstatsu = 'x'\n"), {":3", "statsu", "status"});
  expect_parts(refusal("name = 3\nrows = ['#.', '##']\n"), {"'name'", "string"});
  expect_parts(refusal("rows = ['#.', '##']\n"), {"'name'", "string"});
  expect_parts(refusal("name = 'a'\nrows = ['#.', '##']\nsource = ['x']\n"), {"'source'", "string"});
  expect_parts(refusal("name = 'a'\n"), {"'rows'", "array"});
  expect_parts(refusal("name = 'a'\nrows = '##'\n"), {"'rows'", "array"});
  expect_parts(refusal("name = 'a'\nrows = [\n'##',\n12]\n"), {":4", "'rows'"});
  expect_parts(refusal("name = 'a'\nrows = []\n"), {"no rows"});
  expect_parts(refusal("name = 'a'\nrows = ['#', '##']\n"), {"row 2"});
  expect_parts(refusal(""), {"empty"});
  expect_parts(refusal("\n"), {"'name'"});
}

TEST_F(MaskFile, Folder) {
  expect_parts(message_of<FileError>([&] { (void)read_masks(folder / "none"); }), {"none", "no such folder"});
  EXPECT_TRUE(read_masks(folder).empty());
  write("b.toml", "name = 'B'\nrows = ['##']\n");
  write("a.toml", "name = 'A'\nrows = ['##']\n");
  write("notes.txt", "not a mask");
  const auto masks = read_masks(folder);
  ASSERT_EQ(masks.size(), 2u);
  EXPECT_EQ(masks[0].key, "a");
  write("c.toml", "rows");
  EXPECT_THROW((void)read_masks(folder), FileError);
}

/// Whatever lies in the user's folder, the good masks are there and the others are told.
TEST_F(MaskFile, NothingInTheUsersFolderStopsTheRest) {
  const auto shipped = folder / "shipped" / "fractals", own = folder / "own" / "fractals";
  std::filesystem::create_directories(shipped);
  std::filesystem::create_directories(own);
  const std::string good = "name = 'A'\nrows = ['##']\n";
  std::ofstream(shipped / "a.toml") << good;
  const auto known = [&] { return read_masks_within({folder / "shipped", folder / "own", folder / "none"}); };
  std::ofstream(own / "plus.toml") << good;
  std::ofstream(own / "UPPER.TOML") << good;
  for (const char* hidden : {"._plus.toml", ".#plus.toml", ".toml"}) std::ofstream(own / hidden) << "\x05\x16";
  EXPECT_EQ(known().masks.size(), 3u);
  EXPECT_TRUE(known().left_out.empty());
  std::ofstream(own / "draft.toml") << "name = 'half\n";
  std::ofstream(own / "later.toml") << good << "colour = 'red'\n";
  std::ofstream(own / "empty.toml");
  std::filesystem::create_directory(own / "folder.toml");
  std::filesystem::create_symlink(own / "gone", own / "link.toml");
  const KnownMasks some = known();
  EXPECT_EQ(some.masks.size(), 3u);
  ASSERT_EQ(some.left_out.size(), 5u);
  std::string all;
  for (const std::string& line : some.left_out) all += line + "\n";
  expect_parts(all, {"draft.toml:1: not TOML", "later.toml:3: unknown key 'colour'", "empty.toml: it is empty",
                     "folder.toml: it is a folder", "link.toml: no such file"});
  // Those of the program are its own to keep right.
  std::ofstream(shipped / "bad.toml") << "rows";
  EXPECT_THROW((void)known(), FileError);
}

// ---- rules ----------------------------------------------------------------------------------------------------------

TEST(Rule, Parsed) {
  EXPECT_EQ(parse_rule("B3/S23"), Rule{});
  EXPECT_EQ(parse_rule("b3/s23"), Rule{});
  EXPECT_EQ(parse_rule("B3/S32"), Rule{});
  EXPECT_EQ(parse_rule("b32/S32"), parse_rule("B23/S23"));
  // Golly's other spellings; without letters survival stands first.
  for (const auto* rule : {"23/3", "S23/B3", "B3S23", "s23b3", "b3s23", "32/3"})
    EXPECT_EQ(parse_rule(rule), Rule{}) << rule;
  for (const auto* rule : {"23/36", "B36S23", "S23B36", "s32/b63"})
    EXPECT_EQ(text(parse_rule(rule)), "B36/S23") << rule;
  EXPECT_EQ(text(parse_rule("245/368")), "B368/S245");
  EXPECT_EQ(text(parse_rule("/2")), "B2/S");
  EXPECT_EQ(parse_rule("B/S"), (Rule{0, 0}));
  EXPECT_EQ(parse_rule("B0/S8"), (Rule{1, 256}));
  EXPECT_EQ(parse_rule("B012345678/S012345678"), (Rule{511, 511}));
  for (const auto* rule : {"B3/S23", "B/S", "B0/S", "B/S8", "B36/S125", "B012345678/S012345678"})
    EXPECT_EQ(text(parse_rule(rule)), rule);
}

TEST(Rule, RefusedNamingTheCulprit) {
  const auto refusal = [](const char* rule) { return message_of<UsageError>([&] { (void)parse_rule(rule); }); };
  expect_parts(refusal(""), {"ends", "'B'", "like B3/S23"});
  expect_parts(refusal("B"), {"'B'", "ends", "'S'"});
  expect_parts(refusal("B3"), {"'B3'", "ends", "'S'"});
  expect_parts(refusal("S23"), {"'S23'", "ends", "'B'"});
  expect_parts(refusal("23"), {"'23'", "ends", "'/'"});
  expect_parts(refusal("B3/"), {"ends", "'S'"});
  expect_parts(refusal("B3B23"), {"'B3B23'", "character 3", "'B'", "expected 'S'"});
  expect_parts(refusal("B9/S"), {"no cell has 9 neighbours"});
  expect_parts(refusal("B3/S9"), {"no cell has 9 neighbours"});
  expect_parts(refusal("B33/S"), {"3", "twice"});
  expect_parts(refusal("B3/S232"), {"2", "twice"});
  expect_parts(refusal("B3/S23x"), {"character 7", "'x'", "end"});
  expect_parts(refusal("B3/S23 "), {"character 7", "end"});
  expect_parts(refusal(" B3/S23"), {"character 1", "expected 'B'"});
  // Generations, hexagons, von Neumann's neighbours: other automata.
  expect_parts(refusal("23/3/3"), {"character 5", "'/'", "end"});
  expect_parts(refusal("B2/S34H"), {"character 7", "'H'", "end"});
  expect_parts(refusal("B2/S013V"), {"character 8", "'V'", "end"});
  expect_parts(refusal("B3//S23"), {"character 4", "expected 'S'"});
  expect_parts(refusal("B-1/S"), {"character 2", "'-'"});
}

}  // namespace
}  // namespace warploom
