#pragma once
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "gpu/core/buffer.h"
#include "gpu/core/launch_graphs.h"
#include "gpu/own/sources.h"
#include "gpu/pictures/grid_layout.h"
#include "gpu/tracks/facets/batched.h"
#include "gpu/tracks/facets/counted.h"
#include "gpu/tracks/facets/editable.h"
#include "gpu/tracks/facets/explained.h"
#include "gpu/tracks/facets/fill.h"
#include "gpu/tracks/facets/threads.h"
#include "gpu/tracks/state_pair.h"
#include "gpu/tracks/track.h"

namespace warploom {

/// A track whose state is a value a cell, and whose threads serve cells: what such tracks share of whatever domain,
/// storage and map. Offers Counted, Threads, Explained, FillFacet and Batched; a scene's own part offers Editable where
/// cells are dead or alive.
class CellTrack : public Track,
                  public Counted,
                  public Threads,
                  public Explained,
                  public Editable,
                  public FillFacet,
                  public Batched {
 public:
  void step(Queue& queue) final;
  std::uint64_t reach(Queue& queue, std::uint64_t count) final;
  bool only_whole(std::uint64_t count) const final;
  std::uint64_t steps(Queue& queue, std::uint64_t count, const std::function<bool()>& enough) final;
  void publish(Queue& queue) final;
  void give_up(Queue& queue) final;
  std::optional<Counts> counts() const final;
  std::optional<CountsSoFar> counts_so_far(Queue& queue, std::uint64_t warps) const final;
  bool launched(const Owner& who) const final;

  /// How launches, and turns of persistent blocks, are laid out as one picture; its rows are on the host.
  GridLayout board() const {
    GridLayout board = board_;
    board.rows = rows_.data();
    return board;
  }

  /// Of the finished state, in the track's own storage. The thread that steps.
  const std::uint8_t* finished_bytes() const { return states_.finished(); }

  // ---- what its pictures show: they alone ask ----------------------------------------------------------------------
  virtual void paint_cells(Queue& queue, const PictureRequest& request) = 0;
  /// As Picture has it.
  virtual int samples_on_device(const PictureRequest&) const { return 0; }
  /// Whether it can show blocks of a plane on their way: when they are counted, and not too many.
  virtual bool flies() const { return false; }
  /// The launch grid; needs counts().
  virtual void paint_launches(Queue& queue, const PictureRequest& request) = 0;
  /// Of the box of cells that a block serves, its sides: all of a track's serve as large a one.
  virtual Index3 block_cells() const = 0;
  /// The useful threads of the first blocks in launch order; nullopt where the table was not kept. `sums` is for its
  /// own use, and kept.
  virtual std::optional<std::uint64_t> useful_of_first(Queue& queue, std::uint64_t visits,
                                                       Buffer<std::uint64_t>& sums) const = 0;
  /// Values of the cells of a small box, row-major; not a number where there is no cell.
  virtual std::vector<float> window(Queue& queue, Index3 first, Index3 size) = 0;
  /// As of Picture.
  virtual ValueRange range() const { return {}; }
  virtual float shade(float value, const ValueRange&) const { return value; }
  /// What the palette's ends stand for where the state is shown.
  virtual Legend state_legend(const ValueRange&) const { return {"dead", "alive", true}; }

 protected:
  /// `single`: its works have one state, that every step writes anew.
  CellTrack(Queue& queue, std::uint64_t state_bytes, bool single = false);

  /// What a start state says of itself once it is published.
  struct Fresh {
    std::optional<std::uint64_t> folded;
    bool written = false;  ///< it holds the values of a step
  };
  Fresh now() const { return {folded_, written_}; }

  // ---- what a step is ----------------------------------------------------------------------------------------------
  /// Whether its work writes a next state, or folds the one there is.
  virtual bool writes_state() const = 0;
  /// Whether a step leaves sums.
  virtual bool sums() const { return !writes_state(); }
  /// What was written is given up.
  virtual void forget_written() {}
  /// What else the launches of a frame depend on, below 256: those of the same number are the same.
  virtual std::uint64_t graph_variant() const { return 0; }
  /// It times what it launches, which no graph repeats: of several devices.
  virtual bool times_itself() const { return false; }
  /// Behind so many steps that are one sample: of a track that times itself.
  virtual void timed(Queue& /*queue*/, std::uint64_t /*steps*/) {}
  /// Steps that one launch takes at most.
  virtual std::uint64_t steps_of_launch() const { return 1; }
  /// The state `to` from the state `from`, `count` steps later: 1, or steps_of_launch(), of several launches where a
  /// map has them; of works that fold the sums of `from`, and `to` is null. `last`: the last that a frame takes, which
  /// is sealed if any is.
  /// It launches, and no more: a graph repeats what it launched without calling it.
  virtual void advance(Queue& queue, const std::uint8_t* from, std::uint8_t* to, std::uint64_t count, bool last) = 0;
  /// What the host does before the launches of `advance`, and what it keeps of them after; `count` and `last` of the
  /// last call. Whether they come from a graph or not.
  virtual void advancing(Queue&, std::uint64_t /*count*/, bool /*last*/) {}
  virtual void advanced(std::uint64_t /*count*/, bool /*last*/) {}

  /// Writes the state that is not shown, emptied before: body(bytes).
  template <class Body>
  void new_state(Queue& queue, const Fresh& fresh, Body&& body) {
    fresh_ = fresh;
    // Works of one state start empty, once it is published: what a step did not write shows.
    if (states_.single() && !fresh.written) return;
    const StatePair::Writer writer(states_, queue, false);
    zero_bytes(queue, writer.data(), states_.one_bytes());
    body(writer.data());
    flip_pending_ = true;
    flips_to_spare_ = false;
  }

  /// For each launch: how many turns a block has at most, and how many visits there are. Called once stages_ is filled.
  void make_grid_layout(Queue& queue, std::span<const int> turns, std::span<const std::uint64_t> visits);
  GridLayout device_grid() const {
    GridLayout board = board_;
    board.rows = device_rows_.data();
    return board;
  }
  /// The finished state, which any thread may copy.
  StateCopy state_copy();
  /// Bytes of what is held here.
  std::uint64_t cell_bytes() const { return states_.bytes() + sums_.bytes() + device_rows_.bytes(); }

  /// After launches of advance.
  void went(std::uint64_t count, bool last);
  StatePair states_;
  bool flip_pending_ = false, fold_pending_ = false;
  /// The state that was written is the spare one.
  bool flips_to_spare_ = false;
  std::optional<std::uint64_t> folded_;
  Buffer<std::uint64_t> sums_;  ///< of works that fold; kept: allocating on a device waits for all its work
  GridLayout board_;
  mutable std::mutex count_mutex_;
  std::optional<Counts> counts_;  ///< under count_mutex_, and so are the tables that counting makes
  /// Beyond so many the numbers of each are not kept: half a gigabyte for a picture of pixels.
  static constexpr std::uint64_t most_pictured_visits = 1u << 28;

 private:
  void empty(Queue& queue);

  LaunchGraphs graphs_;
  bool written_ = false;
  mutable std::mutex so_far_mutex_;
  mutable Buffer<std::uint64_t> so_far_sums_;  ///< under so_far_mutex_
  std::optional<Fresh> fresh_;
  std::vector<GridRow> rows_;
  Buffer<GridRow> device_rows_;
};

}  // namespace warploom
