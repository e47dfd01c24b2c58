#pragma once
#include <algorithm>

#include "gpu/core/unroll.h"
#include "gpu/scenes/irregular/spmv/formats/csr.h"
#include "gpu/scenes/irregular/spmv/open_rows.h"

namespace warploom {

/// Row ends that lie on the merge path of row ends and nonzeros before item d, of `rows` and `nonzeros`; ends(row): the
/// first nonzero behind a row [merrill2016merge].
template <class Ends>
WARPLOOM_HD std::uint32_t merge_path_rows(std::uint64_t d, std::uint32_t rows, std::uint64_t nonzeros, Ends&& ends) {
  std::uint64_t low = d > nonzeros ? d - nonzeros : 0, high = d < rows ? d : rows;
  while (low < high) {
    const std::uint64_t middle = (low + high) / 2;
    if (ends(middle) <= d - middle - 1)
      low = middle + 1;
    else
      high = middle;
  }
  return static_cast<std::uint32_t>(low);
}

/// `ends` by row starts; no lambda, which the host cannot hand to a function of both sides.
struct RowEnds {
  const std::uint32_t* starts;
  WARPLOOM_HD std::uint32_t operator()(std::uint64_t row) const { return starts[row + 1]; }
};

/// Compressed rows; every thread takes as many items of the merge path, nonzeros and ends of rows alike.
struct CsrMerge {
  static TrackInfo info() {
    return spmv_info("csr", "merge", "CSR",
                     "rows one after another; every thread takes 'items' nonzeros and row ends, whatever the rows",
                     "merrill2016merge");
  }
  static SpmvBytes bytes(const SpmvMatrix& matrix, const IrregularSettings&) { return csr_bytes("csr/merge", matrix); }

  class Layout final : public CsrLayout {
   public:
    Layout(const SpmvMatrix& matrix, const IrregularSettings& settings)
        : CsrLayout(matrix), items_(static_cast<std::uint64_t>(settings.items)) {
      threads_ = {(matrix.rows + matrix.nonzeros() + items_ - 1) / items_};
      std::uint64_t j = 0;
      std::uint32_t row = 0;
      for (std::uint64_t warp = 0; warp < warps(0); ++warp) {
        unsigned lanes[warp_size] = {};  // with a nonzero, of each turn
        for (; j < matrix.nonzeros(); ++j) {
          while (matrix.row_starts[row + 1] <= j) ++row;
          if (row + j >= (warp + 1) * warp_size * items_) break;
          ++lanes[(row + j) % items_];
        }
        std::uint64_t full = 0, some = 0;
        for (const unsigned count : lanes) full += count == warp_size, some += count > 0;
        count_turns(0, warp, full, some - full, items_);
      }
      finish(CsrMerge::bytes(matrix, settings).bytes);
    }
    SpmvSpot spot(std::uint64_t j, std::uint32_t row) const override {
      return {0, (row + j) / items_, (row + j) % items_, j};
    }
    std::uint64_t at_turn(int, std::uint64_t thread, std::uint64_t turn) const override {
      if (turn >= items_) return no_nonzero;
      const std::uint64_t d = thread * items_ + turn, row = rows_before(d), j = d - row;
      return row < matrix_.rows && j < matrix_.row_starts[row + 1] ? j : no_nonzero;
    }
    Share share(int, std::uint64_t thread) const override {
      const std::uint64_t all = matrix_.rows + matrix_.nonzeros(), first = std::min(thread * items_, all),
                          last = std::min(first + items_, all);
      return {first - rows_before(first), last - rows_before(last), 1};
    }
    std::uint64_t warp_turns(int, std::uint64_t) const override { return items_; }
    std::uint64_t items() const { return items_; }
    /// Row ends before item d of the path.
    std::uint32_t rows_before(std::uint64_t d) const {
      const std::uint64_t all = matrix_.rows + matrix_.nonzeros();
      return merge_path_rows(std::min(d, all), matrix_.rows, matrix_.nonzeros(), RowEnds{matrix_.row_starts.data()});
    }

   private:
    std::uint64_t items_;
  };

  /// Row ends before each block's first item, and before the end: of the matrix alone, so found once.
  struct FindBlocks {
    const std::uint32_t* row_starts;
    std::uint32_t* before;
    std::uint32_t rows;
    std::uint64_t nonzeros, per_block;
    WARPLOOM_HD void operator()(std::uint64_t block) const {
      const std::uint64_t all = rows + nonzeros, d = block * per_block;
      before[block] = merge_path_rows(d < all ? d : all, rows, nonzeros, RowEnds{row_starts});
    }
  };

