#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/core/queue.h"
#include "gpu/core/types.h"
#include "gpu/ops/picture.h"
#include "gpu/ops/state_pair.h"

namespace warploom {

/// A way to run a work: a map with its variants. What menus, statistics and documents show.
struct LaneInfo {
  std::string name;                         ///< map[/intra[/storage]] or map[/layout], canonical and shortest
  std::string map, intra, storage, layout;  ///< empty: does not apply
  std::string title, description, citation;
  bool exact = true;
};

/// What a map does over one step, counted; `launched_stated` is its closed form.
struct Counts {
  std::uint64_t launched = 0, launched_stated = 0, useful = 0, useful_stated = 0;
  std::uint64_t blocks = 0, blocks_useful = 0;
  std::uint64_t warps_full = 0, warps_partial = 0, warps_idle = 0;
  std::uint64_t sectors = 0;  ///< 32-byte sectors that the useful lanes touch, warp by warp
  std::uint64_t wasted() const { return launched - useful; }
};

/// The seal of a state, and the sum of its values.
struct Seal {
  std::uint64_t hash = 0, sum = 0;
};

/// One line of a formula, evaluated: what, how, result.
struct FormulaLine {
  std::string what, how, result;
};

/// A formula evaluated for one block or cell; `result` closes it.
struct Formula {
  std::string title;
  std::vector<FormulaLine> steps;
  FormulaLine result;
};

/// One lane of a scene: a state under a map, on a backend. Steps, seals and counts are called by one thread at a time
/// with its queue; pictures and questions may come from another, with theirs.
class Lane {
 public:
  virtual ~Lane() = default;

  const LaneInfo& info() const { return info_; }
  /// Name of the work's kernel, as in timings: "fractal.life".
  const std::string& kernel() const { return kernel_; }
  virtual std::vector<LaunchShape> launches() const = 0;
  /// The domain's box in cells.
  virtual Index3 extent() const = 0;
  virtual std::uint64_t cells() const = 0;
  /// Bytes of backend memory this lane holds.
  virtual std::uint64_t bytes() const = 0;

  // ---- the thread that steps ------------------------------------------------------------------------------------
  virtual void fill(Queue& queue, std::uint64_t seed, double density) = 0;
  /// A logical state, row-major over the box; only members are looked at.
  virtual void load(Queue& queue, std::span<const std::uint8_t> state) = 0;
  virtual void copy_state(Queue& queue, const Lane& from) = 0;
  /// Launches one step of the work, named and timed.
  virtual void step(Queue& queue) = 0;
  /// Makes the written state the finished one and takes the folded sum over, when the step is complete.
  virtual void publish(Queue& queue) = 0;
  virtual Seal seal(Queue& queue) = 0;
  /// The sum the last published step folded, of works that fold.
  virtual std::optional<std::uint64_t> folded() const = 0;
  virtual std::optional<Cell> first_difference(Queue& queue, const Lane& other) = 0;
  /// Runs the map once and counts; remembers each block's useful lanes for pictures and dumps.
  virtual void count(Queue& queue) = 0;
  virtual void write_cells(Queue& queue, std::span<const Cell> cells, std::uint8_t value) = 0;
  /// The logical state, row-major over the box.
  virtual std::vector<std::uint8_t> state(Queue& queue) = 0;
  /// Four numbers a launched block, in launch order: w_x, w_y, x, y of its first cell, or -1, -1 for a waste block.
  virtual std::vector<std::int32_t> block_table(Queue& queue) = 0;

  // ---- any thread -----------------------------------------------------------------------------------------------
  virtual std::optional<Counts> counts() const = 0;
  virtual bool member(Cell cell) const = 0;
  virtual bool owner(Cell cell, Owner& who) const = 0;
  /// The cell a thread maps to; `useful` false: the empty place a wasted thread maps to. Nullopt: its block serves
  /// none.
  struct Target {
    Cell cell;
    bool useful = false;
  };
  virtual std::optional<Target> target(const Owner& who) const = 0;
  /// The box in data space that a block serves, first and one past the last cell. Nullopt: it serves none.
  virtual std::optional<std::pair<Cell, Cell>> footprint(const Owner& who) const = 0;
  virtual std::uint64_t address(Cell cell) const = 0;
  virtual Formula formula(const Owner& who) const = 0;
  /// Values of the cells of a small window, row-major; 255 where there is no cell.
  virtual std::vector<std::uint8_t> window(Queue& queue, Index3 first, Index3 size) = 0;
  virtual void paint_domain(Queue& queue, const PictureRequest& request) = 0;
  /// The launch grid, in units of threads. Needs counts().
  virtual void paint_launch(Queue& queue, const PictureRequest& request) = 0;

 protected:
  LaneInfo info_;
  std::string kernel_;
};

}  // namespace warploom
