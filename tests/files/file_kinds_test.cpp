#include "gpu/files/points.h"
#include "gpu/files/states.h"
#include "tests/files/files.h"

namespace warploom {
namespace {

using FileKinds = FileTest;

TEST_F(FileKinds, OfStatesAreFoundAndNamed) {
  EXPECT_GE(state_readers().size(), 2u);
  const std::string why = message_of<FileError>([&] { (void)read_state(write("state.png", "x"), {9, 9, 1}); });
  for (const auto& reader : state_readers()) {
    EXPECT_EQ(find_state_reader("a/b" + reader.extension), &reader);
    std::string capitals = reader.extension;
    for (char& c : capitals) c = static_cast<char>(std::toupper(c));
    EXPECT_EQ(find_state_reader("a/b" + capitals), &reader);
    expect_parts(why, {reader.extension, reader.title});
    expect_parts(state_file_kinds(), {reader.extension, reader.title});
    // Each refuses what is no file of its kind.
    EXPECT_THROW((void)read_state(write("no" + reader.extension, "\xff\xfe nonsense"), {9, 9, 1}), FileError)
        << reader.extension;
  }
  EXPECT_EQ(state_file_kinds(), "NumPy (.npy) or Golly (.rle)");
  EXPECT_EQ(find_state_reader("scene.toml"), nullptr);
}

TEST_F(FileKinds, OfPointsAreFoundAndNamed) {
  EXPECT_EQ(point_file_kinds(), ".npy, .pdb, .pqr or .xyz");
  const std::string why = message_of<FileError>([&] { (void)read_points(write("points.txt", "x"), 3); });
  for (const auto& reader : point_readers()) {
    expect_parts(why, {reader.extension, reader.title});
    // In small letters and large; each refuses what is no file of its kind, and a plane unless it takes planes.
    const auto file = write("NO" + reader.extension, "\xff\xfe nonsense");
    EXPECT_THROW((void)read_points(file, 3), FileError) << reader.extension;
    const std::string flat = message_of<FileError>([&] { (void)read_points(file, 2); });
    EXPECT_EQ(flat.find("three dimensions takes it") == flat.npos, reader.planes) << flat;
  }
}

}  // namespace
}  // namespace warploom
