#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "gpu/core/scan.h"
#include "gpu/scenes/irregular/spmv/format.h"
#include "gpu/scenes/irregular/spmv/kernels.h"
#include "gpu/scenes/irregular/spmv/open_rows.h"

namespace warploom {

/// The first nonzeros of each row as ELL has them, all others as COO has them.
struct HybRow {
  static TrackInfo info() {
    return spmv_info("hyb", "row", "HYB", "pads rows to 'hyb_width' and stores the rest as coordinates",
                     "bell2009spmv");
  }
  static SpmvBytes bytes(const SpmvMatrix& matrix, const IrregularSettings& settings) {
    const auto lengths = spmv_lengths(matrix);
    const std::uint64_t width = hyb_width(settings.hyb_width, matrix, lengths);
    double rest = 0;
    for (std::uint64_t length = width + 1; length < lengths.size(); ++length)
      rest += static_cast<double>(length - width) * lengths[length];
    const double padded = static_cast<double>(width) * static_cast<double>(matrix.padded_rows());
    return {"hyb/row", 8 * padded + 12 * rest, 4 * padded + 8 * rest};
  }

  class Layout final : public SpmvLayout {
   public:
    Layout(const SpmvMatrix& matrix, const IrregularSettings& settings) : SpmvLayout(matrix) {
      const std::uint64_t padded = matrix.padded_rows();
      const std::uint32_t width = hyb_width(settings.hyb_width, matrix, spmv_lengths(matrix));
      width_ = width;
      rest_starts_.resize(matrix.rows + 1ull);
      for (std::uint32_t row = 0; row < matrix.rows; ++row)
        rest_starts_[row + 1] = rest_starts_[row] + std::max(matrix.length(row), width) - width;
      threads_ = {padded};
      arrays_ = {{SpmvArray::Shape::slab, "padded rows", 0, padded * width, padded, width, 8}};
      count_rows(
          0, [&](std::uint32_t row) { return std::min(matrix.length(row), width); },
          [&](std::uint64_t) { return width; });
      if (const std::uint64_t rest = rest_starts_.back()) {
        threads_.push_back(rest);
        arrays_.push_back({SpmvArray::Shape::ribbon, "rest", padded * width, rest, 0, 0, 12});
        count_elements(1, rest);
      }
      finish(HybRow::bytes(matrix, settings).bytes);
    }
    SpmvSpot spot(std::uint64_t j, std::uint32_t row) const override {
      const std::uint64_t k = j - matrix_.row_starts[row], width = padded_width();
      if (k < width) return {0, row, k, k * matrix_.padded_rows() + row};
      const std::uint64_t t = rest_starts_[row] + k - width;
      return {1, t, 0, width * matrix_.padded_rows() + t};
    }
    std::uint64_t at_turn(int launch, std::uint64_t thread, std::uint64_t turn) const override {
      if (launch == 0) return turn < padded_width() ? matrix_.in_row(thread, turn) : no_nonzero;
      return turn == 0 ? in_rest(thread) : no_nonzero;
    }
    std::uint64_t at_place(std::uint64_t place) const override {
      const std::uint64_t padded = matrix_.padded_rows(), slab = padded_width() * padded;
      return place < slab ? matrix_.in_row(place % padded, place / padded) : in_rest(place - slab);
    }
    Share share(int launch, std::uint64_t thread) const override {
      if (launch == 0) return share_of_row(thread, padded_width());
      const std::uint64_t j = in_rest(thread);
      return j == no_nonzero ? Share{} : Share{j, j + 1, 1};
    }
    std::uint64_t warp_turns(int launch, std::uint64_t) const override { return launch == 0 ? padded_width() : 1; }
    std::uint64_t rest() const { return rest_starts_.back(); }

   private:
    std::uint64_t padded_width() const { return static_cast<std::uint64_t>(width_); }
    std::uint64_t in_rest(std::uint64_t t) const {
      if (t >= rest()) return no_nonzero;
      const auto after = std::upper_bound(rest_starts_.begin(), rest_starts_.end(), t);
      const auto row = static_cast<std::uint32_t>(after - rest_starts_.begin() - 1);
      return matrix_.row_starts[row] + padded_width() + t - rest_starts_[row];
    }
    std::vector<std::uint32_t> rest_starts_;  ///< (rows + 1)
  };

