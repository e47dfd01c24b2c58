#pragma once
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gpu/core/queue.h"
#include "gpu/core/types.h"
#include "gpu/pictures/picture.h"
#include "gpu/tracks/faceted.h"

namespace warploom {

/// A way to run a work: a map with its variants. What menus, statistics and documents show.
struct TrackInfo {
  std::string name;                         ///< map[/intra[/storage]] or map[/layout], canonical and shortest
  std::string map, intra, storage, layout;  ///< empty: does not apply
  std::string title, description, citation;
  bool exact = true;
};

/// Its title with what tells it from others of the same title: "Root, exact, blocked".
std::string full_title(const TrackInfo& info);

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

/// More than this is not written.
inline constexpr std::uint64_t most_dumped_bytes = 1ull << 31;
/// Throws UsageError where an array of a dump would pass it; a double: refused sizes may pass 2^64.
void check_dump(double bytes);

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
/// comes: Simulation does. What only some tracks have they offer as facets (facets/).
class Track : public Faceted {
 public:
  virtual ~Track() = default;

  // ---- any thread ---------------------------------------------------------------------------------------------------
  const TrackInfo& info() const { return info_; }
  /// The name a whole step is timed by: of its one stage, or of their sum.
  const std::string& kernel() const { return kernel_; }
  /// What a step runs, in order: one stage for maps, several for pipelines.
  const std::vector<Stage>& stages() const { return stages_; }
  /// Of the stage that makes the output.
  const std::vector<LaunchShape>& launches() const { return stages_[output_stage_].launches; }
  /// The domain: its box in cells, how many axes it has, and how many cells.
  Index3 extent() const { return extent_; }
  int dimensions() const { return dimensions_; }
  std::uint64_t cells() const { return cells_; }
  /// Bytes of backend memory this track holds.
  std::uint64_t bytes() const { return state_bytes_ + picture_bytes_; }
  /// What can be seen of it, the first of them first. What each of their functions may be called by: Picture.
  const std::vector<Picture*>& pictures() const { return pictures_; }
  /// Changes whenever its finished state, its seal or its counts may have.
  std::uint64_t version() const { return version_; }

  // ---- the thread that steps ------------------------------------------------------------------------------------
  /// The state of another track of the same domain as a start state. Like `step` it writes the state that is not shown;
  /// `publish` shows it, and `give_up` forgets it.
  virtual void adopt(Queue& queue, const Track& from) = 0;
  /// One whole step, named and timed.
  virtual void step(Queue& queue) = 0;
  /// Makes the written state the finished one, when it is complete on the device.
  virtual void publish(Queue& queue) = 0;
  /// What was launched, in part or whole, is not published: the track is as it was before.
  virtual void give_up(Queue&) {}
  /// Of the finished state; of tracks whose values are near and not equal, of their exact part. None: it has no such.
  virtual std::optional<Seal> seal(Queue& queue) = 0;
  virtual std::optional<Cell> first_difference(Queue& queue, const Track& other) = 0;
  /// What `--dump` writes of this track, by name. Throws UsageError for more than 2 GiB.
  virtual std::vector<DumpArray> dumps(Queue& queue) = 0;
  /// Another version from now on: Simulation says so, of every track whenever it may be.
  void changed() { ++version_; }

 protected:
  TrackInfo info_;
  std::string kernel_;
  std::vector<Stage> stages_;  ///< filled by the constructor; not empty from then on
  std::size_t output_stage_ = 0;
  Index3 extent_{1, 1, 1};
  int dimensions_ = 2;
  std::uint64_t cells_ = 0;
  std::vector<Picture*> pictures_;  ///< filled by the constructor
  /// Of the buffers that the thread that steps makes, and of those that pictures make: each writes its own.
  std::atomic<std::uint64_t> state_bytes_{0}, picture_bytes_{0};

 private:
  std::atomic<std::uint64_t> version_{1};
};

/// "(3, 1)", or "(3, 1, 4)" of a domain of three axes.
std::string place_text(Index3 at, int dimensions);

}  // namespace warploom
