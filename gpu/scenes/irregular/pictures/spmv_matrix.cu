// The matrix by its nonzeros, x above it, y at its right.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "gpu/core/format.h"
#include "gpu/core/launch.h"
#include "gpu/scenes/irregular/pictures/spmv_paint_matrix.h"
#include "gpu/scenes/irregular/pictures/spmv_picture.h"

namespace warploom {

namespace {

/// A bar of a vector is a twelfth as high as the matrix, or wide.
MatrixFrame matrix_frame(const SpmvMatrix& matrix) {
  const auto part = [](std::uint32_t of) { return std::max(1u, (of + 11) / 12); };
  MatrixFrame frame{matrix.rows, matrix.columns};
  frame.top = part(matrix.rows);
  frame.gap = part(matrix.columns) / 8;
  frame.right = part(matrix.columns);
  return frame;
}

/// Square places, unless one side is drawn more than three times as long as the other.
double matrix_tallness(const SpmvMatrix& matrix) {
  const double share = static_cast<double>(matrix.rows) / static_cast<double>(std::max(1u, matrix.columns));
  return share > 3 ? 3 / share : share < 1. / 3 ? 1 / (3 * share) : 1;
}

std::string spmv_number_text(double value) {
  if (value >= 1000 && value < 1e15) return short_count(static_cast<unsigned long long>(value));
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

class MatrixPicture final : public SpmvPicture {
 public:
  explicit MatrixPicture(SpmvTrack& track)
      : SpmvPicture(track, {.shape = PictureInfo::Shape::plane,
                            .key = "matrix",
                            .title = "Matrix",
                            .space = Selection::cell,
                            .tall = matrix_tallness(track.matrix()),
                            .colours = colours_of(track)}),
        frame_(matrix_frame(matrix_)) {
    for (const float value : matrix_.values)
      if (std::isfinite(value)) values_range_ = values_range_.with({value, value});
  }

  std::array<double, 3> extent(const Looking&) const override { return {frame_.wide(), frame_.high(), 1}; }
  Index3 origin() const override { return {0, frame_.top, 0}; }
  std::uint64_t version(const PictureRequest&) const override { return 1 + track_.version(); }

  std::string caption() const override {
    const std::string all = counted(matrix_.nonzeros(), "nonzero");
    return every() > 1 ? all + ", 1 in " + std::to_string(every()) + " drawn" : all;
  }

  std::vector<Kind> kinds(const PictureRequest& request) const override {
    const Palette& palette = request.palette;
    const double zeros = static_cast<double>(matrix_.rows) * matrix_.columns - static_cast<double>(matrix_.nonzeros());
    std::vector<Kind> all{{short_count(matrix_.columns) + " x", PaintMatrix::vector_colour(palette)},
                          {short_count(matrix_.rows) + " y", palette.track}};
    if (zeros > 0) all.push_back({short_count(static_cast<unsigned long long>(zeros)) + " zeros", palette.waste});
    return all;
  }

  ValueRange range(const PictureRequest& request) const override {
    if (request.colour_by == spmv_colours::turn)
      return {0, static_cast<float>(layout_ ? std::max<std::uint64_t>(1, layout_->longest_turns()) - 1 : 0)};
    return values_range_;
  }
  float shade(float value, const ValueRange& range) const override {
    return PaintMatrix::value_shade(value, range.empty() ? values_range_ : range);
  }
  Legend legend(const PictureRequest& request) const override {
    const auto last = [](std::uint64_t count) { return short_count(count ? count - 1 : 0); };
    if (request.colour_by == spmv_colours::turn)
      return {"turn 0", short_count(static_cast<unsigned long long>(request.values.high))};
    if (request.colour_by == spmv_colours::block) return {"block 0", last(blocks())};
    if (request.colour_by == ColourBy::warp) return {"warp 0", std::to_string(spmv_threads / warp_size - 1)};
    if (single_)
      return values_range_.empty() ? Legend{}
                                   : Legend{spmv_number_text(values_range_.low), spmv_number_text(values_range_.high)};
    const std::uint32_t in_fullest = most() * every();
    return {"1", in_fullest > 1 ? short_count(in_fullest) + " a pixel" : "a pixel", false, least_shade};
  }

  std::string brief(const PictureRequest& request) const override {
    const bool density = request.colour_by == spmv_colours::value && !single_;
    return density ? short_count(std::uint64_t{most()} * every()) : std::string();
  }

  std::vector<float> values(Queue&, Index3 first, Index3 size) override {
    std::vector<float> all(volume(size), std::nanf(""));
    for (std::uint32_t y = 0; y < size.y; ++y) {
      const std::uint64_t row = std::uint64_t{first.y} + y;
      if (row < frame_.top || row - frame_.top >= matrix_.rows) continue;
      const auto r = static_cast<std::uint32_t>(row - frame_.top);
      const auto begin = matrix_.column_of.begin() + matrix_.row_starts[r],
                 end = matrix_.column_of.begin() + matrix_.row_starts[r + 1];
      for (auto at = std::lower_bound(begin, end, static_cast<std::int64_t>(first.x));
           at != end && *at < static_cast<std::int64_t>(first.x) + size.x; ++at)
        all[std::size_t{y} * size.x + static_cast<std::size_t>(*at - static_cast<std::int64_t>(first.x))] =
            matrix_.values[static_cast<std::size_t>(at - matrix_.column_of.begin())];
    }
    return all;
  }

  std::vector<PictureLabel> labels(const PictureRequest&) const override {
    const float most = most_y_;
    const std::string ends = most > 0 ? "y, \u00b1" + spmv_number_text(most) : std::string("y");
    const double wide = .35 * frame_.wide(), gap = .01 * frame_.wide();
    return {{{-wide - gap, 0}, {-gap, frame_.bars_high()}, {x_words(), "x"}, 0, 1},
            {{frame_.bars_from(), 0}, {frame_.bars_from() + wide, double(frame_.top)}, {ends, "y"}, 1, 1, true}};
  }

  void paint(Queue& queue, const PictureRequest& request) override {
    const SpmvTrack::Reading reading(track_, queue);
    single_ = request.camera.cells_per_pixel_x <= 1 && request.camera.cells_per_pixel_y <= 1;
    PaintMatrix plane;
    plane.frame = frame_;
    plane.pixels = splat(queue, request);
    plane.values = drawn_values_.data();
    plane.owners = layout_ ? owners_.data() : nullptr;
    plane.turns = {before_.data(), {}};
    if (layout_) plane.turns.so_far = request.so_far;
    plane.x = reading.x();
    plane.y = reading.y();
    plane.most_x = static_cast<float>(matrix_.exact() ? matrix_.largest_x : 1);
    if (measured_ != reading.serial()) {
      measured_ = reading.serial();
      most_y_ = most_of(queue, reading.y(), matrix_.rows);
    }
    plane.most_y = most_y_;
    plane.by = request.colour_by;
    plane.range = request.values.empty() ? range(request) : request.values;
    plane.most = static_cast<float>(most());
    plane.warps = spmv_threads / warp_size;
    plane.blocks = static_cast<std::uint32_t>(blocks());
    paint_plane("spmv.colour", queue, request, plane);
  }

 protected:
  SpmvPlace place_of(std::uint64_t nonzero, std::uint32_t row) const override {
    return {static_cast<std::uint32_t>(matrix_.column_of[nonzero]), row + frame_.top};
  }
  std::uint64_t nonzero_at(std::uint32_t x, std::uint32_t y) const override {
    if (y < frame_.top) return no_nonzero;
    const std::uint32_t row = y - frame_.top;
    if (x < frame_.columns) return matrix_.find(x, row).value_or(no_nonzero);
    // At the bar of y the first of its row.
    const bool bar = x >= frame_.bars_from() && matrix_.length(row) > 0;
    return bar ? matrix_.row_starts[row] : no_nonzero;
  }
  std::optional<std::vector<std::uint32_t>> within(Index3 low, Index3 high) const override {
    const auto row = [&](std::uint32_t y) { return std::clamp(y, frame_.top, frame_.top + matrix_.rows) - frame_.top; };
    const std::uint64_t first = matrix_.row_starts[row(low.y)], last = matrix_.row_starts[row(high.y)];
    constexpr std::uint64_t most_in_rows = 1 << 20;
    if (last - first > most_in_rows) return std::nullopt;
    std::vector<std::uint32_t> all;
    for (std::uint64_t j = first; j < last; ++j) {
      const auto column = static_cast<std::uint32_t>(matrix_.column_of[j]);
      if (column >= low.x && column < high.x) all.push_back(static_cast<std::uint32_t>(j));
    }
    return all;
  }
  std::vector<Outline> outlines(std::uint64_t nonzero, std::uint32_t row) const override {
    const double x = matrix_.column_of[nonzero], y = double(row) + frame_.top;
    return {{Outline::Kind::place, {x, 0, 0}, {x + 1, frame_.bars_high(), 1}},
            {Outline::Kind::place, {frame_.bars_from(), y, 0}, {frame_.wide(), y + 1, 1}},
            {Outline::Kind::place, {x, y, 0}, {x + 1, y + 1, 1}}};
  }
  void take_nonzeros(Queue& queue) override {
    std::vector<float> values;
    std::vector<SpmvWarpTurn> owners;
    values.reserve(nonzeros().size());
    const std::uint64_t second = layout_ ? layout_->warps(0) : 0;
    each_nonzero([&](std::uint64_t j, std::uint32_t row) {
      values.push_back(matrix_.values[j]);
      if (!layout_) return;
      const SpmvSpot spot = layout_->spot(j, row);
      owners.push_back({static_cast<std::uint32_t>(spot.thread / warp_size + (spot.launch ? second : 0)),
                        static_cast<std::uint32_t>(spot.turn)});
    });
    drawn_values_.assign(queue, values);
    if (!layout_) return;
    owners_.assign(queue, owners);
    if (!before_.size()) before_.assign(queue, turns_before(*layout_));
  }

 private:
  static constexpr float least_shade = PaintMatrix::least_shade;
  static std::vector<ColourBy> colours_of(const SpmvTrack& track) {
    if (!track.layout()) return {spmv_colours::value};
    return {spmv_colours::value, spmv_colours::block, ColourBy::warp, spmv_colours::turn};
  }
  std::string x_words() const {
    return "x, \u00b1" + (matrix_.exact() ? std::to_string(matrix_.largest_x) : std::string("1"));
  }
  /// Blocks of all launches.
  std::uint64_t blocks() const {
    std::uint64_t all = 0;
    for (std::size_t i = 0; layout_ && i < layout_->threads().size(); ++i)
      all += layout_->shape(static_cast<int>(i)).block_count();
    return all;
  }
  float most_of(Queue& queue, const float* values, std::uint64_t count) {
    if (!bits_.size()) bits_ = Buffer<std::uint32_t>(queue.backend(), 1);
    bits_.zero(queue);
    launch_items("spmv.most", queue, count, MostAmount{values, bits_.data()});
    const std::uint32_t bits = bits_.download(queue)[0];
    float most;
    std::memcpy(&most, &bits, sizeof most);
    return most;
  }

  MatrixFrame frame_;
  ValueRange values_range_;
  Buffer<float> drawn_values_;
  Buffer<SpmvWarpTurn> owners_;
  Buffer<std::uint64_t> before_;
  Buffer<std::uint32_t> bits_;
  std::uint64_t measured_ = 0;
  std::atomic<float> most_y_{0};
  std::atomic<bool> single_{false};  ///< no pixel had several places when it was painted last
};

}  // namespace

std::unique_ptr<Picture> make_spmv_matrix_picture(SpmvTrack& track) { return std::make_unique<MatrixPicture>(track); }

}  // namespace warploom
