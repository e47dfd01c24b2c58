#pragma once
#include <cstdint>
#include <vector>

#include "gpu/core/buffer.h"
#include "gpu/works/fractal/sliced_shape.h"

namespace warploom {

/// Of a geometry of register blocks, what tables are made from.
struct TileGeometry {
  int digits = 0;           ///< low digits that a register block stands for
  int slots = 0;            ///< words beside one
  std::vector<int> word;    ///< of each place of the block: which of its k^digits words; -1: none is there
  std::vector<int> around;  ///< (places, directions): as BlockGeometry tells, -1: nobody
  int together = 1;         ///< chunks that are fetched at once
};

/// Where the words beside register blocks are in shared memory, when it holds a tile, its halo and a word of zeros, in
/// this order. The numbers are those of words.
struct TileView {
  const std::uint16_t* slots = nullptr;  ///< (slots, register blocks)
  /// Direction of the tile it is of, then 16 bits: which chunk of that. Of each word of the halo all chunks, `together`
  /// at a time.
  const std::uint32_t* halo = nullptr;
  std::uint32_t blocks = 1;  ///< register blocks of a tile
  std::uint32_t halo_words = 0;
};

/// Made once a mask, level and geometry.
class TileTables {
 public:
  TileTables() = default;
  TileTables(Queue& queue, const FractalDomain& domain, const SlicedShape& shape, const TileGeometry& geometry);
  TileView view() const { return {slots_.data(), halo_.data(), blocks_, halo_words_}; }
  std::uint64_t bytes() const { return slots_.bytes() + halo_.bytes(); }

 private:
  std::uint32_t blocks_ = 1, halo_words_ = 0;
  Buffer<std::uint16_t> slots_;
  Buffer<std::uint32_t> halo_;
};

}  // namespace warploom
