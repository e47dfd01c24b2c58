#include <algorithm>
#include <bit>
#include <type_traits>

#include "gpu/files/npy.h"
#include "gpu/files/point_text.h"

namespace warploom {

namespace {

static_assert(std::endian::native == std::endian::little, "the values of a NumPy file are taken as they stand");

template <class Stored>
void read_values(std::istream& in, const NpyHeader& header, const PointSource& source, Points& points) {
  const auto axes = static_cast<std::uint64_t>(points.dimensions);
  const std::uint64_t rows = header.shape[0], held = source.size - header.data_start, row_bytes = axes * sizeof(Stored);
  if (held / row_bytes != rows || held % row_bytes != 0)
    throw source.refuse("it holds " + std::to_string(held) + " bytes of data; its header promises " +
                        std::to_string(rows) + " points of " + std::to_string(row_bytes) +
                        " bytes each; save the array again with numpy.save");
  const std::uint64_t total = rows * axes;
  points.coordinates.resize(total);
  if constexpr (std::is_same_v<Stored, double>) points.unrounded.resize(total);
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
        if (coordinate_fault(chunk[i])) {
          // In Fortran order the first point's culprit may come last.
          if (target < first_bad) first_bad = target, bad_value = chunk[i];
          continue;
        }
      points.coordinates[target] = static_cast<float>(chunk[i]);
      if constexpr (std::is_same_v<Stored, double>) points.unrounded[target] = chunk[i];
    }
    if (first_bad < total && !header.fortran) break;
  }
  if (first_bad < total)
    throw source.refuse(coordinate_name(first_bad / axes, first_bad % axes) + ": " + shown(bad_value) + " " +
                        coordinate_fault(bad_value));
}

}  // namespace

void read_npy_rows(std::istream& in, const PointSource& source, std::span<const std::uint64_t> columns, Points& rows) {
  const NpyHeader header = read_npy_header(in, source.size, source.file);
  using Read = void (*)(std::istream&, const NpyHeader&, const PointSource&, Points&);
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
  if (shape.size() != 2 || std::find(columns.begin(), columns.end(), shape[1]) == columns.end()) {
    std::string found;
    for (const auto size : shape)
      if (found.size() < 80) found += (found.empty() ? "" : " x ") + std::to_string(size);
    std::string remedy, wanted;
    for (const auto one : columns) wanted += (wanted.empty() ? "n x " : " or n x ") + std::to_string(one);
    const bool plane = columns.size() == 1 && columns[0] == 2, space = columns.size() == 1 && columns[0] == 3;
    if (shape.size() == 2 && plane && shape[1] == 3)
      remedy = "; the domain in three dimensions takes it";
    else if (shape.size() == 2 && space && shape[1] == 2)
      remedy = "; the domain in two dimensions takes it";
    else if (shape.size() == 2 && std::find(columns.begin(), columns.end(), shape[0]) != columns.end())
      remedy = "; save points.T";
    throw source.refuse("an array of " + std::to_string(shape.size()) + " axes" + (found.empty() ? "" : ", ") + found +
                        "; expected " + wanted + ", a row for each point" + remedy);
  }
  if (shape[0] == 0) throw source.refuse("it holds no points; at least one is needed");
  rows.dimensions = static_cast<int>(shape[1]);
  read(in, header, source, rows);
}

PointReader npy_points() {
  return {".npy", "NumPy", true, [](std::istream& in, const PointSource& source, Points& points) {
            const auto axes = static_cast<std::uint64_t>(points.dimensions);
            read_npy_rows(in, source, std::span(&axes, 1), points);
            points.unrounded = {};
          }};
}

}  // namespace warploom
