#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "gpu/core/atomic.h"
#include "gpu/core/scan.h"
#include "gpu/scenes/irregular/spmv/format.h"
#include "gpu/scenes/irregular/spmv/kernels.h"

namespace warploom {

/// Diagonals, each of them whole, by ascending column - row; a row a thread.
struct DiaRow {
  static TrackInfo info() {
    return spmv_info("dia", "row", "DIA",
                     "stores whole diagonals and no column; a thread walks its row over all of them", "bell2009spmv");
  }
  static SpmvBytes bytes(const SpmvMatrix& matrix, const IrregularSettings&) {
    const auto diagonals = static_cast<double>(matrix.diagonals);
    return {"dia/row", 4 * diagonals * static_cast<double>(matrix.padded_rows()) + 4 * diagonals, 4 * diagonals};
  }

  class Layout final : public SpmvLayout {
   public:
    Layout(const SpmvMatrix& matrix, const IrregularSettings& settings) : SpmvLayout(matrix) {
      // Diagonals from the lower left: column - row + rows - 1.
      std::vector<std::uint8_t> lanes(std::uint64_t{matrix.rows} + matrix.columns);
      std::uint32_t row = 0;
      const std::uint64_t padded = matrix.padded_rows();
      const auto diagonal = [&](std::uint64_t j) {
        while (j >= matrix.row_starts[row + 1]) ++row;
        return static_cast<std::size_t>(matrix.column_of[j]) + matrix.rows - 1 - row;
      };
      for (std::uint64_t j = 0; j < matrix.nonzeros(); ++j) lanes[diagonal(j)] = 1;
      for (std::size_t i = 0; i < lanes.size(); ++i)
        if (std::exchange(lanes[i], std::uint8_t{0}))
          offsets_.push_back(static_cast<std::int32_t>(static_cast<std::int64_t>(i) - matrix.rows + 1));
      threads_ = {padded};
      arrays_ = {{SpmvArray::Shape::slab, "diagonals", 0, padded * offsets_.size(), padded, offsets_.size(), 4}};
      row = 0;
      for (std::uint64_t warp = 0; warp < padded / 32; ++warp) {
        const std::uint32_t first = row;
        const std::uint64_t begin = matrix.row_starts[32 * warp],
                            end = matrix.row_starts[std::min<std::uint64_t>(32 * warp + 32, matrix.rows)];
        std::uint64_t full = 0, some = 0;
        for (std::uint64_t j = begin; j < end; ++j) full += ++lanes[diagonal(j)] == 32;
        row = first;
        for (std::uint64_t j = begin; j < end; ++j) some += std::exchange(lanes[diagonal(j)], std::uint8_t{0}) > 0;
        count_turns(0, warp, full, some - full, offsets_.size());
      }
      finish(DiaRow::bytes(matrix, settings).bytes);
    }
    SpmvSpot spot(std::uint64_t j, std::uint32_t row) const override {
      const std::int32_t offset = static_cast<std::int32_t>(matrix_.column_of[j] - static_cast<std::int64_t>(row));
      const auto d =
          static_cast<std::uint64_t>(std::lower_bound(offsets_.begin(), offsets_.end(), offset) - offsets_.begin());
      return {0, row, d, d * matrix_.padded_rows() + row};
    }
    std::uint64_t at_turn(int, std::uint64_t thread, std::uint64_t turn) const override {
      if (turn >= offsets_.size()) return no_nonzero;
      const std::int64_t column = static_cast<std::int64_t>(thread) + offsets_[turn];
      return column < 0 ? no_nonzero : matrix_.find(static_cast<std::uint64_t>(column), thread).value_or(no_nonzero);
    }
    std::uint64_t at_place(std::uint64_t place) const override {
      return at_turn(0, place % matrix_.padded_rows(), place / matrix_.padded_rows());
    }
    Share share(int, std::uint64_t thread) const override { return share_of_row(thread); }
    std::uint64_t warp_turns(int, std::uint64_t) const override { return offsets_.size(); }
    /// column - row of each diagonal, ascending.
    const std::vector<std::int32_t>& offsets() const { return offsets_; }

   private:
    std::vector<std::int32_t> offsets_;
  };

  /// Which diagonals there are, from the lower left.
  struct Mark {
    const std::int32_t* columns;
    std::uint32_t* there;
    std::uint32_t rows;
    WARPLOOM_HD void operator()(std::uint64_t j, std::uint32_t row, std::uint32_t) const {
      relaxed_store(there + (static_cast<std::uint64_t>(columns[j]) + rows - 1 - row), 1u);
    }
  };
  struct Number {
    const std::uint32_t *there, *numbers;
    std::int32_t* offsets;
    std::uint32_t rows;
    WARPLOOM_HD void operator()(std::uint64_t i) const {
      if (there[i]) offsets[numbers[i]] = static_cast<std::int32_t>(static_cast<std::int64_t>(i) - rows + 1);
    }
  };
  struct Fill {
    const std::int32_t* columns;
    const float* from;
    const std::uint32_t* numbers;
    float* to;
    std::uint64_t padded;
    std::uint32_t rows;
    WARPLOOM_HD void operator()(std::uint64_t j, std::uint32_t row, std::uint32_t) const {
      const std::uint64_t d = numbers[static_cast<std::uint64_t>(columns[j]) + rows - 1 - row];
      to[d * padded + row] = from[j];
    }
  };
  struct Turn {
    const std::int32_t* offsets;
    const float* values;
    const float* x;
    std::uint64_t padded;
    std::uint32_t columns;
    WARPLOOM_HD SlabPart operator()(std::uint64_t d, std::uint64_t row) const {
      const std::int64_t column = static_cast<std::int64_t>(row) + offsets[d];
      return {values[d * padded + row], column >= 0 && column < columns ? x[column] : 0};
    }
  };

  class Product final : public SpmvProduct {
   public:
    Product(Queue& queue, SpmvSource& source, const Layout& layout)
        : layout_(layout),
          offsets_(queue.backend(), layout.offsets().size()),
          values_(queue.backend(), layout.stored()) {
      const Backend backend = queue.backend();
      const std::uint32_t rows = source.host.rows;
      const std::uint64_t all = std::uint64_t{rows} + source.host.columns - 1;
      Buffer<std::uint32_t> there(backend, all), numbers(backend, all + 1);
      there.zero(queue);
      values_.zero(queue);
      each_nonzero(queue, source, Mark{source.columns.data(), there.data(), rows});
      Scratch scratch(backend);
      exclusive_scan("spmv.convert", queue, there.data(), all, 1, numbers.data(), scratch);
      launch_items("spmv.convert", queue, all, Number{there.data(), numbers.data(), offsets_.data(), rows});
      each_nonzero(queue, source,
                   Fill{source.columns.data(), source.values.data(), numbers.data(), values_.data(),
                        layout.matrix().padded_rows(), rows});
      queue.wait();  // for arrays of this function
    }
    void multiply(Queue& queue, const float* x, float* y) override {
      const SpmvMatrix& matrix = layout_.matrix();
      multiply_slab(queue, layout_, Turn{offsets_.data(), values_.data(), x, matrix.padded_rows(), matrix.columns}, y,
                    offsets_.size());
    }
    std::uint64_t bytes() const override { return values_.bytes() + offsets_.bytes(); }
    std::vector<float> stored(Queue& queue) const override { return values_.download(queue); }

   private:
    const Layout& layout_;
    Buffer<std::int32_t> offsets_;
    Buffer<float> values_;
  };
};

}  // namespace warploom
