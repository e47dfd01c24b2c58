#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "gpu/core/error.h"
#include "gpu/core/scan.h"
#include "gpu/scenes/irregular/spmv/format.h"
#include "gpu/scenes/irregular/spmv/kernels.h"

namespace warploom {

/// SELL-C-sigma with slices of a warp: rows are sorted by length within windows of `sigma` rows, and each 32 of them
/// are padded to their own longest; a row a thread [kreutzer2014sell].
struct SellRow {
  static TrackInfo info() {
    return spmv_info("sell", "row", "SELL-C-sigma",
                     "sorts windows of 'sigma' rows by length and pads each 32 rows to their own longest",
                     "kreutzer2014sell");
  }
  static std::uint64_t window(const IrregularSettings& settings) { return static_cast<std::uint64_t>(settings.sigma); }
  /// Keys of rows in the order that they are stored in: longest first in each window, else as they come.
  template <class Key>
  static std::vector<Key> ordered(const SpmvMatrix& matrix, std::uint64_t sigma,
                                  Key (*key)(std::uint32_t, std::uint32_t)) {
    std::vector<Key> keys(matrix.rows);
    for (std::uint32_t row = 0; row < matrix.rows; ++row) keys[row] = key(matrix.length(row), row);
    if (sigma == 1) return keys;
    for (std::uint64_t first = 0; first < keys.size(); first += sigma)
      std::sort(keys.begin() + static_cast<std::ptrdiff_t>(first),
                keys.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(first + sigma, keys.size())));
    return keys;
  }
  static SpmvBytes bytes(const SpmvMatrix& matrix, const IrregularSettings& settings) {
    const std::uint64_t sigma = window(settings), slices = matrix.padded_rows() / 32;
    const auto shortness =
        ordered<std::uint32_t>(matrix, sigma, [](std::uint32_t length, std::uint32_t) { return ~length; });
    double elements = 0;
    for (std::size_t first = 0; first < shortness.size(); first += 32) {
      const auto last = shortness.begin() + static_cast<std::ptrdiff_t>(std::min(first + 32, shortness.size()));
      elements += 32. * ~*std::min_element(shortness.begin() + static_cast<std::ptrdiff_t>(first), last);
    }
    const double index = 4 * (static_cast<double>(slices) + 1) + (sigma > 1 ? 4. * matrix.rows : 0);
    return {"sell/row", 8 * elements + index, 4 * elements + index};
  }

