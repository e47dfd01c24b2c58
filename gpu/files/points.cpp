#include "gpu/files/points.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

#include "gpu/core/error.h"
#include "gpu/core/hash.h"
#include "gpu/files/npy_header.h"

namespace warploom {

namespace {

static_assert(std::endian::native == std::endian::little, "the values of a NumPy file are taken as they stand");

const std::string known_kinds = ".npy (NumPy), .pdb (Protein Data Bank) or .xyz";

/// A file that is being read, and the two forms of its refusals.
struct Source {
  const std::filesystem::path& file;
  std::uint64_t size;

  FileError refuse(const std::string& why) const { return FileError(file.string() + ": " + why); }
  FileError refuse(std::uint64_t line, const std::string& why) const {
    return FileError(file.string() + ":" + std::to_string(line) + ": " + why);
  }
};

/// Text from a file as a message may show it: quoted, short, and without control characters.
std::string shown(std::string_view text) {
  constexpr std::size_t most = 60;
  constexpr std::string_view digits = "0123456789abcdef";
  std::string safe = "'";
  for (const char c : text) {
    if (safe.size() > most) return safe + "...'";
    const auto code = static_cast<unsigned char>(c);
    if (code >= 32 && code < 127)
      safe += c;
    else
      (safe += "\\x").append({digits[code >> 4], digits[code & 15]});
  }
  return safe + "'";
}

std::string shown(double value) {
  if (std::isnan(value)) return "NaN";
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}

/// Why a value cannot be a coordinate; null where it can.
const char* fault(double value) {
  if (!std::isfinite(value)) return "is not a finite number within a double's range; repair or remove the point";
  if (std::fabs(value) > static_cast<double>(std::numeric_limits<float>::max()))
    return "is beyond what a float holds (3.4e+38); scale the points down";
  return nullptr;
}

std::string coordinate_name(std::uint64_t point, std::uint64_t axis) {
  return "point " + std::to_string(point) + " (of those counted from 0), axis " + "xyz"[axis];
}

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? text.substr(0, 0)
                                         : text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

/// A text file line by line. Lines end with \n, \r\n or \r, and `limit` characters of each are kept: no coordinate
/// stands beyond them, and a binary file without line ends must not fill the memory.
class Lines {
 public:
  explicit Lines(std::istream& in) : bytes_(*in.rdbuf()) {}

  bool next() {
    using Traits = std::char_traits<char>;
    constexpr std::size_t limit = 4096;
    text_.clear();
    cut_ = false;
    Traits::int_type byte = bytes_.sbumpc();
    if (byte == Traits::eof()) return false;
    for (; byte != Traits::eof() && byte != '\n' && byte != '\r'; byte = bytes_.sbumpc())
      if (text_.size() < limit)
        text_ += Traits::to_char_type(byte);
      else
        cut_ = true;
    if (byte == '\r' && bytes_.sgetc() == '\n') bytes_.sbumpc();
    // The byte order mark of some editors would hide the first record.
    if (++number_ == 1 && text_.starts_with("\xEF\xBB\xBF")) text_.erase(0, 3);
    return true;
  }
  std::string_view text() const { return text_; }
  bool cut() const { return cut_; }  ///< the line is longer than what was kept
  std::uint64_t number() const { return number_; }

