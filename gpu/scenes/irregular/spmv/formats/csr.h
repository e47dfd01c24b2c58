#pragma once
#include <utility>
#include <vector>

#include "gpu/scenes/irregular/spmv/format.h"
#include "gpu/scenes/irregular/spmv/kernels.h"

namespace warploom {

/// What schedules over compressed rows have in common: nonzeros row by row, and where each row starts.
inline SpmvBytes csr_bytes(const char* track, const SpmvMatrix& matrix) {
  const double nonzeros = static_cast<double>(matrix.nonzeros()), starts = 4 * (matrix.rows + 1.);
  return {track, 8 * nonzeros + starts, 4 * nonzeros + starts};
}

class CsrLayout : public SpmvLayout {
 public:
  std::uint64_t at_place(std::uint64_t place) const override { return place < matrix_.nonzeros() ? place : no_nonzero; }

 protected:
  explicit CsrLayout(const SpmvMatrix& matrix) : SpmvLayout(matrix) {
    arrays_ = {{SpmvArray::Shape::ribbon, "nonzeros", 0, matrix.nonzeros(), 0, 0, 8}};
  }
};

/// As kernels read it.
struct CsrArrays {
  const std::uint32_t* row_starts;
  const std::int32_t* columns;
  const float* values;
};

class CsrProduct : public SpmvProduct {
 public:
  std::uint64_t bytes() const override { return row_starts_.bytes() + columns_.bytes() + values_.bytes(); }
  std::vector<float> stored(Queue& queue) const override { return values_.download(queue); }

 protected:
  explicit CsrProduct(SpmvSource& source)
      : row_starts_(std::move(source.row_starts)),
        columns_(std::move(source.columns)),
        values_(std::move(source.values)) {}
  CsrArrays arrays() const { return {row_starts_.data(), columns_.data(), values_.data()}; }

 private:
  Buffer<std::uint32_t> row_starts_;
  Buffer<std::int32_t> columns_;
  Buffer<float> values_;
};

}  // namespace warploom