  class Layout final : public SpmvLayout {
   public:
    Layout(const SpmvMatrix& matrix, const IrregularSettings& settings)
        : SpmvLayout(matrix), sigma_(window(settings)), places_(matrix.rows), starts_(matrix.padded_rows() / 32 + 1) {
      const auto keys = ordered<std::uint64_t>(
          matrix, sigma_, [](std::uint32_t length, std::uint32_t row) { return std::uint64_t{~length} << 32 | row; });
      order_.reserve(keys.size());
      for (const std::uint64_t key : keys) {
        places_[key & 0xffffffff] = static_cast<std::uint32_t>(order_.size());
        order_.push_back(static_cast<std::uint32_t>(key));
      }
      std::uint64_t elements = 0, widest = 0;
      for (std::size_t slice = 0; slice + 1 < starts_.size(); ++slice) {
        std::uint64_t width = 0;
        for (std::size_t p = 32 * slice; p < 32 * slice + 32 && p < order_.size(); ++p)
          width = std::max<std::uint64_t>(width, matrix.length(order_[p]));
        elements += 32 * width;
        widest = std::max(widest, width);
        if (elements >> 32) throw UsageError("sell/row: its slices have more than 2^32 elements; choose csr/merge");
        starts_[slice + 1] = static_cast<std::uint32_t>(elements);
      }
      const std::uint64_t padded = matrix.padded_rows();
      threads_ = {padded};
      arrays_ = {{SpmvArray::Shape::slices, "slices", 0, elements, padded, widest, 8}};
      count_rows(
          0, [&](std::uint32_t p) { return matrix.length(order_[p]); },
          [&](std::uint64_t warp) { return warp_turns(0, warp); });
      finish(SellRow::bytes(matrix, settings).bytes);
    }
    SpmvSpot spot(std::uint64_t j, std::uint32_t row) const override {
      const std::uint64_t p = places_[row], k = j - matrix_.row_starts[row];
      return {0, p, k, starts_[p / 32] + 32 * k + p % 32};
    }
    std::uint64_t at_turn(int, std::uint64_t thread, std::uint64_t turn) const override {
      return thread < order_.size() ? matrix_.in_row(order_[thread], turn) : no_nonzero;
    }
    std::uint64_t at_place(std::uint64_t place) const override {
      if (place >= stored()) return no_nonzero;
      const auto after = std::upper_bound(starts_.begin(), starts_.end(), place);
      const auto slice = static_cast<std::uint64_t>(after - starts_.begin() - 1), in = place - starts_[slice];
      return at_turn(0, 32 * slice + in % 32, in / 32);
    }
    Share share(int, std::uint64_t thread) const override {
      return thread < order_.size() ? share_of_row(order_[thread]) : Share{};
    }
    std::uint64_t warp_turns(int, std::uint64_t warp) const override {
      return (starts_[warp + 1] - starts_[warp]) / 32;
    }
    std::uint64_t sigma() const { return sigma_; }
    /// The row of each place.
    const std::vector<std::uint32_t>& order() const { return order_; }
    /// The first element of each slice, and behind the last.
    const std::vector<std::uint32_t>& starts() const { return starts_; }

   private:
    std::uint64_t sigma_;
    std::vector<std::uint32_t> order_, places_, starts_;
  };

  struct Shortness {
    const std::uint32_t* row_starts;
    std::uint32_t* keys;
    std::uint32_t longest;
    WARPLOOM_HD void operator()(std::uint64_t row) const {
      keys[row] = longest - (row_starts[row + 1] - row_starts[row]);
    }
  };
  struct WindowOf {
    const std::uint32_t* order;
    std::uint32_t* keys;
    std::uint64_t sigma;
    WARPLOOM_HD void operator()(std::uint64_t p) const { keys[p] = static_cast<std::uint32_t>(order[p] / sigma); }
  };
  struct Compose {
    const std::uint32_t *first, *second;
    std::uint32_t* to;
    WARPLOOM_HD void operator()(std::uint64_t p) const { to[p] = first[second[p]]; }
  };
  /// Where each row is; without an order all are where they were.
  struct PlaceOf {
    const std::uint32_t* order;
    std::uint32_t* places;
    WARPLOOM_HD void operator()(std::uint64_t p) const { places[order ? order[p] : p] = static_cast<std::uint32_t>(p); }
  };
  struct SizeOfSlice {
    const std::uint32_t *row_starts, *order;
    std::uint32_t* sizes;
    std::uint32_t rows;
    WARPLOOM_HD void operator()(std::uint64_t slice) const {
      std::uint32_t most = 0;
      for (std::uint64_t p = 32 * slice; p < 32 * slice + 32 && p < rows; ++p) {
        const std::uint64_t row = order ? order[p] : p;
        const std::uint32_t length = row_starts[row + 1] - row_starts[row];
        if (length > most) most = length;
      }
      sizes[slice] = 32 * most;
    }
  };
  struct Fill {
    const std::int32_t* from_columns;
    const float* from_values;
    const std::uint32_t *places, *starts;
    std::int32_t* columns;
    float* values;
    WARPLOOM_HD void operator()(std::uint64_t j, std::uint32_t row, std::uint32_t k) const {
      const std::uint32_t p = places[row];
      const std::uint64_t at = starts[p / 32] + std::uint64_t{32} * k + p % 32;
      columns[at] = from_columns[j];
      values[at] = from_values[j];
    }
  };
  struct Row {
    const std::uint32_t *starts, *order;
    const std::int32_t* columns;
    const float* values;
    const float* x;
    float* y;
    WARPLOOM_HD void operator()(std::uint64_t p) const {
      float sum = 0;
      const std::uint32_t last = starts[p / 32 + 1];
      for (std::uint64_t at = starts[p / 32] + p % 32; at < last; at += 32) {
        const std::int32_t column = columns[at];
        if (column >= 0) sum += values[at] * x[column];
      }
      y[order ? order[p] : p] = sum;
    }
  };