  struct CountRest {
    const std::uint32_t* row_starts;
    std::uint32_t* counts;
    std::uint32_t width;
    WARPLOOM_HD void operator()(std::uint64_t row) const {
      const std::uint32_t length = row_starts[row + 1] - row_starts[row];
      counts[row] = length > width ? length - width : 0;
    }
  };
  struct TakeRest {
    const std::int32_t* from_columns;
    const float* from_values;
    const std::uint32_t* starts;
    std::uint32_t* rows;
    std::int32_t* columns;
    float* values;
    std::uint32_t width;
    WARPLOOM_HD void operator()(std::uint64_t j, std::uint32_t row, std::uint32_t k) const {
      if (k < width) return;
      const std::uint64_t t = std::uint64_t{starts[row]} + k - width;
      rows[t] = row;
      columns[t] = from_columns[j];
      values[t] = from_values[j];
    }
  };

  class Product final : public SpmvProduct {
   public:
    Product(Queue& queue, SpmvSource& source, const Layout& layout)
        : layout_(layout),
          columns_(queue.backend(), layout.stored() - layout.rest()),
          rest_columns_(queue.backend(), layout.rest()),
          rest_rows_(queue.backend(), layout.rest()),
          values_(queue.backend(), layout.stored() - layout.rest()),
          rest_values_(queue.backend(), layout.rest()),
          fix_up_(queue, layout.rest(), layout.matrix().rows) {
      const SpmvMatrix& matrix = layout.matrix();
      fill_with_ones(queue, columns_.data(), columns_.bytes());
      values_.zero(queue);
      const auto width = static_cast<std::uint32_t>(layout.width());
      each_nonzero(queue, source,
                   PadRow{source.columns.data(), source.values.data(), columns_.data(), values_.data(),
                          matrix.padded_rows(), width});
      if (!layout.rest()) return;
      Buffer<std::uint32_t> counts(queue.backend(), matrix.rows), starts(queue.backend(), matrix.rows + 1ull);
      launch_items("spmv.convert", queue, matrix.rows, CountRest{source.row_starts.data(), counts.data(), width});
      Scratch scratch(queue.backend());
      exclusive_scan("spmv.convert", queue, counts.data(), matrix.rows, ~0u, starts.data(), scratch);
      each_nonzero(queue, source,
                   TakeRest{source.columns.data(), source.values.data(), starts.data(), rest_rows_.data(),
                            rest_columns_.data(), rest_values_.data(), width});
      queue.wait();  // for arrays of this function
    }
    void multiply(Queue& queue, const float* x, float* y) override {
      const SpmvMatrix& matrix = layout_.matrix();
      TimedSpan span(queue, "spmv.multiply", layout_.moved_bytes());
      multiply_slab(queue, layout_, PaddedTurn{columns_.data(), values_.data(), x, matrix.padded_rows()}, y,
                    static_cast<std::uint64_t>(layout_.width()));
      if (layout_.rest()) {
        launch("spmv.multiply", queue, layout_.shape(1),
               SumByRow<CooElements, 1>{{rest_rows_.data(), rest_columns_.data(), rest_values_.data(), x},
                                        layout_.rest(),
                                        matrix.rows,
                                        {y, true, fix_up_.carries()}});
        fix_up_.run(queue, y);
      }
      span.finish();
    }
    std::uint64_t bytes() const override {
      return columns_.bytes() + values_.bytes() + rest_rows_.bytes() + rest_columns_.bytes() + rest_values_.bytes() +
             fix_up_.bytes();
    }
    std::vector<float> stored(Queue& queue) const override {
      auto all = values_.download(queue);
      const auto rest = rest_values_.download(queue);
      all.insert(all.end(), rest.begin(), rest.end());
      return all;
    }

   private:
    const Layout& layout_;
    Buffer<std::int32_t> columns_, rest_columns_;
    Buffer<std::uint32_t> rest_rows_;
    Buffer<float> values_, rest_values_;
    FixUp fix_up_;
  };
};

}  // namespace warploom
