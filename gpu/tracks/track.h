#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/core/queue.h"
#include "gpu/core/types.h"
#include "gpu/pictures/picture.h"
#include "gpu/tracks/faceted.h"
#include "gpu/tracks/state_pair.h"

namespace warploom {

/// A way to run a work: a map with its variants. What menus, statistics and documents show.
struct TrackInfo {
  std::string name;                         ///< map[/intra[/storage]] or map[/layout], canonical and shortest
  std::string map, intra, storage, layout;  ///< empty: does not apply
  std::string title, description, citation;
  bool exact = true;
};

/// A part of a step: a kernel with its launches, or host work beside them.
struct Stage {
  std::string kernel;                 ///< as in timings: "fractal.life"
  std::vector<LaunchShape> launches;  ///< none of host stages
  std::uint64_t bytes = 0;            ///< fewest bytes it must move; 0 where that says nothing
  bool host = false;
};

/// The seal of a state, and the sum of its values.
struct Seal {
  std::uint64_t hash = 0, sum = 0;
  std::optional<std::uint64_t> folded;  ///< the sum the last published step folded, of works that fold
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

/// One track of a scene: a state under a map, on a backend. Three threads may be at it at once, each with a queue of
/// its own: the one that steps, the one that paints, and the one that asks (the window's). Nothing here checks which
/// comes: Simulation does.
class Track : public Faceted {
 public:
  virtual ~Track() = default;

  const TrackInfo& info() const { return info_; }
  /// The name a whole step is timed by: of its one stage, or of their sum.
  const std::string& kernel() const { return kernel_; }
  /// What a step runs, in order: one stage for maps, several for pipelines.
  const std::vector<Stage>& stages() const { return stages_; }
  /// Of the stage that makes the output.
  const std::vector<LaunchShape>& launches() const { return stages_[output_stage_].launches; }
  /// The domain's box in cells.
  virtual Index3 extent() const = 0;
  virtual std::uint64_t cells() const = 0;
  /// Bytes of backend memory this track holds. Any thread.
  std::uint64_t bytes() const { return state_bytes_ + picture_bytes_; }

  /// Three-dimensional tracks are pictured as solids.
  virtual bool solid() const { return false; }
  /// ... with the third axis up, or down.
  virtual bool z_up() const { return false; }

  // ---- the thread that steps ------------------------------------------------------------------------------------
  /// A start state. Like `load`, `copy_state` and `step` it writes the state that nobody sees; `publish` shows it, and
  /// `give_up` forgets it.
  virtual void fill(Queue& queue, std::uint64_t seed, double density) = 0;
  /// A logical state, row-major over the box; only members are looked at.
  virtual void load(Queue& queue, std::span<const std::uint8_t> state) = 0;
  virtual void copy_state(Queue& queue, const Track& from) = 0;
  /// Launches one step of the work, named and timed.
  virtual void step(Queue& queue) = 0;
  /// Makes the written state the finished one and takes the folded sum over, when it is complete on the device.
  virtual void publish(Queue& queue) = 0;
  /// What was launched, in part or whole, is not published: the track is as it was before.
  virtual void give_up(Queue&) {}
  virtual Seal seal(Queue& queue) = 0;
  virtual std::optional<Cell> first_difference(Queue& queue, const Track& other) = 0;
  /// What `--dump` writes of this track, by name. Throws UsageError for more than 2 GiB.
  virtual std::vector<DumpArray> dumps(Queue& queue) = 0;

  // ---- any thread; with a queue: the thread that asks, or paint: the thread that paints -------------------------
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

 protected:
  TrackInfo info_;
  std::string kernel_;
  std::vector<Stage> stages_;  ///< filled by the constructor; not empty from then on
  std::size_t output_stage_ = 0;
  /// Of the buffers that the thread that steps makes, and of those that pictures make: each writes its own.
  std::atomic<std::uint64_t> state_bytes_{0}, picture_bytes_{0};
};

}  // namespace warploom
