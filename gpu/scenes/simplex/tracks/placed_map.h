#pragma once
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "gpu/core/buffer.h"
#include "gpu/maps/rule.h"
#include "gpu/own/sources.h"
#include "gpu/pictures/grid_layout.h"
#include "gpu/scenes/simplex/maps/simplex_map.h"
#include "gpu/scenes/simplex/tracks/count.h"
#include "gpu/scenes/simplex/works/work.h"
#include "gpu/tracks/facets/failure.h"
#include "gpu/tracks/facets/written.h"
#include "gpu/tracks/track.h"

namespace warploom {

/// What a step of a simplex track works on.
template <int Dimensions>
struct PlacedStep {
  const char* kernel;
  std::string_view work, layout;
  std::span<const LaunchShape> launches;
  const std::uint8_t* from;
  std::uint8_t* to;                       ///< null: the work writes no state
  std::uint64_t state_bytes, cell_bytes;  ///< of a state; fewest that a step moves for a cell
  Rule rule;
  const Point<Dimensions>* points;
  Buffer<std::uint64_t>& sums;
};

/// What counting asks of a map, and where it counts.
template <int Dimensions>
struct PlacedCount {
  AnyLayout<Dimensions> layouts;
  std::uint32_t value_bytes;
  std::span<const LaunchShape> launches;
  std::span<const std::uint64_t> first_visits;  ///< of each launch
  std::uint64_t* counters;                      ///< SimplexCounters, zero before
  SimplexTables tables;
  std::uint32_t ascending;  ///< as SimplexCount has it
};

/// What a track asks of its map. The tracks of all maps of a dimension are one class; a map's own kernels are behind
/// this.
template <int Dimensions>
class PlacedMap {
 public:
  virtual ~PlacedMap() = default;

  virtual bool exact() const = 0;
  virtual int launches() const = 0;
  virtual LaunchShape shape(int launch) const = 0;
  virtual int turns(int launch) const = 0;
  /// Launched places, in closed form.
  virtual std::uint64_t launched() const = 0;
  /// What it looks up, in the backend's memory.
  virtual const std::uint32_t* table() const = 0;
  virtual std::uint64_t bytes() const = 0;
  /// Launches a work over all cells.
  virtual void step(Queue& queue, const PlacedStep<Dimensions>& with) const = 0;
  virtual void count(Queue& queue, const PlacedCount<Dimensions>& with) const = 0;
  /// Of inexact maps: marks the visits of blocks that none serves, and counts them.
  virtual void find_astray(Queue& queue, const GridLayout& board, const SimplexTables& tables,
                           std::uint64_t* wrong) const = 0;
  /// Of inexact maps: the first block that one mis-maps on this backend. One search per process.
  virtual FirstWrong search(Queue& queue) const = 0;

  // The contract of maps (simplex_map.h), on the host. Any thread.
  virtual bool locate(int launch, Index3 at, int turn, Index3& block) const = 0;
  virtual std::uint32_t items() const = 0;
  virtual bool thread(Cell origin, Index3 at, std::uint32_t item, Cell& cell) const = 0;
  virtual bool owner(Cell cell, Owner& who) const = 0;
  virtual Formula explain(const SimplexQuestion& question) const = 0;

  /// Of built-in maps: the type, as code names it.
  virtual std::string type() const { return {}; }

  // The map's sources, and what a thread computes there; as Sourced has it.
  virtual std::vector<SourceFile> sources() const { return {}; }
  virtual std::optional<SourceValues> values(const Owner&, const std::atomic<bool>&) const { return std::nullopt; }
  /// What a rule under the map computes for a cell.
  virtual std::optional<SourceValues> rule_values(Cell, const StateCopy&, const std::atomic<bool>&) const {
    return std::nullopt;
  }

  // Maps that their users wrote, and those that run a rule of theirs.
  virtual Written* written() { return nullptr; }
  virtual void add_dumps(std::vector<DumpArray>&) const {}
  /// It places cells one by one, and no blocks; then target() says where a thread works.
  virtual bool by_cells() const { return false; }
  /// False: it is a whole step.
  virtual bool is_map() const { return true; }
  virtual std::optional<Target> target(const Owner&) const { return std::nullopt; }
  virtual SimplexCellsServed cells_served() const { return {}; }
};

}  // namespace warploom
