#pragma once
#include <bit>

#include "gpu/core/unroll.h"
#include "gpu/scenes/irregular/spmv/formats/csr.h"

namespace warploom {

/// Compressed rows; several lanes of a warp share a row.
struct CsrWarp {
  static TrackInfo info() {
    return spmv_info("csr", "warp", "CSR", "rows one after another; 'row_lanes' lanes of a warp share a row",
                     "bell2009spmv");
  }
  static SpmvBytes bytes(const SpmvMatrix& matrix, const IrregularSettings&) { return csr_bytes("csr/warp", matrix); }
  /// Lanes of a row: 2, 4, 8, 16 or 32.
  static std::uint32_t lanes_of(const SpmvMatrix& matrix, const IrregularSettings& settings) {
    if (settings.row_lanes) return static_cast<std::uint32_t>(settings.row_lanes);
    std::uint32_t lanes = 2;
    while (lanes < 32 && std::uint64_t{lanes} * matrix.rows < matrix.nonzeros()) lanes *= 2;
    return lanes;
  }

  class Layout final : public CsrLayout {
   public:
    Layout(const SpmvMatrix& matrix, const IrregularSettings& settings) : CsrLayout(matrix) {
      const std::uint32_t lanes = lanes_of(matrix, settings);
      lanes_ = static_cast<int>(lanes);
      threads_ = {std::uint64_t{matrix.rows} * lanes};
      for (std::uint64_t warp = 0; warp < warps(0); ++warp) {
        std::uint64_t work[warp_size] = {};
        for (unsigned i = 0; i < warp_size; ++i) {
          const std::uint64_t row = (warp * warp_size + i) / lanes, lane = i % lanes;
          if (row < matrix.rows) work[i] = (std::uint64_t{matrix.length(row)} + lanes - 1 - lane) / lanes;
        }
        count_warp(0, warp, work, warp_turns(0, warp));
      }
      finish(CsrWarp::bytes(matrix, settings).bytes);
    }
    SpmvSpot spot(std::uint64_t j, std::uint32_t row) const override {
      const std::uint64_t k = j - matrix_.row_starts[row], lanes = static_cast<std::uint64_t>(lanes_);
      return {0, row * lanes + k % lanes, k / lanes, j};
    }
    std::uint64_t at_turn(int, std::uint64_t thread, std::uint64_t turn) const override {
      const auto lanes = static_cast<std::uint64_t>(lanes_);
      return matrix_.in_row(thread / lanes, turn * lanes + thread % lanes);
    }
    Share share(int, std::uint64_t thread) const override {
      const auto lanes = static_cast<std::uint64_t>(lanes_);
      const Share row = share_of_row(thread / lanes);
      return {row.first + thread % lanes, row.last, lanes};
    }
    std::uint64_t warp_turns(int, std::uint64_t warp) const override {
      const auto lanes = static_cast<std::uint64_t>(lanes_);
      return (matrix_.longest_of(warp * warp_size / lanes, warp_size / lanes) + lanes - 1) / lanes;
    }
  };

  struct Rows {
    CsrArrays csr;
    const float* x;
    float* y;
    std::uint32_t rows, shift;  ///< 2^shift lanes share a row
    std::uint64_t work;
    std::uint64_t work_of_a_thread() const { return std::clamp<std::uint64_t>(work, 1, 1u << 14); }
    template <class Group>
    WARPLOOM_HD void operator()(Group& group) const {
      typename Group::template PerThread<float> sums;
      typename Group::template PerThread<bool> heads;
      const std::uint64_t first = group.block_number() * group.size();
      const std::uint32_t lanes = 1u << shift;
      group.each([&](const Thread& thread) {
        const std::uint64_t row = (first + thread.index) >> shift;
        const std::uint32_t lane = thread.index & (lanes - 1);
        float sum = 0;
        if (row < rows) {
          // Several turns wait for memory at once. Distances within a row are of 32 bits: products of 64 would cost a
          // seventh of the time.
          constexpr unsigned at_once = Group::on_device ? 4 : 1;
          const std::uint64_t last = csr.row_starts[row + 1];
          const std::uint32_t step = at_once * lanes;
          for (std::uint64_t j = csr.row_starts[row] + std::uint64_t{lane}; j < last; j += step) {
            WARPLOOM_UNROLL
            for (unsigned i = 0; i < at_once; ++i) {
              const std::uint32_t ahead = i * lanes;
              if (const std::uint64_t at = j + ahead; at < last) sum += csr.values[at] * x[csr.columns[at]];
            }
          }
        }
        sums[thread] = sum;
        heads[thread] = lane == 0;
      });
      group.warp_segmented_sum(sums, heads);
      group.each([&](const Thread& thread) {
        const std::uint64_t row = (first + thread.index) >> shift;
        if (row < rows && (thread.index & (lanes - 1)) + 1 == lanes) y[row] = sums[thread];
      });
    }
  };

  class Product final : public CsrProduct {
   public:
    Product(Queue&, SpmvSource& source, const Layout& layout) : CsrProduct(source), layout_(layout) {}
    void multiply(Queue& queue, const float* x, float* y) override {
      const std::uint64_t threads = std::max<std::uint64_t>(1, layout_.threads()[0]);
      launch("spmv.multiply", queue, layout_.shape(0),
             Rows{arrays(), x, y, layout_.matrix().rows,
                  static_cast<std::uint32_t>(std::countr_zero(static_cast<unsigned>(layout_.lanes()))),
                  layout_.turns() * warp_size / threads},
             layout_.moved_bytes());
    }

   private:
    const Layout& layout_;
  };
};

}  // namespace warploom
