#pragma once
#include <utility>
#include <vector>

#include "gpu/scenes/irregular/spmv/format.h"
#include "gpu/scenes/irregular/spmv/kernels.h"

namespace warploom {

/// Every element, zeros too, column by column; a row a thread.
struct DenseRow {
  static TrackInfo info() {
    return spmv_info("dense", "row", "Dense", "stores every element, zeros too; a thread walks its whole row",
                     "bell2009spmv");
  }
  static SpmvBytes bytes(const SpmvMatrix& matrix, const IrregularSettings&) {
    return {"dense/row", 4. * static_cast<double>(matrix.padded_rows()) * matrix.columns, 0};
  }

  class Layout final : public SpmvLayout {
   public:
    Layout(const SpmvMatrix& matrix, const IrregularSettings& settings) : SpmvLayout(matrix) {
      const std::uint64_t padded = matrix.padded_rows(), columns = matrix.columns;
      threads_ = {padded};
      arrays_ = {{SpmvArray::Shape::slab, "elements", 0, padded * columns, padded, columns, 4}};
      std::vector<std::uint8_t> lanes(columns);
      for (std::uint64_t warp = 0; warp < padded / 32; ++warp) {
        const std::uint64_t first = matrix.row_starts[32 * warp],
                            last = matrix.row_starts[std::min<std::uint64_t>(32 * warp + 32, matrix.rows)];
        std::uint64_t full = 0, some = 0;
        const auto column = [&](std::uint64_t j) -> std::uint8_t& {
          return lanes[static_cast<std::size_t>(matrix.column_of[j])];
        };
        for (std::uint64_t j = first; j < last; ++j) full += ++column(j) == 32;
        for (std::uint64_t j = first; j < last; ++j) some += std::exchange(column(j), std::uint8_t{0}) > 0;
        count_turns(0, warp, full, some - full, columns);
      }
      finish(DenseRow::bytes(matrix, settings).bytes);
    }
    SpmvSpot spot(std::uint64_t j, std::uint32_t row) const override {
      const auto column = static_cast<std::uint64_t>(matrix_.column_of[j]);
      return {0, row, column, column * matrix_.padded_rows() + row};
    }
    std::uint64_t at_turn(int, std::uint64_t thread, std::uint64_t turn) const override {
      return matrix_.find(turn, thread).value_or(no_nonzero);
    }
    std::uint64_t at_place(std::uint64_t place) const override {
      return matrix_.find(place / matrix_.padded_rows(), place % matrix_.padded_rows()).value_or(no_nonzero);
    }
    Share share(int, std::uint64_t thread) const override { return share_of_row(thread); }
    std::uint64_t warp_turns(int, std::uint64_t) const override { return matrix_.columns; }
  };

  struct Fill {
    const std::int32_t* columns;
    const float* from;
    float* to;
    std::uint64_t padded;
    WARPLOOM_HD void operator()(std::uint64_t j, std::uint32_t row, std::uint32_t) const {
      to[static_cast<std::uint64_t>(columns[j]) * padded + row] = from[j];
    }
  };
  struct Turn {
    const float* values;
    const float* x;
    std::uint64_t padded;
    WARPLOOM_HD SlabPart operator()(std::uint64_t column, std::uint64_t row) const {
      return {values[column * padded + row], x[column]};
    }
  };

  class Product final : public SpmvProduct {
   public:
    Product(Queue& queue, SpmvSource& source, const Layout& layout)
        : layout_(layout), values_(queue.backend(), layout.stored()) {
      values_.zero(queue);
      each_nonzero(queue, source,
                   Fill{source.columns.data(), source.values.data(), values_.data(), layout.matrix().padded_rows()});
    }
    void multiply(Queue& queue, const float* x, float* y) override {
      const SpmvMatrix& matrix = layout_.matrix();
      multiply_slab(queue, layout_, Turn{values_.data(), x, matrix.padded_rows()}, y, matrix.columns);
    }
    std::uint64_t bytes() const override { return values_.bytes(); }
    std::vector<float> stored(Queue& queue) const override { return values_.download(queue); }

   private:
    const Layout& layout_;
    Buffer<float> values_;
  };
};

}  // namespace warploom
