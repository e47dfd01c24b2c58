#pragma once
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gpu/core/buffer.h"
#include "gpu/maps/map.h"
#include "gpu/maps/work.h"
#include "gpu/own/sources.h"
#include "gpu/pictures/grid_layout.h"
#include "gpu/pictures/picture_request.h"
#include "gpu/scenes/fractal/maps/question.h"
#include "gpu/scenes/fractal/pictures/pictures.h"
#include "gpu/scenes/fractal/works/map_program.h"
#include "gpu/tracks/facets/written.h"
#include "gpu/tracks/track.h"

namespace warploom {

template <class Storage>
class FractalTrack;

/// What a track asks of its map over a storage. The tracks of all maps are one class; a map's own kernels are behind
/// this.
template <class Storage>
class StoredMap {
 public:
  virtual ~StoredMap() = default;

  /// What a step launches.
  virtual std::vector<LaunchShape> launches() const = 0;
  /// Threads of it, in closed form.
  virtual std::uint64_t launched() const = 0;
  /// Of the table that it looks up.
  virtual std::uint64_t bytes() const = 0;
  /// Launches a work over all cells; where it folds them, `sums` are zeroed before. `bytes`: what each launch moves.
  virtual void step(Queue& queue, const char* kernel, const std::string& work, const WorkArguments<Storage>& with,
                    Buffer<std::uint64_t>& sums, std::uint64_t bytes) const = 0;
  /// Adds what CountProgram counts; `counters` are zero before.
  virtual void count(Queue& queue, const Storage& state, MapCounts* counters, std::uint16_t* useful_in_block) const = 0;
  /// As FindServed has it.
  virtual void find_served(Queue& queue, const GridLayout& board, const FractalBlocks& blocks,
                           std::uint32_t* served) const = 0;
  /// The data space by who serves its cells; the launch grid.
  virtual void paint_cells(FractalTrack<Storage>& track, Queue& queue, const PictureRequest& request) const = 0;
  virtual void paint_launches(FractalTrack<Storage>& track, Queue& queue, const PictureRequest& request,
                              const std::uint16_t* useful_in_block) const = 0;

  // The contract of maps (map.h), on the host. Any thread.
  virtual bool block(int launch, Index3 at, int turn, Cell& origin) const = 0;
  virtual std::optional<Target> target(const Owner& who) const = 0;
  virtual bool owner(Cell cell, Owner& who) const = 0;
  virtual Formula explain(const FractalQuestion& question) const = 0;

  /// Of built-in maps: the type, as code names it, and what it looks up, in the backend's memory: to place blocks, and
  /// inside them.
  virtual std::string type() const { return {}; }
  virtual std::pair<const std::uint32_t*, const std::uint32_t*> tables() const { return {}; }

  // The map's sources, and what a thread computes there; as Sourced has it.
  virtual std::vector<SourceFile> sources() const { return {}; }
  virtual std::optional<SourceValues> values(const Owner&, const std::atomic<bool>&) const { return std::nullopt; }
  /// What a rule under the map computes for a cell.
  virtual std::optional<SourceValues> rule_values(Cell, const StateCopy&, const std::atomic<bool>&) const {
    return std::nullopt;
  }

  // Of maps that their users wrote, and those that run a rule of theirs.
  virtual Written* written() { return nullptr; }
  virtual void add_dumps(std::vector<DumpArray>&) const {}
};

}  // namespace warploom