  struct Path {
    CsrArrays csr;
    const std::uint32_t* before;  ///< (blocks + 1)
    const float* x;
    SpmvSums to;
    std::uint32_t rows;
    std::uint64_t nonzeros;
    std::uint32_t items;  ///< of a thread
    std::uint64_t work_of_a_thread() const { return items; }
    std::uint64_t dynamic_shared_bytes() const { return 4 * (std::uint64_t{spmv_threads} * items + 1); }
    template <class Group>
    WARPLOOM_HD void operator()(Group& group) const {
      const std::uint64_t all = rows + nonzeros, per_block = std::uint64_t{group.size()} * items,
                          begin = group.block_number() * per_block,
                          end = begin + per_block < all ? begin + per_block : all;
      if (begin >= all) return;
      // The rows that are open where the block begins and ends.
      const std::uint32_t first_row = before[group.block_number()], last_row = before[group.block_number() + 1];
      const std::uint64_t first = begin - first_row;  // nonzero
      const auto count = static_cast<std::uint32_t>(end - last_row - first);
      const std::uint32_t ended = last_row - first_row;
      // The ends of rows, with that of the open one; then what nonzeros contribute.
      auto ends = group.template dynamic_tile<std::uint32_t>(ended + 1);
      auto products = group.template dynamic_tile<float>(count, 4 * (ended + 1));
      group.each([&](const Thread& thread) {
        for (std::uint32_t i = thread.index; i <= ended; i += group.size())
          ends[i] =
              first_row + i < rows ? static_cast<std::uint32_t>(csr.row_starts[first_row + i + 1] - first) : count;
        // On a GPU several nonzeros wait for memory at once: all are read before the first product is written, as a
        // load is not moved across a store that might be to the same place.
        constexpr unsigned at_once = Group::on_device ? 8 : 1;
        for (std::uint32_t i = thread.index; i < count; i += at_once * group.size()) {
          std::int32_t columns[at_once];
          float values[at_once], factors[at_once];
          WARPLOOM_UNROLL
          for (unsigned u = 0; u < at_once; ++u) {
            const std::uint32_t at = i + u * group.size();
            columns[u] = at < count ? csr.columns[first + at] : 0;
            values[u] = at < count ? csr.values[first + at] : 0;
          }
          WARPLOOM_UNROLL
          for (unsigned u = 0; u < at_once; ++u) factors[u] = x[columns[u]];
          WARPLOOM_UNROLL
          for (unsigned u = 0; u < at_once; ++u)
            if (const std::uint32_t at = i + u * group.size(); at < count) products[at] = values[u] * factors[u];
        }
      });
      group.barrier();
      OpenRows<Group> open;
      group.each([&](const Thread& thread) {
        std::uint32_t d = thread.index * items;
        const auto last = static_cast<std::uint32_t>(end - begin);
        if (d >= last) return open.begin(thread, rows);
        std::uint32_t row = merge_path_rows(d, ended, count, [&](std::uint64_t i) {
          const std::uint32_t behind = ends[static_cast<unsigned>(i)];
          return behind;
        });
        std::uint32_t j = d - row, behind = ends[row];
        open.begin(thread, first_row + row);
        float sum = 0;
        for (std::uint32_t item = 0; item < items && d < last; ++item, ++d) {
          if (j < behind) {
            const float product = products[j++];
            sum += product;
            continue;
          }
          open.sum[thread] = sum;
          open.end(thread, first_row + ++row, to);
          sum = 0;
          if (row <= ended) behind = ends[row];
        }
        open.sum[thread] = sum;
      });
      open.hand_on(group, to, group.block_number() * (group.size() / warp_size));
    }
  };

  class Product final : public CsrProduct {
   public:
    Product(Queue& queue, SpmvSource& source, const Layout& layout)
        : CsrProduct(source),
          layout_(layout),
          before_(queue.backend(), layout.shape(0).block_count() + 1),
          fix_up_(queue, layout.threads()[0], layout.matrix().rows) {
      launch_items("spmv.convert", queue, before_.size(),
                   FindBlocks{arrays().row_starts, before_.data(), layout.matrix().rows, layout.matrix().nonzeros(),
                              std::uint64_t{spmv_threads} * layout.items()});
    }
    void multiply(Queue& queue, const float* x, float* y) override {
      const SpmvMatrix& matrix = layout_.matrix();
      TimedSpan span(queue, "spmv.multiply", layout_.moved_bytes());
      launch("spmv.multiply", queue, layout_.shape(0),
             Path{arrays(),
                  before_.data(),
                  x,
                  {y, false, fix_up_.carries()},
                  matrix.rows,
                  matrix.nonzeros(),
                  static_cast<std::uint32_t>(layout_.items())});
      fix_up_.run(queue, y);
      span.finish();
    }
    std::uint64_t bytes() const override { return CsrProduct::bytes() + before_.bytes() + fix_up_.bytes(); }

   private:
    const Layout& layout_;
    Buffer<std::uint32_t> before_;
    FixUp fix_up_;
  };
};

}  // namespace warploom
