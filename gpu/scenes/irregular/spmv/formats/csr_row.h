#pragma once
#include "gpu/scenes/irregular/spmv/formats/csr.h"

namespace warploom {

/// Compressed rows; a row a thread.
struct CsrRow {
  static TrackInfo info() {
    return spmv_info("csr", "row", "CSR",
                     "rows one after another; a thread walks its row, its warp waits for the longest", "bell2009spmv");
  }
  static SpmvBytes bytes(const SpmvMatrix& matrix, const IrregularSettings&) { return csr_bytes("csr/row", matrix); }

  class Layout final : public CsrLayout {
   public:
    Layout(const SpmvMatrix& matrix, const IrregularSettings& settings) : CsrLayout(matrix) {
      threads_ = {matrix.rows};
      count_rows(
          0, [&](std::uint32_t row) { return matrix.length(row); },
          [&](std::uint64_t warp) { return warp_turns(0, warp); });
      finish(CsrRow::bytes(matrix, settings).bytes);
    }
    SpmvSpot spot(std::uint64_t j, std::uint32_t row) const override {
      return {0, row, j - matrix_.row_starts[row], j};
    }
    std::uint64_t at_turn(int, std::uint64_t thread, std::uint64_t turn) const override {
      return matrix_.in_row(thread, turn);
    }
    Share share(int, std::uint64_t thread) const override { return share_of_row(thread); }
    std::uint64_t warp_turns(int, std::uint64_t warp) const override { return matrix_.longest_of(32 * warp, 32); }
  };

  struct Row {
    CsrArrays csr;
    const float* x;
    float* y;
    WARPLOOM_HD void operator()(std::uint64_t row) const {
      float sum = 0;
      const std::uint32_t last = csr.row_starts[row + 1];
      for (std::uint32_t j = csr.row_starts[row]; j < last; ++j) sum += csr.values[j] * x[csr.columns[j]];
      y[row] = sum;
    }
  };

  class Product final : public CsrProduct {
   public:
    Product(Queue&, SpmvSource& source, const Layout& layout) : CsrProduct(source), layout_(layout) {}
    void multiply(Queue& queue, const float* x, float* y) override {
      multiply_rows(queue, layout_, Row{arrays(), x, y}, layout_.matrix().rows);
    }

   private:
    const Layout& layout_;
  };
};

}  // namespace warploom
