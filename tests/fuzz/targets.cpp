#include "tests/fuzz/targets.h"

#include <sys/mman.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "gpu/core/error.h"
#include "gpu/files/matrix_market.h"
#include "gpu/files/point_text.h"
#include "gpu/files/rows.h"
#include "gpu/files/states.h"
#include "gpu/own/text.h"
#include "gpu/scenes/butterfly/kernels/operator_string.h"
#include "gpu/scenes/fractal/files/masks.h"
#include "tests/fuzz/scene.h"
#include "viewer/base/png.h"
#include "viewer/cli/command.h"
#include "viewer/model/model.h"
#include "viewer/model/presets.h"
#include "viewer/model/scene_text.h"
#include "viewer/teach/expression.h"
#include "viewer/teach/words.h"

namespace warploom {

namespace {

/// The bytes as a file, for readers that open one by its name. The last one's bytes are gone.
std::filesystem::path as_file(std::string_view bytes) {
  static const int file = memfd_create("fuzzed", 0);
  if (ftruncate(file, 0) != 0 || pwrite(file, bytes.data(), bytes.size(), 0) != ssize_t(bytes.size()))
    throw FileError("no memory for a file");
  return "/proc/self/fd/" + std::to_string(file);
}

template <std::size_t reader>
void read_as_state(std::string_view bytes) {
  const auto& one = state_readers().at(reader);
  const StateFile state = one.read("fuzzed", std::string(bytes), {512, 512, 1});
  if (state.cells.size() != std::size_t{state.width} * state.height) throw std::logic_error("a state of another size");
}

template <std::size_t reader>
void read_as_points(std::string_view bytes) {
  const auto& one = point_readers().at(reader);
  const std::filesystem::path file = "fuzzed";
  std::istringstream in{std::string(bytes)};
  Points points{3, {}, "fuzzed", {}, {}, {}};
  one.read(in, PointSource{file, bytes.size()}, points);
  if (points.count() == 0 || points.coordinates.size() % 3) throw std::logic_error("no whole points");
}

void read_matrix(std::string_view bytes) {
  const std::filesystem::path file = "fuzzed";
  std::istringstream in{std::string(bytes)};
  const MatrixEntries matrix = read_matrix_market(in, PointSource{file, bytes.size()});
  std::uint64_t next = 0;
  for (const MatrixEntry& entry : matrix.entries) {
    const std::uint64_t place = std::uint64_t{entry.row} << 32 | entry.column;
    if (entry.row >= matrix.rows || entry.column >= matrix.columns || place < next)
      throw std::logic_error("an entry out of place");
    next = place + 1;
  }
}

void read_own_map(std::string_view bytes) {
  const OwnSource text = read_own_text("fuzzed.h", bytes);
  if (text.source.size() > bytes.size() || (text.form != "place" && text.form != "cell"))
    throw std::logic_error("a text that was not checked");
}

/// Lines, their words, and what `check` reads.
void read_script_text(std::string_view bytes) {
  for (const std::string& line : script_lines(std::string(bytes), "fuzzed")) try {
      const auto words = script_words(line);
      if (words.size() > line.size()) throw std::logic_error("words from nothing");
      const Expression asked = Expression::read(line);
      const auto none = [](const auto&) { return Expression::Json(); };
      const Expression::Json stats = {{"steps", 7}, {"tracks", {{{"letter", "A"}, {"threads", {{"useful", 81}}}}}}};
      if (asked.ask({&stats, none}).holds && asked.text().empty()) throw std::logic_error("nothing holds");
    } catch (const FileError&) {
      // This line is refused, the next is read.
    }
}

/// As the scene that takes rows does: what does not fit into memory is refused before it is asked for.
void check_rows(std::uint64_t rows, std::uint64_t elements) {
  if (rows > 1u << 24 || elements > 1u << 24 || rows * elements > 1u << 22) throw FileError("too large");
}

void read_npy(std::string_view bytes) {
  constexpr std::array<std::uint64_t, 3> columns{3, 4, 7};
  const std::filesystem::path file = "fuzzed";
  std::istringstream in{std::string(bytes)};
  Points rows;
  try {
    read_npy_rows(in, PointSource{file, bytes.size()}, columns, rows);
  } catch (const Error&) {
    read_as_state<0>(bytes);  // it may be one of cells
  }
}

/// With the sums that the chunks should have: no change of a byte would come past them.
std::string with_right_sums(std::string_view bytes) {
  std::string png(bytes);
  const auto number = [&](std::size_t at) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<unsigned char>(png[at + i]);
    return value;
  };
  for (std::size_t at = 8; at + 12 <= png.size();) {
    const std::size_t length = number(at);
    if (length > png.size() - at - 12) break;
    const auto sum = crc32(0, reinterpret_cast<const unsigned char*>(png.data()) + at + 4, uInt(length + 4));
    for (std::size_t i = 0; i < 4; ++i) png[at + 8 + length + i] = static_cast<char>(sum >> (24 - 8 * i));
    at += 12 + length;
  }
  return png;
}

void read_picture(std::string_view bytes) {
  const auto file = as_file(with_right_sums(bytes));
  try {
    (void)read_png_rows(file, check_rows);
  } catch (const Error&) {
    // As a captured scene it may be read with other means.
  }
  (void)read_png(file);
}

void read_operators(std::string_view bytes) {
  constexpr int n = 12;
  const auto operators = parse_operators(std::string(bytes), n);
  if (operators.size() > 1000) throw UsageError("too many");
  (void)apply_operators(operators, n);
  if (parse_operators(operators_text(operators), n).size() != operators.size())
    throw std::logic_error("other operators when written and read again");
}

void read_scene(std::string_view bytes) {
  // Scenes that others replace last until a frame ends, which none does here: a new model now and then has no old ones.
  static std::unique_ptr<Model> made;
  static unsigned runs = 0;
  if (runs++ % 4096 == 0) made = std::make_unique<Model>(Backend::cpu, true, fuzz_scenes());
  Model& model = *made;
  auto before = model.keep();
  const ViewSettings view = model.view;
  struct Restored {
    Model& model;
    Model::Kept& kept;
    const ViewSettings& view;
    ~Restored() {
      model.bring_back(kept);
      model.view = view;
      model.picked = {};
    }
  } const restored{model, before, view};
  const LoadedScene loaded = read_scene_text(model, std::string(bytes), "fuzzed", "/nonexistent");
  // What was taken can be written and is taken again.
  (void)read_scene_text(model, scene_text(model), "written", "/nonexistent");
}

/// Its lines are the words.
void read_command_line(std::string_view bytes) {
  std::vector<std::string> words{"warploom"};
  std::istringstream lines{std::string(bytes)};
  for (std::string word; std::getline(lines, word);) words.push_back(word.substr(0, word.find('\0')));
  auto scene = std::move(fuzz_scenes()[0]);
  std::set<std::string> given;
  for (const std::string& word : words) try {
      if (word.find('=') != word.npos) set_parameter(*scene, word, given);
    } catch (const Error&) {
      // The others may be right.
    }
  std::vector<const char*> arguments;
  for (const std::string& word : words) arguments.push_back(word.c_str());
  (void)read_command(int(arguments.size()), arguments.data());
}

}  // namespace

const std::vector<FuzzTarget>& fuzz_targets() {
  // A new reader is one line here, and a folder of small files in tests/fuzz/corpus.
  static const std::vector<FuzzTarget> all{
      {"mask", [](std::string_view bytes) { (void)read_mask(as_file(bytes)); }},
      {"rle", read_as_state<1>},
      {"npy", read_npy},
      {"pdb", read_as_points<1>},
      {"pqr", read_as_points<2>},
      {"xyz", read_as_points<3>},
      {"matrix_market", read_matrix},
      {"wav", [](std::string_view bytes) { (void)read_wav_rows(as_file(bytes), 4, check_rows); }},
      {"png", read_picture},
      {"scene", read_scene},
      {"preset", [](std::string_view bytes) { (void)read_preset(as_file(bytes)); }},
      {"operators", read_operators},
      {"own_map", read_own_map},
      {"script", read_script_text},
      {"command_line", read_command_line}};
  return all;
}

}  // namespace warploom
