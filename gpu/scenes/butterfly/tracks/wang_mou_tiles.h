#pragma once
#include <optional>
#include <vector>

#include "gpu/core/buffer.h"
#include "gpu/scenes/butterfly/rules/long_systems.h"
#include "gpu/scenes/butterfly/tracks/in_place_blocks.h"

namespace warploom {

/// Systems, or parts of them that several devices have, by tiles: down to the ends of the tiles, and again of those,
/// until few rows of each are left; and back, when their unknowns are there.
class WangMouTiles {
 public:
  /// Which rows these are: a part of a system goes down to its two ends.
  struct Rows {
    int n = 0;                ///< log2 of those of a problem
    std::uint64_t batch = 0;  ///< problems
    bool is_part = false, begins = true, ends_system = true;
    std::uint64_t first = 0;  ///< of a part: its first row in the system
  };
  /// Tiles of 2^s rows.
  WangMouTiles(Queue& queue, const Rows& rows, const NetworkMapping& mapping, bool shuffles);

  /// log2 of the rows that are left of each problem.
  int left() const { return left_; }
  /// Those rows of `in`, one problem after the other.
  const SystemRow* down(const char* kernel, Queue& queue, const SystemRow* in);
  /// Where their unknowns are looked for.
  float* unknowns() const { return levels_.back().unknowns.data(); }
  /// All unknowns. `outside` (problems, 2): those before and behind a part; null: there are none.
  void up(const char* kernel, Queue& queue, float* out, const float* outside);
  /// Divisions by 0, by problem, to those of `singular`.
  void note_singular(Queue& queue, std::uint64_t* singular) const;

  /// Adds what a problem costs.
  void tell(NetworkReport& report) const;
  std::uint64_t tiles() const { return rows_.batch << levels_.front().of_problem; }
  /// A tile of the rows as they come.
  const NetworkMapping& tile() const { return first_.mapping(); }
  int levels() const { return static_cast<int>(levels_.size()); }
  int stages() const;  ///< down
  std::optional<KernelResources> resources(const Queue& queue) const;
  std::uint64_t bytes() const;
  std::uint64_t made_bytes() const { return levels_.front().made.bytes(); }

 private:
  /// Tiles of rows, or of the ends of the tiles before.
  struct Level {
    int n, digits, of_problem;  ///< log2 of its rows of a problem, of a tile, and of the tiles of a problem
    Buffer<SystemRow> made, ends;
    Buffer<float> unknowns;  ///< those of `ends`
    Buffer<std::uint64_t> singular;
  };
  template <class Network>
  TileSystemRule<Network> rule(int digits, const SystemRow* in = nullptr, const Level* level = nullptr) const;

  Rows rows_;
  int s_, left_;
  InPlaceBlocks<TileSystemRule<WangMou>> first_;
  std::optional<InPlaceBlocks<TileSystemRule<PairedWangMou>>> next_, last_;  ///< of ends; `last_`: a tile a problem
  std::vector<Level> levels_;
};

/// What tiles leave of systems, 2^n rows of each: a block's.
class EndsSystems {
 public:
  EndsSystems(Queue& queue, int n, std::uint64_t batch, const NetworkMapping& mapping, bool shuffles);
  void solve(const char* kernel, Queue& queue, const SystemRow* rows, float* unknowns);
  /// Divisions by 0: behind `stages` others, of rows that are ends of `levels` levels of tiles of 2^digits rows.
  void note_singular(Queue& queue, std::uint64_t* singular, int stages, int levels, int digits) const;
  void tell(NetworkReport& report) const;
  std::uint64_t bytes() const { return singular_.bytes(); }

 private:
  EndsRule rule() const;
  int n_;
  std::uint64_t batch_;
  InPlaceBlocks<EndsRule> blocks_;
  Buffer<std::uint64_t> singular_;
};

}  // namespace warploom
