#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gpu/core/types.h"
#include "gpu/scenes/irregular/spmv/matrix.h"
#include "gpu/tracks/facets/counted.h"

namespace warploom {

/// Blocks of all products.
inline constexpr std::uint32_t spmv_threads = 256;

/// Who multiplies a nonzero, and where it lies.
struct SpmvSpot {
  int launch = 0;
  std::uint64_t thread = 0;  ///< in its launch: block thread / 256
  std::uint64_t turn = 0;    ///< of the thread, and of its warp
  std::uint64_t place = 0;   ///< element of the arrays as stored
  friend bool operator==(const SpmvSpot&, const SpmvSpot&) = default;
};

/// An array of elements as a format stores it, for pictures. A slab is column-major: element (row, column) is at
/// first + column * rows + row. A ribbon is a row of elements. Slices are slabs of 32 rows, each as wide as its longest
/// row.
struct SpmvArray {
  enum class Shape { slab, ribbon, slices } shape = Shape::ribbon;
  std::string name;            ///< "padded rows", "rest"
  std::uint64_t first = 0;     ///< its first element
  std::uint64_t elements = 0;  ///< with padding
  std::uint64_t rows = 0;      ///< of a slab, and of slices; else 0
  std::uint64_t columns = 0;   ///< of a slab; of slices the widest; else 0
  int element_bytes = 8;       ///< an element's value with its indices
};

/// How one format and schedule deals out one matrix: who, when, where; in closed form and on the host. Const: any
/// thread may ask, cheaply. It refers to the matrix, which outlives it.
class SpmvLayout {
 public:
  virtual ~SpmvLayout() = default;
  SpmvLayout& operator=(SpmvLayout&&) = delete;  // neither copied nor moved

  const SpmvMatrix& matrix() const { return matrix_; }
  /// Threads that work, launch by launch; whole blocks are launched.
  const std::vector<std::uint64_t>& threads() const { return threads_; }
  LaunchShape shape(int launch) const {
    const std::uint64_t all = threads_[static_cast<std::size_t>(launch)];
    return {row_of_blocks(std::max<std::uint64_t>(1, (all + spmv_threads - 1) / spmv_threads)), {spmv_threads, 1, 1}};
  }
  /// Warps that take turns, launch by launch.
  std::uint64_t warps(int launch) const { return (threads_[static_cast<std::size_t>(launch)] + 31) / 32; }
  /// Elements as stored, with padding, and the bytes of all arrays.
  std::uint64_t stored() const { return stored_; }
  double bytes() const { return bytes_; }
  /// ... that a product moves at least: those, and x and y once.
  std::uint64_t moved_bytes() const {
    return static_cast<std::uint64_t>(bytes_) + 4ull * matrix_.columns + 4ull * matrix_.rows;
  }
  /// Where they lie, in the order of places.
  const std::vector<SpmvArray>& arrays() const { return arrays_; }
  /// Width of the padded part, of `hyb`; else -1. Lanes that share a row, of `csr/warp`; else 0.
  std::int64_t width() const { return width_; }
  int lanes() const { return lanes_; }
  /// Turns of all warps of all launches, in lanes: full, partial and idle ones are turns, not warps.
  const Counts& counts() const { return counts_; }
  std::uint64_t turns() const { return counts_.launched / warp_size; }

  /// Who multiplies nonzero j, and where it lies. `row`: the row that it is in.
  virtual SpmvSpot spot(std::uint64_t j, std::uint32_t row) const = 0;
  SpmvSpot spot(std::uint64_t j) const { return spot(j, matrix_.row_of(j)); }
  /// The nonzero that a thread multiplies in a turn; no_nonzero: it waits, meets padding, or ends a row.
  virtual std::uint64_t at_turn(int launch, std::uint64_t thread, std::uint64_t turn) const = 0;
  /// The nonzero of an element as stored; no_nonzero: padding.
  virtual std::uint64_t at_place(std::uint64_t place) const = 0;
  /// The nonzeros of a thread: first, first + stride .. below last, in the order of its turns.
  struct Share {
    std::uint64_t first = 0, last = 0, stride = 1;
    std::uint64_t count() const { return last > first ? (last - first + stride - 1) / stride : 0; }
    std::uint64_t back() const { return first + (count() - 1) * stride; }
  };
  virtual Share share(int launch, std::uint64_t thread) const = 0;
  /// Turns that a warp takes.
  virtual std::uint64_t warp_turns(int launch, std::uint64_t warp) const = 0;
  /// The most turns that a warp takes, of all.
  std::uint64_t longest_turns() const { return longest_turns_; }

