#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "gpu/core/buffer.h"
#include "gpu/core/queue.h"
#include "gpu/scenes/irregular/spmv/layout.h"

namespace warploom {

/// The matrix in the memory of a backend, as formats are made from it. Arrays that a format keeps it takes by move.
struct SpmvSource {
  const SpmvMatrix& host;
  Buffer<std::uint32_t> row_starts;  ///< (rows + 1)
  Buffer<std::int32_t> columns;      ///< (nonzeros)
  Buffer<float> values;              ///< (nonzeros)
};

/// A matrix as a format stores it, in the memory of a backend, and what multiplies by it. The thread that steps.
class SpmvProduct {
 public:
  virtual ~SpmvProduct() = default;
  /// y = A x: launches `spmv.multiply`, and `spmv.fix_up` where rows are shared; every y is written.
  virtual void multiply(Queue& queue, const float* x, float* y) = 0;
  /// Values as stored, by place; padding is 0. For tests: dumps tell of places.
  virtual std::vector<float> stored(Queue& queue) const = 0;
  /// Memory of the backend that it holds.
  virtual std::uint64_t bytes() const = 0;
};

}  // namespace warploom
