// What a track of sparse products hands out.
#include <array>

#include "gpu/scenes/irregular/tracks/spmv_track.h"

namespace warploom {

std::vector<float> SpmvTrack::x_of(Queue& queue) const {
  std::vector<float> x(matrix().columns);
  download_bytes(queue, x.data(), states_.finished(), x.size() * sizeof(float));
  return x;
}

std::vector<float> SpmvTrack::y_of(Queue& queue) const {
  std::vector<float> y(matrix().rows);
  download_bytes(queue, y.data(), states_.finished() + y_at_, y.size() * sizeof(float));
  return y;
}

std::vector<DumpArray> SpmvTrack::dumps(Queue& queue) {
  const SpmvMatrix& all = matrix();
  const std::uint64_t nonzeros = all.nonzeros();
  check_dump(std::max(8. * (all.rows + 1.), (layout_ ? 16. : 4.) * static_cast<double>(nonzeros)));
  std::vector<DumpArray> arrays;
  const auto add = [&](const char* name, const char* numpy, const char* type, std::vector<std::uint64_t> shape,
                       const auto& values, const char* meaning) {
    arrays.push_back({name, numpy, type, std::move(shape), array_bytes(values), meaning});
  };
  const std::vector<std::int64_t> starts(all.row_starts.begin(), all.row_starts.end());
  add("row_starts", "<i8", "int64", {starts.size()}, starts, "first nonzero of each row, and behind the last");
  add("columns", "<i4", "int32", {nonzeros}, all.column_of, "column of each nonzero");
  add("values", "<f4", "float32", {nonzeros}, all.values, "value of each nonzero");
  add("x", "<f4", "float32", {all.columns}, x_of(queue), "what the last step multiplied");
  add("y", "<f4", "float32", {all.rows}, y_of(queue), "what it made of it");
  if (!layout_) return arrays;
  std::vector<std::array<std::int32_t, 4>> owners(nonzeros);
  std::vector<std::int64_t> places(nonzeros);
  for (std::uint32_t row = 0; row < all.rows; ++row)
    for (std::uint64_t j = all.row_starts[row]; j < all.row_starts[row + 1]; ++j) {
      const SpmvSpot spot = layout_->spot(j, row);
      owners[j] = {spot.launch, static_cast<std::int32_t>(spot.thread / spmv_threads),
                   static_cast<std::int32_t>(spot.thread % spmv_threads), static_cast<std::int32_t>(spot.turn)};
      places[j] = static_cast<std::int64_t>(spot.place);
    }
  add("owner", "<i4", "int32", {nonzeros, 4}, owners, "launch, block, thread and turn of each nonzero");
  add("place", "<i8", "int64", {nonzeros}, places, "element of the arrays as stored");
  return arrays;
}

IrregularResults SpmvTrack::results(Queue&) {
  const SpmvMatrix& all = matrix();
  const auto whole = [](auto value) { return std::variant<std::uint64_t, double>(static_cast<std::uint64_t>(value)); };
  return {{"rows", whole(all.rows)},           {"columns", whole(all.columns)},
          {"nonzeros", whole(all.nonzeros())}, {"merged", whole(all.merged)},
          {"longest_row", whole(all.longest)}, {"empty_rows", whole(all.empty_rows)},
          {"diagonals", whole(all.diagonals)}, {"largest_x", whole(all.largest_x)}};
}

std::vector<std::pair<std::string, double>> SpmvTrack::numbers(Queue&) {
  const auto nonzeros = static_cast<double>(matrix().nonzeros());
  const auto a_nonzero = [&](double of) { return nonzeros > 0 ? of / nonzeros : 0; };
  if (!layout_) {
    const auto bytes = static_cast<double>(product_->bytes());
    return {{"bytes", bytes},
            {"bytes_per_nonzero", a_nonzero(bytes)},
            {"width", -1},
            {"lanes", 0},
            {"setup_ms", setup_ms_}};
  }
  const auto stored = static_cast<double>(layout_->stored());
  return {{"stored", stored},
          {"padding", stored - nonzeros},
          {"bytes", layout_->bytes()},
          {"bytes_per_nonzero", a_nonzero(layout_->bytes())},
          {"useful_share", layout_->counts().warp_efficiency()},
          {"width", static_cast<double>(layout_->width())},
          {"lanes", layout_->lanes()},
          {"setup_ms", setup_ms_}};
}

}  // namespace warploom