 protected:
  explicit SpmvLayout(const SpmvMatrix& matrix) : matrix_(matrix) {}
  /// Counts the turns of a warp whose lanes have something to do in their first `work` turns; launches and warps in
  /// ascending order.
  void count_warp(int launch, std::uint64_t warp, const std::uint64_t (&work)[warp_size], std::uint64_t turns);
  /// ... so many turns in which so many lanes have something to do.
  void count_turns(int launch, std::uint64_t warp, std::uint64_t full, std::uint64_t partial, std::uint64_t turns);
  /// ... a row a thread, `work(row)` of it useful, of `turns(warp)`.
  template <class Work, class Turns>
  void count_rows(int launch, Work&& work, Turns&& turns) {
    for (std::uint64_t warp = 0; warp < warps(launch); ++warp) {
      std::uint64_t lanes[warp_size] = {};
      for (std::uint64_t i = 0; i < warp_size && warp * warp_size + i < matrix_.rows; ++i)
        lanes[i] = work(static_cast<std::uint32_t>(warp * warp_size + i));
      count_warp(launch, warp, lanes, turns(warp));
    }
  }
  /// ... an element a thread.
  void count_elements(int launch, std::uint64_t elements);
  /// What a constructor ends with: threads_, arrays_ and counts of warps are there.
  void finish(double bytes);

  const SpmvMatrix& matrix_;
  std::vector<std::uint64_t> threads_;
  std::vector<SpmvArray> arrays_;
  std::uint64_t stored_ = 0, longest_turns_ = 0;
  double bytes_ = 0;
  std::int64_t width_ = -1;
  int lanes_ = 0;
  Counts counts_;

  /// A row, or no more than `most` of it; the row may lie outside.
  Share share_of_row(std::uint64_t row, std::uint64_t most = no_nonzero) const {
    if (row >= matrix_.rows) return {};
    const std::uint64_t first = matrix_.row_starts[row], last = matrix_.row_starts[row + 1];
    return {first, last - first < most ? last : first + most, 1};
  }

 private:
  std::uint64_t last_block_ = no_nonzero;  ///< with a nonzero
  int last_launch_ = -1;
};

/// Block, thread and turn as facets and dumps have them.
inline Owner owner_of(const SpmvSpot& spot) {
  Owner who;
  who.launch = spot.launch;
  who.block = unfold(spot.thread / spmv_threads, row_of_blocks(~std::uint64_t{0} >> 8));
  who.thread.x = static_cast<std::uint32_t>(spot.thread % spmv_threads);
  who.turn = static_cast<int>(spot.turn);
  return who;
}

/// By the name of a track; null of `vendor`, of which nothing is known. Throws UsageError where the format does not
/// fit.
std::unique_ptr<const SpmvLayout> make_spmv_layout(const SpmvMatrix& matrix, const IrregularSettings& settings,
                                                   const std::string& track);

/// Bytes of one format, by the name of its track, or of all formats in the order of the list. Any thread; long work the
/// first time for these settings, and kept.
SpmvBytes spmv_bytes(const SpmvProblem& problem, const IrregularSettings& settings, const std::string& track);
std::vector<SpmvBytes> spmv_bytes(const SpmvProblem& problem, const IrregularSettings& settings);

/// The width of `hyb`: "bytes", "cusp" or a number, cut to the longest row; of the numbers of rows by length
/// (spmv_lengths). Throws UsageError for other words.
std::uint32_t hyb_width(const std::string& words, const SpmvMatrix& matrix, const std::vector<std::uint32_t>& lengths);
/// Throws UsageError for what is no such width.
void check_hyb_width(const std::string& words);
/// How many rows have 0, 1 .. longest nonzeros.
std::vector<std::uint32_t> spmv_lengths(const SpmvMatrix& matrix);

}  // namespace warploom
