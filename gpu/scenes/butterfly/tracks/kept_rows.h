#pragma once
#include <cstdint>

#include "gpu/core/buffer.h"
#include "gpu/scenes/butterfly/pictures/row_magnitude.h"

namespace warploom {

/// Magnitudes of one row of the last outputs, newest first: what a waterfall shows. A column is an element, or the
/// greatest of several.
struct KeptRows {
  /// More are kept than are shown: what is written next is in no picture.
  static constexpr std::uint64_t slots = 256, shown = 240, most_columns = 1024;

  const float* values = nullptr;        ///< (slots, columns)
  std::uint32_t elements = 0;           ///< of a row: columns
  std::uint64_t newest = 0, first = 0;  ///< numbers of outputs; kept from the first on
  WARPLOOM_HD std::uint64_t rows() const { return newest - first + 1 < shown ? newest - first + 1 : shown; }
  /// A picture has room for so many: for more as more come, so that it is at least half full.
  WARPLOOM_HD std::uint64_t room() const { return room_for(rows()); }
  WARPLOOM_HD static std::uint64_t room_for(std::uint64_t rows) {
    std::uint64_t room = 15;
    while (room < rows) room *= 2;
    return room;
  }
  /// `age`: of so many outputs ago, below rows().
  WARPLOOM_HD float at(std::uint64_t age, std::uint64_t column) const {
    return values[(newest - age) % slots * elements + column];
  }
};

/// Keeps them. The thread that steps writes; what is kept of a finished state is read while that is held still.
class RowKeeper {
 public:
  RowKeeper(Backend backend, std::uint64_t elements);
  /// Of output `number` the row; not timed.
  void keep(Queue& queue, const RowMagnitude& rows, std::uint64_t row, std::uint64_t number);
  /// All that another one of as many columns has.
  void copy(Queue& queue, const RowKeeper& from);
  std::uint32_t columns() const { return columns_; }
  const float* data() const { return values_.data(); }
  std::uint64_t bytes() const { return values_.bytes(); }

 private:
  std::uint32_t columns_;
  Buffer<float> values_;
};

}  // namespace warploom
