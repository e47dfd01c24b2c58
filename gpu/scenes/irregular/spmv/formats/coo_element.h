#pragma once
#include <utility>
#include <vector>

#include "gpu/scenes/irregular/spmv/format.h"
#include "gpu/scenes/irregular/spmv/kernels.h"
#include "gpu/scenes/irregular/spmv/open_rows.h"

namespace warploom {

/// Row, column and value of each nonzero; a nonzero a thread.
struct CooElement {
  static TrackInfo info() {
    return spmv_info("coo", "element", "COO",
                     "stores the row of each nonzero, too; a thread a nonzero, sums by segments of a warp",
                     "bell2009spmv");
  }
  static SpmvBytes bytes(const SpmvMatrix& matrix, const IrregularSettings&) {
    const auto nonzeros = static_cast<double>(matrix.nonzeros());
    return {"coo/element", 12 * nonzeros, 8 * nonzeros};
  }

  class Layout final : public SpmvLayout {
   public:
    Layout(const SpmvMatrix& matrix, const IrregularSettings& settings) : SpmvLayout(matrix) {
      const std::uint64_t nonzeros = matrix.nonzeros();
      threads_ = {nonzeros};
      arrays_ = {{SpmvArray::Shape::ribbon, "nonzeros", 0, nonzeros, 0, 0, 12}};
      count_elements(0, nonzeros);
      finish(CooElement::bytes(matrix, settings).bytes);
    }
    SpmvSpot spot(std::uint64_t j, std::uint32_t) const override { return {0, j, 0, j}; }
    std::uint64_t at_turn(int, std::uint64_t thread, std::uint64_t turn) const override {
      return turn == 0 ? at_place(thread) : no_nonzero;
    }
    std::uint64_t at_place(std::uint64_t place) const override {
      return place < matrix_.nonzeros() ? place : no_nonzero;
    }
    Share share(int, std::uint64_t thread) const override {
      return thread < matrix_.nonzeros() ? Share{thread, thread + 1, 1} : Share{};
    }
    std::uint64_t warp_turns(int, std::uint64_t) const override { return 1; }
  };

  struct Expand {
    std::uint32_t* rows;
    WARPLOOM_HD void operator()(std::uint64_t j, std::uint32_t row, std::uint32_t) const { rows[j] = row; }
  };

  class Product final : public SpmvProduct {
   public:
    Product(Queue& queue, SpmvSource& source, const Layout& layout)
        : layout_(layout),
          rows_(queue.backend(), layout.stored()),
          columns_(std::move(source.columns)),
          values_(std::move(source.values)),
          fix_up_(queue, layout.stored(), layout.matrix().rows) {
      each_nonzero(queue, source, Expand{rows_.data()});
    }
    void multiply(Queue& queue, const float* x, float* y) override {
      const SpmvMatrix& matrix = layout_.matrix();
      TimedSpan span(queue, "spmv.multiply", layout_.moved_bytes());
      zero_bytes(queue, y, matrix.rows * sizeof(float));  // of empty rows
      launch("spmv.multiply", queue, layout_.shape(0),
             SumByRow<CooElements, 1>{{rows_.data(), columns_.data(), values_.data(), x},
                                      layout_.stored(),
                                      matrix.rows,
                                      {y, false, fix_up_.carries()}});
      fix_up_.run(queue, y);
      span.finish();
    }
    std::uint64_t bytes() const override {
      return rows_.bytes() + columns_.bytes() + values_.bytes() + fix_up_.bytes();
    }
    std::vector<float> stored(Queue& queue) const override { return values_.download(queue); }

   private:
    const Layout& layout_;
    Buffer<std::uint32_t> rows_;
    Buffer<std::int32_t> columns_;
    Buffer<float> values_;
    FixUp fix_up_;
  };
};

}  // namespace warploom
