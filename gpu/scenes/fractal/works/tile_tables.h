#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "gpu/core/buffer.h"
#include "gpu/scenes/fractal/works/sliced_shape.h"

namespace warploom {

/// Who is beside a tile in some direction, and how its words are reached. Looked up, because whoever works it out walks
/// digit by digit while all others wait.
struct TileBeside {
  /// Tiles that have numbers here.
  static constexpr std::uint64_t most = std::uint64_t{1} << 27;
  static constexpr std::uint32_t nowhere = 15;
  std::uint32_t packed = nowhere << 28;

  TileBeside() = default;
  /// `crossing`: the direction in which the lanes are stepped, too; -1: they stay.
  WARPLOOM_HD TileBeside(std::uint64_t number, int crossing)
      : packed(static_cast<std::uint32_t>(crossing + 1) << 28 | static_cast<std::uint32_t>(number)) {}

  WARPLOOM_HD bool there() const { return packed >> 28 != nowhere; }
  WARPLOOM_HD std::uint32_t number() const { return packed & (most - 1); }
  WARPLOOM_HD int crossing() const { return static_cast<int>(packed >> 28) - 1; }
  /// Whether this or another of the same tile has other lanes.
  WARPLOOM_HD bool any_crosses() const { return packed >> 27 & 1u; }
  WARPLOOM_HD void say_any_crosses() { packed |= 1u << 27; }
};

/// (tiles, directions): who is beside each tile of a state. Throws Error for more tiles than have numbers.
Buffer<TileBeside> tiles_beside(Queue& queue, const FractalDomain& domain, const SlicedShape& shape);

/// What fetching a tile and its halo wants to know.
struct TileView {
  const std::uint16_t* slots = nullptr;  ///< (slots, register blocks): the first byte of a word in shared memory
  /// Direction of the tile it is of, then 16 bits: which chunk of that. Of each word of the halo all chunks, `together`
  /// at a time.
  const std::uint32_t* halo = nullptr;
  const TileBeside* around = nullptr;  ///< (tiles, directions)
  std::uint32_t tiles = 0, halo_words = 0, halo_chunks = 0;
};

/// The words of other tiles that a tile's own are next to, as a list: they are numbered as they are asked for, so that
/// those of a register block come together. In shared memory they follow the tile, and a word of zeros follows them.
class TileHalo {
 public:
  TileHalo(const FractalDomain& domain, const SlicedShape& shape);

  static constexpr std::uint32_t none = ~0u;
  /// The number, in shared memory, of the word beside one of base number `word` in its tile; none: there never is one.
  std::uint32_t beside(std::uint32_t word, int direction);
  std::uint32_t words() const { return static_cast<std::uint32_t>(entries_.size()); }
  /// Where a word begins, in bytes; none: the word of zeros. Once all have been asked for. Throws Error, where that is
  /// beyond 16 bits.
  std::uint16_t byte(std::uint32_t word) const;
  /// What TileView::halo says of it.
  std::vector<std::uint32_t> fetched(std::uint32_t together) const;

 private:
  SlicedShape shape_;
  std::vector<DigitStep> digits_;
  SlicedSteps steps_;
  std::uint32_t arrive_;                ///< as arriving() says
  std::vector<std::uint32_t> entries_;  ///< the tile's direction, then 16 bits: which word of it
  std::unordered_map<std::uint32_t, std::uint32_t> number_of_;
};

/// Of register blocks that are known at compile time.
struct TileGeometry {
  int slots = 0;            ///< words beside one
  std::vector<int> around;  ///< (words, directions): as BlockGeometry tells, -1: none
  int together = 1;         ///< chunks that are fetched at once
};

/// Made once a mask, level and geometry.
class TileTables {
 public:
  TileTables(Queue& queue, const FractalDomain& domain, const SlicedShape& shape, const TileGeometry& geometry);
  const TileView& view() const { return view_; }
  std::uint64_t bytes() const { return slots_.bytes() + halo_.bytes() + around_.bytes(); }

 protected:
  TileTables() = default;
  /// Once all words beside have been asked for; of all that is viewed, but for `slots`.
  void keep(Queue& queue, const FractalDomain& domain, const SlicedShape& shape, const TileHalo& halo,
            std::uint32_t together);

 private:
  TileView view_;
  Buffer<std::uint16_t> slots_;
  Buffer<std::uint32_t> halo_;
  Buffer<TileBeside> around_;
};

}  // namespace warploom
