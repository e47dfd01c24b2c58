#pragma once
#include <utility>
#include <vector>

#include "gpu/scenes/irregular/spmv/format.h"
#include "gpu/scenes/irregular/spmv/kernels.h"

namespace warploom {

/// All rows as long as the longest, column by column; a row a thread.
struct EllRow {
  static TrackInfo info() {
    return spmv_info("ell", "row", "ELL", "pads all rows to the longest one; a thread walks its row, padding too",
                     "bell2009spmv");
  }
  static SpmvBytes bytes(const SpmvMatrix& matrix, const IrregularSettings&) {
    const double elements = static_cast<double>(matrix.longest) * static_cast<double>(matrix.padded_rows());
    return {"ell/row", 8 * elements, 4 * elements};
  }

  class Layout final : public SpmvLayout {
   public:
    Layout(const SpmvMatrix& matrix, const IrregularSettings& settings) : SpmvLayout(matrix) {
      const std::uint64_t padded = matrix.padded_rows(), width = matrix.longest;
      threads_ = {padded};
      arrays_ = {{SpmvArray::Shape::slab, "padded rows", 0, padded * width, padded, width, 8}};
      count_rows(
          0, [&](std::uint32_t row) { return matrix.length(row); }, [&](std::uint64_t) { return width; });
      finish(EllRow::bytes(matrix, settings).bytes);
    }
    SpmvSpot spot(std::uint64_t j, std::uint32_t row) const override {
      const std::uint64_t k = j - matrix_.row_starts[row];
      return {0, row, k, k * matrix_.padded_rows() + row};
    }
    std::uint64_t at_turn(int, std::uint64_t thread, std::uint64_t turn) const override {
      return matrix_.in_row(thread, turn);
    }
    std::uint64_t at_place(std::uint64_t place) const override {
      return matrix_.in_row(place % matrix_.padded_rows(), place / matrix_.padded_rows());
    }
    Share share(int, std::uint64_t thread) const override { return share_of_row(thread); }
    std::uint64_t warp_turns(int, std::uint64_t) const override { return matrix_.longest; }
  };

  class Product final : public SpmvProduct {
   public:
    Product(Queue& queue, SpmvSource& source, const Layout& layout)
        : layout_(layout), columns_(queue.backend(), layout.stored()), values_(queue.backend(), layout.stored()) {
      fill_with_ones(queue, columns_.data(), columns_.bytes());
      values_.zero(queue);
      const SpmvMatrix& matrix = layout.matrix();
      each_nonzero(queue, source,
                   PadRow{source.columns.data(), source.values.data(), columns_.data(), values_.data(),
                          matrix.padded_rows(), matrix.longest});
    }
    void multiply(Queue& queue, const float* x, float* y) override {
      const SpmvMatrix& matrix = layout_.matrix();
      multiply_slab(queue, layout_, PaddedTurn{columns_.data(), values_.data(), x, matrix.padded_rows()}, y,
                    matrix.longest);
    }
    std::uint64_t bytes() const override { return columns_.bytes() + values_.bytes(); }
    std::vector<float> stored(Queue& queue) const override { return values_.download(queue); }

   private:
    const Layout& layout_;
    Buffer<std::int32_t> columns_;
    Buffer<float> values_;
  };
};

}  // namespace warploom