  class Product final : public SpmvProduct {
   public:
    Product(Queue& queue, SpmvSource& source, const Layout& layout)
        : layout_(layout),
          starts_(queue.backend(), layout.starts().size()),
          columns_(queue.backend(), layout.stored()),
          values_(queue.backend(), layout.stored()) {
      const Backend backend = queue.backend();
      const std::uint32_t rows = source.host.rows;
      const std::uint64_t slices = layout.starts().size() - 1;
      Scratch scratch(backend);
      if (layout.sigma() > 1) sort(queue, source, scratch);
      Buffer<std::uint32_t> places(backend, rows), sizes(backend, slices);
      launch_items("spmv.convert", queue, rows, PlaceOf{order_.data(), places.data()});
      launch_items("spmv.convert", queue, slices,
                   SizeOfSlice{source.row_starts.data(), order_.data(), sizes.data(), rows});
      exclusive_scan("spmv.convert", queue, sizes.data(), slices, ~0u, starts_.data(), scratch);
      fill_with_ones(queue, columns_.data(), columns_.bytes());
      values_.zero(queue);
      each_nonzero(queue, source,
                   Fill{source.columns.data(), source.values.data(), places.data(), starts_.data(), columns_.data(),
                        values_.data()});
      queue.wait();  // for arrays of this function
    }
    void multiply(Queue& queue, const float* x, float* y) override {
      multiply_rows(queue, layout_, Row{starts_.data(), order_.data(), columns_.data(), values_.data(), x, y},
                    layout_.matrix().rows);
    }
    std::uint64_t bytes() const override {
      return starts_.bytes() + order_.bytes() + columns_.bytes() + values_.bytes();
    }
    std::vector<float> stored(Queue& queue) const override { return values_.download(queue); }

    /// As kernels read it: (slices + 1), (elements), (elements).
    const std::uint32_t* starts() const { return starts_.data(); }
    const std::int32_t* columns() const { return columns_.data(); }
    const float* values() const { return values_.data(); }

   private:
    /// By length, then, keeping that order, by window.
    void sort(Queue& queue, const SpmvSource& source, Scratch& scratch) {
      const Backend backend = queue.backend();
      const std::uint64_t rows = source.host.rows, sigma = layout_.sigma(), windows = (rows + sigma - 1) / sigma;
      Buffer<std::uint32_t> keys(backend, rows), by_length(backend, rows), by_window(backend, rows);
      order_ = Buffer<std::uint32_t>(backend, rows);
      launch_items("spmv.convert", queue, rows, Shortness{source.row_starts.data(), keys.data(), source.host.longest});
      stable_order("spmv.convert", queue, keys.data(), rows, source.host.longest + 1ull, by_length.data(), scratch);
      launch_items("spmv.convert", queue, rows, WindowOf{by_length.data(), keys.data(), sigma});
      stable_order("spmv.convert", queue, keys.data(), rows, windows, by_window.data(), scratch);
      launch_items("spmv.convert", queue, rows, Compose{by_length.data(), by_window.data(), order_.data()});
      queue.wait();  // for arrays of this function
    }
    const Layout& layout_;
    Buffer<std::uint32_t> starts_, order_;  ///< order: none without windows
    Buffer<std::int32_t> columns_;
    Buffer<float> values_;
  };
};

}  // namespace warploom