 private:
  std::streambuf& bytes_;
  std::string text_;
  bool cut_ = false;
  std::uint64_t number_ = 0;
};

/// The number that a word is, the whole word, whatever the program's locale; none where it is not one. What a double
/// cannot hold, too large or too small, comes back as infinity.
std::optional<double> number_of(std::string_view word) {
  if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error == std::errc::invalid_argument || end != word.data() + word.size()) return {};
  return error == std::errc::result_out_of_range ? std::numeric_limits<double>::infinity() : value;
}

/// Appends the coordinate that `word` holds; whose it is follows from what is there already.
void append_coordinate(Points& points, std::string_view word, const Source& source, std::uint64_t line,
                       std::string_view place = "") {
  const std::optional<double> value = number_of(word);
  const char* why = value ? fault(*value) : "";
  if (!why) {
    points.coordinates.push_back(static_cast<float>(*value));
    return;
  }
  const std::uint64_t known = points.coordinates.size();
  const std::string name = coordinate_name(known / 3, known % 3);
  if (!value) throw source.refuse(line, name + ": expected a number" + std::string(place) + ", found " + shown(word));
  throw source.refuse(line, name + ": " + shown(word) + std::string(place) + " " + why);
}

template <class Stored>
void read_values(std::istream& in, const NpyHeader& header, const Source& source, Points& points) {
  const auto axes = static_cast<std::uint64_t>(points.dimensions);
  const std::uint64_t rows = header.shape[0], held = source.size - header.data_start, row_bytes = axes * sizeof(Stored);
  if (held / row_bytes != rows || held % row_bytes != 0)
    throw source.refuse("it holds " + std::to_string(held) + " bytes of data; its header promises " +
                        std::to_string(rows) + " points of " + std::to_string(row_bytes) +
                        " bytes each; save the array again with numpy.save");
  const std::uint64_t total = rows * axes;
  points.coordinates.resize(total);
  std::vector<Stored> chunk(std::min<std::uint64_t>(total, 1u << 16));
  std::uint64_t first_bad = total;
  double bad_value = 0;
  for (std::uint64_t done = 0; done < total; done += chunk.size()) {
    chunk.resize(std::min<std::uint64_t>(chunk.size(), total - done));
    const auto bytes = static_cast<std::streamsize>(chunk.size() * sizeof(Stored));
    if (!in.read(reinterpret_cast<char*>(chunk.data()), bytes)) throw source.refuse("it cannot be read to its end");
    for (std::uint64_t i = 0; i < chunk.size(); ++i) {
      const std::uint64_t index = done + i, target = header.fortran ? index % rows * axes + index / rows : index;
      if constexpr (std::is_floating_point_v<Stored>)
        if (fault(chunk[i])) {
          // In Fortran order the first point's culprit may come last.
          if (target < first_bad) first_bad = target, bad_value = chunk[i];
          continue;
        }
      points.coordinates[target] = static_cast<float>(chunk[i]);
    }
    if (first_bad < total && !header.fortran) break;
  }
  if (first_bad < total)
    throw source.refuse(coordinate_name(first_bad / axes, first_bad % axes) + ": " + shown(bad_value) + " " +
                        fault(bad_value));
}

void read_npy(std::istream& in, const Source& source, Points& points) {
  const NpyHeader header = read_npy_header(in, source.size, source.file);
  using Read = void (*)(std::istream&, const NpyHeader&, const Source&, Points&);
  const Read read = header.dtype == "<f4"   ? read_values<float>
                    : header.dtype == "<f8" ? read_values<double>
                    : header.dtype == "<i4" ? read_values<std::int32_t>
                    : header.dtype == "<i8" ? read_values<std::int64_t>
                                            : Read();
  if (!read)
    throw source.refuse("values of type " + shown(header.dtype) +
                        (header.dtype.starts_with('>') ? ", big endian" : "") +
                        "; expected float32, float64, int32 or int64, little endian; save points.astype('<f4')");
  const auto& shape = header.shape;
  const auto axes = static_cast<std::uint64_t>(points.dimensions);
  if (shape.size() != 2 || shape[1] != axes) {
    std::string found;
    for (const auto size : shape)
      if (found.size() < 80) found += (found.empty() ? "" : " x ") + std::to_string(size);
    std::string remedy;
    if (shape.size() == 2 && shape[1] == 5 - axes)
      remedy = axes == 2 ? "; the domain in three dimensions takes it" : "; the domain in two dimensions takes it";
    else if (shape.size() == 2 && shape[0] == axes)
      remedy = "; save points.T";
    throw source.refuse("an array of " + std::to_string(shape.size()) + " axes" + (found.empty() ? "" : ", ") + found +
                        "; expected n x " + std::to_string(axes) + ", a row for each point" + remedy);
  }
  if (shape[0] == 0) throw source.refuse("it holds no points; at least one is needed");
  read(in, header, source, points);
}

/// True for an atom, and for the stump of one that a file cut off ends with.
bool begins_atom(std::string_view line) {
  const auto begins = [&](std::string_view record) {
    return line.substr(0, record.size()) == record.substr(0, line.size());
  };
  return !line.empty() && (begins("ATOM") || begins("HETATM"));
}

/// The columns are the format's, version 3.3: neighbours may touch, so words would not do.
void read_pdb(std::istream& in, const Source& source, Points& points) {
  constexpr std::array<const char*, 3> places{" in columns 31-38", " in columns 39-46", " in columns 47-54"};
  Lines lines(in);
  std::uint64_t model_line = 0, alternates = 0;
  bool ended = false;
  while (!ended && lines.next()) {
    const std::string_view line = lines.text(), record = trimmed(line.substr(0, 6));
    const std::uint64_t number = lines.number();
    if (record == "MODEL") {
      ended = model_line != 0 || !points.coordinates.empty();
      model_line = number;
    }
    ended = ended || record == "ENDMDL" || record == "END";
    if (!begins_atom(line)) continue;
    // With tabs, or with a number that ran over to the left, the coordinates would be in other columns.
    const bool strange = (record != "ATOM" && record != "HETATM") || line.substr(0, 54).find('\t') != line.npos;
    if (line.size() < 54 || strange)
      throw source.refuse(number,
                          "expected ATOM or HETATM in columns 1-6 and, without tabs, x, y and z in columns 31-54; "
                          "found " +
                              std::to_string(line.size()) + " columns, " + shown(line));
    if (line[16] != ' ' && line[16] != 'A') {
      ++alternates;
      continue;
    }
    for (std::size_t axis = 0; axis < 3; ++axis)
      append_coordinate(points, trimmed(line.substr(30 + 8 * axis, 8)), source, number, places[axis]);
  }
  if (model_line != 0 && !ended)
    throw source.refuse(model_line,
                        "this MODEL has no ENDMDL; the file is cut off after line " + std::to_string(lines.number()));
  if (points.coordinates.empty())
    throw source.refuse(
        "no atoms in " + std::to_string(lines.number()) + " lines; expected ATOM or HETATM records" +
        (alternates ? "; " + std::to_string(alternates) + " alternate locations other than 'A' were left out" : ""));
}

/// The first four words of a line, separated by blanks or tabs.
std::vector<std::string_view> first_words(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; words.size() < 4;) {
    at = line.find_first_not_of(" \t", at);
    if (at == std::string_view::npos) break;
    const std::size_t end = std::min(line.find_first_of(" \t", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

void read_xyz(std::istream& in, const Source& source, Points& points) {
  Lines lines(in);
  lines.next();
  const std::string_view word = trimmed(lines.text());
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (error == std::errc::invalid_argument || end != word.data() + word.size() || lines.cut())
    throw source.refuse(1, "expected the number of atoms alone on the first line, found " + shown(lines.text()));
  // The shortest atom is "H 0 0 0" and a line end: no count that lies gets memory.
  if (error == std::errc::result_out_of_range || count > source.size / 8)
    throw source.refuse(1, "a count of " + shown(word) + " atoms; a file of " + std::to_string(source.size) +
                               " bytes cannot hold them");
  if (count == 0) throw source.refuse(1, "it holds no points; at least one is needed");
  if (!lines.next()) throw source.refuse(1, "it ends after its first line; expected a comment line, then atoms");
  points.coordinates.reserve(3 * count);
  for (std::uint64_t atom = 0; atom < count; ++atom) {
    if (!lines.next())
      throw source.refuse(lines.number(), "it ends after " + std::to_string(atom) + " of the " + std::to_string(count) +
                                              " atoms that line 1 promises (line 2 is always a comment)");
    const auto words = first_words(lines.text());
    if (words.size() < 4 || (lines.cut() && words[3].end() == lines.text().end()))
      throw source.refuse(lines.number(), "expected 'Symbol x y z' for atom " + std::to_string(atom + 1) + " of " +
                                              std::to_string(count) + ", found " + shown(lines.text()));
    for (std::size_t axis = 1; axis < 4; ++axis) append_coordinate(points, words[axis], source, lines.number());
  }
  // Another frame or a remark may follow, but another atom means that the count is wrong.
  if (!lines.next()) return;
  const auto words = first_words(lines.text());
  if (words.size() == 4 && std::all_of(words.begin() + 1, words.end(), [](auto one) { return number_of(one); }))
    throw source.refuse(lines.number(), "another atom after the " + std::to_string(count) +
                                            " that line 1 promises; correct the count or remove the atoms");
}

void require_dimensions(int dimensions) {
  if (dimensions != 2 && dimensions != 3)
    throw UsageError("points in " + std::to_string(dimensions) + " dimensions; expected 2 or 3");
}

}  // namespace

Points random_points(std::uint64_t count, int dimensions, std::uint64_t seed) {
  require_dimensions(dimensions);
  if (count > 1ull << 32)
    throw UsageError(std::to_string(count) + " random points are too many; at most 4294967296 are distinct");
  const auto axes = static_cast<std::uint64_t>(dimensions);
  Points points{dimensions, std::vector<float>(count * axes), "random"};
  for (std::uint64_t index = 0; index < count; ++index)
    for (std::uint64_t axis = 0; axis < axes; ++axis)
      points.coordinates[index * axes + axis] = static_cast<float>(cell_hash(seed, index, axis) >> 40) * 0x1p-24f;
  return points;
}

Points read_points(const std::filesystem::path& file, int dimensions) {
  require_dimensions(dimensions);
  std::error_code failed;
  const auto status = std::filesystem::status(file, failed);
  Source source{file, 0};
  if (status.type() == std::filesystem::file_type::not_found) throw source.refuse("no such file");
  if (!std::filesystem::status_known(status)) throw source.refuse("cannot be read: " + failed.message());
  if (std::filesystem::is_directory(status)) throw source.refuse("it is a folder; expected a file, " + known_kinds);
  if (!std::filesystem::is_regular_file(status))
    throw source.refuse("it is a device or a pipe; expected a file, " + known_kinds);
  std::string kind = file.extension().string();
  for (char& c : kind) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  const auto read = kind == ".npy" ? read_npy : kind == ".pdb" ? read_pdb : kind == ".xyz" ? read_xyz : nullptr;
  if (!read)
    throw source.refuse((kind.empty() ? "no extension" : "unknown extension " + shown(kind)) + "; points come as " +
                        known_kinds);
  if (read != read_npy && dimensions != 3)
    throw source.refuse("a " + kind +
                        " file always holds points in three dimensions; the domain in three dimensions "
                        "takes it; the one in two takes .npy, n x 2");
  source.size = std::filesystem::file_size(file, failed);
  if (failed) throw source.refuse("cannot be read: " + failed.message());
  if (source.size == 0) throw source.refuse("it is empty (0 bytes); expected points");
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw source.refuse("cannot be read: " + std::error_code(errno, std::generic_category()).message());
  Points points{dimensions, {}, file.filename().string()};
  try {
    read(in, source, points);
  } catch (const std::ios_base::failure&) {  // what the buffer throws when the disk fails under the line reader
    throw source.refuse("it cannot be read to its end");
  }
  return points;
}

}  // namespace warploom
