#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/core/queue.h"
#include "gpu/core/types.h"
#include "gpu/maps/formula.h"
#include "gpu/pictures/picture.h"
#include "gpu/tracks/state_pair.h"

namespace warploom {

/// A way to run a work: a map with its variants. What menus, statistics and documents show.
struct TrackInfo {
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
  std::uint64_t sectors = 0;  ///< 32-byte sectors that the useful threads touch, warp by warp
  std::uint64_t wrong = 0;    ///< blocks that a map which is meant to be wrong sent astray
  std::uint64_t wasted() const { return launched - useful; }
};

/// The seal of a state, and the sum of its values.
struct Seal {
  std::uint64_t hash = 0, sum = 0;
};

/// An array to be written as a NumPy file.
struct DumpArray {
  std::string name, numpy_type, type;  ///< "state", "|u1", "uint8"
  std::vector<std::uint64_t> shape;
  std::vector<std::uint8_t> bytes;
  std::string meaning;
};

template <class Value>
std::vector<std::uint8_t> array_bytes(const std::vector<Value>& values) {
  const auto* first = reinterpret_cast<const std::uint8_t*>(values.data());
  return {first, first + values.size() * sizeof(Value)};
}

/// What the accesses of a map cost in one layout, counted warp by warp over one step.
struct LayoutCounts {
  std::string layout;
  bool own = false;           ///< the track's own
  std::uint64_t sectors = 0;  ///< of 32 bytes
  std::uint64_t lines = 0;    ///< of 128 bytes
  std::uint64_t elements = 0, padding = 0;
};

/// One warp's accesses in one layout: the byte that each lane touches, none for lanes that are waste.
struct WarpAccess {
  std::string layout;
  std::vector<std::optional<std::uint64_t>> bytes;
  std::uint64_t sectors() const { return distinct(32); }
  std::uint64_t lines() const { return distinct(128); }

 private:
  std::uint64_t distinct(std::uint64_t size) const;
};

/// Where a map that is meant to be wrong first is, on this backend.
struct FirstWrong {
  std::uint64_t index = 0;      ///< linear block w; nothing wrong below
  bool found = false;           ///< false: none was found below `index`
  std::uint64_t published = 0;  ///< by correctly rounded arithmetic of a CPU
  std::uint32_t blocks = 0;     ///< blocks a side from which on it matters
  Index3 answer, right;         ///< what the map says there, all ones: nothing; and what is right: stacked
  Index3 block;                 ///< the right block in the domain's own coordinates
};

/// One track of a scene: a state under a map, on a backend. Steps, seals and counts are called by one thread at a time
/// with its queue; pictures and questions may come from another, with theirs.
class Track {
 public:
  virtual ~Track() = default;

  const TrackInfo& info() const { return info_; }
  /// Name of the work's kernel, as in timings: "fractal.life".
  const std::string& kernel() const { return kernel_; }
  virtual std::vector<LaunchShape> launches() const = 0;
  /// The domain's box in cells.
  virtual Index3 extent() const = 0;
  virtual std::uint64_t cells() const = 0;
  /// Bytes of backend memory this track holds.
  virtual std::uint64_t bytes() const = 0;

  /// Three-dimensional tracks are pictured as solids.
  virtual bool solid() const { return false; }
  /// ... with the third axis up, or down.
  virtual bool z_up() const { return false; }
  /// Can cells be painted alive and dead?
  virtual bool paintable() const { return true; }

  // ---- the thread that steps ------------------------------------------------------------------------------------
  virtual void fill(Queue& queue, std::uint64_t seed, double density) = 0;
  /// A logical state, row-major over the box; only members are looked at.
  virtual void load(Queue& queue, std::span<const std::uint8_t> state) = 0;
  virtual void copy_state(Queue& queue, const Track& from) = 0;
  /// Launches one step of the work, named and timed.
  virtual void step(Queue& queue) = 0;
  /// Makes the written state the finished one and takes the folded sum over, when the step is complete.
  virtual void publish(Queue& queue) = 0;
  /// A step that was launched, in part or whole, is not published: the track is as it was before.
  virtual void give_up(Queue&) {}
  virtual Seal seal(Queue& queue) = 0;
  /// The sum the last published step folded, of works that fold.
  virtual std::optional<std::uint64_t> folded() const = 0;
  virtual std::optional<Cell> first_difference(Queue& queue, const Track& other) = 0;
  /// Runs the map once and counts; remembers each block's useful threads for pictures and dumps.
  virtual void count(Queue& queue) = 0;
  /// Runs the map alone so many times; the median time in milliseconds.
  virtual double time_map(Queue&, int /*times*/) { return 0; }
  virtual void write_cells(Queue& queue, std::span<const Cell> cells, std::uint8_t value) = 0;
  /// The logical state of cells that are dead or alive, row-major over the box.
  virtual std::vector<std::uint8_t> state(Queue& queue) = 0;
  /// What `--dump` writes of this track, by name. Throws UsageError for more than 2 GiB.
  virtual std::vector<DumpArray> dumps(Queue& queue) = 0;

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
  /// Values of the cells of a small window, row-major; not a number where there is no cell.
  virtual std::vector<float> window(Queue& queue, Index3 first, Index3 size) = 0;
  /// A value between 0 and 1, as the picture colours it.
  virtual float shade(float value) const { return value; }
  virtual void paint_domain(Queue& queue, const PictureRequest& request) = 0;
  /// The launch grid, in units of threads. Needs counts().
  virtual void paint_launch(Queue& queue, const PictureRequest& request) = 0;

  // ---- the board: how launches, and turns of persistent blocks, are laid out as one picture, in blocks ----------
  virtual Index3 board() const { return launches()[0].blocks; }
  /// Who stands at a place of it; nullopt: nobody, between launches.
  virtual std::optional<Owner> on_board(Index3 at) const;
  virtual Index3 board_place(const Owner& who) const { return who.block; }
  /// Extent of a block of the board, in threads.
  Index3 board_block() const { return launches()[0].threads; }

  // ---- solids ---------------------------------------------------------------------------------------------------
  /// What a pixel of a solid picture shows.
  struct Picked {
    bool on_board = false;
    Cell cell;    ///< in data space
    Owner owner;  ///< on the board
  };
  virtual std::optional<Picked> pick(Queue&, const PictureRequest&, bool /*board*/, float /*x*/, float /*y*/) {
    return std::nullopt;
  }

  // ---- lenses ---------------------------------------------------------------------------------------------------
  /// Costs of every layout, once counted; empty where there is but one.
  virtual std::vector<LayoutCounts> layout_counts() const { return {}; }
  /// Bytes of a cell's value.
  virtual std::uint32_t value_bytes() const { return 1; }
  /// The warp of `who`, under every layout.
  virtual std::vector<WarpAccess> warp_accesses(const Owner&) const { return {}; }
  /// Of maps that are meant to be wrong.
  virtual std::optional<FirstWrong> first_wrong() const { return std::nullopt; }
  /// Numbers the track computes: name and value.
  virtual std::vector<std::pair<std::string, double>> numbers(Queue&) { return {}; }

 protected:
  TrackInfo info_;
  std::string kernel_;
};

}  // namespace warploom
